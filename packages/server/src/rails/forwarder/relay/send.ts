// Sends transactions: row first, broadcast second. If a process dies between the two, the next one broadcasts exactly
// the signed transaction from the row. A transaction that is not mined in time is replaced with a higher fee.
import { type Hex, keccak256 } from 'viem'
import type { Lease } from '../../../platform/db/lease.ts'
import { oldHead } from '../node/finality.ts'
import { type Deferral, type Preparation, prepareRefund, prepareSettlements, type RelayContext } from './batch.ts'
import { hexOf } from './calls.ts'
import { takeDeferral } from './deferrals.ts'
import { bumpedFees, type FeeMarket, type Fees, firstFees } from './fees.ts'
import { listWaitingItems, type RelayItem } from './items.store.ts'
import { type Head, sendRaw } from './node.ts'
import { type Attempt, findNextNonce, insertReplacement, insertTransaction, type OutboxRow } from './outbox.store.ts'
import { type Signer, withLease } from './signer.ts'
import { overCap } from './standing.ts'
import { stopped } from './trouble.ts'

/** Nodes keep few unmined transactions of one signer, and each waits for the one before it. */
const OPEN_MAX = 4

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

/** Builds the next transaction from waiting items. @returns how many items it took or deferred. */
export async function sendNext(
  signer: Signer,
  lease: Lease,
  a: { live: readonly OutboxRow[]; head: Head; count: number },
): Promise<number> {
  const { deps, chain } = signer
  if (a.live.filter((row) => row.state === 'open').length >= OPEN_MAX) return 0
  const next = (await findNextNonce(deps.sql, signer.key)) ?? 0
  const first = a.live.find((row) => row.nonce >= a.count)?.nonce ?? next
  if (first > a.count) {
    signer.error = stopped(
      `the chain has no transaction with nonce ${a.count} of ${signer.key.signer} any more, and it is too old to be offered again; nothing later can be mined`,
    )
    return 0
  }
  const now = deps.clock.now()
  const limit = signer.batchMax
  const items = await listWaitingItems(deps.sql, { chain: chain.id, kinds: signer.kinds, now, limit })
  const isRipe = (item: RelayItem): boolean =>
    now.getTime() - Math.max(item.createdAt.getTime(), item.notBefore.getTime()) >= signer.batchWaitMs
  if (items.length === 0 || (items.length < limit && !items.some(isRipe))) return 0
  const old = signer.role === 'refunder' ? oldHead(chain, a.head, now) : null
  if (old !== null) {
    signer.error = stopped(old)
    return 0
  }
  const fees = firstFees(await readMarket(signer, a.head))
  if (fees === null) {
    signer.error = overCap(signer, a.head)
    return 0
  }
  const preparation = await prepare(signer, items, a.head)
  if (preparation.error !== null) signer.error = preparation.error
  await takeDeferrals(signer, lease, preparation.deferrals)
  const { prepared } = preparation
  if (prepared === null) return preparation.deferrals.length

  // The table knows nonces that the node may have forgotten; the node knows what was sent before there was a table.
  const nonce = Math.max(next, a.count)
  const row = { ...signer.key, ...prepared, nonce, to: signer.factory, sentHeight: a.head.height }
  const attempt = await sign(signer, row, fees)
  await withLease(signer, lease, (tx, at) => insertTransaction(tx, row, attempt, at))
  const stored: OutboxRow = {
    ...row,
    ...{ state: 'open', minedHash: null, minedHeight: null, lostLooks: 0, attempts: [attempt] },
    ...{ firstHeight: row.sentHeight, isOverdue: false },
  }
  await offer(signer, lease, stored, attempt, a.head)
  return prepared.itemIds.length + preparation.deferrals.length
}

function prepare(signer: Signer, items: readonly RelayItem[], head: Head): Promise<Preparation> {
  const depth = BigInt(signer.chain.confirmations.settle - 1)
  const context: RelayContext = {
    client: signer.client,
    factory: signer.factory,
    signer: signer.account.address,
    confirmedHeight: head.height > depth ? head.height - depth : 0n,
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
