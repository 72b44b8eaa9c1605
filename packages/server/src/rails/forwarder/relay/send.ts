// The sending: row first, broadcast second. A process that dies between the two leaves a signed row, and the next
// one offers exactly that transaction again. A transaction that is not mined in time is offered anew for more.
import { type Hex, keccak256 } from 'viem'
import type { Lease } from '../../../platform/db/lease.ts'
import { type Place, type Preparation, prepareRefund, prepareSettlements, type Setback } from './batch.ts'
import { hexOf } from './calls.ts'
import { takeSetback } from './deferrals.ts'
import { bumpedFees, type FeeMarket, type Fees, firstFees } from './fees.ts'
import { listWaitingItems, type RelayItem } from './items.store.ts'
import { type Head, sendRaw } from './node.ts'
import { type Attempt, findNextNonce, insertReplacement, insertTransaction, type OutboxRow } from './outbox.store.ts'
import { type Sender, withLease } from './signer.ts'

/** Nodes keep few unmined transactions of one sender, and each waits for the one before it. */
const OPEN_MAX = 4

/** Offers what this process has not offered yet, and bumps what waits too long. */
export async function nudge(
  sender: Sender,
  lease: Lease,
  a: { live: readonly OutboxRow[]; head: Head; count: number },
): Promise<number> {
  const { head } = a
  let did = 0
  for (const row of a.live) {
    // A number that is used cannot be offered any more; what used it is the reconciliation's question.
    if (row.state !== 'open' || row.nonce < a.count) continue
    const newest = row.attempts.at(-1)
    if (newest === undefined) continue
    if (head.height - row.sentHeight >= BigInt(sender.bumpAfterBlocks)) {
      const bumped = await bump(sender, lease, row, newest, head)
      if (bumped === null) await offer(sender, lease, row, newest, head)
      else did += await offer(sender, lease, row, bumped, head)
    } else if (!sender.offered.has(newest.hash)) {
      did += await offer(sender, lease, row, newest, head)
    }
  }
  return did
}

/** Makes the next transaction of what waits. @returns how many items it took or set back. */
export async function sendNext(
  sender: Sender,
  lease: Lease,
  a: { live: readonly OutboxRow[]; head: Head; count: number },
): Promise<number> {
  const { deps, chain } = sender
  if (a.live.filter((row) => row.state === 'open').length >= OPEN_MAX) return 0
  const now = deps.clock.now()
  const limit = sender.batchMax
  const items = await listWaitingItems(deps.sql, { chain: chain.chain, kinds: sender.kinds, now, limit })
  const isRipe = (item: RelayItem): boolean =>
    now.getTime() - Math.max(item.createdAt.getTime(), item.notBefore.getTime()) >= sender.batchWaitMs
  if (items.length === 0 || (items.length < limit && !items.some(isRipe))) return 0
  const fees = firstFees(await readMarket(sender, a.head))
  if (fees === null) {
    sender.trouble = overCap(sender, a.head)
    return 0
  }
  const preparation = await prepare(sender, items, a.head)
  if (preparation.trouble !== null) sender.trouble = preparation.trouble
  await takeSetbacks(sender, lease, preparation.setbacks)
  const { prepared } = preparation
  if (prepared === null) return preparation.setbacks.length

  // The table knows numbers that the node may have forgotten; the node knows what was sent before there was a table.
  const nonce = Math.max((await findNextNonce(deps.sql, sender.key)) ?? 0, a.count)
  const row = { ...sender.key, ...prepared, nonce, to: sender.factory, sentHeight: a.head.height }
  const attempt = await sign(sender, row, fees)
  await withLease(sender, lease, (tx, at) => insertTransaction(tx, row, attempt, at))
  const stored: OutboxRow = {
    ...row,
    ...{ state: 'open', minedHash: null, minedHeight: null, lostLooks: 0, attempts: [attempt] },
  }
  await offer(sender, lease, stored, attempt, a.head)
  return prepared.itemIds.length + preparation.setbacks.length
}

function prepare(sender: Sender, items: readonly RelayItem[], head: Head): Promise<Preparation> {
  const depth = BigInt(sender.chain.confirmations.settle - 1)
  const place: Place = {
    client: sender.client,
    factory: sender.factory,
    signer: sender.account.address,
    confirmedHeight: head.height > depth ? head.height - depth : 0n,
  }
  const [first] = items
  if (sender.role === 'relayer' || first === undefined) return prepareSettlements(place, items)
  return prepareRefund(place, first)
}

async function takeSetbacks(sender: Sender, lease: Lease, setbacks: readonly Setback[]): Promise<void> {
  for (const setback of setbacks) {
    const fact = await withLease(sender, lease, (tx, now) => takeSetback(tx, setback, now))
    const why = 'why' in setback ? setback.why : setback.kind
    sender.deps.log.info({ chain: sender.key.chain, item: setback.item.id, why }, 'an item was set back')
    if (fact !== null) sender.deps.wake.facts.fire()
  }
}

async function sign(
  sender: Sender,
  row: { nonce: number; to: string; data: string; gas: bigint },
  fees: Fees,
): Promise<Attempt> {
  const raw: Hex = await sender.account.signTransaction({
    type: 'eip1559',
    chainId: sender.chain.chainId,
    nonce: row.nonce,
    to: hexOf(row.to),
    data: hexOf(row.data),
    gas: row.gas,
    maxFeePerGas: fees.maxFee,
    maxPriorityFeePerGas: fees.tip,
  })
  return { hash: keccak256(raw), raw, ...fees }
}

/** Gives one attempt to the node; as often as the node asks for more, a dearer one. @returns 1 when a node has it. */
async function offer(sender: Sender, lease: Lease, row: OutboxRow, first: Attempt, head: Head): Promise<number> {
  let attempt = first
  for (let round = 0; round < 8; round++) {
    const { answer, message } = await sendRaw(sender.client, attempt.raw)
    if (answer === 'accepted' || answer === 'known' || answer === 'nonce_used') {
      // A used number: either this is mined, which the next look finds, or another transaction took it.
      sender.offered.add(attempt.hash)
      return 1
    }
    sender.deps.log.warn({ chain: row.chain, nonce: row.nonce, answer, message }, 'a node refused a transaction')
    if (answer !== 'bump') {
      sender.trouble = answer === 'no_funds' ? `${sender.account.address} has too little for gas` : message
      return 0
    }
    const dearer = await bump(sender, lease, row, attempt, head)
    if (dearer === null) return 0
    attempt = dearer
  }
  return 0
}

/** Signs and stores a dearer form. @returns null at the cap: the transaction waits for the network to get cheaper. */
async function bump(sender: Sender, lease: Lease, row: OutboxRow, last: Attempt, head: Head): Promise<Attempt | null> {
  const fees = bumpedFees(last, await readMarket(sender, head))
  if (fees === null) {
    sender.trouble = overCap(sender, head)
    return null
  }
  const attempt = await sign(sender, row, fees)
  await withLease(sender, lease, (tx, now) => insertReplacement(tx, row, { attempt, sentHeight: head.height, now }))
  return attempt
}

async function readMarket(sender: Sender, head: Head): Promise<FeeMarket> {
  const suggestedTip = await sender.client.estimateMaxPriorityFeePerGas().catch(() => 0n)
  return { baseFee: head.baseFee, suggestedTip, minTip: sender.minTip, cap: sender.cap }
}

const overCap = (sender: Sender, head: Head): string =>
  `gas costs more than maxFeeGwei allows (base fee ${head.baseFee} wei, cap ${sender.cap} wei); sending is paused`
