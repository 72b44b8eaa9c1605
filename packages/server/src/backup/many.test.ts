// Promises of a restore: rows that lie elsewhere on the disk are no difference; rows that are others are named and refused,
// and restored where that is asked for; the role that owns the tables can do it.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { listMigrations } from '@florin/platform/db/migrate'
import { openPool, type Sql, withoutLimits } from '@florin/platform/db/pool'
import { OperatorError } from '@florin/platform/errors'
import { newId } from '@florin/platform/ids'
import { manyOrders } from '../../test/backups.ts'
import { ownDatabase, testApp } from '../../test/harness.ts'
import { packageMigrations } from '../migrations.ts'
import { backUp, verify } from './backup.ts'
import { readParts } from './facts.ts'
import { writeBackup } from './file.ts'
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
  await rewritten(good, path, (table) => [
    { ...table, rows: Buffer.from(table.rows.toString().replace('+00\n', '+00:00\n')) },
  ])
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
  const ran = await withSql(target, (sql) => sql`select 1 from migrations`)
  assert.equal(ran.length, (await listMigrations(packageMigrations)).length)
})

test('restore: a file whose hashes are right and whose tables are not → one sentence, and nothing is restored', async (t) => {
  const dir = await aFolder(t)
  const [good, path] = [join(dir, 'good'), join(dir, 'other')]
  await backUp(await ownDatabase(t), good)
  const target = await ownDatabase(t)
  const refused = async (why: RegExp): Promise<void> => {
    await assert.rejects(restore(target, path, { replaces: true }), (error) => {
      assert.ok(error instanceof OperatorError, String(error))
      assert.match(error.message, why)
      return true
    })
    assert.equal((await withSql(target, (sql) => sql`select 1 from installation`)).length, 0)
  }
  await rewritten(good, path, (table) => [table, table])
  await refused(/other is no whole backup of Florin: it has the table migrations twice/)
  await rewritten(good, path, () => [])
  await refused(/was not restored\. It lacks migrations\./)
  await rewritten(good, path, (table) => [table, { ...table, name: 'strangers' }])
  await refused(/was not restored\. It has strangers, which no release/)
  await rewritten(good, path, (table) => [{ ...table, columns: [...table.columns, 'more'] }])
  await refused(/It has migrations\.more, which/)
  // More rows than a stream buffers: the copy has failed long before the last of them.
  await rewritten(good, path, (table) => [{ ...table, rows: Buffer.alloc(8_000_000, 'no number\n') }])
  await refused(/was not restored\. PostgreSQL refused it: .*\(COPY migrations, line 1/)

  const bytes = await readFile(good)
  for (const more of [Buffer.from('more'), gzipSync('more'), Buffer.alloc(1_000)]) {
    await writeFile(path, Buffer.concat([bytes, more]))
    await assert.rejects(verify(path), /is no whole backup of Florin: /)
    await refused(/is no whole backup of Florin: /)
  }
  for (const fact of [
    null,
    [],
    { begin: true },
    { end: true, name: 'orders' },
    { begin: true, name: 'orders', columns: [] },
  ]) {
    const writer = writeBackup(path)
    await writer.fact((await readAll(good)).head)
    await writer.fact(fact)
    await writer.end()
    await refused(/is no whole backup of Florin: a record is of an unknown form/)
  }
})
test('restore: a file that lacks what a counter stood at → refused, as the next row would be', async (t) => {
  const dir = await aFolder(t)
  const [good, path] = [join(dir, 'good'), join(dir, 'other')]
  const from = await ownDatabase(t)
  await withSql(from, async (sql) => {
    const merchant = { id: newId('mer', new Date()), at: new Date() }
    await sql`insert into merchants (id, email, created_at) values (${merchant.id}, 'one@shop.example', ${merchant.at})`
  })
  await backUp(from, good)
  const target = await ownDatabase(t)
  await rewritten(good, path, (table) => [table], { sequences: [] })
  await assert.rejects(
    restore(target, path, { replaces: true }),
    /merchants: \w+ counts on from its start, and has 1 already/,
  )
  await restore(target, good, { replaces: true })
})

interface SavedTable {
  name: string
  columns: string[]
  rows: Buffer
}

async function readAll(path: string): Promise<{ head: unknown; tables: SavedTable[] }> {
  let head: unknown = null
  const tables: SavedTable[] = []
  for await (const part of readParts(path)) {
    const last = tables.at(-1)
    if (part.kind === 'head') head = part.head
    else if (part.kind === 'begin') tables.push({ ...part.table, rows: Buffer.alloc(0) })
    else if (part.kind === 'data' && last !== undefined) last.rows = Buffer.concat([last.rows, part.data])
  }
  return { head, tables }
}

/** The same backup with other tables in the place of `migrations`; its hashes are right. */
async function rewritten(
  from: string,
  to: string,
  change: (migrations: SavedTable) => SavedTable[],
  more: object = {},
): Promise<void> {
  const { head, tables } = await readAll(from)
  const writer = writeBackup(to)
  await writer.fact({ ...(head as object), ...more })
  for (const { name, columns, rows } of tables.flatMap((table) =>
    table.name === 'migrations' ? change(table) : [table],
  )) {
    await writer.fact({ begin: true, name, columns })
    await writer.data(rows)
    const sha256 = createHash('sha256').update(rows).digest('hex')
    await writer.fact({ end: true, name, bytes: rows.length, sha256 })
  }
  await writer.end()
}
