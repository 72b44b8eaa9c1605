// Promises: following events survives cuts, restarts and silence; nothing is left out, and what is fatal is thrown.
import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import { serverMessages } from '@florin/protocol'
import fc from 'fast-check'
import { Florin } from '../src/index.ts'
import { fail, localServer } from './local-server.ts'

const apiKey = `florin_test_${'k'.repeat(38)}`
const open = (response: ServerResponse) => response.writeHead(200, { 'content-type': 'text/event-stream' })
const message = (n: number) => `id: c${n}\nevent: order.success\ndata: ${JSON.stringify({ id: `evt_${n}` })}\n\n`

test('a stream that is cut goes on behind the last event', async (t) => {
  const { baseUrl, received } = await localServer(t, (_, response, count) => {
    if (count === 3) return fail(response, 'unavailable')
    open(response)
    if (count === 1)
      response.write(`: hello\n\n${message(1)}${message(2)}id: c3\ndata: {"id":`, () => response.destroy())
    else if (count === 2) response.end(message(3))
    else response.write(message(4))
  })
  const ids: string[] = []
  for await (const event of new Florin({ apiKey, baseUrl }).events.stream({ after: 'c0' })) {
    ids.push(event.id)
    if (ids.length === 4) break
  }
  assert.deepEqual(ids, ['evt_1', 'evt_2', 'evt_3', 'evt_4'])
  assert.deepEqual(
    received.map(({ headers }) => headers['last-event-id']),
    ['c0', 'c2', 'c3', 'c3'],
  )
  assert.deepEqual(
    received.map(({ query }) => query.get('after')),
    ['c0', 'c2', 'c3', 'c3'],
  )
  assert.equal(received[0]?.headers.accept, 'text/event-stream')
})

test('a message without data moves the place to resume from', async (t) => {
  const { baseUrl, received } = await localServer(t, (_, response, count) => {
    open(response).end(count === 1 ? 'id: c7\n\n' : message(8))
  })
  for await (const event of new Florin({ apiKey, baseUrl }).events.stream()) {
    assert.equal(event.id, 'evt_8')
    break
  }
  assert.deepEqual(
    received.map(({ headers }) => headers['last-event-id']),
    [undefined, 'c7'],
  )
})

test('the cursor stands behind an event only when its loop body has ended', async (t) => {
  const { baseUrl } = await localServer(t, (_, response) => open(response).write(message(1) + message(2)))
  const stream = new Florin({ apiKey, baseUrl }).events.stream()
  const failing = async () => {
    for await (const event of stream) if (event.id === 'evt_2') throw new Error('the database is away')
  }
  await assert.rejects(failing, /database/)
  assert.equal(stream.cursor, 'c1')
})

test('a silent stream is opened anew; comments keep one alive', async (t) => {
  const { baseUrl, received } = await localServer(t, (_, response, count) => {
    if (count === 1) open(response).flushHeaders()
    else open(response).write(message(1))
  })
  const stream = new Florin({ apiKey, baseUrl }).events.stream({ idleTimeoutMs: 60 })
  for await (const event of stream) {
    assert.equal(event.id, 'evt_1')
    break
  }
  assert.ok(received.length >= 2)
})

test('the signal ends the iteration quietly, while it listens and while it waits to connect again', async (t) => {
  for (const script of [
    (response: ServerResponse) => open(response).write(message(1)),
    (response: ServerResponse) => open(response).end(`retry: 60000\n${message(1)}`),
  ]) {
    const { baseUrl } = await localServer(t, (_, response) => script(response))
    const controller = new AbortController()
    let seen = 0
    for await (const _ of new Florin({ apiKey, baseUrl }).events.stream({ signal: controller.signal })) {
      seen++
      setImmediate(() => controller.abort())
    }
    assert.equal(seen, 1)
  }
})

test('what no reconnecting mends is thrown: a revoked key, at first and later, and a service that was never there', async (t) => {
  const refuses = await localServer(t, (_, response) => fail(response, 'invalid_api_key'))
  const revokes = await localServer(t, (_, response, count) =>
    count === 1 ? open(response).end() : fail(response, 'invalid_api_key'),
  )
  const garbles = await localServer(t, (_, response) => open(response).end('data: {"id"\n\n'))
  const pages = await localServer(t, (_, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
  )
  const drain = async (baseUrl: string) => {
    for await (const _ of new Florin({ apiKey, baseUrl, maxRetries: 0 }).events.stream());
  }
  await assert.rejects(drain(refuses.baseUrl), { code: 'invalid_api_key' })
  await assert.rejects(drain(revokes.baseUrl), { code: 'invalid_api_key' })
  await assert.rejects(drain(garbles.baseUrl), { code: 'unexpected_answer' })
  await assert.rejects(drain(pages.baseUrl), { code: 'unexpected_answer' })
  await assert.rejects(drain(refuses.baseUrl.replace(/\d+$/, '1')), { code: 'connection_failed' })
})

test('messages are read alike however their bytes are cut and their lines end', async () => {
  const text = fc.string({ unit: 'grapheme' }).map((each) => each.replace(/[\r\n\0]/g, '~'))
  const plain = { noNullPrototype: true }
  const messages = fc.array(
    fc.record({ id: text, event: text.filter(Boolean), data: fc.array(text, { minLength: 1 }) }, plain),
  )
  const lineEnd = fc.constantFrom('\n', '\r\n', '\r')
  await fc.assert(
    fc.asyncProperty(messages, lineEnd, fc.infiniteStream(fc.integer({ min: 1, max: 9 })), async (sent, end, sizes) => {
      const wire = sent.map(({ id, event, data }) =>
        [`: note`, `id: ${id}`, `event: ${event}`, ...data.map((line) => `data: ${line}`), '', ''].join(end),
      )
      // A CR at the end of what has come waits for its LF, so the last line end is followed by something.
      const bytes = new TextEncoder().encode(`${wire.join('')}: end${end}`)
      const stream = new ReadableStream<Uint8Array>({
        start(controller) {
          for (let at = 0; at < bytes.length; ) {
            const size = sizes.next().value
            controller.enqueue(bytes.subarray(at, at + size))
            at += size
          }
          controller.close()
        },
      })
      const read: unknown[] = []
      for await (const { id, event, data } of serverMessages(stream)) read.push({ id, event, data: data.split('\n') })
      assert.deepEqual(read, sent)
    }),
    { numRuns: 50 },
  )
})

test('a line without end is refused before it fills the memory', async () => {
  const stream = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new Uint8Array(65_536).fill(120)),
  })
  await assert.rejects(serverMessages(stream).next(), /too long/)
})
