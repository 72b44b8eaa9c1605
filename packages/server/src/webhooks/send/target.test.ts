import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dnsServer } from '../../../test/dns-server.ts'
import { receiver } from '../../../test/receiver.ts'
import { makeConnections } from './connections.ts'
import { makePolicy } from './policy.ts'
import { makeResolver } from './resolve.ts'
import { send } from './send.ts'
import { makeDialler } from './target.ts'

// In these tests 127.0.0.2 stands for the public internet: the operator allowed it, and nothing else on loopback.
const policy = makePolicy({ webhookAllow: ['127.0.0.2'], webhookAllowPrivate: false })
const outgoing = (url: string) => ({ url, body: Buffer.from('{}'), headers: [] })

test('no name that resolves to a forbidden address is ever connected to, whatever DNS does', async (t) => {
  const forbidden = await receiver(t)
  const { port } = forbidden
  const allowed = await receiver(t, { host: '127.0.0.2', port })
  const dns = await dnsServer(t, (name, n) => {
    if (name === 'plain.example') return { addresses: ['127.0.0.1'] }
    if (name === 'mixed.example') return { addresses: ['127.0.0.2', '127.0.0.1'] }
    if (name === 'aaaa.example') return { addresses: ['127.0.0.2', '::1'] }
    if (name === 'mapped.example') return { addresses: ['::ffff:127.0.0.1'] }
    if (name === 'cname.example') return { cname: 'inside.internal', addresses: ['127.0.0.1'] }
    if (name === 'rebind.example') return { addresses: [n === 1 ? '127.0.0.2' : '127.0.0.1'] }
    if (name === 'flip.example') return { addresses: [n % 2 === 1 ? '127.0.0.2' : '127.0.0.1'] }
    return { addresses: ['127.0.0.2'] }
  })
  const connections = makeConnections(makeDialler({ resolver: makeResolver([dns.address]), policy }), 64)
  t.after(() => connections.close())
  const post = (host: string) => send(connections, outgoing(`http://${host}:${port}/`), 2_000)

  for (const host of ['plain.example', 'mixed.example', 'aaaa.example', 'mapped.example', 'cname.example']) {
    const outcome = await post(host)
    assert.equal(outcome.error, 'url_forbidden_address', host)
    assert.equal(outcome.excerpt, null)
  }
  assert.equal((await post('good.example')).error, null)
  assert.equal(allowed.requests.length, 1)

  // The first lookup is answered with the allowed address and every later one with the forbidden one. What was judged
  // is what is dialled: one lookup a connection.
  assert.equal((await post('rebind.example')).error, null)
  assert.equal(dns.asked.filter((name) => name === 'rebind.example 1').length, 1)
  await connections.close()
  assert.equal((await post('rebind.example')).error, 'url_forbidden_address')
  for (let i = 0; i < 6; i++) {
    await post('flip.example')
    await connections.close()
  }
  assert.equal(forbidden.accepted, 0, 'no packet reached the listener on the forbidden address')
})

test('an address in the URL is judged by the connector, in every spelling that a URL has', async (t) => {
  const forbidden = await receiver(t)
  const { port } = forbidden
  const ip6 = await receiver(t, { host: '::1', port })
  const connections = makeConnections(makeDialler({ resolver: makeResolver(), policy }), 64)
  t.after(() => connections.close())
  const hosts = [
    ...[
      '127.0.0.1',
      '127.1',
      '0x7f.1',
      '0x7f000001',
      '0177.0.0.1',
      '2130706433',
      '①②⑦.⓪.⓪.①',
      '127。0。0。1',
      '0',
      '0.0.0.0',
    ],
    ...[
      '[::1]',
      '[::]',
      '[::ffff:127.0.0.1]',
      '[::ffff:7f00:1]',
      '[::7f00:1]',
      '[::5efe:7f00:1]',
      '[64:ff9b::7f00:1]',
      '[2002:7f00:1::]',
    ],
    ...[
      '169.254.169.254',
      '[fe80::1]',
      '[fd00:ec2::254]',
      '[::ffff:a9fe:a9fe]',
      'localhost',
      'LOCALHOST',
      'x.localhost',
    ],
  ]
  for (const host of hosts) {
    const outcome = await send(connections, outgoing(`http://${host}:${port}/`), 1_000)
    assert.equal(outcome.error, 'url_forbidden_address', host)
  }
  assert.equal(forbidden.accepted + ip6.accepted, 0)
})

test('a name is asked for once while the question is open, and kept no longer than its time to live', async (t) => {
  const dns = await dnsServer(t, (name) => (name === 'gone.example' ? 'nxdomain' : { addresses: ['127.0.0.2', '::1'] }))
  const resolver = makeResolver([dns.address])
  const answers = await Promise.all(Array.from({ length: 20 }, () => resolver.resolve('shop.example', false)))
  assert.deepEqual([...(answers[0] ?? [])], ['127.0.0.2', '::1'])
  assert.equal(dns.asked.length, 2, 'A and AAAA')
  await resolver.resolve('shop.example', false)
  assert.equal(dns.asked.length, 4, 'a time to live of 0 is kept for nobody after')

  await assert.rejects(resolver.resolve('gone.example', false), /ENOTFOUND/)
  await assert.rejects(resolver.resolve('gone.example', false), /ENOTFOUND/)
  assert.equal(
    dns.asked.filter((name) => name.startsWith('gone')).length,
    2,
    'that a name does not exist is kept a while',
  )
})

test('localhost is this machine, and a host that the operator named may stand in the hosts file', async (t) => {
  const dns = await dnsServer(t, () => 'nxdomain')
  const resolver = makeResolver([dns.address])
  assert.deepEqual([...(await resolver.resolve('localhost', false))], ['127.0.0.1', '::1'])
  assert.equal(dns.asked.length, 0)
  await assert.rejects(resolver.resolve('ip6-loopback', false))
})
