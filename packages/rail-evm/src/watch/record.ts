// Records one scan of a chain: deposits, factory logs, facts, block and cursor, in one commit under the chain's lease.
// Atomic.
import { holdLease, type Lease } from '@florin/platform/db/lease'
import { withTx } from '@florin/platform/db/tx'
import type { RailFact } from '@florin/rail-kit/interface/fact'
import { reportFactsOfMany } from '@florin/rail-kit/report.store'
import { type Address, getAddress, type Hex } from 'viem'
import type { ForwarderContext } from '../context.ts'
import type { BlockHead, Found } from '../node/blocks.ts'
import { extraDepth } from '../node/finality.ts'
import type { WatchedVault } from '../node/match.ts'
import type { Sender } from '../node/senders.ts'
import { assetOf, refundCostIn } from '../settings/assets.ts'
import type { ForwarderChain } from '../settings/config.ts'
import { type Cursor, insertBlock, lockCursor, moveCursor, type Pass } from './cursors.store.ts'
import {
  bookedBalances,
  type Changed,
  confirmKeys,
  type Deposit,
  insertDeposits,
  insertFactoryLogs,
  rollBackTo,
  type Undone,
} from './watch.store.ts'

/** A scan is short: another process takes over from a dead watcher sooner than the chain's settings require. */
const LEASE_MAX_MS = 15_000
export const watchLeaseMs = ({ leaseMs }: ForwarderChain): number => Math.min(leaseMs, LEASE_MAX_MS)

/** Another process moved the cursor: what was read no longer fits and is read again. */
export class CursorMoved extends Error {}

export interface NativeLook {
  vault: WatchedVault
  balance: bigint
  /** Of a transaction that may have brought it; null: none can be named. */
  sender: Sender | null
}

/** What an address holds of one asset at a block. */
export interface BalanceLook extends NativeLook, Word {
  /** null: the native coin. */
  token: Address | null
  block: BlockHead
}

/** Whose word it is; empty where several said the same. */
interface Word {
  saidBy: string
  agreed: boolean
}

/** A balance is read from as many providers as the chain's quorum asks for. */
export const AGREED: Word = { saidBy: '', agreed: true }

export interface Look {
  pass: Pass
  from: Cursor
  /** The block that the cursor moves to. */
  block: BlockHead
  found: Found
  /** The time of each block with a transfer in it. */
  times: ReadonlyMap<Hex, Date>
  native: readonly NativeLook[]
  /** What was there by the deadlines of addresses that are paid after them too. */
  inTime: readonly BalanceLook[]
  /** The chain's newest block. */
  head: bigint
  /** Whose word it is. */
  saidBy: string
}

export interface Written {
  chain: ForwarderChain
  parts: ForwarderContext
  lease: Lease
}

/** @returns how many transfers only this scan found. @throws LeaseLost, CursorMoved */
export async function recordLook({ chain, parts, lease }: Written, look: Look): Promise<number> {
  const now = parts.clock.now()
  const done = await withTx(parts.sql, async (tx) => {
    await holdLease(tx, lease, { now, leaseMs: watchLeaseMs(chain) })
    await lockCursor(tx, chain.id, look.pass)
    const { block, pass, head } = look
    if (!(await moveCursor(tx, { chain: chain.id, pass, from: look.from, to: block, head, now }))) {
      throw new CursorMoved(chain.id)
    }
    if (pass === 'seen') await insertBlock(tx, chain.id, block, { readBy: look.saidBy, keep: chain.reorgWindow })
    const said = { saidBy: look.saidBy, agreed: chain.quorum === 1 }
    const timeOf = ({ blockHash }: { blockHash: Hex }): Date => look.times.get(blockHash) ?? block.time
    await insertFactoryLogs(tx, chain.id, { ...said, logs: look.found.factoryLogs, timeOf, now })
    const deposits = look.found.transfers.map((transfer): Deposit => {
      const { to, token, amount, txHash, logIndex, height, blockHash, from } = transfer
      const key = `${chain.id}:${blockHash}:${logIndex}`
      const seenAt = look.times.get(blockHash) ?? block.time
      const foundBy = pass === 'seen' ? 'first' : 'second'
      return {
        ...of(to),
        ...{ key, token, amount, txHash, logIndex, from, height, blockHash, seenAt, foundBy },
        ...said,
      }
    })
    const fresh = await insertDeposits(tx, chain.id, deposits, now)
    const facts = deposits.filter((row) => fresh.has(row.key)).map((row) => seenFact(chain, row))
    await report(tx, facts, now)
    const native = look.native.filter((one) => one.balance > 0n || sentFrom(look.found, one.vault))
    const looks = [...look.inTime, ...native.map((one) => ({ ...one, ...said, token: null, block }))]
    const { booked } = await bookBalances(tx, chain, { looks, foundBy: 'first', credit: null, now })
    return facts.length + booked
  })
  if (done > 0) parts.wake.facts.fire()
  if (look.found.factoryLogs.length > 0) parts.wake.factoryLogs.fire()
  return done
}

/** A reorg: everything above the fork left the chain. */
export async function recordRollback(
  { chain, parts, lease }: Written,
  a: { from: Cursor; fork: { height: bigint; hash: Hex }; head: bigint },
): Promise<void> {
  const now = parts.clock.now()
  const undone = await withTx(parts.sql, async (tx) => {
    await holdLease(tx, lease, { now, leaseMs: watchLeaseMs(chain) })
    const credit = await lockCursor(tx, chain.id, 'credit')
    const moved = { chain: chain.id, to: a.fork, head: a.head, now }
    if (!(await moveCursor(tx, { ...moved, pass: 'seen', from: a.from }))) throw new CursorMoved(chain.id)
    if (credit !== null && credit.height > a.fork.height)
      await moveCursor(tx, { ...moved, pass: 'credit', from: credit })
    const { payments, undone } = await rollBackTo(tx, chain.id, a.fork.height)
    // What was passed on is undone before the payment that it was passed on from: at no moment an order has given out
    // more than it received.
    const left = undone.map((row) => ({ orderRef: row.orderRef, fact: leftFact(row) }))
    const orphaned = payments.map((row) => ({ ...row, fact: { kind: 'payment_orphaned', key: row.key } as const }))
    await report(tx, [...left, ...orphaned], now)
    return undone
  })
  if (undone.length > 0) {
    const { event, txHash } = undone[0] ?? {}
    parts.log.error(
      { chain: chain.id, count: undone.length, event, tx: txHash, down_to: String(a.fork.height) },
      'a reorg went past finality: what was final left the chain and is offered again',
    )
  }
  parts.wake.facts.fire()
  // Even if no payment was removed: a settlement may have been.
  parts.wake.factoryLogs.fire()
}

const leftFact = ({ event, legRef, txHash }: Undone): RailFact =>
  event === 'Settled' ? { kind: 'settlement_left', legRef, txHash } : { kind: 'refund_left', legRef, txHash }

type Tx = Parameters<Parameters<typeof withTx>[1]>[0]

export async function report(tx: Tx, facts: readonly { orderRef: string; fact: RailFact }[], now: Date): Promise<void> {
  await reportFactsOfMany(tx, { rail: 'forwarder', facts, now })
}

export const confirmedFact = (row: Changed): RailFact => ({ kind: 'payment_confirmed', key: row.key })

/** Its own block is known: by a log, or by the one transaction that brought all of it. */
const isDated = ({ token, foundBy, from }: Deposit): boolean =>
  (token !== null && foundBy !== 'balance') || from !== null

export function seenFact(chain: ForwarderChain, row: Deposit): Changed & { fact: RailFact } {
  return {
    key: row.key,
    orderRef: row.orderRef,
    fact: {
      kind: 'payment_seen',
      ...{ key: row.key, legRef: row.legRef, txHash: row.txHash, outputIndex: row.logIndex },
      ...{ asset: assetOf(chain, row.token), amount: row.amount, height: row.height, seenAt: row.seenAt },
      minedAt: isDated(row) ? row.seenAt : null,
      from: row.from === null ? null : getAddress(row.from),
      floor: refundCostIn(chain, row.token),
    },
  }
}

/**
 * Books money that no log shows: native coins, and what a node left out. Every finder books here and nowhere else, under
 * the lock of the chain's cursor, so that none books what another one has booked.
 * @param a.looks in the order of their blocks
 * @param a.credit the height from which on a payment counts; null: it is confirmed with the others
 * @returns how many payments are new, and whether something waits until a second provider has confirmed another payment.
 */
export async function bookBalances(
  tx: Tx,
  chain: ForwarderChain,
  a: { looks: readonly BalanceLook[]; foundBy: Deposit['foundBy']; credit: bigint | null; now: Date },
): Promise<{ booked: number; isUnsure: boolean }> {
  const done = { booked: 0, isUnsure: false }
  for (const looks of Map.groupBy(a.looks, ({ block, token }) => `${block.hash} ${token}`).values()) {
    const [first] = looks
    if (first === undefined) continue
    const { token, block } = first
    const vaults = looks.map((look) => look.vault.vault)
    const known = await bookedBalances(tx, { chain: chain.id, token, vaults, height: block.height })
    const rows = looks.flatMap((look) => {
      const { amount, unsure } = known.get(look.vault.vault) ?? { amount: 0n, unsure: 0n }
      const isNew = look.balance > amount
      if (!isNew && look.balance > amount - unsure) done.isUnsure = true
      return isNew ? [balanceDeposit(chain.id, { ...look, amount: look.balance - amount, foundBy: a.foundBy })] : []
    })
    const keys = await insertDeposits(tx, chain.id, rows, a.now)
    const fresh = rows.filter((row) => keys.has(row.key))
    const large = new Set(looks.filter((look) => look.vault.isLarge).map((look) => look.vault.legRef))
    const deep = fresh.filter((row) => {
      const extra = large.has(row.legRef) ? extraDepth(chain) : 0n
      return row.agreed && a.credit !== null && row.height <= a.credit - extra
    })
    await confirmKeys(
      tx,
      deep.map((row) => row.key),
    )
    const facts = [
      ...fresh.map((row) => seenFact(chain, row)),
      ...deep.map((row) => ({ ...row, fact: confirmedFact(row) })),
    ]
    await report(tx, facts, a.now)
    done.booked += fresh.length
  }
  return done
}

function balanceDeposit(chain: string, a: BalanceLook & { amount: bigint; foundBy: Deposit['foundBy'] }): Deposit {
  const { vault, token, amount, block, saidBy, agreed, foundBy } = a
  // A part of it says nothing about who sent the rest, and who sent it may sign for where it goes back to.
  const sender = a.sender?.value === amount ? a.sender : null
  return {
    ...{ ...of(vault), saidBy, agreed, token, amount, foundBy },
    ...{ height: block.height, blockHash: block.hash, seenAt: block.time, logIndex: 0 },
    key: `${chain}:${block.hash}:${vault.vault}${token === null ? '' : `:${token}`}`,
    // A transfer by a contract has no readable transaction of its own; its block is what is known.
    txHash: sender?.txHash ?? block.hash,
    from: sender?.from ?? null,
  }
}

const of = ({ legRef, orderRef, vault }: WatchedVault) => ({ legRef, orderRef, vault })

const sentFrom = (found: Found, vault: WatchedVault): boolean =>
  found.factoryLogs.some((log) => log.vault === vault.vault)
