// Gives every order an address of its own from the merchant's account (contract.md 3.1): under the lock of the account's
// row, so that no two orders, processes or merchants get one index; and never further than the wallet looks.
import { type Account, deriveAddress, deriveAddresses, openAccount } from '@florin/accounts'
import { assert } from '@florin/platform/assert'
import type { Sql } from '@florin/platform/db/pool'
import { type Db, type Tx, withTx } from '@florin/platform/db/tx'
import { AppError } from '@florin/platform/errors'
import { type AccountRef, isAccountRef } from '@florin/rail-kit/account-ref'
import { listLookAhead, listThin, saveDerived, saveLookAhead } from './ahead.store.ts'
import { type CountedAccount, findCounted, findDepths, lookOn } from './counter.store.ts'
import { type GivenPlace, listUnknownGiven, saveGiven } from './given.store.ts'
import {
  CLOSED_AFTER_MS,
  clientCap,
  type DepthTier,
  hasRoom,
  hasRoomForStrangers,
  isReady,
  isStrangersFull,
  REUSED_AFTER_MS,
  tiersOf,
} from './rules.ts'
import * as store from './store.ts'
import { countOfClient, findStarter } from './strangers.store.ts'
import { type LostPayment, tellForeignUse, tellLostPayments } from './tell.ts'
import { listOwners, type Owned } from './wallets.store.ts'

export interface ClaimRequest {
  merchantId: string
  chain: string
  livemode: boolean
  /** Where the order settles: an account's reference or a plain address. */
  receivingAddress: string
  orderRef: string
  legRef: string
  now: Date
  /** The rail sends a payment that may belong to two orders to a person. Left out: no address is given out twice. */
  takesReused?: boolean
  /** Whether payments to this script come for something else: it is passed over. Left out: none is. */
  isOther?(db: Db, script: string): Promise<boolean>
  /** Whether an order was shown this script that the account's rows do not know: a new index passes it over. */
  isGiven?: IsGiven
}

type IsGiven = (db: Db, script: string) => Promise<boolean>

export interface ClaimedAddress {
  /** In hexadecimal. */
  script: string
  account: string
  index: bigint
  depths: readonly DepthTier[]
}

interface Place {
  account: string
  index: bigint
}

/** What a rail asks of the accounts; it imports nothing of this room. */
export interface AccountAddresses {
  /**
   * The address of an order, stored before it is answered: asked again for the order, the same one.
   * @returns null where the receiving address is no account.
   * @throws AppError rail_unavailable while the account can give out none
   */
  claim(a: ClaimRequest): Promise<ClaimedAddress | null>
  /** These were paid, in a block: what is announced can be taken back, and the wallet looks no further for it. */
  seen(db: Db, outputs: readonly Place[], now: Date): Promise<void>
  /** Somebody announced payments to these: from now on they are given to nobody else. */
  announced(db: Db, outputs: readonly Place[], now: Date): Promise<void>
  /** A reorg took the last payment to these away. */
  left(tx: Tx, outputs: readonly Place[]): Promise<void>
  /** The same as `seen` of scripts that no order has: another wallet gave them out. Scripts of no account are passed over. */
  seenScripts(db: Db, scripts: readonly string[], now: Date): Promise<void>
  /** The account itself; null: there is none. */
  open(account: string): Promise<Account | null>
  /** An address for the change of a refund, the same for the same refund; null while the row is full. */
  change(a: {
    account: string
    merchantId: string
    refundId: string
    now: Date
    isGiven?: IsGiven
  }): Promise<(store.Assigned & { orderRef: string }) | null>
  /** Of these addresses those that are not known to be given to their order. */
  listUnknown(db: Db, places: readonly GivenPlace[]): Promise<GivenPlace[]>
  /** They were given out by a database that this one was saved from: given to no other order. Accounts that are not here are passed over. */
  takeGiven(tx: Tx, places: readonly GivenPlace[]): Promise<void>
  /** Money came for orders that this database has lost. */
  paidLost(tx: Tx, payments: readonly LostPayment[], now: Date): Promise<void>
  /** Whether one of these is an account's: given to an order, or soon to be. */
  isOurs(db: Db, scripts: readonly string[]): Promise<boolean>
  /** Of these scripts those of an account, its change too, into which an order was paid, and whose account that is. */
  ownersOf(db: Db, scripts: readonly string[]): Promise<Owned[]>
  /** The next of every account, given to nobody yet: a payment there means that another wallet gives them out too. */
  lookAhead(chain: string, network: string): Promise<{ account: string; index: bigint; script: string }[]>
}

/** Deep enough for a burst of orders between two runs of the job that fills it. */
export const LOOK_AHEAD = 100
const WATCHED_AHEAD = 20
const WATCHED_MAX = 100_000

export function accountAddresses(sql: Sql): AccountAddresses {
  return {
    async claim(a) {
      const id = a.receivingAddress
      if (!isAccountRef(id)) return null
      const { orderRef, merchantId } = a
      const known = await store.findAssigned(sql, { id, orderRef })
      const more = { account: id, depths: tiersOf(await findDepths(sql, { id, merchantId })) }
      if (known !== null) return { ...known, ...more }
      return { ...(await withTx(sql, (tx) => give(tx, id, a))), ...more }
    },
    seen: (db, outputs, now) => markAllPaid(db, outputs, now),
    announced: (db, outputs, now) => eachAccount(outputs, (of) => store.markSeen(db, of, now)),
    left: (tx, outputs) =>
      eachAccount(outputs, async (of) => {
        await store.lockRow(tx, of.id)
        await store.unmarkPaid(tx, of)
        await lookOn(tx, of.id, { fromStart: true })
      }),
    async seenScripts(db, scripts, now) {
      await tellForeignUse(db, await store.listForeignUse(db, scripts), now)
      await markAllPaid(db, await store.listByScripts(db, scripts), now)
    },
    async open(id) {
      const row = (await store.listAccounts(sql, [id])).get(id)
      return row === undefined ? null : openAccount(row.descriptor, row)
    },
    change: ({ account: id, merchantId, refundId, now, isGiven }) =>
      withTx(sql, async (tx) => {
        const orderRef = `change:${refundId}`
        const locked = isAccountRef(id) ? await store.lockAccount(tx, id) : null
        if (locked === null) return null
        const known = await store.findAssigned(tx, { id, orderRef })
        if (known !== null) return { ...known, orderRef }
        const account = await findCounted(tx, { merchantId, id: locked.id, now })
        if (account === null || !hasRoom(account)) return null
        const given = await next(tx, account, isGiven)
        await store.assign(tx, { ...given, ...of(account, orderRef), byStranger: false, isReused: false }, now)
        // No order ever gets it.
        await store.markSeen(tx, { id, indexes: [given.index] }, now)
        return { ...given, orderRef }
      }),
    listUnknown: listUnknownGiven,
    async takeGiven(tx, places) {
      const byAccount = Map.groupBy(places, ({ account }) => account)
      for (const id of [...byAccount.keys()].sort()) {
        await store.lockRow(tx, id)
        await saveGiven(tx, id, byAccount.get(id) ?? [])
      }
    },
    paidLost: tellLostPayments,
    ownersOf: listOwners,
    isOurs: async (db, scripts) => (await store.listByScripts(db, scripts)).length > 0,
    lookAhead: (chain, network) => listLookAhead(sql, { chain, network, each: WATCHED_AHEAD, limit: WATCHED_MAX }),
  }
}

const markAllPaid = (db: Db, outputs: readonly Place[], now: Date): Promise<void> =>
  eachAccount(outputs, async (of) => {
    await store.lockRow(db, of.id)
    await store.markPaid(db, of, now)
    await lookOn(db, of.id, { fromStart: false })
  })

/** An address for an order that has none. @throws AppError rail_unavailable */
async function give(tx: Tx, id: AccountRef, a: ClaimRequest): Promise<store.Assigned> {
  const { orderRef, merchantId, now } = a
  const locked = await store.lockAccount(tx, id)
  assert(locked !== null && locked.chain === a.chain, 'an order settles to an account that is there')
  // Another request for the same order may have been first.
  const first = await store.findAssigned(tx, { id, orderRef })
  if (first !== null) return first
  const account = await findCounted(tx, { merchantId, id, now })
  // Its owner took it over: what this merchant's orders were given stays theirs, and they are given no more.
  if (account === null) throw notOwned()
  if (!isReady(account)) throw notExamined()
  const starter = await findStarter(tx, orderRef)
  const closedBefore = new Date(now.getTime() - CLOSED_AFTER_MS)
  const rowFrom = account.seenBelow
  const client = starter?.client ?? null
  if (client !== null) {
    const open = await countOfClient(tx, { id, merchantId, client, rowFrom, closedBefore })
    if (open >= clientCap(account)) throw tooManyOpen()
  }
  const byStranger = starter !== null
  const more = { ...of(account, orderRef), byStranger }
  if (byStranger ? hasRoomForStrangers(account) : hasRoom(account)) {
    const isTaken: IsGiven = async (db, script) =>
      (await a.isOther?.(db, script)) === true || (await a.isGiven?.(db, script)) === true
    const given = await next(tx, account, isTaken)
    await store.assign(tx, { ...given, ...more, isReused: false }, now)
    return given
  }
  if (a.takesReused !== true) throw full()
  const before = new Date(now.getTime() - REUSED_AFTER_MS)
  // What payers start never takes a place of the shop's own part.
  const ofStrangers = byStranger && isStrangersFull(account)
  let reused: store.Assigned | null = null
  do {
    // What is paid for something else is not asked for again: no order is given it.
    if (reused !== null) await store.markSeen(tx, { id, indexes: [reused.index] }, now)
    reused = await store.findReusable(tx, { id, merchantId, before, closedBefore, ofStrangers, rowFrom })
    if (reused === null) throw full()
  } while (await a.isOther?.(tx, reused.script))
  await store.assign(tx, { ...reused, ...more, isReused: true }, now)
  return reused
}

const of = ({ id, merchantId }: CountedAccount, orderRef: string) => ({ id, merchantId, orderRef })

/** @throws AppError rail_unavailable where all that its wallet still sees are paid for something else, or were given out. */
async function next(tx: Tx, account: CountedAccount, isTaken: IsGiven = async () => false): Promise<store.Assigned> {
  const { id, nextIndex } = account
  for (let index = nextIndex; index === nextIndex || hasRoom({ ...account, nextIndex: index }); index++) {
    const script = (await store.findScript(tx, { id, index })) ?? deriveScript(account, index)
    if (!(await isTaken(tx, script))) return { index, script }
  }
  throw full()
}

/** In one order, so that two that see the same accounts never wait for each other. */
async function eachAccount(
  outputs: readonly Place[],
  mark: (of: { id: string; indexes: bigint[] }) => Promise<unknown>,
): Promise<void> {
  const byAccount = Map.groupBy(outputs, ({ account }) => account)
  for (const id of [...byAccount.keys()].sort())
    await mark({ id, indexes: (byAccount.get(id) ?? []).map(({ index }) => index) })
}

const deriveScript = (row: store.AccountRow, index: bigint): string =>
  deriveAddress(openAccount(row.descriptor, row), Number(index)).scriptPubKey

const full = (): AppError =>
  new AppError('rail_unavailable', {
    message:
      'As many addresses of the merchant’s wallet wait for a payment as it looks at. Pay with another coin, or later. The merchant can raise the limit in the wallet and in the console.',
    retryAfterS: 60,
  })

const notOwned = (): AppError =>
  new AppError('rail_unavailable', {
    message: 'The merchant does not receive this coin at present. Pay with another coin.',
    retryAfterS: 3600,
  })

const notExamined = (): AppError =>
  new AppError('rail_unavailable', {
    message: 'The merchant’s account is still being compared with the chain. Try again in a minute.',
    retryAfterS: 15,
  })

const tooManyOpen = (): AppError =>
  new AppError('rail_unavailable', {
    message:
      'You have started several payments with this coin here and paid none of them. Pay one that is open, take another coin, or come back tomorrow.',
    retryAfterS: 3600,
  })

/** Fills the look-ahead of accounts that ran low, so that no order waits for a derivation. @returns how many accounts. */
export async function fillLookAhead(sql: Sql): Promise<number> {
  const thin = await listThin(sql, { least: LOOK_AHEAD / 2, limit: 20 })
  for (const { from, isFirst, ...row } of thin) {
    const { id } = row
    const account = openAccount(row.descriptor, row)
    const count = Number(row.nextIndex + BigInt(LOOK_AHEAD) - from)
    // A single address of another merchant is compared with the first ones, wherever the counter starts.
    const first = isFirst && from > 0n ? deriveAddresses(account, 0, LOOK_AHEAD) : []
    const derived = [...first, ...deriveAddresses(account, Number(from), count)]
    await saveLookAhead(
      sql,
      id,
      derived.map(({ index, scriptPubKey }) => ({ index: BigInt(index), script: scriptPubKey })),
    )
    await saveDerived(sql, { id, from, to: from + BigInt(count) })
  }
  return thin.length
}
