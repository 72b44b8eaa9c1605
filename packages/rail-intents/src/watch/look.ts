// What orders ask of this rail about swaps that exist: whether one was looked at, what lies there, and what cannot be done.
import { withTx } from '@florin/platform/db/tx'
import { MINUTE_MS, SECOND_MS } from '@florin/protocol'
import type { RailFact } from '@florin/rail-kit/interface/fact'
import type { Holding, HoldingQuestion, RefundRequest, SettleRequest } from '@florin/rail-kit/interface/moves'
import { reportFactsOfMany } from '@florin/rail-kit/report.store'
import type { IntentsContext } from '../context.ts'
import { HOT_FOR_MS, isSure } from './schedule.ts'
import {
  attend,
  findFeedMark,
  hurry,
  listHeld,
  listSwapsOf,
  lockSwap,
  type Swap,
  saveHint,
  setRefund,
  setSettlement,
} from './swaps.store.ts'
import { failureOf, keptBy } from './verdict.ts'

type Parts = Pick<IntentsContext, 'sql' | 'clock' | 'wake' | 'log'>

/** For so long a list that is silent lets no order end: after it the questions are short, and the list has to do. */
const LISTED_FOR_MS = 2 * MINUTE_MS
/** What was told this recently is as good as asking again. */
const FRESH_MS = MINUTE_MS
const FEED_FRESH_MS = MINUTE_MS
const SOON_MS = 5 * SECOND_MS
/** A page that is open says so at most this often. */
const ATTEND_EVERY_MS = 30 * SECOND_MS
const ATTENDED_MAX = 10_000

/**
 * Puts no question itself: the budget is one for all. What was not looked at lately is looked at first, and the order waits.
 * @param isEverywhere what the provider failed to swap, was not asked about for long, or ended on its word alone, as well.
 * @throws while the provider has not told of it: nothing expires unseen.
 */
export async function recheck(parts: Parts, orderRef: string, isEverywhere: boolean): Promise<void> {
  const now = parts.clock.now()
  const open = (await listSwapsOf(parts.sql, orderRef)).filter(
    (swap) => (swap.stage === 'waiting' && swap.dueAt !== null) || (isEverywhere && !isSure(swap)),
  )
  if (open.length === 0) return
  const fedAt = await findFeedMark(parts.sql)
  const isFed = fedAt !== null && now.getTime() - fedAt.getTime() < FEED_FRESH_MS
  const stale = open.filter((swap) => !isFresh(swap, now) && (isEverywhere || !(isFed && isWaited(swap, now))))
  if (stale.length === 0) return
  await hurry(
    parts.sql,
    stale.map((swap) => swap.ref),
    // Beside the pages that are open, and not before them: many orders end in a minute. What a list is silent about takes no question
    // from what it tells of.
    { now, rank: isFed && !isEverywhere ? 2 : 1, isEnded: isEverywhere },
  )
  throw new Error(`NEAR Intents is asked about a swap of ${orderRef} first`)
}

const isFresh = ({ lookedAt }: Swap, now: Date): boolean =>
  lookedAt !== null && now.getTime() - lookedAt.getTime() <= FRESH_MS

/** It was to be asked about, and nothing is known to have happened to it. */
const isWaited = ({ rank, dueAt }: Swap, now: Date): boolean =>
  rank !== 0 && dueAt !== null && now.getTime() - dueAt.getTime() >= LISTED_FOR_MS

export async function readHoldings(parts: Pick<Parts, 'sql'>, legs: readonly HoldingQuestion[]): Promise<Holding[]> {
  const held = await listHeld(
    parts.sql,
    legs.map((leg) => leg.legRef),
  )
  return held.map(({ ref, pay, amount }) => ({ legRef: ref, asset: pay, amount, height: null }))
}

/** The provider settles by itself. What it cannot settle is said of the settlement that was asked for last. */
export async function noteSettlements(parts: Parts, requests: readonly SettleRequest[]): Promise<void> {
  const now = parts.clock.now()
  await withTx(parts.sql, async (tx) => {
    const facts: { orderRef: string; fact: RailFact }[] = []
    for (const { legRef, orderRef, settlementId } of requests) {
      const swap = await lockSwap(tx, legRef)
      if (swap === null) throw new Error(`there is no swap ${legRef}`)
      await setSettlement(tx, { ref: legRef, settlementId })
      if (swap.stage !== 'failed') continue
      const failure = swap.failure ?? failureOf(swap, null)
      facts.push({ orderRef, fact: { kind: 'settlement_failed', settlementId, failure } })
    }
    await reportFactsOfMany(tx, { rail: 'intents', facts, now })
  })
  parts.wake.facts.fire()
}

/** The provider returns by itself what it does not swap; what it failed to swap only it can return. */
export async function noteRefunds(parts: Parts, requests: readonly RefundRequest[]): Promise<void> {
  const now = parts.clock.now()
  await withTx(parts.sql, async (tx) => {
    const facts: { orderRef: string; fact: RailFact }[] = []
    for (const { legRef, orderRef, refundId } of requests) {
      const swap = await lockSwap(tx, legRef)
      if (swap === null) throw new Error(`there is no swap ${legRef}`)
      await setRefund(tx, { ref: legRef, refundId })
      if (swap.stage !== 'failed') continue
      facts.push({ orderRef, fact: { kind: 'refund_failed', refundId, failure: keptBy(swap) } })
    }
    await reportFactsOfMany(tx, { rail: 'intents', facts, now })
  })
  parts.wake.facts.fire()
}

/** @returns a function for pages that are open: it writes once in a while for each order, and never fails. */
export function attendant({ sql, clock, log }: Parts): (orderRef: string) => void {
  const attended = new Map<string, number>()
  return (orderRef) => {
    const now = clock.now()
    const last = attended.get(orderRef) ?? Number.NEGATIVE_INFINITY
    if (now.getTime() - last < ATTEND_EVERY_MS) return
    if (attended.size >= ATTENDED_MAX) attended.clear()
    attended.set(orderRef, now.getTime())
    const until = new Date(now.getTime() + HOT_FOR_MS)
    void attend(sql, { orderRef, now, until, dueBy: new Date(now.getTime() + SOON_MS) }).catch((error: unknown) => {
      log.warn({ err: error }, 'an open page was not noted')
    })
  }
}

const HASH_MAX = 128
/** A payer has one transaction, rarely two; each costs the provider a question. */
const HINTS_MAX = 5

/** Anybody may say it: it is told to the provider once, and means nothing else. */
export async function takeHint(
  { sql, clock }: Parts,
  { legRef, txHash }: { legRef: string; txHash: string },
): Promise<void> {
  if (!/^[!-~]+$/.test(txHash) || txHash.length > HASH_MAX) return
  await saveHint(sql, { ref: legRef, txHash, now: clock.now(), max: HINTS_MAX })
}
