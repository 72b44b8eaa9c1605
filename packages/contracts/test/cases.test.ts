// No money is locked for ever while one of merchant and payer can be paid: every case of a blocked party, on a node.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { allCases, renderCases, walk } from './cases.ts'
import { openStage } from './stage.ts'

const FILE = join(import.meta.dirname, '../audit/cases.md')

it('the money reaches whom it belongs to, else the other side, in every case; audit/cases.md is the table of them', async () => {
  const stage = await openStage()
  try {
    const rows = await walk(stage, allCases())
    assert.equal(rows.length, 48)
    for (const row of rows) {
      const can = { merchant: !row.blocked.includes('merchant'), payer: row.isBound && !row.blocked.includes('payer') }
      const [owner, other] =
        row.isFull || !row.isBound ? (['merchant', 'payer'] as const) : (['payer', 'merchant'] as const)
      assert.equal(row.receiver, can[owner] ? owner : can[other] ? other : 'nobody', JSON.stringify(row))
    }
    const table = renderCases(rows)
    if (process.env.CASES === 'write') writeFileSync(FILE, table)
    assert.equal(readFileSync(FILE, 'utf8'), table)
  } finally {
    await stage.chain.stop()
  }
})
