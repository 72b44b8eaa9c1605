// Asks the provider about swaps, one process at a time and within one budget: the list of swaps first, then hints and single
// questions. What is learned is written in one commit with the facts that it means.
import { type Check, warning } from '@florin/platform/check'
import { claimLease, holdLease, type Lease, releaseLease } from '@florin/platform/db/lease'
import { type Tx, withTx } from '@florin/platform/db/tx'
import type { Job } from '@florin/platform/worker/job'
import { MINUTE_MS, SECOND_MS } from '@florin/protocol'
import { reportFacts } from '@florin/rail-kit/report.store'
import { isOfProvider, ProviderAway } from '../client/ask.ts'
import type { OneClick } from '../client/client.ts'
import type { StatusReply } from '../client/wire.ts'
import type { IntentsContext } from '../context.ts'
import { type Proof, payoutsOf } from './judged.ts'
import { claimUnseen, isClaimed, type Prove } from './proof.ts'
import { afterMiss, BY_TIME, isSure, nextLook, type Pace, paced, shared } from './schedule.ts'
import {
  dropHint,
  hurry,
  listChanged,
  listDue,
  lockSwap,
  type Swap,
  saveFeedMark,
  saveMiss,
  saveSwap,
} from './swaps.store.ts'
import { judge } from './verdict.ts'

/** What was found to count for something else is looked at again so much later. */
const COUNTED_MS = 10 * SECOND_MS
const LEASE = 'intents-poll'
const LEASE_MS = MINUTE_MS
const EVERY_MS = SECOND_MS
/** The provider takes one question of this kind in five seconds. */
const FEED_EVERY_MS = 10 * SECOND_MS
/** The list is read from before the last reading on: what is written late is found all the same. */
const FEED_BACK_MS = 4 * 24 * 60 * MINUTE_MS
const MOVED = ['INCOMPLETE_DEPOSIT', 'PROCESSING', 'SUCCESS', 'REFUNDED', 'FAILED']
/** What else it lists tells of nothing that has happened, and would be asked about each time. */
const isMove = ({ status }: { status: string }): boolean => MOVED.includes(status)
/** How often a list that contradicts the end of a swap has it asked about. */
const ENDED_AGAIN_MS = 10 * MINUTE_MS

const REMEDY = 'Look at the provider’s status page: the question is repeated until it is answered.'

export interface PollParts extends IntentsContext {
  client: OneClick
  prove: Prove
  perS: number
  holder: string
}

export function pollJob(parts: PollParts): Job {
  const poll = makePoll(parts)
  return {
    name: 'intents-poll',
    everyMs: EVERY_MS,
    run: () => poll.run(),
    checks: () => poll.checks(),
    end: () => poll.end(),
  }
}

export interface Poll {
  /** @returns how much it did; a run that used up its budget did nothing, so that the next one comes after a pause. */
  run(): Promise<number>
  checks(): Check[]
  end(): Promise<void>
}

export function makePoll(parts: PollParts): Poll {
  const { sql, clock, client } = parts
  const pace = paced(parts.perS)
  const byTime = shared(BY_TIME)
  let fedAt = Number.NEGATIVE_INFINITY
  let lease: Lease | null = null
  let away: string | null = null
  let feedAway: string | null = null

  async function feed(now: Date): Promise<void> {
    if (now.getTime() - fedAt < FEED_EVERY_MS || pace.free(now.getTime()) < 1) return
    fedAt = now.getTime()
    pace.put(now.getTime(), 1)
    try {
      const told = await client.feed({ since: new Date(now.getTime() - FEED_BACK_MS), statuses: MOVED })
      const places = told
        .filter(isMove)
        .map((one) => ({ address: one.depositAddress, memo: one.depositMemo, status: one.status }))
      const changed = await listChanged(sql, places, new Date(now.getTime() - ENDED_AGAIN_MS))
      await hurry(sql, changed, { now, rank: 0 })
      await saveFeedMark(sql, now)
      feedAway = null
    } catch (error) {
      if (!isOfProvider(error)) throw error
      feedAway = error.message
      parts.log.warn({ err: error }, 'the list of swaps was not read; single questions go on')
    }
  }

  return {
    async run() {
      const now = clock.now()
      lease = await claimLease(sql, { name: LEASE, holder: parts.holder, now, leaseMs: LEASE_MS })
      if (lease === null) return 0
      const own = lease
      await feed(now)
      const limit = pace.free(clock.now().getTime())
      if (limit < 1) return 0
      const due = await listDue(sql, { now, limit, byTime: byTime(limit) })
      // One question each; where a payer named a transaction, that is told first, and the rest only if there is room.
      pace.put(clock.now().getTime(), due.length)
      const done = await Promise.all(due.map((swap) => askAbout(parts, own, swap, pace)))
      const missed = done.find((one) => one !== null) ?? null
      if (due.length > 0) away = missed
      return 0
    },
    checks: () =>
      [
        { what: 'about swaps', why: away },
        { what: 'with its list of swaps', why: feedAway },
      ].flatMap(({ what, why }) =>
        why === null ? [] : [warning(['provider', '1click'], `NEAR Intents does not answer ${what}: ${why}`, REMEDY)],
      ),
    async end() {
      if (lease !== null) await releaseLease(sql, lease, clock.now())
    },
  }
}

/** @returns why it could not be asked about; null: it was. */
async function askAbout(parts: PollParts, lease: Lease, swap: Swap, pace: Pace): Promise<string | null> {
  const { sql, clock, client } = parts
  const place = { address: swap.address, memo: swap.memo }
  if (swap.hint !== null) {
    const txHash = swap.hint
    await client.submit({ ...place, txHash }).catch((error: unknown) => {
      parts.log.info({ err: error, leg: swap.ref }, 'the provider did not take a hint; it finds the deposit by itself')
    })
    await dropHint(sql, swap.ref, txHash)
    const nowMs = clock.now().getTime()
    if (pace.free(nowMs) < 1) return null
    pace.put(nowMs, 1)
  }
  try {
    const reply = await client.status(place)
    checkIsSame(swap, reply)
    await record(parts, lease, swap, reply)
    return null
  } catch (error) {
    if (!isOfProvider(error)) throw error
    const wait = Math.max(afterMiss(swap.misses), error instanceof ProviderAway ? (error.retryAfterMs ?? 0) : 0)
    const misses = swap.misses + 1
    await saveMiss(sql, swap.ref, { misses, dueAt: new Date(clock.now().getTime() + wait) })
    parts.log.warn({ err: error, leg: swap.ref, misses }, 'a swap could not be asked about; will retry')
    return error.message
  }
}

/** An answer about another swap is no answer. */
function checkIsSame(swap: Swap, { quoteResponse }: StatusReply): void {
  const about = quoteResponse?.quote.depositAddress
  if (about !== undefined && about !== swap.address) throw new ProviderAway('it answered about another swap')
}

async function record(parts: PollParts, lease: Lease, swap: Swap, reply: StatusReply): Promise<void> {
  const { sql, clock } = parts
  const now = clock.now()
  // The network is asked before the transaction, and nothing else touches the state meanwhile: this process has the lease.
  const proof = await proofOf(parts, swap, reply)
  const told = await withTx(sql, async (tx) => {
    await holdLease(tx, lease, { now, leaseMs: LEASE_MS })
    const current = await lockSwap(tx, swap.ref)
    if (current === null) return 0
    // Most answers tell of no payout, and nobody waits for them.
    if (reply.status === 'SUCCESS') await parts.lockTransfers(tx, current.settle.chain)
    // Since it was looked up the same transfer was found to pay something else: the next look knows.
    const later = { misses: current.misses, dueAt: new Date(now.getTime() + COUNTED_MS) }
    if (proof.kind === 'proven' && (await isCounted(parts, tx, proof))) {
      await saveMiss(tx, swap.ref, later)
      return 0
    }
    const { next, facts, odd, unseen } = judge(current, reply, proof, now)
    // So was one that nobody can look into; whose money it is says of more than one that it is there.
    const isItsWord = unseen !== undefined && proof.kind === 'nobody' && !current.isVouched
    if (isItsWord && (await isClaimed(tx, current, unseen))) {
      await saveMiss(tx, swap.ref, later)
      return 0
    }
    if (odd !== null) parts.log.warn({ leg: swap.ref, status: reply.status, odd }, 'a swap is not as it should be')
    const proofKey = unseen === undefined ? next.proofKey : await claimUnseen(tx, current, unseen)
    await saveSwap(tx, swap.ref, { ...next, proofKey }, { now, ...nextLook({ ...current, ...next, proofKey }, now) })
    await reportFacts(tx, { rail: 'intents', orderRef: swap.orderRef, facts, now })
    return facts.length
  })
  if (told > 0) parts.wake.facts.fire()
}

async function isCounted(
  { listCounted }: PollParts,
  tx: Tx,
  { key, txHash, amount }: Extract<Proof, { kind: 'proven' }>,
): Promise<boolean> {
  return (await listCounted(tx, [{ key, txHash, amount, from: null }])).size > 0
}

async function proofOf(parts: PollParts, swap: Swap, reply: StatusReply): Promise<Proof> {
  const isAsked = reply.status === 'SUCCESS' && !isSure(swap) && swap.stage !== 'done'
  const payouts = isAsked ? payoutsOf(swap, reply) : []
  // Less than was promised pays no order; of one that is refunded all is told.
  const asked = payouts.filter(({ amount }) => amount >= swap.amountOut || (swap.stage === 'returned' && amount > 0n))
  const proofs: Proof[] = []
  for (const payout of asked) {
    const proof = await parts.prove(swap, payout)
    if (proof.kind === 'proven') return proof
    proofs.push(proof)
  }
  // Another may be seen yet; and where nobody can look, only the first is believed.
  return proofs.find((one) => one.kind === 'waiting') ?? proofs[0] ?? { kind: 'nobody' }
}
