// Promises: security.txt names the operator's contacts in the form of RFC 9116 and never lapses; without a contact there is none.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS } from '@florin/protocol'
import { testApp } from '../../../../server/test/harness.ts'
import { readSecurityContact } from './security-txt.ts'

const path = '/.well-known/security.txt'

test('security.txt: a contact is set → contact, end and own address', async (t) => {
  const securityContact = ['mailto:security@shop.example', 'https://shop.example/security']
  const { app, clock } = await testApp(t, { securityContact, baseUrl: 'https://pay.shop.example' })
  for (const days of [0, 400]) {
    clock.advance(days * DAY_MS)
    const answer = await app.inject(path)
    assert.equal(answer.statusCode, 200)
    assert.match(String(answer.headers['content-type']), /^text\/plain; charset=utf-8/)
    const [first, second, expires, ...rest] = answer.payload.trimEnd().split('\n')
    assert.deepEqual(
      [first, second],
      securityContact.map((contact) => `Contact: ${contact}`),
    )
    assert.deepEqual(rest, ['Preferred-Languages: en', `Canonical: https://pay.shop.example${path}`])
    const ahead = Date.parse(expires?.replace('Expires: ', '') ?? '') - clock.now().getTime()
    assert.ok(ahead > 100 * DAY_MS && ahead < 365 * DAY_MS, expires)
  }
})

test('security.txt: no contact is set → 404', async (t) => {
  const { app } = await testApp(t)
  assert.equal((await app.inject(path)).statusCode, 404)
})

test('SECURITY_CONTACT: emails and addresses are taken, anything else is named', () => {
  const faults: string[] = []
  assert.deepEqual(readSecurityContact(['security@shop.example', 'https://shop.example/security'], faults), [
    'mailto:security@shop.example',
    'https://shop.example/security',
  ])
  assert.deepEqual(faults, [])
  for (const wrong of [
    'http://shop.example',
    'nobody',
    'https://a b',
    'mailto:a@b\nContact: x',
    'javascript:alert(1)',
  ]) {
    readSecurityContact([wrong], faults)
  }
  assert.equal(faults.length, 5)
  assert.match(faults[0] ?? '', /^SECURITY_CONTACT has "http:\/\/shop\.example"; it takes email addresses/)
})
