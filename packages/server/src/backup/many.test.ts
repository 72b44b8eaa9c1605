// Promises of a restore: rows that lie elsewhere on the disk are no difference; rows that are others are named and refused,
// and restored where that is asked for; the role that owns the tables can do it.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { manyOrders } from '../../test/backups.ts'
import { ownDatabase, testApp } from '../../test/harness.ts'
import { openPool, type Sql, withoutLimits } from '../platform/db/pool.ts'
import { backUp } from './backup.ts'
import { readBackup, writeBackup } from './file.ts'
import { type Difference, restore } from './restore.ts'

async function aFolder(t: TestContext): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'florin-backup-'))
  t.after(() => rm(dir, { recursive: true, force: true }))
  return dir
}

async function withSql<T>(url: string, run: (sql: Sql) => Promise<T>): Promise<T> {
  const sql = openPool({ url, max: 2, applicationName: 'test', limits: withoutLimits })
  return run(sql).finally(() => sql.end({ timeout: 1 }))
}

/** Foreign keys and triggers, as PostgreSQL writes them. */
const rulesOf = (url: string) =>
  withSql(
    url,
    (sql) => sql`
      select conrelid::regclass::text as of, pg_get_constraintdef(oid) as is, convalidated::text as state from pg_constraint where contype = 'f'
      union all select tgrelid::regclass::text, pg_get_triggerdef(oid), tgenabled::text from pg_trigger where not tgisinternal
      order by 1, 2`,
  )

test('restore: 1,000 orders with webhooks → whole, with all rules of the schema', async (t) => {
  const path = join(await aFolder(t), 'florin.backup')
  const at = await testApp(t)
  await manyOrders(at, 1_000)
  const saved = await backUp(at.databaseUrl, path)
  assert.equal(saved.totals.orders, '1000')
  const target = await ownDatabase(t)
  assert.deepEqual(await restore(target, path, { replaces: false }), saved)
  const rules = await rulesOf(await ownDatabase(t))
  assert.ok(rules.length > 50)
  // Old partitions have the triggers of their table too.
  const isOfPartition = ({ of }: Record<string, unknown>): boolean => /_\d{8}$/.test(String(of))
  assert.deepEqual(
    (await rulesOf(target)).filter((rule) => !isOfPartition(rule)),
    rules.filter((rule) => !isOfPartition(rule)),
  )
})

test('restore: a table reads back differently → refused with its rows, or accepted with a report', async (t) => {
  const dir = await aFolder(t)
  const [good, path] = [join(dir, 'good'), join(dir, 'other')]
  await backUp(await ownDatabase(t), good)
  // PostgreSQL takes this form of a time, and writes another one.
  await rewritten(good, path, (text) => text.replace('+00\n', '+00:00\n'))
  const target = await ownDatabase(t)
  const reports: (readonly Difference[])[] = []
  const report = async (differences: readonly Difference[]): Promise<string> => {
    reports.push(differences)
    return '/the/report'
  }
  await assert.rejects(
    restore(target, path, { replaces: true, report }),
    /Nothing was restored.* migrations: (\d+) rows were saved and \1 read back, of which 1 differ\. The rows are in \/the\/report.*--accept-differences/,
  )
  assert.equal((await withSql(target, (sql) => sql`select 1 from installation`)).length, 0, 'nothing was restored')
  await restore(target, path, { replaces: true, report, acceptsDifferences: true })
  assert.deepEqual(reports[1], reports[0])
  const [difference] = reports[0] ?? []
  assert.match(difference?.missing[0] ?? '', /\+00:00$/)
  assert.match(difference?.added[0] ?? '', /\+00$/)
  assert.ok((await withSql(target, (sql) => sql`select 1 from migrations`)).length > 50)
})

/** The same backup, in whose table `migrations` the text is another one; its hashes are right. */
async function rewritten(from: string, to: string, change: (text: string) => string): Promise<void> {
  const writer = writeBackup(to)
  let table = ''
  let data = ''
  for await (const record of readBackup(from)) {
    if (record.kind === 'data') {
      if (table === 'migrations') data += record.data.toString()
      else await writer.data(record.data)
      continue
    }
    const fact = record.fact as { begin?: true; end?: true; name: string }
    if (fact.begin === true) table = fact.name
    if (fact.end !== true || fact.name !== 'migrations') {
      await writer.fact(fact)
      continue
    }
    const body = Buffer.from(change(data))
    await writer.data(body)
    await writer.fact({ ...fact, bytes: body.length, sha256: createHash('sha256').update(body).digest('hex') })
  }
  await writer.end()
}
