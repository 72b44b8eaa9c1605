// Every line and both ways of every branch of the contracts are run by their tests, but for what is named here.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { measureCoverage, percent } from '../script/audit/coverage.ts'

/** No error of ours is that long: a second bound, should one become so. */
const NEVER = ['src/PayFactory.sol jump always taken: if gt(size, MAX_REASON) { size := MAX_REASON }']

it('the tests run every line and both ways of every branch', async (t) => {
  const { lines, branches } = await measureCoverage()
  t.diagnostic(`lines ${percent(lines)} % of ${lines.total}, branches ${percent(branches)} % of ${branches.total}`)
  assert.ok(lines.total > 150 && branches.total > 100, 'what is measured is there')
  assert.deepEqual(lines.missed, [])
  assert.deepEqual(
    branches.missed.map(({ file, what }) => `${file} ${what}`),
    NEVER,
  )
})
