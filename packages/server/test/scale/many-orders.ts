// Orders by the million, as a shop has them: three quarters paid, some states and chains nearly never, words and values of
// every rarity. Written by COPY with their look-up rows, several tables at a time; sums and indexes are made of the whole.
import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { openPool, type Sql, withoutLimits } from '@florin/platform/db/pool'
import { DAY_MS } from '@florin/protocol'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { partitionedTables } from '../../src/partitions.ts'
import { type Filling, type Made, orderOf, type Values } from './rows.ts'

export { skew } from './rows.ts'

export interface ManyOrders extends Pick<Filling, 'orders' | 'large' | 'apiKeyId' | 'now'> {
  /** How many other merchants share the rest. */
  others: number
  /** Thousands: rows go into the tables as they stand, indexes and all. */
  isSmall?: boolean
  /** What is done, so many seconds after the first row. */
  told?(what: string, seconds: number): void
}

const SPAN_DAYS = 90
/** Orders made before their lines are sent. */
const CHUNK = 2_000
/** Parents first; the one of most work comes first among those that are built side by side. */
const tables = [
  ...(['orders', 'order_lookup', 'pay_legs', 'payments', 'settlements', 'deliveries'] as const),
  ...(['delivery_attempts', 'order_events'] as const),
] as const
const isPartitioned = (table: string): boolean => partitionedTables.some(({ name }) => name === table)
const whole = tables.filter((table) => !isPartitioned(table))

/** It takes a connection of a superuser, and a database in which nobody has orders. */
export async function fillOrders(url: string, a: ManyOrders): Promise<void> {
  const sql = openPool({ url, max: 3, applicationName: 'many orders', limits: withoutLimits })
  try {
    const from = new Date(a.now.getTime() - SPAN_DAYS * DAY_MS)
    for (const { name, widthDays } of partitionedTables)
      await sql`select make_partitions(${name}, ${from}::date, ${a.now}::date, ${widthDays}::int)`
    const others = await makeMerchants(sql, a.others, from)
    const filling: Filling = { ...a, others, from, stepMs: (SPAN_DAYS * DAY_MS) / (a.orders + 1) }
    const later = a.isSmall === true ? null : await takeOff(sql)
    const began = performance.now()
    const told = (what: string): void => a.told?.(what, (performance.now() - began) / 1000)
    await copyAll(url, filling, later !== null)
    told('rows')
    if (later === null) await addUp(sql, a)
    else await putBack(sql, later, () => addUp(sql, a).then(() => told('sums')))
    told('indexes')
    await checkLookup(sql)
    for (const table of [...tables, 'order_sums', 'merchants', 'payment_links', 'invoices'])
      await sql.unsafe(`vacuum (analyze) ${table}`)
    // Else it is written to the disk under what is done next.
    await sql.unsafe('checkpoint')
    told('vacuum')
  } finally {
    await sql.end({ timeout: 5 })
  }
}

async function makeMerchants(sql: Sql, count: number, createdAt: Date): Promise<{ id: string; no: number }[]> {
  return sql<{ id: string; no: number }[]>`
    insert into merchants (id, email, created_at)
    select 'mer_' || lpad(g::text, 26, '0'), 'other' || g || '@shop.example', ${createdAt}
    from generate_series(1, ${count}::int) g returning id, no`
}

interface Later {
  indexes: string[]
  /** Each of a table that is changed for it alone. */
  constraints: { table: string; text: string }[]
}

/** Indexes cost a tenth when they are built of the whole. Primary keys stay where rows come in their order. */
async function takeOff(sql: Sql): Promise<Later> {
  const names = [...whole, 'order_sums']
  const constraints = await sql<{ table: string; name: string; text: string; kind: string }[]>`
    select c.conrelid::regclass::text as table, c.conname as name, c.contype::text as kind,
      pg_get_constraintdef(c.oid) || case when c.contype = 'f' then ' not valid' else '' end as text
    from pg_constraint c where c.contype = 'f' and (c.confrelid = any(${names}::regclass[]) or c.conrelid = any(${names}::regclass[]))
      or c.contype = 'u' and c.conrelid = any(${names}::regclass[])
      or c.conname in ('order_lookup_pkey', 'payments_pkey', 'order_sums_pkey')
    order by c.contype`
  for (const { table, name } of constraints) await sql.unsafe(`alter table ${table} drop constraint "${name}"`)
  const indexes = await sql<{ name: string; text: string }[]>`
    select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as text from pg_index i
    where i.indrelid = any(${names}::regclass[]) and not exists (select from pg_constraint c where c.conindid = i.indexrelid)`
  for (const { name } of indexes) await sql.unsafe(`drop index ${name}`)
  return {
    indexes: indexes.map(({ text }) => text),
    constraints: [...constraints]
      .sort((a, b) => Number(a.kind === 'f') - Number(b.kind === 'f'))
      .map(({ table, name, text }) => ({ table, text: `alter table ${table} add constraint "${name}" ${text}` })),
  }
}

/** What `sums` reads: a constraint there waits for it, and whoever reads for the constraint. */
const summed = /^(alter table|create (unique )?index \w+ on) (public\.)?(orders|deliveries|order_sums)\b/i

/** Two at a time, as a small machine has cores: sums are made beside what needs none. */
async function putBack(sql: Sql, { indexes, constraints }: Later, sums: () => Promise<void>): Promise<void> {
  const settings = `set maintenance_work_mem = '256MB'; set max_parallel_maintenance_workers = 0`
  const keys = constraints.filter(({ text }) => !text.includes('FOREIGN KEY'))
  const references = constraints.filter(({ text }) => text.includes('FOREIGN KEY'))
  const all = [...keys.map(({ text }) => text), ...indexes]
  const waiting = all.filter((text) => !summed.test(text))
  const build = async (): Promise<void> => {
    for (let text = waiting.shift(); text !== undefined; text = waiting.shift())
      await sql.unsafe(`${settings}; ${text}`)
  }
  const made = sums().then(() => waiting.push(...all.filter((text) => summed.test(text))))
  await Promise.all([
    made.then(build),
    build()
      .then(() => made)
      .then(build),
  ])
  for (const { text } of references) await sql.unsafe(text)
}

/** One connection a table, so that PostgreSQL reads lines of some while others are made. */
async function copyAll(url: string, a: Filling, isFresh: boolean): Promise<void> {
  const pipes = new Map<string, Pipe>()
  try {
    for (const table of tables) pipes.set(table, await openPipe(url, table, isFresh && !isPartitioned(table)))
    for (let first = 1; first <= a.orders; first += CHUNK) {
      const lines = new Map<string, string[]>(tables.map((table) => [table, []]))
      for (let n = first; n < Math.min(first + CHUNK, a.orders + 1); n++) {
        const made = orderOf(n, a)
        for (const table of tables)
          for (const values of listOf(made, table)) lines.get(table)?.push(pipes.get(table)?.line(values) ?? '')
      }
      await Promise.all([...pipes].map(([table, pipe]) => pipe.write((lines.get(table) ?? []).join(''))))
    }
    await Promise.all([...pipes.values()].map((pipe) => pipe.end()))
  } finally {
    await Promise.all([...pipes.values()].map((pipe) => pipe.close()))
  }
}

function listOf(made: Made, table: (typeof tables)[number]): readonly Values[] {
  const rows = made[table]
  return rows === null ? [] : [rows].flat()
}

interface Pipe {
  line(values: Values): string
  write(text: string): Promise<unknown>
  end(): Promise<void>
  close(): Promise<void>
}

/** @param isFresh nobody else sees the table: nothing of it goes through the log, and its rows need no vacuum. */
async function openPipe(url: string, table: string, isFresh: boolean): Promise<Pipe> {
  const client = new pg.Client({ connectionString: url, application_name: 'many orders' })
  await client.connect()
  await client.query('begin')
  await client.query(
    'set local search_path = florin; set local session_replication_role = replica; set local synchronous_commit = off',
  )
  if (isFresh) await client.query(`truncate ${table}`)
  const { rows } = await client.query<{ name: string }>(
    `select attname as name from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped`,
    [table],
  )
  let columns: string[] = []
  let stream: Writable | null = null
  const start = (values: Values): void => {
    columns = rows.map(({ name }) => name).filter((name) => name in values)
    stream = client.query(
      copyFrom(
        `copy ${table} (${columns.map((name) => `"${name}"`).join(', ')}) from stdin${isFresh ? ' with (freeze)' : ''}`,
      ),
    )
  }
  return {
    line(values) {
      if (stream === null) start(values)
      return `${columns.map((name) => values[name] ?? '\\N').join('\t')}\n`
    },
    async write(text) {
      if (stream !== null && text !== '' && !stream.write(text)) await once(stream, 'drain')
    },
    async end() {
      stream?.end()
      if (stream !== null) await finished(stream)
      await client.query('commit')
    },
    close: () => client.end(),
  }
}

/** What statements and jobs would have written one by one, as time goes. */
async function addUp(sql: Sql, { large }: ManyOrders): Promise<void> {
  await sql.unsafe(`set work_mem = '256MB';
    insert into order_sums (merchant_no, livemode, width, at, kind, currency, exponent, n, micros, minor)
    select merchant_no, true, 'hour', s.at, s.kind, o.currency, coalesce(o.exponent, 2), sum(s.n), sum(s.micros), sum(s.minor)
    from orders o, order_sums_of(o.status, o.created_at, o.settled_at, o.amount_usd_micros, o.amount_minor) s group by 1, 4, 5, 6, 7 order by 4;
    insert into order_sums (merchant_no, livemode, width, at, kind, currency, exponent, n, micros, minor)
    select merchant_no, livemode, 'hour', date_trunc('hour', created_at, 'UTC'), 'd' || status, 'USD', 2, count(*), 0, 0
    from deliveries where status in ('succeeded', 'dead') group by 1, 2, 4, 5 order by 4;
    insert into order_sums (merchant_no, livemode, width, at, kind, currency, exponent, n, micros, minor)
    select merchant_no, true, 'day', date_trunc('day', at, 'UTC'), kind, currency, exponent, sum(n), sum(micros), sum(minor)
    from order_sums group by 1, 4, 5, 6, 7 order by 4;
    insert into event_spans (from_at, until_at, first_position, last_position)
    select date_bin('7 days', created_at, '2001-01-01Z') as at, date_bin('7 days', created_at, '2001-01-01Z') + interval '7 days',
      min(position), max(position) from order_events group by at on conflict do nothing;
    insert into event_sequence (last_position) select coalesce(max(position), 0) from order_events
    on conflict (only_row) do update set last_position = excluded.last_position`)
  await sql`
    insert into payment_links (id, merchant_id, livemode, token, title, currency, exponent, amount_minor, quantity_max, ask_email,
      ask_name, ask_note, expires_in_s, created_at, updated_at)
    select 'lnk_' || lpad(g::text, 26, '0'), ${large.id}, true, md5('link' || g), 'Link ' || g, 'USD', 2, 100 + g, 1, 'no', 'no', 'no',
      1800, now(), now() from generate_series(1, 5000) g`
  await sql`
    insert into invoices (id, merchant_id, livemode, token, number, currency, exponent, lines, subtotal_minor, tax_minor, total_minor,
      due_date, created_at)
    select 'inv_' || lpad(g::text, 26, '0'), ${large.id}, true, md5('invoice' || g), 'I-' || g, 'USD', 2,
      '[{"description":"Work","quantity":"1","unit":"100","amount":"100"}]', 100, 0, 100, now()::date, now() from generate_series(1, 5000) g`
}

/** The look-up is what a new order's statement writes. */
async function checkLookup(sql: Sql): Promise<void> {
  const wrong = await sql`
    select order_no, said as key from (select * from orders order by order_no desc limit 200) o, order_keys(title, external_id, metadata) said
    where not exists (select from order_lookup l
      where l.merchant_no = o.merchant_no and l.livemode = o.livemode and l.key = said and l.order_no = o.order_no)`
  if (wrong.length > 0)
    throw new Error(`the look-up is not what a new order's statement writes: ${JSON.stringify(wrong[0])}`)
}
