// The dependencies of this rail's parts: a subset of the process's, and the seam to the merchants' accounts.

import type { Account } from '@florin/accounts'
import type { Check } from '@florin/platform/check'
import type { Clock } from '@florin/platform/clock'
import type { Sql } from '@florin/platform/db/pool'
import type { Db, Tx } from '@florin/platform/db/tx'
import type { Log } from '@florin/platform/worker/job'
import type { Wake } from '@florin/platform/worker/wake'
import type { GivenRecord, Journal } from '@florin/rail-kit/journaled'

export interface UtxoContext {
  sql: Sql
  clock: Clock
  log: Log
  wake: { facts: Wake }
  addresses: PayAddresses
  elsewhere: Elsewhere
  /** Holds what was given out, for a database that is restored from a backup of before. */
  journal: Journal<GivenRecord> & {
    /** Left out where another rail tells of them. */
    checks?: (() => Promise<readonly Check[]>) | undefined
  }
}

/** What else a transfer may be here: a payout of a swap, or what counts for another order already. */
export interface Elsewhere {
  /** Of these those that count already, by their keys. */
  listCounted(
    db: Db,
    transfers: readonly { key: string; from: string | null; txHash: string }[],
  ): Promise<ReadonlySet<string>>
  /** Of these transfers to one place those of a transaction that was believed to be a payout there, though nobody saw it. */
  listBelieved(
    db: Db,
    a: { row: { chain: string; asset: string; address: string }; transfers: readonly { key: string }[] },
  ): Promise<ReadonlySet<string>>
  /** Until the commit nobody else makes a transfer of this chain count. */
  lockTransfers(tx: Tx, chain: string): Promise<unknown>
  /** A swap that has not ended is to bring so much there. */
  isAwaitedBySwap(
    db: Db,
    a: {
      row: { chain: string; asset: string; address: string }
      amount: bigint
      madeBy: Date | undefined
      now: Date
    },
  ): Promise<boolean>
  /** Swaps of this merchant pay one of these addresses. */
  isPaidBySwaps(db: Db, a: { merchantId: string; chain: string; addresses: readonly string[] }): Promise<boolean>
}

/** An address of the merchant's own wallet that one order alone is paid at. */
export interface ClaimedAddress {
  /** Hex. */
  script: string
  account: string | null
  index: bigint | null
  /** How deep its merchant wants payments to be, by amount; left out: as the chain's settings say. */
  depths?: readonly { belowMicros: bigint | null; blocks: number }[]
}

export interface PayAddresses {
  /**
   * The address of an order on a chain, stored before it is answered: asked again, the same one.
   * @returns null where no account stands behind the receiving address.
   * @throws AppError where the account can give out no more addresses now
   */
  claim(a: {
    merchantId: string
    chain: string
    livemode: boolean
    receivingAddress: string
    orderRef: string
    legRef: string
    now: Date
    /** A payment that may be of two orders goes to a person here. */
    takesReused?: boolean
    /** Whether payments to this script come for something else: it is passed over. */
    isOther?(db: Db, script: string): Promise<boolean>
    /** Whether an order was shown this script that the account's rows do not know: a new index passes it over. */
    isGiven?(db: Db, script: string): Promise<boolean>
  }): Promise<ClaimedAddress | null>
  /** These were paid, in a block: in the transaction that writes it down. */
  seen?(db: Db, outputs: readonly { account: string; index: bigint }[], now: Date): Promise<void>
  /** Somebody announced payments to these. */
  announced?(db: Db, outputs: readonly { account: string; index: bigint }[], now: Date): Promise<void>
  /** A reorg took the last payment to these away. */
  left?(tx: Tx, outputs: readonly { account: string; index: bigint }[]): Promise<void>
  /** The next scripts of accounts, which no order has: a payment there means that another wallet gives them out too. */
  lookAhead?(chain: string, network: string): Promise<readonly { script: string }[]>
  /** The account itself. */
  open?(account: string): Promise<Account | null>
  /** An address of it for the change of a refund, the same for the same refund; null: there is none to give. */
  change?(a: {
    account: string
    merchantId: string
    refundId: string
    now: Date
    /** As in `claim`. */
    isGiven?(db: Db, script: string): Promise<boolean>
  }): Promise<{ index: bigint; script: string; orderRef: string } | null>
  /** Whether one of these is an account's: given to an order, or soon to be. */
  isOurs?(db: Db, scripts: readonly string[]): Promise<boolean>
  /** Of these scripts those of an account, its change too, into which an order was paid, and whose account that is. */
  ownersOf?(db: Db, scripts: readonly string[]): Promise<readonly { script: string; merchantId: string }[]>
  /** As `seen`, of scripts that no leg has. */
  seenScripts?(db: Db, scripts: readonly string[], now: Date): Promise<void>
  /** Of these addresses those that are not known to be given to their order. */
  listUnknown?(db: Db, places: readonly GivenPlace[]): Promise<GivenPlace[]>
  /** They were given out by a database that this one was saved from: given to no other order. */
  takeGiven?(tx: Tx, places: readonly GivenPlace[]): Promise<void>
  /** Money came for orders that this database has lost. */
  paidLost?(tx: Tx, payments: readonly LostPayment[], now: Date): Promise<void>
}

/** An address of an account and the order, or the refund, that it was given to. */
export interface GivenPlace {
  account: string
  index: bigint
  script: string
  merchantId: string
  orderRef: string
  at: Date
}

export interface LostPayment {
  account: string
  chain: string
  asset: string
  livemode: boolean
  address: string
  orderRef: string
  amount: bigint
  txid: string
  vout: number
}
