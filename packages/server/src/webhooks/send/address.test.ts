import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import ipaddr from 'ipaddr.js'
import { type AddressKind, judgeAddress } from './address.ts'
import { makePolicy } from './policy.ts'

const table: Record<AddressKind, readonly string[]> = {
  public: [
    '1.1.1.1',
    '93.184.216.34',
    '8.8.8.8',
    '172.32.0.1',
    '100.63.255.255',
    '100.128.0.1',
    '2606:4700::1111',
    '2a00:1450::1',
  ],
  local: [
    '127.0.0.1',
    '127.255.255.254',
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '100.64.0.1',
    '::1',
    'fc00::1',
    'fd12:3456::1',
  ],
  never: [
    ...['169.254.169.254', '169.254.0.1', '169.254.170.2', '100.100.100.200', '192.0.0.192', '168.63.129.16'],
    ...['fe80::1', 'fd00:ec2::254', 'fd00:ec2::23', 'fd20:ce::254'],
    // The same addresses embedded in IPv6: mapped, compatible, translated, NAT64 twice, 6to4, ISATAP.
    ...['::ffff:169.254.169.254', '::ffff:a9fe:a9fe', '::a9fe:a9fe', '::ffff:0:a9fe:a9fe', '64:ff9b::a9fe:a9fe'],
    ...['64:ff9b:1::a9fe:a9fe', '2002:a9fe:a9fe::1', '2a00::5efe:a9fe:a9fe', '2a00::200:5efe:a9fe:a9fe'],
  ],
  special: [
    ...['0.0.0.0', '0.1.2.3', '192.0.0.1', '192.0.2.1', '192.88.99.1', '198.18.0.1', '198.51.100.1', '203.0.113.1'],
    ...['224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255', '192.31.196.1', '192.52.193.1', '192.175.48.1'],
    ...['::', '::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:8.8.8.8', '::7f00:1', '::808:808', '::ffff:0:7f00:1'],
    ...[
      '64:ff9b::7f00:1',
      '64:ff9b::808:808',
      '64:ff9b:1::7f00:1',
      '2002:7f00:1::',
      '2002:808:808::1',
      '2001::1',
      '2001:0:808:808::1',
    ],
    ...[
      '2001:db8::1',
      '2001:10::1',
      '2001:20::1',
      '2001:2::1',
      '2001:3::1',
      '2001:4:112::1',
      '2620:4f:8000::1',
      '3fff::1',
      '5f00::1',
    ],
    ...[
      '::5efe:7f00:1',
      '2a00::5efe:7f00:1',
      '2a00::200:5efe:a00:1',
      '4000::1',
      '100::1',
      '100:0:0:1::1',
      'fec0::1',
      'ff02::1',
      'ff0e::1',
    ],
    ...['fe80::1%eth0', '2a00::1%1', '127.1', '0x7f.1', '2130706433', '0177.0.0.1', 'localhost', ''],
  ],
}

for (const [kind, addresses] of Object.entries(table)) {
  test(`${addresses.length} addresses are ${kind}`, () => {
    for (const address of addresses) assert.equal(judgeAddress(address), kind, address)
  })
}

test('no setting opens what is never, and development opens local addresses only', () => {
  const development = makePolicy({ webhookAllow: [], webhookAllowPrivate: true, webhookOwnAddresses: [] })
  const all = makePolicy({
    webhookAllow: ['0.0.0.0/0', '::/0', 'shop.internal'],
    webhookAllowPrivate: true,
    webhookOwnAddresses: [],
  })
  for (const [kind, addresses] of Object.entries(table)) {
    for (const address of addresses) {
      assert.equal(development.permits(address, 'shop.example', 443), kind === 'public' || kind === 'local', address)
      if (kind === 'never') assert.equal(all.permits(address, 'shop.internal', 443), false, address)
    }
  }
  assert.equal(all.permits('::ffff:127.0.0.1', 'shop.example', 443), true, 'a range that the operator wrote down holds')
})

test('an entry of WEBHOOK_ALLOW opens what it names and nothing beside it', () => {
  const policy = makePolicy({
    webhookAllow: ['shop.internal', 'other.internal:8080', '10.1.0.0/16', '10.9.9.9:8443', '[fd00::5]:8080', 'fd00::6'],
    webhookAllowPrivate: false,
    webhookOwnAddresses: [],
  })
  const permits = (address: string, host: string, port: number) => policy.permits(address, host, port)
  assert.ok(permits('10.0.0.1', 'shop.internal', 9000))
  assert.ok(permits('10.0.0.1', 'SHOP.internal', 9000))
  assert.ok(!permits('10.0.0.1', 'xshop.internal', 9000))
  assert.ok(permits('10.0.0.1', 'other.internal', 8080))
  assert.ok(!permits('10.0.0.1', 'other.internal', 8081))
  assert.ok(permits('10.1.2.3', 'any.example', 443))
  assert.ok(!permits('10.2.2.3', 'any.example', 443))
  assert.ok(permits('10.9.9.9', 'any.example', 8443))
  assert.ok(!permits('10.9.9.9', 'any.example', 443))
  assert.ok(permits('fd00::5', 'any.example', 8080))
  assert.ok(permits('fd00::6', 'any.example', 1))
  assert.ok(!permits('fd00::7', 'any.example', 8080))
  for (const bad of ['10.0.0.0/33', 'shop/8', 'a b', 'host:99999', '-x', '[::1', 'http://shop.internal']) {
    assert.throws(
      () => makePolicy({ webhookAllow: [bad], webhookAllowPrivate: false, webhookOwnAddresses: [] }),
      /WEBHOOK_ALLOW has/,
      bad,
    )
  }
})

test('whatever the bytes, an IPv6 address outside 2000::/3 is never public and the judgement never throws', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 16, maxLength: 16 }), (bytes) => {
      const kind = judgeAddress(ipaddr.fromByteArray([...bytes]).toString())
      if (((bytes[0] ?? 0) & 0xe0) !== 0x20) assert.notEqual(kind, 'public')
    }),
  )
})
