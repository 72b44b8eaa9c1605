// Sends transactions: row first, broadcast second. If a process dies between the two, the next one broadcasts exactly
// the signed transaction from the row. A transaction that is not mined in time is replaced with a higher fee.
import type { Lease } from '@florin/platform/db/lease'
import { MINUTE_MS, SECOND_MS } from '@florin/protocol'
import { oldHead } from '@florin/rail-kit/old-head'
import { type Hex, keccak256 } from 'viem'
import { type Deferral, type Preparation, prepareRefund, prepareSettlements, type RelayContext } from './batch.ts'
import { hexOf } from './calls.ts'
import { takeDeferral } from './deferrals.ts'
import { bumpedFees, type FeeMarket, type Fees, firstFees } from './fees.ts'
import { endItem, listWaitingItems, postponeItems, type RelayItem } from './items.store.ts'
import { type Head, sendRaw } from './node.ts'
import {
  type Attempt,
  findNextNonce,
  findReadTime,
  insertReplacement,
  insertTransaction,
  type OutboxRow,
} from './outbox.store.ts'
import { type Signer, withLease } from './signer.ts'
import { overCap } from './standing.ts'
import { stopped } from './trouble.ts'
import { type Turns, turnsOf } from './turns/turns.ts'

/** Nodes keep few unmined transactions of one signer, and each waits for the one before it. */
const OPEN_MAX = 4
const OVER = 'it is over for its order'
/** For as long as facts of the order wait to be applied. */
const IN_DOUBT_MS = SECOND_MS
/** Nothing is sent while more of the chain than this was not read. */
const UNREAD_MAX_MS = 2 * MINUTE_MS
/** Transactions above 16.7 M gas are not accepted by every chain. */
const GAS_PER_TRANSACTION = 16_000_000n

/** Broadcasts what this process has not broadcast yet, and bumps fees of what waits too long. */
export async function rebroadcast(
  signer: Signer,
  lease: Lease,
  a: { live: readonly OutboxRow[]; head: Head; count: number },
): Promise<number> {
  const { head } = a
  let did = 0
  for (const row of a.live) {
    // A used nonce cannot be broadcast again; the reconciliation finds out what used it.
    if (row.state !== 'open' || row.nonce < a.count) continue
    const newest = row.attempts.at(-1)
    if (newest === undefined) continue
    if (head.height - row.sentHeight >= BigInt(signer.bumpAfterBlocks)) {
      const bumped = await bump(signer, lease, row, newest, head)
      if (bumped === null) await offer(signer, lease, row, newest, head)
      else did += await offer(signer, lease, row, bumped, head)
    } else if (!signer.offered.has(newest.hash)) {
      did += await offer(signer, lease, row, newest, head)
    }
  }
  return did
}

/**
 * Builds the next transactions from waiting items: one of what is sent apart, and one of all else.
 * @param a.balance what the key has for gas. @returns how many items they took or deferred.
 */
export async function sendNext(
  signer: Signer,
  lease: Lease,
  a: { live: readonly OutboxRow[]; head: Head; count: number; balance: bigint },
): Promise<number> {
  const { deps, key } = signer
  const open = a.live.filter((row) => row.state === 'open')
  const next = (await findNextNonce(deps.sql, signer.key)) ?? 0
  const first = a.live.find((row) => row.nonce >= a.count)?.nonce ?? next
  if (first > a.count && open.length < OPEN_MAX) {
    signer.error = stopped(
      `the chain has no transaction with nonce ${a.count} of ${signer.key.signer} any more, and it is too old to be offered again; nothing later can be mined`,
    )
    return 0
  }
  // After the restore of a backup, however young, the chain may show that what waits was sent. No process runs through a
  // restore, so what was on the chain when this one began is read first.
  signer.firstHeadAt ??= a.head.time
  const readTo = await findReadTime(deps.sql, key.chain)
  const isBehind = readTo !== null && a.head.time.getTime() - readTo.getTime() > UNREAD_MAX_MS
  if (isBehind || (readTo !== null && readTo < signer.firstHeadAt)) return 0
  const turns = await turnsOf(signer)
  let did = 0
  // Of what waits unmined one is always left for those who did nothing wrong.
  for (const { isApart, max } of [
    { isApart: true, max: OPEN_MAX - 1 },
    { isApart: false, max: OPEN_MAX },
  ]) {
    if (open.length >= max) continue
    const next = await nextItems(signer, turns, isApart)
    const items = await withoutEnded(signer, lease, next)
    did += next.length - items.length
    if (items.length === 0) continue
    const { sent, count } = await send(signer, lease, { ...a, open, items })
    if (sent !== null) open.push(sent)
    did += count
  }
  return did
}

/**
 * What is over for its order is not sent: after a restore the chain may show that the money has gone while the request to move it is
 * still on its way here.
 */
async function withoutEnded(signer: Signer, lease: Lease, items: readonly RelayItem[]): Promise<RelayItem[]> {
  if (items.length === 0) return []
  const { deps, key } = signer
  const ended = await withLease(signer, lease, async (tx, now) => {
    const found = await deps.listEndedMoves(
      tx,
      items.map(({ id }) => id),
    )
    for (const [id, how] of found) {
      if (how === 'in_doubt') await postponeItems(tx, [id], new Date(now.getTime() + IN_DOUBT_MS), now)
      else await endItem(tx, { id, state: how, failure: how === 'failed' ? OVER : null, now })
    }
    return found
  })
  for (const [item, how] of ended) deps.log.info({ chain: key.chain, item, how }, 'an item is over for its order')
  return items.filter(({ id }) => !ended.has(id))
}

async function nextItems(signer: Signer, turns: Turns, isApart: boolean): Promise<RelayItem[]> {
  const { now } = turns
  const limit = signer.batchMax
  const items = await listWaitingItems(signer.deps.sql, {
    ...{ chain: signer.key.chain, kinds: signer.kinds, limit, isApart, ...turns },
  })
  const [first] = items
  if (first === undefined) return []
  if (isApart) {
    const isAlone = turns.suspects.includes(first.receiver) || turns.burners.includes(first.merchant)
    if (first.apart !== 1 || isAlone) return [first]
    return items.filter((item) => item.receiver === first.receiver && item.apart === 1)
  }
  const isRipe = (item: RelayItem): boolean =>
    now.getTime() - Math.max(item.createdAt.getTime(), item.notBefore.getTime()) >= signer.batchWaitMs
  return items.length < limit && !items.some(isRipe) ? [] : items
}

interface Sent {
  sent: OutboxRow | null
  /** Items that were taken or deferred. */
  count: number
}

async function send(
  signer: Signer,
  lease: Lease,
  a: { open: readonly OutboxRow[]; items: readonly RelayItem[]; head: Head; count: number; balance: bigint },
): Promise<Sent> {
  const { deps, chain } = signer
  const none = { sent: null, count: 0 }
  const old = signer.role === 'refunder' ? oldHead(chain, a.head, deps.clock.now()) : null
  if (old !== null) {
    signer.error = stopped(old)
    return none
  }
  const fees = firstFees(await readMarket(signer, a.head))
  if (fees === null) {
    signer.error = overCap(signer, a.head)
    return none
  }
  const preparation = await prepare(signer, a.items, { head: a.head, gasMax: gasMax({ ...a, fees }) })
  if (preparation.error !== null) signer.error = preparation.error
  await takeDeferrals(signer, lease, preparation.deferrals)
  const { prepared } = preparation
  if (prepared === null) return { sent: null, count: preparation.deferrals.length }

  // The table knows nonces that the node may have forgotten; the node knows what was sent before there was a table.
  const next = (await findNextNonce(deps.sql, signer.key)) ?? 0
  const nonce = Math.max(next, a.count)
  const row = { ...signer.key, ...prepared, nonce, to: signer.factory, sentHeight: a.head.height }
  const attempt = await sign(signer, row, fees)
  await withLease(signer, lease, (tx, at) => insertTransaction(tx, row, attempt, at))
  const sent: OutboxRow = {
    ...row,
    ...{ state: 'open', minedHash: null, minedHeight: null, lostLooks: 0, attempts: [attempt] },
    ...{ firstHeight: row.sentHeight, isOverdue: false },
  }
  await offer(signer, lease, sent, attempt, a.head)
  return { sent, count: prepared.itemIds.length + preparation.deferrals.length }
}

/** A node refuses more gas than a block has or the key can pay for, and everything behind it would wait. */
function gasMax(a: { open: readonly OutboxRow[]; head: Head; balance: bigint; fees: Fees }): bigint {
  const promised = a.open.reduce((sum, row) => sum + row.gas * (row.attempts.at(-1)?.maxFee ?? 0n), 0n)
  const paid = a.fees.maxFee > 0n ? (a.balance - promised) / a.fees.maxFee : GAS_PER_TRANSACTION
  return [GAS_PER_TRANSACTION, a.head.gasLimit / 2n, paid].reduce((least, one) => (one < least ? one : least))
}

function prepare(signer: Signer, items: readonly RelayItem[], a: { head: Head; gasMax: bigint }): Promise<Preparation> {
  const { height } = a.head
  const depth = BigInt(signer.chain.confirmations.settle - 1)
  const context: RelayContext = {
    client: signer.client,
    factory: signer.factory,
    signer: signer.account.address,
    confirmedHeight: height > depth ? height - depth : 0n,
    gasMax: a.gasMax,
  }
  const [first] = items
  if (signer.role === 'relayer' || first === undefined) return prepareSettlements(context, items)
  return prepareRefund(context, first)
}

async function takeDeferrals(signer: Signer, lease: Lease, deferrals: readonly Deferral[]): Promise<void> {
  for (const deferral of deferrals) {
    const fact = await withLease(signer, lease, (tx, now) => takeDeferral(tx, deferral, now))
    const why = 'why' in deferral ? deferral.why : deferral.kind
    signer.deps.log.info({ chain: signer.key.chain, item: deferral.item.id, why }, 'an item was deferred')
    if (fact !== null) signer.deps.wake.facts.fire()
  }
}

async function sign(
  signer: Signer,
  row: { nonce: number; to: string; data: string; gas: bigint },
  fees: Fees,
): Promise<Attempt> {
  const raw: Hex = await signer.account.signTransaction({
    type: 'eip1559',
    chainId: signer.chain.chainId,
    nonce: row.nonce,
    to: hexOf(row.to),
    data: hexOf(row.data),
    gas: row.gas,
    maxFeePerGas: fees.maxFee,
    maxPriorityFeePerGas: fees.tip,
  })
  return { hash: keccak256(raw), raw, ...fees }
}

/** Broadcasts one attempt, with a higher fee as often as the node asks for it. @returns 1 when a node has it. */
async function offer(signer: Signer, lease: Lease, row: OutboxRow, first: Attempt, head: Head): Promise<number> {
  let attempt = first
  for (let round = 0; round < 8; round++) {
    const { answer, message } = await sendRaw(signer.client, attempt.raw)
    if (answer === 'accepted' || answer === 'known' || answer === 'nonce_used') {
      // A used nonce: either this is mined, which the next check finds, or another transaction took it.
      signer.offered.add(attempt.hash)
      return 1
    }
    signer.deps.log.warn({ chain: row.chain, nonce: row.nonce, answer, message }, 'a node refused a transaction')
    if (answer !== 'bump') {
      signer.error =
        answer === 'no_funds'
          ? { kind: 'out_of_gas', text: `${signer.account.address} has too little for gas` }
          : stopped(message)
      return 0
    }
    const dearer = await bump(signer, lease, row, attempt, head)
    if (dearer === null) return 0
    attempt = dearer
  }
  return 0
}

/** Signs and stores a replacement with a higher fee. @returns null at the cap: the transaction waits for lower fees. */
async function bump(signer: Signer, lease: Lease, row: OutboxRow, last: Attempt, head: Head): Promise<Attempt | null> {
  const fees = bumpedFees(last, await readMarket(signer, head))
  if (fees === null) {
    signer.error = overCap(signer, head)
    return null
  }
  const attempt = await sign(signer, row, fees)
  await withLease(signer, lease, (tx, now) => insertReplacement(tx, row, { attempt, sentHeight: head.height, now }))
  return attempt
}

async function readMarket(signer: Signer, head: Head): Promise<FeeMarket> {
  const suggestedTip = await signer.client.estimateMaxPriorityFeePerGas().catch(() => 0n)
  return { baseFee: head.baseFee, suggestedTip, minTip: signer.minTip, cap: signer.cap }
}
