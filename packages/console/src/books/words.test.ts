import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BookDifference, Reconciliation } from '@florin/protocol'
import { amountText, coverageText, gapText, lastMonths, monthText } from './words.ts'

const row = (booked: string, found: string): BookDifference => ({
  ...{ id: 'dif_1', livemode: false, order_no: 'ord_1', merchant: null, chain: 'base', asset: 'USDC', contract: null },
  ...{ decimals: 6, booked, found, block: '7', told_at: '2026-01-01T00:00:00Z', resolved_at: null },
})

test('a gap says which way it goes', () => {
  assert.equal(gapText(row('50000000', '49000000')), '−1 USDC')
  assert.equal(gapText(row('0', '1')), '+0.000001 USDC')
  assert.equal(amountText('50000000', row('1', '2')), '50 USDC')
})

test('the coverage says what is not compared yet', () => {
  const page: Reconciliation['differences'] = { data: [], has_more: false, next_cursor: null }
  const say = (compared_since: string | null, waiting: number): string => {
    const { before, after } = coverageText({ compared_since, waiting, differences: page })
    return `${before}${compared_since ?? ''}${after}`
  }
  assert.equal(say(null, 0), 'Not every order was compared yet.')
  assert.equal(say(null, 3), 'Not every order was compared yet. 3 orders wait to be compared.')
  assert.equal(say('T', 0), 'Every order was compared after T.')
  assert.match(say('T', 1000), /T\. 1000 or more orders wait/)
})

test('months go back over the turn of the year', () => {
  assert.deepEqual(lastMonths('2026-01-31', 3), ['2026-01', '2025-12', '2025-11'])
  assert.equal(monthText('2025-12'), 'December 2025')
})
