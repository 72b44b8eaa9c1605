// Promises: a right receiver passes every check; each way in which receivers go wrong is found, is found alone, and is told with
// its cause and its remedy.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { localServer } from '../../sdk/test/local-server.ts'
import type { Verdict } from '../src/doctor/check.ts'
import { examine } from './examination.ts'
import { aPlace, secret } from './program.ts'
import { aReceiver, type Fault } from './receivers.ts'

test('a right receiver passes every check', async (t) => {
  const { found, counts, code } = await examine(t, await aReceiver(t))
  assert.deepEqual([found, counts.skipped, code], [{}, 0, 0])
})

test('what a silent receiver does inside is not claimed to be seen', async (t) => {
  const { found, code } = await examine(t, await aReceiver(t, { says: false }))
  assert.deepEqual(found, { duplicate: 'unseen', race: 'unseen', order: 'unseen' })
  assert.equal(code, 0)
})

const python = (raw: Buffer): string => {
  const spaced = (value: unknown): string => {
    if (Array.isArray(value)) return `[${value.map(spaced).join(', ')}]`
    if (typeof value !== 'object' || value === null) return JSON.stringify(value)
    return `{${Object.entries(value)
      .map(([key, each]) => `${JSON.stringify(key)}: ${spaced(each)}`)
      .join(', ')}}`
  }
  return spaced(JSON.parse(raw.toString())).replace(
    /[\u0080-\uffff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

type Row = [what: string, fault: Fault, found: Record<string, Verdict>, told?: Record<string, RegExp>]

const faults: Row[] = [
  [
    'no check of the signature',
    { checks: 'nothing' },
    { forged: 'mend', tampered: 'mend', unsigned: 'mend', stale: 'mend', future: 'warn' },
    {
      forged: /made with another secret/,
      stale: /10 minutes old/,
      unsigned: /no header, an empty header, an empty v1/,
    },
  ],
  [
    'a check that is skipped without a header',
    { checks: 'what is there' },
    { unsigned: 'mend' },
    { unsigned: /no header, an empty header$/ },
  ],
  ['the time is not looked at', { checks: 'no time' }, { stale: 'mend', future: 'warn' }],
  ['only what is old is refused', { checks: 'only age' }, { future: 'warn' }],
  ['a tolerance of a minute', { toleranceS: 60 }, { clock: 'warn' }, { clock: /old and one as much ahead/ }],
  [
    'the body is parsed and written again before the check',
    { respell: (raw) => JSON.stringify(JSON.parse(raw.toString())) },
    { spelling: 'mend' },
    { spelling: /as JavaScript writes it/ },
  ],
  ['only the first v1 is read', { checks: 'first v1' }, { rotation: 'mend' }, { rotation: /only the first v1/ }],
  ['only the last v1 is read', { checks: 'last v1' }, { rotation: 'mend' }, { rotation: /only the last v1/ }],
  ['500 for an unknown kind of event', { unknownKind: 500 }, { kind: 'mend' }, { kind: /answered 500/ }],
  ['400 for an unknown kind of event', { unknownKind: 400 }, { kind: 'mend' }],
  ['a schema that is closed', { isStrict: true }, { fields: 'mend' }, { fields: /answered 422/ }],
  [
    'every delivery counts',
    { counts: 'everything' },
    { duplicate: 'mend', race: 'mend' },
    { duplicate: /applied the same event twice/, race: /5 times/ },
  ],
  [
    'the id of the delivery is taken for that of the event',
    { counts: 'by delivery' },
    { duplicate: 'mend', race: 'mend' },
    { duplicate: /X-Service-Delivery/ },
  ],
  ['looking first and writing then', { counts: 'after a look' }, { race: 'mend' }],
  [
    'an event is noted before it is verified',
    { counts: 'before the check' },
    { forged: 'mend' },
    { forged: /did not take the genuine event/ },
  ],
  [
    'a repeated event is an error',
    { repeatedWith: 409 },
    { duplicate: 'mend', race: 'mend' },
    { duplicate: /200 and 409 \(2 times\)/ },
  ],
  [
    'an older event overwrites a newer one',
    { ignoresVersion: true },
    { order: 'mend' },
    { order: /older event over the newer/ },
  ],
  ['a limit of 16 KiB', { bodyMax: 16_384 }, { large: 'mend' }, { large: /answered 413/ }],
  [
    'the content type is compared as a whole',
    { type: 'exact' },
    { 'content-type': 'warn' },
    { 'content-type': /charset=utf-8: answered 415/ },
  ],
  [
    'a wrong content type makes it fall over',
    { type: 'falls over' },
    { 'content-type': 'warn' },
    { 'content-type': /text\/plain: answered 500/ },
  ],
  ['one at a time', { atOnceMax: 1, delayMs: 30 }, { race: 'mend', crowd: 'mend' }, { crowd: /503/ }],
  [
    'a refusal that is a crash',
    { crashes: true },
    { forged: 'warn', tampered: 'warn', unsigned: 'warn', stale: 'warn', future: 'warn' },
    { stale: /falling over: ECONNRESET/ },
  ],
  [
    'a refusal that is a 500',
    { refusesWith: 500 },
    { forged: 'warn', tampered: 'warn', unsigned: 'warn', stale: 'warn', future: 'warn' },
    { forged: /falling over: 500/ },
  ],
]

for (const [what, fault, expected, told = {}] of faults) {
  test(`found, and nothing else: ${what}`, async (t) => {
    const { found, about, counts } = await examine(t, await aReceiver(t, fault))
    assert.deepEqual(found, expected)
    assert.equal(counts.skipped, 0)
    for (const [id, pattern] of Object.entries(told)) assert.match(about(id).did, pattern)
  })
}

const causes: [what: string, fault: Fault, cause: RegExp][] = [
  ['a newline at the end of the secret', { key: `${secret}\n` }, /white space or a newline/],
  ['the secret in quotation marks', { key: `"${secret}"` }, /quotation marks/],
  ['the secret without its prefix', { key: secret.slice(6) }, /cuts "whsec_" off/],
  ['the body alone', { signed: (_, body) => String(body) }, /leaves the time out/],
  ['no dot', { signed: (t, body) => `${t}${body}` }, /What is signed is "<t>\.<raw body>"/],
  ['base64', { digest: 'base64' }, /digest in base64/],
  ['Python writes the body again', { respell: python }, /decodes the body and encodes it again/],
  ['another secret, and a crash', { key: 'whsec_other', refusesWith: 500 }, /its log says why/],
  ['another secret', { key: 'whsec_other' }, /holds another secret/],
  ['no route', { always: { status: 404 } }, /no receiver at this path/],
  ['a guard against cross-site requests', { always: { status: 419 } }, /cross-site/],
]

for (const [what, fault, cause] of causes) {
  test(`a genuine webhook is refused, and why: ${what}`, async (t) => {
    const { found, about, counts, checks } = await examine(t, await aReceiver(t, fault))
    assert.deepEqual(found, { genuine: 'mend' })
    assert.match(about('genuine').mend ?? '', cause)
    assert.equal(
      counts.skipped,
      checks.length - 4,
      'what stands on it is skipped, and the address, connection and redirect are good',
    )
  })
}

test('to a person each finding is told with what to do; the secret is not', async (t) => {
  const place = await aPlace(t)
  const url = await aReceiver(t, { checks: 'no time', says: false })
  const { code, stdout, stderr } = await place.run(['verify', url], { FLORIN_WEBHOOK_SECRET: secret })
  assert.equal(code, 1)
  assert.match(stderr, /signing with FLORIN_WEBHOOK_SECRET\.$/)
  const block = /^MEND {5}a stale timestamp +answered 200 .*\n((?: {9}.*\n)+)/m.exec(stdout)?.[1] ?? ''
  assert.deepEqual(
    block.match(/^ {9}(\w+)/gm)?.map((word) => word.trim()),
    ['should', 'why', 'mend', 'code', 'see'],
  )
  assert.match(stdout, /^22 checks with \d\d webhooks: 17 good, 3 not visible from outside, 1 warning, 1 to mend\.$/m)
  assert.match(stdout, /What no examination from outside can see:\n {2}constant time/)
  assert.ok(!`${stdout}${stderr}`.includes(secret))
})

test('the order number of the shop goes into the samples, and nothing looks like a live order', async (t) => {
  const receiver = await localServer(t, (_, response) => response.writeHead(400).end())
  await examine(t, receiver.baseUrl, ['--external-id', 'A-1001'])
  const [first] = receiver.received
  const { order, id, event } = JSON.parse(first?.body ?? '')
  assert.deepEqual([order.external_id, order.livemode, event], ['A-1001', false, 'order.success'])
  assert.match(`${id} ${order.order_no}`, /^evt_[0-9a-z]{26} ord_[0-9a-z]{26}$/)
})

test('the secret of florin listen is the last resort', async (t) => {
  const place = await aPlace(t)
  const own = (await place.run(['listen', '--print-secret'])).stdout
  const url = await aReceiver(t, { key: own })
  const { code, stderr } = await place.run(['verify', url])
  assert.equal(code, 0)
  assert.match(stderr, /signing with the secret of florin listen/)
})
