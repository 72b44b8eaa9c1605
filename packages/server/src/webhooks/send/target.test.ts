import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type DnsAnswer, dnsServer } from '../../../test/dns-server.ts'
import { receiver } from '../../../test/receiver.ts'
import { makeConnections } from './connections.ts'
import { makeOwnAddresses } from './own.ts'
import { makePolicy } from './policy.ts'
import { makeResolver, type NameResolver } from './resolve.ts'
import { send } from './send.ts'
import { makeDialler } from './target.ts'

// In these tests 127.0.0.2 stands for the public internet: the operator allowed it, and nothing else on loopback.
const policy = makePolicy({ webhookAllow: ['127.0.0.2'], webhookAllowPrivate: false, webhookOwnAddresses: [] })
const noneOwn = { includes: async () => false }
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
  const connections = makeConnections(makeDialler({ resolver: makeResolver([dns.address]), policy, own: noneOwn }), 64)
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
  const connections = makeConnections(makeDialler({ resolver: makeResolver(), policy, own: noneOwn }), 64)
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

test('public addresses of this machine are refused, by address, by name and in IPv6 forms', async (t) => {
  const dns = await dnsServer(t, (name) => {
    if (name === 'pay.example') return { addresses: ['93.184.216.40', '2606:4700:1::9'] }
    if (name === 'interface.example') return { addresses: ['93.184.216.34'] }
    if (name === 'neighbour.example') return { addresses: ['2a01:4f8:1:2:ffff::5'] }
    if (name === 'mixed.example') return { addresses: ['1.1.1.1', '93.184.216.34'] }
    return { addresses: [name === 'door.example' ? '93.184.216.40' : '93.184.217.7'] }
  })
  const resolver = makeResolver([dns.address])
  const interfaces = () => ['127.0.0.1/8', '93.184.216.34/24', '2a01:4f8:1:2::1/64', 'fe80::1/64']
  const own = makeOwnAddresses({ baseUrl: 'https://pay.example', resolver, interfaces })
  const settings = { webhookAllow: [], webhookAllowPrivate: false, webhookOwnAddresses: ['93.184.217.0/24'] }
  const dialler = (policy = makePolicy(settings)) => makeDialler({ resolver, policy, own })
  const connections = makeConnections(dialler(), 64)
  t.after(() => connections.close())
  const hosts = [
    ...[
      '93.184.216.34',
      '[2a01:4f8:1:2::1]',
      '[2a01:4f8:1:2:ffff::5]',
      '93.184.216.40',
      '[2606:4700:1::9]',
      '93.184.217.1',
    ],
    ...['interface.example', 'neighbour.example', 'mixed.example', 'pay.example', 'door.example', 'behind-nat.example'],
    ...['[::ffff:93.184.216.34]', '[64:ff9b::93.184.216.34]', '[2002:5db8:d822::1]', '[::93.184.216.34]'],
  ]
  for (const host of hosts) {
    const outcome = await send(connections, outgoing(`http://${host}:9/`), 3_000)
    assert.equal(outcome.error, 'url_forbidden_address', host)
  }
  // Neighbours on IPv4 and other public addresses belong to somebody else.
  for (const address of ['93.184.216.35', '2a01:4f8:1:3::1', '1.1.1.1'])
    assert.equal(await own.includes(address), false, address)
  // The operator's own word opens them, and development does.
  const named = makePolicy({ ...settings, webhookAllow: ['shop.example:443', '93.184.216.34:8443'] })
  assert.ok(named.permits('93.184.216.34', 'shop.example', 443, true))
  assert.ok(named.permits('93.184.216.34', 'any.example', 8443, true))
  assert.ok(!named.permits('93.184.216.34', 'any.example', 443, true))
  assert.ok(makePolicy({ ...settings, webhookAllowPrivate: true }).permits('93.184.217.1', 'shop.example', 443, true))
})

test('an address of the BASE_URL host counts on, and none is reached while DNS never answered', async (t) => {
  let answer: DnsAnswer = 'servfail'
  const dns = await dnsServer(t, () => answer)
  const ownOf = (resolver: NameResolver) =>
    makeOwnAddresses({ baseUrl: 'https://pay.example', resolver, interfaces: () => [] })
  await assert.rejects(ownOf(makeResolver([dns.address])).includes('93.184.216.40'), { outcome: 'dns_failed' })
  // Each answer is asked for anew: the resolver keeps one with a time to live of 0 for nobody.
  const resolver = makeResolver([dns.address])
  const own = ownOf(resolver)
  answer = { addresses: ['93.184.216.40'] }
  assert.equal(await own.includes('93.184.216.40'), true)
  answer = { addresses: ['93.184.216.41'] }
  assert.equal(await own.includes('93.184.216.40'), true)
  await resolver.resolve('pay.example', true)
  assert.equal(await own.includes('93.184.216.41'), true)
  answer = 'servfail'
  assert.equal(await own.includes('93.184.216.40'), true)
  assert.equal(await own.includes('1.1.1.1'), false, 'DNS that fails later stops no delivery')

  const literal = makeOwnAddresses({ baseUrl: 'https://[2606:4700:1::9]:8443', resolver, interfaces: () => [] })
  assert.equal(await literal.includes('2606:4700:1::9'), true)
  answer = 'nxdomain'
  assert.equal(await ownOf(makeResolver([dns.address])).includes('1.1.1.1'), false, 'a name that leads nowhere')
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
