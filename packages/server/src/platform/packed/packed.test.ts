// Promises of packed bodies: what was packed once reads back for ever; an order's events are what they were, packed or not; while
// an upgrade may go on nothing is packed, since the release before would send it as it stands.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { DAY_MS } from '@florin/protocol'
import { testConsole } from '../../../test/console.ts'
import { givePositions } from '../../../test/deliveries.ts'
import { simulate } from '../../orders/simulate.ts'
import { getOrder } from '../../orders/store.ts'
import { dictionary1 } from './dictionary.ts'
import { makeInflater } from './inflater.ts'
import { isPacked, pack, unpack } from './packed.ts'

test('what was packed by any release is read by this one', () => {
  assert.equal(
    createHash('sha256').update(dictionary1).digest('hex'),
    'f9cd8a2466ae1fa74dad3313262b3796239faf2d4fef36d18db72aace4a7ea84',
  )
  const text = '{"event":"order.success","order":{"order_no":"ord_01m83qsvmn9dt14b945dzy0hce","status":"success"}}'
  assert.equal(
    Buffer.from(unpack(Buffer.from('AavG2TLB0+KwMC4sLsvNs0wpMTRJsjQxTamqNMhITsXIfsXFQBsA', 'base64'))).toString(),
    text,
  )
  for (const body of [text, '', '[1]', 'x'.repeat(5_000), '\u{1f980}'.repeat(9)]) {
    const packed = pack(Buffer.from(body))
    assert.equal(Buffer.from(unpack(packed)).toString(), body)
    assert.ok(packed.length <= Buffer.byteLength(body))
  }
})

test('a text stays what it is while others are unpacked, large ones among them; broken bytes are refused, and disturb none after', () => {
  const texts = Array.from({ length: 200 }, (_, n) => `{"n":${n},"text":"${'ab'.repeat(n % 9 === 0 ? 20_000 : n)}"}`)
  const packed = texts.map((text) => pack(Buffer.from(text)))
  const broken = [Buffer.from([1, 255, 255, 255]), Buffer.of(1), Buffer.from(packed[50] ?? []).subarray(0, 6)]
  const unpacked = packed.map((bytes, n) => {
    const bad = broken[n % 40]
    if (bad !== undefined) assert.throws(() => unpack(bad))
    return unpack(bytes)
  })
  assert.deepEqual(
    unpacked.map((bytes) => Buffer.from(bytes).toString()),
    texts,
  )
})

test('small texts are unpacked without an engine of their own, as long as Node lets one be kept', () => {
  const dictionary = Buffer.from(dictionary1)
  const packed = deflateRawSync('{"event":"order.success"}', { dictionary })
  const inflate = (bytes: Uint8Array): Uint8Array => inflateRawSync(bytes, { dictionary })
  assert.equal(Buffer.from(makeInflater(dictionary, inflate)(packed) ?? []).toString(), '{"event":"order.success"}')
  const another = (): Uint8Array => Buffer.from('what this Node would have made of it')
  assert.equal(makeInflater(dictionary, another)(packed), null)
})

test('an upgrade packs nothing for two days; readers see the same either way', async (t) => {
  const at = await testConsole(t)
  const { sql } = at.deps
  await sql`insert into packing_waits (until) values (${new Date(at.clock.now().getTime() + 2 * DAY_MS)})`
  const bodies: Uint8Array[] = []
  for (const days of [1, 1]) {
    const { orderNo } = await at.order()
    for (const step of ['pay', 'settle'] as const) await simulate(at.deps, await getOrder(sql, orderNo), step, null)
    const rows = await sql<{ body: Uint8Array }[]>`
      select body from order_events where order_no = ${orderNo} and body is not null order by id`
    bodies.push(...rows.map((row) => row.body))
    at.clock.advance(days * DAY_MS)
  }
  at.clock.advance(DAY_MS)
  const { orderNo } = await at.order()
  for (const step of ['pay', 'settle'] as const) await simulate(at.deps, await getOrder(sql, orderNo), step, null)
  const rows = await sql<{ body: Uint8Array }[]>`
    select body from order_events where order_no = ${orderNo} and body is not null order by id`
  bodies.push(...rows.map((row) => row.body))
  assert.deepEqual(bodies.map(isPacked), [false, false, false, false, true, true])
  for (const body of bodies.slice(4)) assert.ok(body.length < 450, `${body.length} bytes`)
  await givePositions(at.deps)
  const page = await at.app.inject({ url: '/v1/events', headers: at.key.headers })
  assert.equal(
    page.payload
      .slice('{"data":['.length)
      .startsWith(bodies.map((body) => Buffer.from(unpack(body)).toString()).join(',')),
    true,
  )
})
