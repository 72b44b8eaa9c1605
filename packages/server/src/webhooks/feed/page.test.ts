import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openPool, withoutLimits } from '@florin/platform/db/pool'
import { newId } from '@florin/platform/ids'
import { DAY_MS, PAGE_DEFAULT } from '@florin/protocol'
import { sized } from '../../../../../scripts/sizes.ts'
import { testDeps } from '../../../test/harness.ts'
import { explained } from '../../../test/plans.ts'
import { BEGINNING, readOn } from './read.ts'

const EVENTS = sized({ short: 40_000, full: 5_000_000 })
const MERCHANTS = 30
const DAYS = 85
const CHUNK = 100_000
/** What a page of 20 may look at in the database, the visits to its rows included. */
const BUFFERS_MAX = 30

test(`of ${EVENTS} events a page costs at most ${BUFFERS_MAX} buffers, wherever it begins`, async (t) => {
  const at = await testDeps(t)
  const sql = openPool({ url: at.databaseUrl, max: 1, applicationName: 'fill', limits: withoutLimits })
  t.after(() => sql.end({ timeout: 5 }))
  const now = at.clock.now()
  const from = new Date(now.getTime() - DAYS * DAY_MS)
  await sql`select make_partitions('order_events', (${from})::date, (${now})::date, 7)`
  const merchants = Array.from({ length: MERCHANTS }, () => newId('mer', now))
  for (let done = 0; done < EVENTS; done += CHUNK) {
    // As events come: mixed among merchants, a third of the rows timelines alone, positions in the order of time.
    await sql`
      insert into order_events (id, order_no, merchant_id, api_key_id, livemode, event, status, status_detail, version,
                                body, position, created_at)
      select 'evt_' || lpad(g::text, 26, '0'), 'ord_' || lpad((g / 3)::text, 26, '0'),
             (${merchants}::text[])[1 + floor(random() * ${MERCHANTS}::int)::int], 'key', false,
             case when g % 3 = 0 then null else 'order.success' end, 'success', 'paid', 1,
             case when g % 3 = 0 then null else convert_to(rpad('{"pad":"', 800, md5(g::text)) || '"}', 'utf8') end, g,
             ${from}::timestamptz + g * (interval '1 second' * ${(DAYS * DAY_MS) / 1000 / EVENTS}::float8)
      from generate_series(${done + 1}::bigint, ${Math.min(done + CHUNK, EVENTS)}::bigint) g`
  }
  await sql`
    insert into event_spans (from_at, until_at, first_position, last_position)
    select from_at, from_at + interval '6 hours', min(position), max(position)
    from (select position, date_bin('6 hours', created_at, '2001-01-01Z') as from_at from order_events
          where created_at > ${new Date(now.getTime() - 31 * DAY_MS)}) as each group by 1`
  await sql`insert into event_sequence (last_position) values (${EVENTS})`
  await sql.unsafe('vacuum analyze order_events')
  await sql.unsafe('vacuum analyze event_spans')

  const { sql: watched, taken } = await explained(t, at.databaseUrl)
  const reader = { merchantId: merchants[0] ?? '', livemode: false }
  const since = new Date(now.getTime() - 30 * DAY_MS)
  const places = await sql<{ position: bigint; id: string; part: string }[]>`
    select distinct on (part) position, id, part from (
      select position, id, case when created_at < ${since}::timestamptz + interval '2 days' then 'soon after the beginning'
        when date_trunc('week', created_at) > date_trunc('week', created_at - interval '6 hours') then 'at the turn of a week'
        when position > ${Math.floor(EVENTS * 0.99)}::bigint then 'near the end' else 'in the middle' end as part
      from order_events
      where merchant_id = ${reader.merchantId} and event is not null and created_at > ${since}
    ) as each order by part, position desc`
  // Each part has some ten events of this merchant's, so that chance leaves none of them empty.
  assert.equal(places.length, 4)
  const starts = [
    { part: 'at the beginning', behind: BEGINNING },
    ...places.map(({ part, position, id }) => ({ part, behind: { position, eventId: id } })),
  ]
  for (const { part, behind } of starts) {
    // Twice: the first reading of a connection also reads the catalogs.
    for (const isCounted of [false, true]) {
      taken()
      const events = await readOn(watched, reader, { behind, since, limit: PAGE_DEFAULT + 1 })
      const buffers = taken().reduce((sum, plan) => sum + plan.buffers, 0)
      if (!isCounted) continue
      t.diagnostic(`${part}: ${events.length} events, ${buffers} buffers`)
      assert.ok(buffers <= BUFFERS_MAX, `${part}: ${buffers} buffers`)
      if (part === 'at the beginning') assert.equal(events.length, PAGE_DEFAULT + 1)
    }
  }
})
