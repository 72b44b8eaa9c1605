// Somebody creates and reads orders all the time, and somebody asks whether the service is ready, while a test does something
// to the database. Every answer must be one that a shop can live with.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Sql } from '@florin/platform/db/pool'

const READY_WITHIN_MS = 2_000

export interface Load {
  /** How many payment calls were answered well, and how many with 503, since the load began. */
  readonly done: number
  readonly refused: number
  /** Readiness answers. */
  readonly ready: number
  readonly notReady: number
  /** The longest that a payment call took, beyond what the machine needs for a call without the database. */
  readonly slowestMs: number
  /** Waits until that many more of each have come. @throws the first wrong answer. */
  more(a: Partial<Record<'done' | 'refused' | 'ready' | 'notReady', number>>): Promise<void>
  stop(): Promise<void>
}

export interface LoadTarget {
  origin: string
  headers: Record<string, string>
  /** Other processes that are asked whether they are ready. */
  others?: readonly string[]
}

export function startLoad(target: LoadTarget): Load {
  const counts = { done: 0, refused: 0, ready: 0, notReady: 0 }
  let slowestMs = 0
  let aliveMs = 0
  let isOver = false
  let wrong: unknown = null

  async function pay(): Promise<void> {
    const create = await ask('/v1/orders', {
      method: 'POST',
      headers: { ...target.headers, 'content-type': 'application/json', 'idempotency-key': randomUUID() },
      body: JSON.stringify({ amount_usd: 12.5, title: 'under load' }),
    })
    if (create === null) return
    const { order_no: no } = (await create.json()) as { order_no: string }
    const read = await ask(`/v1/orders/${no}`, { headers: target.headers })
    await read?.text()
  }

  /** Good, or refused in a way that says when to come back. */
  async function ask(path: string, request: RequestInit): Promise<Response | null> {
    const { answer, ms } = await timed(fetch(`${target.origin}${path}`, request))
    slowestMs = Math.max(slowestMs, ms - aliveMs)
    if (answer.ok) {
      counts.done++
      return answer
    }
    const text = await answer.text()
    assert.equal(answer.status, 503, text)
    assert.match(answer.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
    counts.refused++
    return null
  }

  /** A machine that is slow shows it in the answer that needs no database, too. */
  async function askReady(origin: string): Promise<void> {
    const alive = timed(fetch(`${origin}/healthz`))
    const ready = timed(fetch(`${origin}/readyz`))
    const [health, { answer, ms }] = await Promise.all([alive, ready])
    aliveMs = health.ms
    assert.ok(ms - health.ms < READY_WITHIN_MS, `readiness took ${ms} ms`)
    counts[answer.ok ? 'ready' : 'notReady']++
    await Promise.all([answer.text(), health.answer.text()])
  }

  const forever = async (act: () => Promise<void>): Promise<void> => {
    while (!isOver) {
      await act().catch((error: unknown) => {
        wrong ??= error
        isOver = true
      })
      await wait(10)
    }
  }
  const loops = [
    ...Array.from({ length: 4 }, () => forever(pay)),
    ...[target.origin, ...(target.others ?? [])].map((origin) => forever(() => askReady(origin))),
  ]
  return {
    get done() {
      return counts.done
    },
    get refused() {
      return counts.refused
    },
    get ready() {
      return counts.ready
    },
    get notReady() {
      return counts.notReady
    },
    get slowestMs() {
      return Math.round(slowestMs)
    },
    async more(a) {
      const goals = (['done', 'refused', 'ready', 'notReady'] as const).map(
        (name) => [name, counts[name] + (a[name] ?? 0)] as const,
      )
      while (!isOver && goals.some(([name, goal]) => counts[name] < goal)) await wait(5)
      if (wrong !== null) throw wrong
    },
    async stop() {
      isOver = true
      await Promise.all(loops)
      if (wrong !== null) throw wrong
    },
  }
}

async function timed(asked: Promise<Response>): Promise<{ answer: Response; ms: number }> {
  const began = performance.now()
  const answer = await asked
  return { answer, ms: performance.now() - began }
}

/** From here on a search for this word takes so long. */
export async function slowSearches(sql: Sql, { word, seconds }: { word: string; seconds: number }): Promise<void> {
  await sql.unsafe(`
    alter function order_words(text, text) rename to quick_order_words;
    create function order_words(text, text) returns text[] language plpgsql volatile as
      $$ begin if $1 = '${word}' then perform pg_sleep(${seconds}); end if; return quick_order_words($1, $2); end $$`)
}

/** Holds a table against everybody until it is let go. */
export async function lockTable(sql: Sql, table: string): Promise<{ pid: number; release(): Promise<void> }> {
  const held = Promise.withResolvers<void>()
  const locked = Promise.withResolvers<number>()
  const holder = sql.begin(async (tx) => {
    await tx`lock table ${tx(table)}`
    const [own] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`
    locked.resolve(own?.pid ?? 0)
    await held.promise
  })
  await Promise.race([locked.promise, holder])
  return {
    pid: await locked.promise,
    async release() {
      held.resolve()
      await holder
    },
  }
}

/** Ends every session of this program, as a failover does. */
export async function endSessions(sql: Sql): Promise<number> {
  const ended = await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name like 'florin%'`
  return ended.length
}
