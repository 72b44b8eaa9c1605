// Each table has one owner, and only the owner's SQL names the table. Other code calls a function of the owner or reads a view of it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isStore, isTestFile, readSources, roomPath } from '../imports.ts'
import { breaches } from './breaches.ts'
import { literalsOf } from './literals.ts'
import { ownerOf, ownerOfFile, schema, tables } from './owners.ts'
import { tablesIn } from './sql.ts'

test('every table has one owner, which a file of the sources belongs to', () => {
  const owners = new Set([...readSources('packages/*/src/**/*.ts').keys()].map(ownerOfFile))
  assert.ok(tables.size > 50)
  for (const table of tables) {
    const owner = ownerOf.get(table)
    assert.ok(owner !== undefined, `the migration of ${table} names no owner: comment on table ${table} is 'Owner: …'`)
    assert.ok(owners.has(owner), `${table} is owned by ${owner}, which has no file`)
  }
})

test('a view reads only tables of its owner', () => {
  const views = [...schema.matchAll(/^create view (?:florin\.)?(\w+) as\n([^;]*);/gim)]
  assert.ok(views.length > 3)
  for (const [, view = '', text = ''] of views) {
    assert.ok(ownerOf.has(view), `${view} names no owner`)
    for (const table of tablesIn(text, tables))
      assert.equal(ownerOf.get(table), ownerOf.get(view), `${view} reads ${table}`)
  }
})

test('a table of another owner is named in no SQL, but for the breaches that are listed', () => {
  const found: Record<string, string[]> = {}
  let own = 0
  for (const { file, text } of readSources('packages/*/src/**/*.ts').values()) {
    if (isTestFile(file) || !isStore(roomPath(file) ?? '')) continue
    const named = new Set(literalsOf(text).flatMap((literal) => tablesIn(literal, tables)))
    const foreign = [...named].filter((table) => ownerOf.get(table) !== ownerOfFile(file))
    own += named.size - foreign.length
    if (foreign.length > 0) found[file] = foreign.sort()
  }
  assert.ok(own > 200, `the reader finds ${own} tables where they belong`)
  assert.deepEqual(found, breaches)
})

test('the reader finds a table wherever SQL names one', () => {
  const known = new Set(['orders', 'pay_legs', 'refunds'])
  const inCode = (code: string): string[] => literalsOf(code).flatMap((literal) => tablesIn(literal, known))
  for (const code of [
    'sql`select 1 from orders`',
    'sql`select 1 from florin.orders o`',
    'sql`select 1 from generate_series(1, 2) n, orders o`',
    "sql`update orders set note = 'from refunds'`",
    'sql`insert into orders (a) values (1)`',
    'sql`delete from only orders`',
    'sql`with x as (delete from orders returning *) select 1 from x`',
    `db\`\${a ? db\`left join orders o on true\` : db\`\`} where a.refunds = 1\``,
    'sql`delete from x using orders o where refunds.a = 1`',
    "const from = 'orders o'",
    `db\`select \${f({ a: '}' })} from x join\n -- not refunds\n orders on true\``,
  ])
    assert.deepEqual(inCode(code), ['orders'], code)
  assert.deepEqual(inCode("db.unsafe('pay_legs')"), ['pay_legs'])
  for (const code of [
    '// from orders\n',
    "throw new Error('no such orders')",
    'db`select orders.refunds as refunds from x`',
  ])
    assert.deepEqual(inCode(code), [], code)
})
