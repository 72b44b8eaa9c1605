// Compares orders: for every asset, received - settled - fee - refunded is what lies on the order's addresses at a final block.
// Where more lies there than is booked, the rail looks at the addresses once more. Everything else is for people. A difference
// ends automatically when it is gone.

import { causeOfDifference } from '@florin/order-model/attention/cause'
import { booksDiffer } from '@florin/order-model/attention/raised'
import type { Clock } from '@florin/platform/clock'
import { failureFields } from '@florin/platform/db/failures'
import type { Sql } from '@florin/platform/db/pool'
import { withTx } from '@florin/platform/db/tx'
import { newId } from '@florin/platform/ids'
import type { Secrets } from '@florin/platform/secrets'
import type { Log } from '@florin/platform/worker/job'
import type { Holding } from '@florin/rail-kit/interface/moves'
import type { Rails } from '@florin/rail-kit/registry'
import { closeCauses } from '../../attention/store.ts'
import type { Config } from '../../settings.ts'
import type { Wakes } from '../../wakes.ts'
import { raise } from '../tell/raise.ts'
import { type Compared, compare, isSame, nextLookAt, nextOf } from './compare.ts'
import * as metrics from './metrics.ts'
import * as store from './store.ts'

export type ReconcileDeps = {
  sql: Sql
  clock: Clock
  config: Config
  secrets: Secrets
  wake: Wakes
  log: Log
  rails: Rails
}

/** Each reads every address of an order once more, asset by asset. */
const RECHECKS_A_BATCH = 20

/**
 * Compares a batch, and writes what differs.
 * @returns when each order has a look of its own next, and whether a chain could not be read.
 */
export async function lookAt(
  deps: ReconcileDeps,
  orders: readonly store.DueOrder[],
  now: Date,
): Promise<{ planned: store.Planned[]; isUnread: boolean }> {
  const orderNos = orders.map((order) => order.orderNo)
  // The books are read after the balances: what arrives in between is a difference for one look only.
  const legs = await store.listBooks(deps.sql, orderNos)
  const { holdings, unread } = await readHoldings(deps, legs)
  const books = await store.listBooks(deps.sql, orderNos)
  const known = await store.listOpenDifferences(deps.sql, orderNos)
  const unseen = new Set<store.DueOrder>()
  const planned: store.Planned[] = []
  for (const order of orders) {
    const own = books.filter((line) => line.orderNo === order.orderNo)
    const lines = compare(own, holdings)
    // An open difference that could not be read this time stays open.
    const open = new Map(
      known.filter((row) => row.orderNo === order.orderNo).map((row) => [row.id, row.toldAt !== null]),
    )
    for (const line of lines) {
      const row = known.find((one) => one.legId === line.legId && isSame(one.asset, line.asset)) ?? null
      const next = await take(deps, order, row, line, now)
      if (next === 'end') open.delete(row?.id ?? '')
      if (next === 'note') open.set('', false)
      if (next === 'tell') open.set(row?.id ?? '', true)
      if (line.found > line.booked && (next === 'note' || next === 'change')) unseen.add(order)
    }
    metrics.compared.inc(lines.length)
    const isPartial = own.some(
      ({ legId, asset }) => !lines.some((line) => line.legId === legId && isSame(line.asset, asset)),
    )
    const isMissing = lines.length === 0 || own.some((line) => unread.has(line.legRef))
    const missed = isPartial ? (isMissing ? 'all' : 'part') : 'nothing'
    const states = [...open.values()]
    const differs = states.includes(false) ? 'new' : states.length > 0 ? 'told' : 'no'
    const next = nextLookAt({ ...order, differs, missed }, now)
    planned.push({ orderNo: order.orderNo, next, isCompared: !isPartial })
  }
  await lookFor(deps, [...unseen].slice(0, RECHECKS_A_BATCH), books)
  return { planned, isUnread: unread.size > 0 }
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
        deps.log.warn(
          { ...failureFields(error), order_no: orderNo },
          'what was not booked could not be looked for; will retry',
        )
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
  const legs = [...Map.groupBy(lines, (line) => line.legRef).values()].flatMap((rows) => {
    const [first] = rows
    if (first === undefined) return []
    const { rail, orderRef, legRef } = first
    const chains = [...new Set(rows.map((row) => row.asset.chain))].sort().join()
    return [{ rail, chains, question: { orderRef, legRef, assets: rows.map((row) => row.asset) } }]
  })
  // Asked for by chain: one that is away leaves the others to be compared.
  for (const some of Map.groupBy(legs, ({ rail, chains }) => `${rail} ${chains}`).values()) {
    const kind = some[0]?.rail ?? ''
    const rail = deps.rails.byKind(kind)
    if (rail === null) continue
    const questions = some.map(({ question }) => question)
    try {
      holdings.push(...(await rail.holdings(questions)))
    } catch (error) {
      for (const { legRef } of questions) unread.add(legRef)
      const about = { err: error, rail: kind, chains: some[0]?.chains }
      deps.log.warn(about, 'balances could not be read for the comparison; will retry')
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
