// The standing comparison of books and chain: for every order and asset, received - settled - fee - refunded is what
// lies on its addresses at a final block. Busy orders every few minutes, closed ones once a day for 90 days. Where
// more lies there than is booked the rail looks at the addresses once more; all else is for people. A difference ends by
// itself when it is gone.
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@florin/protocol'
import { closeCauses } from '../../attention/store.ts'
import type { Deps } from '../../deps.ts'
import { withTx } from '../../platform/db/tx.ts'
import { newId } from '../../platform/ids.ts'
import type { Job } from '../../platform/worker/loop.ts'
import type { Holding } from '../../rails/interface/moves.ts'
import { causeOfDifference } from '../model/attention/cause.ts'
import { booksDiffer } from '../model/attention/raised.ts'
import { raise } from '../tell/raise.ts'
import { COMPARED_FOR_MS, type Compared, compare, isSame, nextLookAt, nextOf } from './compare.ts'
import * as metrics from './metrics.ts'
import * as store from './store.ts'

type ReconcileDeps = Pick<Deps, 'sql' | 'clock' | 'config' | 'secrets' | 'wake' | 'log' | 'rails'>

/** Some 800 balances: one or two calls to a node for each chain. */
const BATCH = 250
const EVERY_MS = 15 * SECOND_MS
const ENROLL_EVERY_MS = MINUTE_MS
/** Each reads every address of an order once more, asset by asset. */
const RECHECKS_A_BATCH = 20
const LEASE_MS = 2 * MINUTE_MS
const OVERLAP_MS = 2 * MINUTE_MS
/** An order number is up to a day older than its order where an idempotency key was taken over. */
const WIDE_OVERLAP_MS = 25 * HOUR_MS

export function reconcileJob(deps: ReconcileDeps): Job {
  let widenedAt = 0
  let enrolledAt = 0
  return {
    name: 'reconcile',
    everyMs: EVERY_MS,
    async run() {
      const now = deps.clock.now()
      if (now.getTime() - enrolledAt >= ENROLL_EVERY_MS) {
        enrolledAt = now.getTime()
        const isWide = now.getTime() - widenedAt >= HOUR_MS
        if (isWide) widenedAt = now.getTime()
        const since = new Date(now.getTime() - COMPARED_FOR_MS - DAY_MS)
        await store.enroll(deps.sql, {
          overlapMs: isWide ? WIDE_OVERLAP_MS : OVERLAP_MS,
          since,
          now,
          limit: 10 * BATCH,
        })
      }
      const did = await reconcileDue(deps)
      const { differences, behindS } = await store.readProgress(deps.sql, now)
      metrics.differences.set(Number(differences))
      metrics.behind.set(behindS)
      return did
    },
  }
}

/** One batch. @returns how many orders were due. */
export async function reconcileDue(deps: ReconcileDeps, limit = BATCH): Promise<number> {
  const now = deps.clock.now()
  const leasedUntil = new Date(now.getTime() + LEASE_MS)
  const due = await store.claimDue(deps.sql, { now, leasedUntil, limit })
  if (due.length === 0) return 0
  const orderNos = due.map((order) => order.orderNo)
  // The books are read after the balances: what arrives in between is a difference for one look only.
  const legs = await store.listBooks(deps.sql, orderNos)
  const { holdings, unread } = await readHoldings(deps, legs)
  const books = await store.listBooks(deps.sql, orderNos)
  const known = await store.listOpenDifferences(deps.sql, orderNos)
  const unseen = new Set<store.DueOrder>()
  const schedule: Parameters<typeof store.schedule>[1][number][] = []
  for (const order of due) {
    const own = books.filter((line) => line.orderNo === order.orderNo)
    const lines = compare(own, holdings)
    let differs = false
    for (const line of lines) {
      const open = known.find((row) => row.legId === line.legId && isSame(row.asset, line.asset)) ?? null
      if (line.booked !== line.found) differs = true
      const next = await take(deps, order, open, line, now)
      if (line.found > line.booked && (next === 'note' || next === 'change')) unseen.add(order)
    }
    metrics.compared.inc(lines.length)
    const isPartial = own.some(
      ({ legId, asset }) => !lines.some((line) => line.legId === legId && isSame(line.asset, asset)),
    )
    const hasMoney = own.some((line) => line.hasMoney)
    // Where a rail or chain is configured no more, nothing can be compared: that is no reason to ask every minute.
    const isMoving = isPartial && lines.length > 0
    const missed = own.some((line) => unread.has(line.rail)) ? 'rail' : isMoving ? 'part' : 'nothing'
    const next = nextLookAt({ ...order, hasMoney, differs, missed }, now)
    schedule.push({ orderNo: order.orderNo, next, isCompared: !isPartial })
  }
  await store.schedule(deps.sql, schedule, { now, leasedUntil })
  await lookFor(deps, [...unseen].slice(0, RECHECKS_A_BATCH), books)
  return due.length
}

/** More lies there than is booked: the rail looks at the addresses itself, and what it finds is booked. */
async function lookFor(
  deps: ReconcileDeps,
  orders: readonly store.DueOrder[],
  books: readonly store.OrderBookLine[],
): Promise<void> {
  for (const { orderNo, orderRef } of orders) {
    for (const kind of new Set(books.filter((line) => line.orderNo === orderNo).map((line) => line.rail))) {
      try {
        await deps.rails.byKind(kind)?.recheck(orderRef)
      } catch (error) {
        deps.log.warn({ err: error, order_no: orderNo }, 'what was not booked could not be looked for; will retry')
      }
    }
  }
}

async function readHoldings(
  deps: ReconcileDeps,
  lines: readonly store.OrderBookLine[],
): Promise<{ holdings: Holding[]; unread: ReadonlySet<string> }> {
  const holdings: Holding[] = []
  const unread = new Set<string>()
  for (const kind of new Set(lines.map((line) => line.rail))) {
    const rail = deps.rails.byKind(kind)
    if (rail === null) continue
    const legs = Map.groupBy(
      lines.filter((line) => line.rail === kind),
      (line) => line.legRef,
    )
    const questions = [...legs].flatMap(([legRef, rows]) => {
      const [first] = rows
      return first === undefined ? [] : [{ orderRef: first.orderRef, legRef, assets: rows.map((row) => row.asset) }]
    })
    try {
      holdings.push(...(await rail.holdings(questions)))
    } catch (error) {
      unread.add(kind)
      deps.log.warn({ err: error, rail: kind }, 'balances could not be read for the comparison; will retry')
    }
  }
  return { holdings, unread }
}

async function take(
  deps: ReconcileDeps,
  order: store.DueOrder,
  known: store.OpenDifference | null,
  line: Compared,
  now: Date,
): Promise<ReturnType<typeof nextOf>> {
  const next = nextOf(known, line, now)
  if (next === 'nothing') return next
  await withTx(deps.sql, async (tx) => {
    if (next === 'note') return store.insertDifference(tx, order, { id: newId('dif', now), line, now })
    if (known === null) return
    if (next === 'change') return store.changeDifference(tx, known.id, line, now)
    if (next === 'end') {
      await store.endDifference(tx, known.id, now)
      return closeCauses(tx, [causeOfDifference(known.id)], 'books and chain agree again', now)
    }
    if (!(await store.markTold(tx, known.id, now))) return
    await raise(deps, tx, order, booksDiffer(known.id, line), now)
  })
  if (next !== 'tell') return next
  const { booked, found, asset, height } = line
  deps.log.error(
    { order_no: order.orderNo, chain: asset.chain, asset: asset.asset, booked, found, height },
    'the books of an order differ from the chain',
  )
  deps.wake.mail.fire()
  return next
}
