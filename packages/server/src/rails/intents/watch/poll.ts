// Asks the provider about swaps, one process at a time and within one budget: hints first, then the list of swaps where there
// is one, then single questions. What is learned is written in one commit with the facts that it means.
import { MINUTE_MS, SECOND_MS } from '@florin/protocol'
import { claimLease, holdLease, type Lease, releaseLease } from '../../../platform/db/lease.ts'
import { withTx } from '../../../platform/db/tx.ts'
import type { Job } from '../../../platform/worker/loop.ts'
import { reportFacts } from '../../report.store.ts'
import { isOfProvider, ProviderAway } from '../client/ask.ts'
import type { OneClick } from '../client/client.ts'
import type { StatusReply } from '../client/wire.ts'
import type { IntentsContext } from '../context.ts'
import type { Prove } from './proof.ts'
import { afterMiss, HOT_FOR_MS, nextLook, type Pace, paced, QUIET_FROM_MS, stretchFor } from './schedule.ts'
import {
  dropHint,
  findLoad,
  hurry,
  isProofTaken,
  listChanged,
  listDue,
  lockSwap,
  type Swap,
  saveFeedMark,
  saveMiss,
  saveSwap,
} from './swaps.store.ts'
import { judge, type Proof, payoutOf } from './verdict.ts'

const LEASE = 'intents-poll'
const LEASE_MS = MINUTE_MS
const EVERY_MS = SECOND_MS
/** The provider takes one question of this kind in five seconds. */
const FEED_EVERY_MS = 10 * SECOND_MS
/** The list is read from before the last reading on: what is written late is found all the same. */
const FEED_BACK_MS = 4 * 24 * 60 * MINUTE_MS
/** How much there is to ask about changes slowly. */
const LOAD_EVERY_MS = 30 * SECOND_MS
const load = (now: Date) => ({ now, hotForS: HOT_FOR_MS / SECOND_MS, quietFromS: QUIET_FROM_MS / SECOND_MS })
const MOVED = ['INCOMPLETE_DEPOSIT', 'PROCESSING', 'SUCCESS', 'REFUNDED', 'FAILED']

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
    note: () => poll.note(),
    end: () => poll.end(),
  }
}

export interface Poll {
  /** @returns how much it did; a run that used up its budget did nothing, so that the next one comes after a pause. */
  run(): Promise<number>
  note(): string | null
  end(): Promise<void>
}

export function makePoll(parts: PollParts): Poll {
  const { sql, clock, client } = parts
  const pace = paced(parts.perS)
  let stretch = 0
  let reckonedAt = Number.NEGATIVE_INFINITY
  let fedAt = Number.NEGATIVE_INFINITY
  let lease: Lease | null = null
  let away: string | null = null

  async function feed(now: Date): Promise<void> {
    if (client.feed === null || now.getTime() - fedAt < FEED_EVERY_MS || pace.free(now.getTime()) < 1) return
    fedAt = now.getTime()
    pace.put(now.getTime(), 1)
    try {
      const told = await client.feed({ since: new Date(now.getTime() - FEED_BACK_MS), statuses: MOVED })
      const places = told.map((one) => ({ address: one.depositAddress, memo: one.depositMemo, status: one.status }))
      await hurry(sql, await listChanged(sql, places), { now, rank: 0 })
      await saveFeedMark(sql, now)
    } catch (error) {
      if (!isOfProvider(error)) throw error
      parts.log.warn({ err: error }, 'the list of swaps was not read; single questions go on')
    }
  }

  async function reckon(now: Date): Promise<void> {
    if (client.feed !== null || now.getTime() - reckonedAt < LOAD_EVERY_MS) return
    reckonedAt = now.getTime()
    stretch = stretchFor({ ...(await findLoad(sql, load(now))), perS: parts.perS })
  }

  return {
    async run() {
      const now = clock.now()
      lease = await claimLease(sql, { name: LEASE, holder: parts.holder, now, leaseMs: LEASE_MS })
      if (lease === null) return 0
      const own = lease
      await reckon(now)
      await feed(now)
      const limit = pace.free(clock.now().getTime())
      if (limit < 1) return 0
      const due = await listDue(sql, { now, limit })
      // One question each; where a payer named a transaction, that is told first, and the rest only if there is room.
      pace.put(clock.now().getTime(), due.length)
      const done = await Promise.all(due.map((swap) => askAbout(parts, own, swap, { stretch, pace })))
      const missed = done.find((one) => one !== null) ?? null
      if (due.length > 0) away = missed
      return 0
    },
    note: () => (away === null ? null : `NEAR Intents does not tell of swaps: ${away}`),
    async end() {
      if (lease !== null) await releaseLease(sql, lease, clock.now())
    },
  }
}

/** @returns why it could not be asked about; null: it was. */
async function askAbout(
  parts: PollParts,
  lease: Lease,
  swap: Swap,
  { stretch, pace }: { stretch: number; pace: Pace },
): Promise<string | null> {
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
    await record(parts, lease, swap, { reply, stretch })
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

async function record(
  parts: PollParts,
  lease: Lease,
  swap: Swap,
  { reply, stretch }: { reply: StatusReply; stretch: number },
): Promise<void> {
  const { sql, clock } = parts
  const now = clock.now()
  // The network is asked before the transaction, and nothing else touches the state meanwhile: this process has the lease.
  const proof = await proofOf(parts, swap, reply)
  const told = await withTx(sql, async (tx) => {
    await holdLease(tx, lease, { now, leaseMs: LEASE_MS })
    const current = await lockSwap(tx, swap.ref)
    if (current === null) return 0
    // A swap that was asked about beside it was paid by the same transfer: the next look knows.
    if (proof.kind === 'proven' && (await isProofTaken(tx, { key: proof.key, ref: swap.ref }))) return 0
    const { next, facts, odd } = judge(current, reply, proof, now)
    if (odd !== null) parts.log.warn({ leg: swap.ref, status: reply.status, odd }, 'a swap is not as it should be')
    const { dueAt, rank } = nextLook({ ...current, ...next }, now, { hasFeed: parts.client.feed !== null, stretch })
    await saveSwap(tx, swap.ref, next, { now, dueAt, rank })
    await reportFacts(tx, { rail: 'intents', orderRef: swap.orderRef, facts, now })
    return facts.length
  })
  if (told > 0) parts.wake.facts.fire()
}

async function proofOf(parts: PollParts, swap: Swap, reply: StatusReply): Promise<Proof> {
  const payout = reply.status === 'SUCCESS' && swap.stage !== 'done' ? payoutOf(swap, reply) : null
  if (payout === null || payout.amount < swap.amountOut) return { kind: 'nobody' }
  return parts.prove(swap, payout)
}
