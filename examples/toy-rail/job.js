// The background work: requests are sent, and events of the chain are reported as facts.
import { withTx } from '@florin/platform/db/tx'
import { sha256 } from '@florin/platform/secrets'
import { reportFacts } from '@florin/rail-kit/report.store'
import { findLegByAddress, findMove, listWaiting, lockCursor, saveCursor, setMove } from './store.js'

export const KIND = 'toy'
/** The cost of sending a transfer, in units of the asset. */
export const COST = 20_000n

/** Sends a request to the toy chain. @throws where the chain does not answer. */
export async function ask(url, method, path, body) {
  const signal = AbortSignal.timeout(5_000)
  const answer = await fetch(url + path, { method, signal, ...(body && { body: JSON.stringify(body) }) })
  if (!answer.ok) throw new Error(`the toy chain answered ${answer.status}`)
  return answer.json()
}

/** The chain takes each id once: a second worker, or a second try after a crash, moves nothing twice. */
export async function sendMoves(url, { sql }) {
  const waiting = await listWaiting(sql)
  for (const { id, address, recipient, asset, amount, fee } of waiting) {
    const outputs = [{ to: recipient, amount: String(amount - fee) }]
    if (fee > 0n) outputs.push({ to: 'fee collector', amount: String(fee) })
    await ask(url, 'POST', '/transfers', { id, from: address, asset, outputs })
    await setMove(sql, id, 'sent')
  }
  return waiting.length
}

/** Facts and position are written in one commit: each event is reported once, whenever a process dies. */
export async function readEvents(url, { sql, clock, wake }) {
  const after = await withTx(sql, lockCursor)
  // No transaction is open while the network is waited for.
  const events = await ask(url, 'GET', `/events?after=${after}`)
  const count = await withTx(sql, async (tx) => {
    // Another worker has read on meanwhile.
    if ((await lockCursor(tx)) !== after) return 0
    for (const event of events) {
      const report = await reportOf(tx, event)
      if (report !== null) await reportFacts(tx, { rail: KIND, ...report, now: clock.now() })
    }
    await saveCursor(tx, events.at(-1)?.n ?? after, clock.now())
    return events.length
  })
  if (count > 0) wake.facts.fire()
  return count
}

/** The meaning of an event for an order; null: the event belongs to no order. */
async function reportOf(tx, event) {
  const { transfer } = event
  const move = await findMove(tx, transfer.id)
  if (move !== null) {
    const [state, fact] = move.kind === 'settle' ? settlementFact(event.kind, move) : refundFact(event.kind, move)
    await setMove(tx, move.id, state)
    return { orderRef: move.orderRef, facts: fact === null ? [] : [fact] }
  }
  const [{ to, amount }] = transfer.outputs
  const paid = await findLegByAddress(tx, to)
  if (paid !== null) return { orderRef: paid.orderRef, facts: [paymentFact(event, paid.ref)] }
  const spent = await findLegByAddress(tx, transfer.from)
  if (spent === null || event.kind !== 'mined') return null
  // Money of an order moved, and this rail did not send it: the order waits for a person.
  const alarm = {
    kind: 'alarm_raised',
    what: 'settlement_not_as_bound',
    chain: transfer.asset.chain,
    token: transfer.asset.contract,
    amount: BigInt(amount),
    to,
    txHash: hashOf(transfer.id),
    why: 'this rail did not send it',
  }
  return { orderRef: spent.orderRef, facts: [alarm] }
}

/** The key names the event, so a transfer that is mined again after a reorg is another payment. */
function paymentFact({ kind, n, minedAs, at, transfer }, legRef) {
  const key = `toy:${minedAs ?? n}`
  if (kind === 'final') return { kind: 'payment_confirmed', key }
  if (kind === 'gone') return { kind: 'payment_orphaned', key }
  return {
    kind: 'payment_seen',
    key,
    legRef,
    txHash: hashOf(transfer.id),
    outputIndex: 0,
    asset: transfer.asset,
    amount: BigInt(transfer.outputs[0].amount),
    from: transfer.from,
    height: null,
    seenAt: new Date(at),
    minedAt: new Date(at),
    floor: COST,
  }
}

/** @returns the new state of the move, and the fact. */
function settlementFact(kind, { id: settlementId, legRef, amount: gross, fee, state }) {
  const txHash = hashOf(settlementId)
  switch (kind) {
    case 'mined':
      return ['sent', { kind: 'settlement_broadcast', settlementId, txHash }]
    case 'final':
      return ['final', { kind: 'settlement_final', settlementId, legRef, txHash, gross, fee, amountOut: gross - fee }]
    case 'refused':
      return ['failed', { kind: 'settlement_failed', settlementId, failure: 'the toy chain refused the transfer' }]
    // A reorg: the job sends it again.
    default:
      return state === 'final'
        ? ['waiting', { kind: 'settlement_left', legRef, txHash }]
        : ['waiting', { kind: 'settlement_undone', settlementId }]
  }
}

function refundFact(kind, { id: refundId, legRef, state }) {
  const txHash = hashOf(refundId)
  switch (kind) {
    case 'mined':
      return ['sent', null]
    case 'final':
      return ['final', { kind: 'refund_succeeded', refundId, txHash }]
    case 'refused':
      return ['failed', { kind: 'refund_failed', refundId, failure: 'the toy chain refused the transfer' }]
    default:
      return ['waiting', state === 'final' ? { kind: 'refund_left', legRef, txHash } : null]
  }
}

const hashOf = (id) => `0x${Buffer.from(sha256(`toy ${id}`)).toString('hex')}`
