import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aBacklog, anEvent, aShop } from '../../../test/deliveries.ts'
import { testDeps } from '../../../test/harness.ts'
import { makeCaps, type Pace } from './caps.ts'
import { makeRounds } from './round.ts'

const SLOTS = 128

test('a merchant with fifty thousand hosts takes little from the others, whether its hosts hang or answer', async (t) => {
  const { deps, clock } = await testDeps(t)
  const { sql } = deps
  const url = 'https://shop.example/hook'
  const shop = await aShop(deps)
  const event = { ...(await anEvent(deps, shop, url)), shop, url }
  const runAt = clock.now()
  const small = { firstTenant: 1_000, tenants: 50, lanesEach: 2, runAt }
  await aBacklog(sql, { rows: 50_000, firstTenant: 10, tenants: 1, lanesEach: 50_000, runAt }, event)
  await aBacklog(sql, { rows: 2_000, ...small }, event)
  await sql`analyze delivery_queue, deliveries`

  const caps = makeCaps(SLOTS)
  const rounds = makeRounds({ sql, clock }, { slots: SLOTS, leaseMs: 600_000, caps })
  let [theirs, others, nowMs] = [0, 0, 0]
  const ended: { ticket: Parameters<typeof caps.give>[0]; pace: Pace }[] = []
  const settle = (): void => {
    nowMs += 10_000
    for (const { ticket, pace } of ended.splice(0)) caps.give(ticket, pace, nowMs)
  }
  for (let round = 0; others < 2_000 && round < 500; round++) {
    const { rows } = await rounds.take()
    for (const row of rows) {
      const isTheirs = row.ticket.tenant === 10
      if (isTheirs) theirs += 1
      else if (row.ticket.tenant >= 1_000) others += 1
      // Theirs hang until ten rounds later, the others answer at once.
      if (isTheirs) ended.push({ ticket: row.ticket, pace: 'hung' })
      else caps.give(row.ticket, 'quick', nowMs)
    }
    if (round % 10 === 9) settle()
  }
  assert.equal(others, 2_000, 'the others were all served')
  const share = others / (others + theirs)
  assert.ok(share >= 0.9, `the others had ${(share * 100).toFixed(0)} % of the slots`)
  t.diagnostic(`${theirs} of 50,000 beside ${others} of 2,000`)

  // Alone, the same merchant is served without end, a bounded number at a time.
  settle()
  const { rows } = await rounds.take()
  assert.ok(rows.length > 0 && rows.length <= Math.ceil(SLOTS / 5))
})
