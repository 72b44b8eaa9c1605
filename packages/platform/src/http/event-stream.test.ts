// Promises: what is delivered waits for its reader, whole and in order, and does not wait for one that is gone; nothing
// is told for longer than five seconds after the right to read was last seen to stand.
import assert from 'node:assert/strict'
import { get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { pino } from 'pino'
import { type FalseClock, falseClock } from '../../../server/test/harness.ts'
import { type EventStream, makeEventStreams } from './event-stream.ts'
import { makeServer } from './server.ts'
import type { Standing } from './stream-rights.ts'

/** An open stream with a reader that has not read anything yet. */
async function anOpenStream(t: TestContext, standing: Standing = async (rights) => rights) {
  const clock = falseClock()
  const log = pino({ level: 'silent' })
  const app = await makeServer({
    log,
    clock,
    trustProxy: [],
    rateLimits: false,
    isHttps: false,
    isLoopbackInstall: true,
  })
  t.after(() => app.close())
  const streams = makeEventStreams(app, { clock, log }, { perHolder: { test: 1 }, perProcess: 1, standing })
  const opened = Promise.withResolvers<EventStream>()
  app.get('/stream', async (_request, reply) => {
    opened.resolve(streams.open(reply, { holders: { test: 'one' }, right: 'a right' }))
    return reply
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const request = get({ port, host: '127.0.0.1', path: '/stream', agent: false })
  t.after(() => request.destroy())
  const answer = Promise.withResolvers<IncomingMessage>()
  // Without a listener for its data the answer is not read from the socket.
  request.once('response', answer.resolve)
  return { clock, stream: await opened.promise, answer: await answer.promise }
}

/** Lets everything that waits for nothing but its turn have it. */
const turns = async (): Promise<void> => {
  for (let n = 0; n < 50; n++) await new Promise((settle) => setImmediate(settle))
}

/** Time passes in small steps in which loops take their turns. */
async function pass(clock: FalseClock, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 100) {
    clock.advance(100)
    await turns()
  }
}

// More than the sockets and buffers between the two can hold.
const MESSAGES = 400
const message = (n: number): string => `data: ${n} ${'x'.repeat(60_000)}\n\n`

test('one too many of a holder is told to wait, and one too many for the process that it is full', async (t) => {
  const clock = falseClock()
  const log = pino({ level: 'silent' })
  const app = await makeServer({
    ...{ log, clock, trustProxy: [], rateLimits: false, isHttps: false, isLoopbackInstall: true },
  })
  t.after(() => app.close())
  const streams = makeEventStreams(
    app,
    { clock, log },
    { perHolder: { merchant: 1 }, perProcess: 2, standing: async (all) => all },
  )
  app.get<{ Params: { who: string } }>('/stream/:who', async ({ params }, reply) => {
    streams.open(reply, { holders: { merchant: params.who }, right: params.who })
    return reply
  })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const held: AbortController[] = []
  const opened = async (who: string): Promise<[number, string | null, string]> => {
    const abort = new AbortController()
    held.push(abort)
    const answer = await fetch(`${url}/stream/${who}`, { signal: abort.signal })
    return [answer.status, answer.headers.get('retry-after'), answer.ok ? '' : (await answer.json()).error.message]
  }
  t.after(() => {
    for (const abort of held) abort.abort()
  })
  assert.equal((await opened('one'))[0], 200)
  const [status, retryAfter, message] = await opened('one')
  assert.deepEqual([status, retryAfter], [429, '10'])
  assert.match(message, /1 of one merchant at a time/)
  assert.equal((await opened('two'))[0], 200)
  assert.deepEqual((await opened('three')).slice(0, 2), [503, '10'])
})

test('a slow reader gets everything in order, and the sender waits for it', async (t) => {
  const { stream, answer } = await anOpenStream(t)
  let sent = 0
  const sending = (async () => {
    for (let n = 0; n < MESSAGES; n++) {
      assert.equal(await stream.deliver(message(n)), true)
      sent++
    }
    stream.end()
  })()
  await new Promise((settle) => setImmediate(settle))
  assert.ok(sent < MESSAGES, 'it did not run ahead')
  let text = ''
  for await (const piece of answer.setEncoding('utf8')) text += piece
  await sending
  const numbers = [...text.matchAll(/^data: (\d+) x{60000}$/gm)].map(([, n]) => Number(n))
  assert.deepEqual(
    numbers,
    Array.from({ length: MESSAGES }, (_, n) => n),
  )
})

test('states that a slow reader has not taken yet → only the newest is kept for it', async (t) => {
  const { stream, answer } = await anOpenStream(t)
  for (let n = 0; n < MESSAGES; n++) stream.show('state', `${n} ${'x'.repeat(60_000)}`)
  let text = ''
  answer.setEncoding('utf8').on('data', (piece: string) => {
    text += piece
    if (text.includes(`data: ${MESSAGES - 1} `)) stream.end()
  })
  await new Promise((settle) => answer.once('end', settle))
  const numbers = [...text.matchAll(/^data: (\d+) x{60000}$/gm)].map(([, n]) => Number(n))
  assert.ok(numbers.length < 100, `${numbers.length} states were kept`)
  assert.equal(numbers[0], 0)
  assert.equal(numbers.at(-1), MESSAGES - 1)
})

test('clients together leave more unread than a process keeps → the one that left the most is cut off', async (t) => {
  const clock = falseClock()
  const log = pino({ level: 'silent' })
  const app = await makeServer({
    ...{ log, clock, trustProxy: [], rateLimits: false, isHttps: false, isLoopbackInstall: true },
  })
  t.after(() => app.close())
  const unreadOfAllMaxBytes = 400_000
  const terms = { perHolder: { test: 9 }, perProcess: 9, standing: async (all: readonly string[]) => all }
  const streams = makeEventStreams(app, { clock, log }, { ...terms, unreadOfAllMaxBytes })
  const open = new Map<string, EventStream>()
  app.get<{ Params: { name: string } }>('/stream/:name', async ({ params }, reply) => {
    open.set(params.name, streams.open(reply, { holders: { test: 'one' }, right: 'a right' }))
    return reply
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  for (const name of ['most', 'a', 'b', 'c', 'reads']) {
    const answer = await new Promise<IncomingMessage>((resolve) => {
      const request = get({ port, host: '127.0.0.1', path: `/stream/${name}`, agent: false }, resolve)
      t.after(() => request.destroy())
      request.on('error', () => undefined)
    })
    answer.on('error', () => undefined)
    if (name === 'reads') answer.resume()
  }
  const ended: string[] = []
  for (const [name, stream] of open) stream.onEnd(() => ended.push(name))
  // A stream that keeps the newest state alone is never cut off for what it leaves unread by itself.
  for (let n = 0; n < 400 && ended.length === 0; n++) {
    for (const [name, stream] of open) stream.show('state', 'x'.repeat(name === 'most' ? 100_000 : 60_000))
    await new Promise((settle) => setImmediate(settle))
  }
  assert.deepEqual(ended, ['most'])
})

test('a reader that takes nothing for half a minute is cut off', async (t) => {
  const { clock, stream, answer } = await anOpenStream(t)
  let sent = 0
  const sending = (async () => {
    while (await stream.deliver(message(sent))) sent++
  })()
  const passing = setInterval(() => clock.advance(10_000), 5)
  await sending
  clearInterval(passing)
  assert.ok(sent < MESSAGES)
  await assert.rejects(async () => {
    for await (const piece of answer) assert.ok(piece)
  })
})

test('a right that stands no more ends the stream within five seconds, also of a reader that takes nothing', async (t) => {
  for (const reads of [true, false]) {
    let stands = true
    const { clock, stream, answer } = await anOpenStream(t, async (rights) => (stands ? rights : []))
    const cut = new Promise<void>((resolve) => answer.socket.once('close', resolve))
    if (reads) answer.on('error', () => undefined).resume()
    else for (let n = 0; n < 7; n++) stream.send('big', 'x'.repeat(60_000))
    let isOver = false
    stream.onEnd(() => {
      isOver = true
    })
    await pass(clock, 20_000)
    assert.equal(isOver, false)
    stands = false
    await pass(clock, 5_000)
    assert.equal(isOver, true)
    if (!reads) answer.on('error', () => undefined).resume()
    await cut
  }
})

test('a database that cannot be asked ends no stream; what is sent meanwhile waits until the right is seen to stand', async (t) => {
  let isAway = false
  const { clock, stream, answer } = await anOpenStream(t, async (rights) => {
    if (isAway) throw new Error('the database is away')
    return rights
  })
  let text = ''
  answer.setEncoding('utf8').on('data', (piece: string) => {
    text += piece
  })
  isAway = true
  await pass(clock, 2_000)
  stream.send('early', '1')
  await turns()
  await pass(clock, 5_100)
  stream.send('late', '2')
  let isDelivered = false
  const delivered = stream.deliver('event: late\ndata: 3\n\n').then((value) => {
    isDelivered = true
    return value
  })
  await pass(clock, 60_000)
  assert.equal(isDelivered, false)
  isAway = false
  while (!isDelivered) await pass(clock, 1_000)
  assert.equal(await delivered, true)
  const over = new Promise((resolve) => answer.once('end', resolve))
  stream.send('after', '4')
  stream.end()
  await over
  assert.deepEqual(
    [...text.matchAll(/^data: (\d)$/gm)].map(([, n]) => n),
    ['1', '2', '3', '4'],
  )
})

test('what waited for a right that is then found gone is never told', async (t) => {
  let standing: 'yes' | 'unknown' | 'no' = 'yes'
  const { clock, stream, answer } = await anOpenStream(t, async (rights) => {
    if (standing === 'unknown') throw new Error('the database is away')
    return standing === 'yes' ? rights : []
  })
  let text = ''
  answer.setEncoding('utf8').on('data', (piece: string) => {
    text += piece
  })
  const over = new Promise((resolve) => answer.once('end', resolve))
  standing = 'unknown'
  await pass(clock, 8_000)
  stream.send('secret', '1')
  let isDecided = false
  const delivered = stream.deliver('data: 2\n\n').finally(() => {
    isDecided = true
  })
  standing = 'no'
  while (!isDecided) await pass(clock, 1_000)
  assert.equal(await delivered, false)
  await over
  assert.ok(!/^data:/m.test(text), text)
})
