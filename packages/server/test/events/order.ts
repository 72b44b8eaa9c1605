// The attack on the order of events: processes that write, transactions that stay open, transaction numbers that gain
// digits, two sequencers that take the lease from each other, readers that follow all the while. What was read is then
// compared with what was written and when each commit was asked for and had returned.
import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { Sql } from '@florin/platform/db/pool'
import { makeSequencer } from '../../src/webhooks/feed/sequencer.ts'
import { eventually, givePositions } from '../deliveries.ts'
import { aMerchant, anApiKey, type TestApiKey } from '../factories.ts'
import type { TestApp } from '../harness.ts'
import { listening, type OpenStream, openStream } from '../streams.ts'
import type { Write, WriterOrders } from './writer.ts'

export interface Shape {
  events: number
  processes: number
  longMs: number
  /** While events are written, as many transaction numbers are used up as it takes to reach these. */
  digits: readonly number[]
}

export async function someShops(at: TestApp, count: number): Promise<TestApiKey[]> {
  const shops: TestApiKey[] = []
  for (let n = 0; n < count; n++) shops.push(await anApiKey(at.deps, await aMerchant(at.deps)))
  return shops
}

/** By merchant: the ids of events in the order in which they were read. */
export type Lists = Map<string, string[]>

export const currentXid = async (sql: Sql): Promise<number> => {
  const [row] = await sql<{ xid: number }[]>`select pg_snapshot_xmax(pg_current_snapshot())::text::int as xid`
  return row?.xid ?? 0
}

/** Uses up transaction numbers until the next one is `target`. */
async function burn(sql: Sql, target: number): Promise<void> {
  await sql.unsafe(`do $$ begin
    while pg_current_xact_id()::text::bigint < ${target} loop commit; end loop;
  end $$`)
}

/** Writes, gives positions and follows by stream and by page, all at once. */
export async function writeAndFollow(
  t: TestContext,
  at: TestApp,
  shops: readonly TestApiKey[],
  shape: Shape,
): Promise<{ writes: Write[]; streamed: Lists; paged: Lists }> {
  const { deps, clock } = at
  const base = await listening(at.app)
  const streamed: Lists = new Map()
  const paged: Lists = new Map()
  const cursors = new Map<string, string>()
  for (const shop of shops) {
    await givePositions(deps)
    const told: string[] = []
    streamed.set(shop.merchantId, told)
    paged.set(shop.merchantId, [])
    const { cursor } = await readAll(at, shop, { limit: 100 })
    if (cursor !== null) cursors.set(shop.merchantId, cursor)
    await followStream(t, { url: `${base}/v1/events/stream`, headers: shop.headers, told, cursor })
  }

  let isWritten = false
  const merchants = shops.map((shop) => ({ merchantId: shop.merchantId, keyId: shop.id }))
  const events = Math.ceil(shape.events / shape.processes)
  const orders = { databaseUrl: at.databaseUrl, merchants, events, connections: 3, longMs: shape.longMs }
  const writing = Promise.all(Array.from({ length: shape.processes }, () => runWriter(t, orders))).finally(() => {
    isWritten = true
  })
  const burning = (async () => {
    for (const [n, target] of shape.digits.entries()) {
      const part = (shape.events * n) / shape.digits.length
      await eventually(
        () => countEvents(deps.sql),
        (count) => count >= part,
        600_000,
      )
      await burn(deps.sql, target)
    }
  })()
  // A long advance is the end of a lease, so now the one and now the other has it.
  const sequencers = [makeSequencer(deps), makeSequencer(deps)]
  const sequencing = (async () => {
    while (!isWritten) {
      await sequencers[Math.floor(Math.random() * 2)]?.step()
      clock.advance(Math.random() < 0.05 ? 6_000 : 20)
    }
  })()
  const paging = (async () => {
    while (!isWritten)
      for (const shop of shops) {
        const after = cursors.get(shop.merchantId) ?? null
        const { ids, cursor } = await readAll(at, shop, { limit: 5, after })
        paged.get(shop.merchantId)?.push(...ids)
        if (cursor !== null) cursors.set(shop.merchantId, cursor)
      }
  })()
  const [parts] = await Promise.all([writing, burning, sequencing, paging])
  for (const sequencer of sequencers) await sequencer.end()
  await givePositions(deps)
  for (const shop of shops) {
    const after = cursors.get(shop.merchantId) ?? null
    paged.get(shop.merchantId)?.push(...(await readAll(at, shop, { limit: 5, after })).ids)
  }
  const writes = parts.flat()
  const total = writes.flatMap((write) => write.ids).length
  await eventually(
    async () => {
      clock.advance(20)
      await deps.sql`select 1`
      return [...streamed.values()].flat().length
    },
    (count) => count >= total,
    30_000,
  ).catch(() => undefined)
  return { writes, streamed, paged }
}

/** As a client does: when the stream ends, it opens another behind the last event that it has. */
async function followStream(
  t: TestContext,
  a: { url: string; headers: Record<string, string>; told: string[]; cursor: string | null },
): Promise<void> {
  const open = (): Promise<OpenStream> => {
    const last = a.told.at(-1) ?? a.cursor
    return openStream(t, a.url, { ...a.headers, ...(last === null ? {} : { 'last-event-id': last }) })
  }
  let stream = await open()
  assert.equal(stream.status, 200, stream.text ?? '')
  let isOver = false
  t.after(() => {
    isOver = true
  })
  void (async () => {
    while (!isOver) {
      // Cut off where the false clock says that its reader has been stuck for 30 s: a client comes again.
      stream.ended.catch(() => undefined)
      for (let event = await stream.next(); event !== null; event = await stream.next())
        a.told.push((JSON.parse(event.data) as { id: string }).id)
      if (!isOver) stream = await open()
    }
  })().catch(() => undefined)
}

const countEvents = async (sql: Sql): Promise<number> => {
  const [row] = await sql<{ count: number }[]>`select count(*)::int as count from order_events`
  return row?.count ?? 0
}

async function runWriter(t: TestContext, orders: WriterOrders): Promise<Write[]> {
  const child = fork(join(import.meta.dirname, 'writer.ts'), [JSON.stringify(orders)])
  t.after(() => void child.kill('SIGKILL'))
  return new Promise((resolve, reject) => {
    child.once('message', (writes) => resolve(writes as Write[]))
    // Comes after all that it sent, unlike its exit.
    child.once('disconnect', () => reject(new Error(`a writer ended with ${child.exitCode}`)))
  })
}

/** All that lies behind `after`, page by page, to the end. */
export async function readAll(
  at: TestApp,
  shop: TestApiKey,
  a: { limit: number; after?: string | null },
): Promise<{ ids: string[]; cursor: string | null }> {
  const ids: string[] = []
  for (let cursor = a.after ?? null; ; ) {
    const query = { limit: `${a.limit}`, ...(cursor === null ? {} : { after: cursor }) }
    const answer = await at.app.inject({ url: '/v1/events', headers: shop.headers, query })
    assert.equal(answer.statusCode, 200, answer.body)
    const page = answer.json<{ data: { id: string }[]; has_more: boolean; next_cursor: string | null }>()
    ids.push(...page.data.map((event) => event.id))
    cursor = page.next_cursor
    if (!page.has_more) return { ids, cursor }
  }
}

export async function readEach(at: TestApp, shops: readonly TestApiKey[], limit: number): Promise<Lists> {
  const lists: Lists = new Map()
  for (const shop of shops) lists.set(shop.merchantId, (await readAll(at, shop, { limit })).ids)
  return lists
}

/** None missing, none twice, and no commit before one that had returned when it was asked for. */
export function judge(writes: readonly Write[], lists: Lists): void {
  const written = new Map(writes.flatMap((write) => write.ids.map((id) => [id, write] as const)))
  for (const [merchantId, ids] of lists) {
    const own = [...written].filter(([, write]) => write.merchantId === merchantId).map(([id]) => id)
    assert.equal(new Set(ids).size, ids.length, 'none twice')
    assert.deepEqual([...ids].sort(), own.sort(), 'none missing')
    let latestAsked = 0n
    for (const id of ids) {
      const write = written.get(id)
      assert.ok(write)
      assert.ok(latestAsked <= BigInt(write.returned), 'a later commit stands before an earlier one')
      if (BigInt(write.asked) > latestAsked) latestAsked = BigInt(write.asked)
    }
  }
}
