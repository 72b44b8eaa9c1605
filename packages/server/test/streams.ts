// Reading server-sent events as a client does: over a real socket, while the false clock runs on.
import type { TestContext } from 'node:test'
import { openPool } from '@florin/platform/db/pool'
import type { App } from '@florin/platform/http/server'
import type { Deps } from '../src/deps.ts'
import { makeWakes } from '../src/wakes.ts'
import type { TestDeps } from './harness.ts'

export interface StreamEvent {
  event: string
  data: string
}

export interface OpenStream {
  status: number
  headers: Headers
  /** The body of an answer that is no stream. */
  text: string | null
  /** The next event that was not read yet, or null when the stream ended. */
  next(): Promise<StreamEvent | null>
  /** Resolves when the server ended the stream. */
  ended: Promise<void>
  comments(): number
  close(): void
}

/** Where a real client reaches the app: an address of this machine alone, closed with the app. */
export async function listening(app: App): Promise<string> {
  return app.listen({ port: 0, host: '127.0.0.1' })
}

export async function openStream(
  t: TestContext,
  url: string,
  headers: Record<string, string> = {},
): Promise<OpenStream> {
  const abort = new AbortController()
  const answer = await fetch(url, { headers, signal: abort.signal })
  // Names the answer, too: fetch breaks a body off when its answer is garbage.
  t.after(() => abort.abort(answer))
  const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream') === true
  const text = isStream ? null : await answer.text()
  const events: StreamEvent[] = []
  let waiting: (() => void) | null = null
  let comments = 0
  let isOver = !isStream
  const ended = isStream ? read() : Promise.resolve()

  async function read(): Promise<void> {
    let rest = ''
    const decoder = new TextDecoder()
    try {
      for await (const piece of answer.body ?? []) {
        rest += decoder.decode(piece, { stream: true })
        const blocks = rest.split('\n\n')
        rest = blocks.pop() ?? ''
        for (const block of blocks) {
          if (block.startsWith(':')) comments++
          else events.push(parse(block))
        }
        waiting?.()
      }
    } catch (error) {
      if (!abort.signal.aborted) throw error
    } finally {
      isOver = true
      waiting?.()
    }
  }

  return {
    status: answer.status,
    headers: answer.headers,
    text,
    ended,
    comments: () => comments,
    close: () => abort.abort(),
    async next() {
      while (events.length === 0 && !isOver) {
        await new Promise<void>((resolve) => {
          waiting = resolve
        })
      }
      return events.shift() ?? null
    },
  }
}

function parse(block: string): StreamEvent {
  const field = (name: string): string =>
    block
      .split('\n')
      .filter((line) => line.startsWith(`${name}: `))
      .map((line) => line.slice(name.length + 2))
      .join('\n')
  return { event: field('event'), data: field('data') }
}

/**
 * Waits for something while the false clock runs on: 20 ms for each question to the database, so loops that wait for
 * time take their turns and nothing waits for real time.
 */
export async function whileTimePasses<T>(a: Pick<TestDeps, 'deps' | 'clock'>, work: Promise<T>): Promise<T> {
  let isDone = false
  const settled = work.finally(() => {
    isDone = true
  })
  settled.catch(() => undefined)
  for (let turn = 0; !isDone; turn++) {
    if (turn > 20_000) throw new Error('nothing happened, though minutes passed')
    a.clock.advance(20)
    await a.deps.sql`select 1`
  }
  return settled
}

/** Five seconds pass, in steps that let every loop take its turns; by then the server has ended these streams. */
export async function endsInTime(a: Pick<TestDeps, 'deps' | 'clock'>, streams: readonly OpenStream[]): Promise<void> {
  for (let passed = 0; passed < 5_000; passed += 50) {
    a.clock.advance(50)
    await a.deps.sql`select 1`
  }
  await Promise.all(streams.map((stream) => stream.ended))
}

/** What another process of the same installation has: its own connections and wakes, the same database and time. */
export function anotherProcess(t: TestContext, a: TestDeps): Deps {
  const sql = openPool({ url: a.databaseUrl, max: 4, applicationName: 'another process' })
  t.after(() => sql.end({ timeout: 5 }))
  return { ...a.deps, sql, wake: makeWakes() }
}
