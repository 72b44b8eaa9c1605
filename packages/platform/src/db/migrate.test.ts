import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { packageMigrations } from '../../../server/src/migrations.ts'
import { dumpSchema } from '../../../server/test/dump/schema.ts'
import { ownDatabase } from '../../../server/test/harness.ts'
import { OperatorError } from '../errors.ts'
import { changeIndex, listMigrations, migrate, parseIndexChanges, requireSchema, runEither } from './migrate.ts'
import { touchedTables } from './migration-locks.ts'
import { openPool, type Sql } from './pool.ts'

async function open(t: Parameters<typeof ownDatabase>[0]): Promise<Sql> {
  const sql = openPool({ url: await ownDatabase(t), max: 4, applicationName: 'migrate test' })
  t.after(() => sql.end())
  return sql
}

test('schema.sql is what the migrations amount to (run `npm run db:dump` after changing one)', async (t) => {
  const sql = await open(t)
  const committed = await readFile(join(import.meta.dirname, '../../../server/schema.sql'), 'utf8')
  assert.equal(await dumpSchema(sql), committed)
})

test('migrations are numbered without gaps in their order', async () => {
  for (const folder of packageMigrations) {
    const numbers = (await listMigrations([folder])).map((migration) => migration.number)
    assert.deepEqual(
      numbers,
      [...new Set(numbers)].sort((a, b) => a - b),
    )
  }
})

test('four starters at once run each migration once, and a second run does nothing', async (t) => {
  const sql = await open(t)
  await sql.unsafe('drop schema florin cascade')
  const ran = await Promise.all(Array.from({ length: 4 }, () => migrate(sql, packageMigrations)))
  assert.equal(ran.flat().length, (await listMigrations(packageMigrations)).length)
  assert.deepEqual(await migrate(sql, packageMigrations), [])
})

test('a starter that comes late makes no index again that a later migration has renamed', async (t) => {
  const sql = await open(t)
  const text = '-- concurrently\ncreate index concurrently orders_first on orders (order_ref);'
  const late = { package: 'server', number: 9007, name: 'first', text }
  assert.equal(await runEither(sql, late), true)
  await sql`alter index orders_first rename to orders_second`
  assert.equal(await runEither(sql, late), false)
  const [found] = await sql<{ first: string | null }[]>`select to_regclass('orders_first')::text as first`
  assert.equal(found?.first, null)
})

test('indexes are changed by one starter at a time, in a database of any isolation', async (t) => {
  const url = await ownDatabase(t)
  const sql = openPool({ url, max: 1, applicationName: 'migrate test' })
  t.after(() => sql.end())
  await sql.unsafe(
    `alter database ${new URL(url).pathname.slice(1)} set default_transaction_isolation = 'repeatable read'`,
  )
  const later = openPool({ url, max: 6, applicationName: 'migrate test' })
  t.after(() => later.end())
  await later`create table one (n int)`
  const migration = {
    package: 'server',
    number: 9004,
    name: 'more_indexes',
    text: '-- concurrently\ncreate index concurrently one_n on one (n);\ncreate index concurrently one_m on one (n desc);',
  }
  const ran = await Promise.all(Array.from({ length: 3 }, () => runEither(later, migration)))
  assert.deepEqual(ran.sort(), [false, false, true])
  const [valid] = await later<{ n: number }[]>`
    select count(*)::int as n from pg_index where indisvalid and indrelid = 'one'::regclass`
  assert.equal(valid?.n, 2)
})

test('a database that needs newer code is refused, one that only grew is not', async (t) => {
  const sql = await open(t)
  await sql`insert into migrations (package, number, name, min_code, checksum) values ('server', 9001, 'grew', 0, '')`
  assert.deepEqual(await migrate(sql, packageMigrations), [])
  await sql`insert into migrations (package, number, name, min_code, checksum) values ('server', 9002, 'took_away', 9002, '')`
  await assert.rejects(
    migrate(sql, packageMigrations),
    (error) => error instanceof OperatorError && /newer release.*migration server\/9002/.test(error.message),
  )
})

test('a database of another encoding than UTF8 is refused before anything is written', async (t) => {
  const sql = await open(t)
  const name = `latin_${(await sql<{ name: string }[]>`select current_database() as name`)[0]?.name}`
  await sql.unsafe(`create database ${name} encoding 'LATIN1' locale 'C' template template0`)
  const latin = openPool({
    url: Object.assign(new URL(await ownDatabase(t)), { pathname: `/${name}` }).href,
    max: 1,
    applicationName: 'latin',
  })
  try {
    await assert.rejects(
      migrate(latin, packageMigrations),
      (error) => error instanceof OperatorError && /LATIN1.*UTF8/.test(error.message),
    )
    assert.deepEqual([...(await latin`select 1 from pg_tables where schemaname = 'florin'`)], [])
  } finally {
    await latin.end({ timeout: 1 })
    await sql.unsafe(`drop database ${name}`)
  }
})

test('migrate: the role has another search path → the tables are in florin all the same', async (t) => {
  const url = await ownDatabase(t)
  const sql = openPool({ url, max: 1, applicationName: 'migrate test' })
  const name = new URL(url).pathname.slice(1)
  await sql.unsafe(`drop schema florin cascade; create schema other; alter database ${name} set search_path = other`)
  const led = openPool({ url, max: 2, applicationName: 'migrate test' })
  t.after(() => Promise.all([sql.end(), led.end()]))
  await migrate(led, packageMigrations)
  await requireSchema(led, packageMigrations)
  const schemas = await led`
    select distinct relnamespace::regnamespace::text as name from pg_class where oid >= 16384 and relkind in ('r', 'i', 'S')
      and relnamespace <> 'pg_toast'::regnamespace`
  assert.deepEqual([...schemas], [{ name: 'florin' }])
})

test('migrate: another program has a table migrations in public → Florin has its own beside it', async (t) => {
  const sql = await open(t)
  await sql.unsafe('drop schema florin cascade; create table public.migrations (id int)')
  assert.equal((await migrate(sql, packageMigrations)).length, (await listMigrations(packageMigrations)).length)
})

test('migrate: a file was changed after it ran → refused by its name, and nothing is written', async (t) => {
  const sql = await open(t)
  const folder = await mkdtemp(join(tmpdir(), 'florin-migrations-'))
  t.after(() => rm(folder, { recursive: true }))
  const own = [...packageMigrations, { package: 'toy', folder }]
  await writeFile(join(folder, '0001_toys.sql'), 'create table toys (n int);')
  await writeFile(join(folder, '0002_more.sql'), 'alter table toys add column more int;')
  assert.deepEqual(await migrate(sql, own), ['toy/0001_toys', 'toy/0002_more'])
  await writeFile(join(folder, '0002_more.sql'), 'alter table toys add column most int;')
  await writeFile(join(folder, '0003_most.sql'), 'alter table toys add column third int;')
  for (const start of [() => migrate(sql, own), () => requireSchema(sql, own)])
    await assert.rejects(
      start(),
      (error) =>
        error instanceof OperatorError && /The migration toy\/2 \(more\) was changed after/.test(error.message),
    )
  assert.equal((await sql`select from pg_attribute where attrelid = 'toys'::regclass and attname = 'third'`).length, 0)
})

const AFRESH = /This database is older than the baseline .*; to start afresh, set DATABASE_URL to an empty database/

test('migrate: a database from before the baseline → refused in a sentence with the way to start afresh', async (t) => {
  const sql = await open(t)
  await sql.unsafe("update migrations set checksum = 'another' where number = 1")
  await assert.rejects(migrate(sql, packageMigrations), AFRESH)
  await sql.unsafe('drop schema florin cascade; create table public.migrations (number int, name text, min_code int)')
  for (const start of [() => migrate(sql, packageMigrations), () => requireSchema(sql, packageMigrations)])
    await assert.rejects(start(), AFRESH)
  assert.equal((await sql`select from pg_namespace where nspname = 'florin'`).length, 0)
})

test('an index that a killed starter left half made is made anew, by one of several', async (t) => {
  const sql = await open(t)
  const [made] = parseIndexChanges(
    '-- why\ncreate index concurrently orders_by_chain on orders (merchant_id, livemode, settle_chain, order_no desc);\n',
  )
  const [dropped] = parseIndexChanges('drop index concurrently if exists orders_by_chain')
  assert.ok(made !== undefined && dropped !== undefined)
  const isValid = async (): Promise<boolean | undefined> =>
    (
      await sql<
        { v: boolean }[]
      >`select indisvalid as v from pg_index where indexrelid = to_regclass('orders_by_chain')`
    )[0]?.v
  await sql`update pg_index set indisvalid = false where indexrelid = 'orders_by_chain'::regclass`
  await Promise.all([changeIndex(sql, made), changeIndex(sql, made), changeIndex(sql, made)])
  assert.equal(await isValid(), true)
  await Promise.all([changeIndex(sql, dropped), changeIndex(sql, dropped)])
  assert.equal(await isValid(), undefined)
  await changeIndex(sql, made)
  assert.equal(await isValid(), true)
  assert.throws(
    () => parseIndexChanges('create index concurrently a on b (c); drop table b'),
    /not a change of an index/,
  )
})

for (const kind of ['constraint', 'column'])
  test(`a migration that drops the ${kind} of a foreign key waits for both its tables at once, and makes none a deadlock`, async (t) => {
    const sql = await open(t)
    await sql.unsafe(
      'create table one (n int primary key); create table two (n int references one, m int references one)',
    )
    const isBegun = Promise.withResolvers<void>()
    const isTried = Promise.withResolvers<void>()
    const shop = sql.begin(async (tx) => {
      await tx`select 1 from one`
      isBegun.resolve()
      await isTried.promise
      await tx`select 1 from two`
    })
    await isBegun.promise
    const migrating = runEither(sql, {
      package: 'server',
      number: 9005,
      name: 'two_alone',
      text: kind === 'column' ? 'alter table two drop column m' : 'alter table two drop constraint two_n_fkey',
    })
    const isWaiting = async (): Promise<boolean> =>
      (await sql`select 1 from pg_locks where relation = 'one'::regclass and mode = 'AccessExclusiveLock'`).length > 0
    while (!(await isWaiting()));
    // After a second PostgreSQL looks for a deadlock that a wait is part of: this one's is looked for by then, and the shop's is not.
    await sleep(1_200)
    isTried.resolve()
    await shop
    assert.equal(await migrating, true)
  })

test('a migration that comes upon an open transaction lets others on, makes none a deadlock, and is done when it can be', async (t) => {
  const sql = await open(t)
  await sql.unsafe('create table one (n int); create table two (n int)')
  const text = 'alter table one add column more int;\nselect pg_sleep(0.2);\nalter table two add column more int;'
  assert.deepEqual([...touchedTables(`-- alter table three\n${text}`).keys()], ['one', 'two'])
  const begun = Promise.withResolvers<void>()
  const isTried = Promise.withResolvers<void>()
  // The order that ends in a deadlock: it holds the second table and comes to the first.
  const shop = sql.begin(async (tx) => {
    await tx`insert into two values (1)`
    begun.resolve()
    await isTried.promise
    await tx`insert into one values (1)`
  })
  await begun.promise
  const migrating = runEither(sql, { package: 'server', number: 9003, name: 'more', text })
  const isWaiting = async (): Promise<boolean> =>
    (await sql`select 1 from pg_locks where relation = 'one'::regclass and mode = 'AccessExclusiveLock'`).length > 0
  while (!(await isWaiting()));
  isTried.resolve()
  await shop
  assert.equal(await migrating, true)
  assert.deepEqual(
    [...(await sql`select more from one union all select more from two`)],
    [{ more: null }, { more: null }],
  )
})
test('schema.sql: an empty database loads it → the same schema again', async (t) => {
  const sql = await open(t)
  const text = await readFile(join(import.meta.dirname, '../../../server/schema.sql'), 'utf8')
  await sql.unsafe('drop schema florin cascade')
  await sql.unsafe(text)
  assert.equal(await dumpSchema(sql), text)
})
test('schema.sql: an empty database loads it → the same schema again', async (t) => {
  const sql = await open(t)
  const text = await readFile(join(import.meta.dirname, '../../../server/schema.sql'), 'utf8')
  await sql.unsafe('drop schema florin cascade')
  await sql.unsafe(text)
  assert.equal(await dumpSchema(sql), text)
})
