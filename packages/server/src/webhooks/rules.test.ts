import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AppError } from '@florin/platform/errors'
import fc from 'fast-check'
import { laneOf, parseWebhookUrl } from './rules.ts'
import type { TargetSettings } from './send/policy.ts'

const strict: TargetSettings & { livemode: boolean } = {
  livemode: true,
  webhookAllow: [],
  webhookAllowPrivate: false,
  webhookOwnAddresses: [],
}
const inTest = { ...strict, livemode: false }

const refusal = (text: string, rule = strict): string => {
  try {
    return `taken as ${parseWebhookUrl(text, rule)}`
  } catch (error) {
    assert.ok(error instanceof AppError, `${text}: ${error}`)
    assert.equal(error.entry.code, 'invalid_webhook_url')
    assert.equal(error.param, 'webhook_url')
    return error.message
  }
}

test('a good URL is taken in its one form', () => {
  const good: [string, string][] = [
    ['https://shop.example/hook', 'https://shop.example/hook'],
    ['HTTPS://Shop.EXAMPLE./hook?a=b%20c', 'https://shop.example/hook?a=b%20c'],
    ['https://shop.example', 'https://shop.example/'],
    ['https://shop.example:443/', 'https://shop.example/'],
    ['https://shop.example:8443/', 'https://shop.example:8443/'],
    ['https://bücher.example/é', 'https://xn--bcher-kva.example/%C3%A9'],
    ['https://93.184.216.34/hook', 'https://93.184.216.34/hook'],
    ['https://[2606:4700::1111]/hook', 'https://[2606:4700::1111]/hook'],
  ]
  for (const [given, taken] of good) assert.equal(parseWebhookUrl(given, strict), taken)
  assert.equal(parseWebhookUrl('http://shop.example:8080/', inTest), 'http://shop.example:8080/')
})

test('what is wrong is said', () => {
  const bad: [string, RegExp][] = [
    ['http://shop.example/', /starts with https/],
    ['ftp://shop.example/', /full address/],
    ['shop.example/hook', /full address/],
    ['//shop.example/hook', /full address/],
    ['https:shop.example', /full address/],
    ['https:///shop.example', /full address/],
    ['', /full address/],
    ['https://shop.example/a b', /no spaces/],
    [' https://shop.example/', /no spaces/],
    ['https://shop.example/\tx', /no spaces/],
    ['https://shop.example/\nx', /no spaces/],
    ['https://shop.example\\@other.example/', /no backslash/],
    ['https://shop.example/\u0000', /no spaces, control/],
    ['https://sh\u00adop.example/', /invisible/],
    ['https://shop.exa\u200bmple/', /invisible/],
    ['https://user:pw@shop.example/', /no user name/],
    ['https://user@shop.example/', /no user name/],
    ['https://shop.example/#part', /no fragment/],
    ['https://shop.example/#', /no fragment/],
    ['https://shop.example:22/', /port/],
    ['https://shop.example:0/', /port/],
    ['https://shop.example:1023/', /port/],
    [`https://shop.example/${'a'.repeat(2048)}`, /at most 2048/],
    [`https://shop.example/${'é'.repeat(1000)}`, /at most 2048.*encoded/],
    ['https://shop!.example/', /not a well-formed name/],
    [`https://${'a'.repeat(64)}.example/`, /not a well-formed name/],
  ]
  for (const [given, why] of bad) assert.match(refusal(given), why, given)
})

test('every spelling of a forbidden host is refused at creation', () => {
  const hosts = [
    ...[
      '127.0.0.1',
      '127.1',
      '0x7f.1',
      '0x7f000001',
      '0177.0.0.1',
      '017700000001',
      '2130706433',
      '①②⑦.⓪.⓪.①',
      '127。0。0。1',
    ],
    ...[
      '0',
      '0.0.0.0',
      '10.0.0.1',
      '0xa.1',
      '192.168.1.1',
      '172.16.5.5',
      '169.254.169.254',
      '0xa9fea9fe',
      '2852039166',
      '100.64.0.1',
    ],
    ...[
      '[::1]',
      '[::]',
      '[0:0:0:0:0:0:0:1]',
      '[::ffff:127.0.0.1]',
      '[::ffff:7f00:1]',
      '[::127.0.0.1]',
      '[::5efe:7f00:1]',
    ],
    ...[
      '[64:ff9b::7f00:1]',
      '[2002:7f00:1::]',
      '[fd00::1]',
      '[fe80::1]',
      '[fec0::1]',
      '[ff02::1]',
      '[4000::1]',
      '[2001:db8::1]',
    ],
    ...[
      'localhost',
      'LOCALHOST',
      'localhost.',
      'a.localhost',
      'shop.local',
      'db.internal',
      'nas.home.arpa',
      'x.onion',
      'intranet',
    ],
    ...['metadata.google.internal', 'metadata', 'instance-data', 'shop'],
  ]
  for (const host of hosts)
    assert.match(refusal(`https://${host}/hook`), /not (one|a name) on the public|metadata/, host)
})

test('a development install may name its own machine, and never a metadata service', () => {
  const development = { ...inTest, webhookAllowPrivate: true }
  for (const host of ['localhost:4000', '127.0.0.1:4000', '[::1]:4000', '192.168.1.5', 'shop.local', 'shop']) {
    assert.doesNotThrow(() => parseWebhookUrl(`http://${host}/hook`, development), host)
  }
  for (const host of ['169.254.169.254', '[fd00:ec2::254]', '[::ffff:a9fe:a9fe]', 'metadata.google.internal']) {
    assert.match(refusal(`http://${host}/`, development), /not one on the public|metadata/, host)
  }
  const named = { ...strict, webhookAllow: ['shop.internal:8443', '10.1.0.0/16'] }
  assert.doesNotThrow(() => parseWebhookUrl('https://shop.internal:8443/', named))
  assert.doesNotThrow(() => parseWebhookUrl('https://10.1.2.3/', named))
  assert.match(refusal('https://shop.internal/', named), /public/)
})

test('parsing is total, and what it returns it takes again unchanged', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.webUrl({ withQueryParameters: true }), fc.string(), fc.string({ unit: 'binary' })),
      (text) => {
        let taken: string
        try {
          taken = parseWebhookUrl(text, inTest)
        } catch (error) {
          assert.ok(error instanceof AppError, String(error))
          return
        }
        assert.equal(parseWebhookUrl(taken, inTest), taken)
      },
    ),
    { numRuns: 200 },
  )
})

test('a lane is a tenant and an origin, whatever the path', () => {
  assert.equal(laneOf(1, 'https://shop.example/a?b'), laneOf(1, 'https://shop.example:443/c'))
  const others = [
    laneOf(2, 'https://shop.example/a'),
    laneOf(1, 'http://shop.example/a'),
    laneOf(1, 'https://shop.example:8443/a'),
  ]
  assert.equal(new Set([laneOf(1, 'https://shop.example/a'), ...others]).size, 4)
})
