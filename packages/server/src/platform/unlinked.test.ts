// Somebody's words in our mails: nothing becomes a link or a number to call, ordinary names stay as they are.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refuseAddress, refuseHost, unlinked, unlinkedNumber } from './unlinked.ts'

test('nothing that a mail program makes clickable is left', () => {
  for (const [text, shown] of [
    ['unlock at https://evil.example/login?u=1', 'unlock at https evil[dot]example/login?u=1'],
    ['www.evil.com', 'www[dot]evil[dot]com'],
    ['tel:+1900', 'tel +1900'],
    ['mailto:a@b.example', 'mailto a[at]b[dot]example'],
    ['call +1 900 555 000 now', 'call [number] now'],
    ['call (0900) 555-000', 'call [number])'.replace(')', '')],
    ['call 19005550000', 'call [number]'],
    ['evil。example', 'evil[dot]example'],
    ['evil․example, evil‧example', 'evil[dot]example, evil[dot]example'],
    ['EVIL\u00ad.com/x', 'EVIL[dot]com/x'],
    ['a﹫evil﹒example', 'a[at]evil[dot]example'],
    ['http：／／evil', 'http evil'],
    ['see 10.1.2.3/login', 'see 10[dot]1[dot]2[dot]3/login'],
    ['turned \u202eround\r\nBcc: x', 'turned round Bcc: x'],
  ] as const) {
    assert.equal(unlinked(text), shown)
  }
  assert.equal([...unlinked('ä'.repeat(500))].length, 120)
})

test('names, titles and numbers of shops stay as they are', () => {
  for (const text of [
    'Müller & Söhne GmbH.',
    'Mugs v1.5: two',
    'Workshop, 12 December 2026',
    'Seats 2026-12-31',
    'A/B',
  ]) {
    assert.equal(unlinked(text), text)
    refuseAddress(text, 'name')
  }
  for (const number of ['RE 2026/17', '2026000017', 'RE-2026-12-0017']) {
    assert.equal(unlinkedNumber(number), number)
    refuseAddress(number, 'number')
  }
  refuseAddress('Mugs.example', 'name')
  for (const number of ['RE.2026.17', 'No.A17', 'Nr. AB', '5550199123']) refuseHost(number, 'number')
  for (const number of ['evil.example', 'evil․example', 'e\u00advil.com', '17.xn--p1ai'])
    assert.throws(() => refuseHost(number, 'number'), /"number" takes no web address/, number)
  assert.equal(unlinkedNumber('+1 900 555 000'), '[number]')
})

test('an address or a number to call is refused in words', () => {
  const bad = [
    'https://evil.example',
    'www.evil.com',
    'evil.com/login',
    'a@b.example',
    'tel:1900',
    'a\u200b@b.example',
    'www․evil․com',
    'call +1 900 5550',
    '0900 555 000',
  ]
  for (const text of bad) assert.throws(() => refuseAddress(text, 'name'), /"name" takes no web address/, text)
})
