// Promises: what is delivered waits for its reader, whole and in order, and does not wait for one that is gone.
import assert from 'node:assert/strict'
import { get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { pino } from 'pino'
import { falseClock } from '../../../test/harness.ts'
import { type EventStream, makeEventStreams } from './event-stream.ts'
import { makeServer } from './server.ts'

/** An open stream with a reader that has not read anything yet. */
async function anOpenStream(t: TestContext) {
  const clock = falseClock()
  const app = await makeServer({
    log: pino({ level: 'silent' }),
    clock,
    trustProxy: [],
    rateLimits: false,
    isHttps: false,
    isLoopbackInstall: true,
  })
  t.after(() => app.close())
  const streams = makeEventStreams(app, clock, { perHolder: { test: 1 }, perProcess: 1 })
  const opened = Promise.withResolvers<EventStream>()
  app.get('/stream', async (_request, reply) => {
    opened.resolve(streams.open(reply, { test: 'one' }))
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

// More than the sockets and buffers between the two take in.
const MESSAGES = 400
const message = (n: number): string => `data: ${n} ${'x'.repeat(60_000)}\n\n`

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
