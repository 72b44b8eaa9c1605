// Promise: the rows of a statement go with the next small collection of the heap. Rows that wait for a full one add up to
// hundreds of megabytes in a process that reads much, such as one that exports.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { testCluster } from '../../../../server/test/cluster.ts'
import { openPool } from '../pool.ts'
import { withTx } from '../tx.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as (options: { type: 'minor' }) => void

/** What survived two of them is taken for long-lived. */
function heapMb(): number {
  for (let n = 0; n < 3; n++) collect({ type: 'minor' })
  return process.memoryUsage().heapUsed / 1024 / 1024
}

test('rows that nobody keeps are not kept until the next full collection', async (t) => {
  const sql = openPool({ url: await testCluster(), max: 1, applicationName: 'memory' })
  t.after(() => sql.end({ timeout: 1 }))
  const read = async (times: number): Promise<void> => {
    for (let n = 0; n < times; n++) {
      const rows = await sql`select g, repeat(md5(g::text), 8) as text from generate_series(1, ${250}::int) g`
      assert.equal(rows.length, 250)
      await withTx(sql, (tx) => tx.unsafe('select g, repeat(md5(g::text), 8) as text from generate_series(1, 250) g'))
    }
  }
  await read(20)
  const before = heapMb()
  let most = before
  // A full one may come in between. Of rows alone these are 2 MB each time.
  for (let n = 0; n < 12; n++) {
    await read(12)
    most = Math.max(most, heapMb())
  }
  const more = most - before
  assert.ok(more < 3, `${more.toFixed(1)} MB more`)
})
