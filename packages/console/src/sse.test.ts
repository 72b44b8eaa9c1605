import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { makeEventParser, reconnectWait } from './sse.ts'

const stream = ': hello\n\nevent: change\r\ndata: {"kind":"order"}\r\n\r\ndata: a\ndata: b\n\nevent: lone\n\n'
const wanted = [
  { event: 'change', data: '{"kind":"order"}' },
  { event: 'message', data: 'a\nb' },
]

test('events are read whatever the pieces they arrive in', () => {
  assert.deepEqual(makeEventParser()(stream), wanted)
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: stream.length })), (cuts) => {
      const at = [0, ...cuts.sort((a, b) => a - b), stream.length]
      const parse = makeEventParser()
      const events = at.slice(1).flatMap((end, n) => parse(stream.slice(at[n] ?? 0, end)))
      assert.deepEqual(events, wanted)
    }),
  )
})

test('an event that has not ended is not given out', () => {
  const parse = makeEventParser()
  assert.deepEqual(parse('event: change\ndata: 1\n'), [])
  assert.deepEqual(parse('\n'), [{ event: 'change', data: '1' }])
})

test('the waits between tries grow to half a minute and no further', () => {
  assert.equal(reconnectWait(1, 1), 1000)
  assert.equal(reconnectWait(3, 1), 4000)
  assert.equal(reconnectWait(50, 1), 30_000)
  assert.equal(reconnectWait(50, 0), 15_000)
})
