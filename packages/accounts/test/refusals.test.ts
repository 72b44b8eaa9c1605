// What is refused, by which reason, and that no answer holds anything of a secret.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sized } from '../../../scripts/sizes.ts'
import { type AccountHints, changeOf, looksLikeAccount, openAccount, parseAccount, walletMarks } from '../src/index.ts'
import { privateVersions } from '../src/networks.ts'
import { fingerprint, key, top, withVersion, words } from './wallet.ts'

const btc: AccountHints = { chain: 'btc' }
const xprv = top.derive("m/84'/0'/0'").privateExtendedKey
const wif = 'L4rK1yDtCWekvXuE6oXD9jCYfFNV2cWRpVuPLBcCU2z8TrisoyY1'
const xpub = key("m/84'/0'/0'")

test('private keys and seeds are refused by name, wherever they stand, and never repeated', () => {
  const named = Object.entries(privateVersions).map(([version, name]) => [
    withVersion(xprv, version),
    'private_key',
    name,
  ])
  const texts: string[][] = [
    ...named,
    ...named.map(([text = '', reason = '', name = '']) => [`${text.slice(0, -4)}aaaa`, reason, name]),
    [`wpkh(${xprv}/0/*)`, 'private_key'],
    [`wpkh([${fingerprint}/84h/0h/0h]${wif})`, 'private_key'],
    [wif, 'private_key'],
    ['5KYZdUEo39z3FPrtuX2QbbwGnNP5zTd7yyr2SC1j299sBCnWjss', 'private_key'],
    ['6PRVWUbkzzsbcVac2qwfssoUJAN1Xhrg6bNk8J7Nzm5H7kxEbn2Nh2ZoGg', 'private_key'],
    ['0c28fca386c7a227600b2fe50b7cae11ec86d3bf1fbe471be89827e19d72aa1d', 'private_key'],
    [words, 'seed'],
    [
      words
        .split(' ')
        .map((word, n) => `${n + 1}. ${word}`)
        .join('\n'),
      'seed',
    ],
    [words.split(' ').join(', '), 'seed'],
    ['ms10testsxxxxxxxxxxxxxxxxxxxxxxxxxx4nzvca9cmczlw', 'seed'],
    ['あいこくしん '.repeat(12), 'seed'],
    [JSON.stringify({ keystore: { xpub, seed: words }, wallet_type: 'standard' }), 'seed'],
    [JSON.stringify({ keystore: { xpub, seed: 'U2FsdGVkX18encrypted' }, wallet_type: 'standard' }), 'seed'],
    [JSON.stringify({ keystore: { xpub, xprv: 'U2FsdGVkX18encrypted' }, wallet_type: 'standard' }), 'private_key'],
    [JSON.stringify({ ExtPubKey: xpub, EncryptedSecret: 'U2FsdGVkX18' }), 'private_key'],
    [`${xpub}\n${xprv}`, 'private_key'],
    [JSON.stringify({ note: words, descriptor: `wpkh(${xpub}/0/*)` }), 'seed'],
  ]
  for (const [text = '', reason] of texts) {
    const verdict = parseAccount(text, btc)
    assert.ok(!verdict.ok, text.slice(0, 8))
    assert.equal(verdict.reason, reason, text.slice(0, 8))
    assert.deepEqual(verdict.candidates, [])
    for (const part of text.match(/[0-9A-Za-z]{8,}/g) ?? []) assert.ok(!verdict.message.includes(part), 'repeated')
  }
})

test('each wrong thing has its reason', () => {
  const account = `[${fingerprint}/84h/0h/0h]${xpub}`
  const cases: [string, string, Partial<AccountHints>?][] = [
    [`${xpub.slice(0, -1)}1`, 'bad_checksum'],
    [`${xpub}x`, 'bad_checksum'],
    ['xpub661MyMwAqRbc', 'bad_key'],
    ['hello', 'bad_key'],
    ['', 'not_an_account'],
    ['{"a":', 'not_an_account'],
    ['{}', 'not_an_account'],
    [key("m/48'/0'/0'", 'Zpub'), 'multisig'],
    [`wsh(sortedmulti(2,${xpub}/0/*,${xpub}/1/*))`, 'multisig'],
    [`wpkh([${fingerprint}/48h/0h/0h/2h]${xpub}/0/*)`, 'multisig'],
    [`wsh(pkh(${account}/0/*))`, 'multisig'],
    [`tr(${account}/0/*,pk(${xpub}))`, 'unsupported'],
    [`combo(${account}/0/*)`, 'unsupported'],
    [`addr(bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu)`, 'unsupported'],
    [`sh(pkh(${account}/0/*))`, 'unsupported'],
    [`wpkh(${account}/1/*)`, 'change_path'],
    [`wpkh(${account}/<1;0>/*)`, 'change_path'],
    [`wpkh(${account}/0/1/*)`, 'change_path'],
    [`wpkh(${key("m/84'/0'/0'/1")}/*)`, 'change_path'],
    [`wpkh([${fingerprint}/84h/0h/0h/1]${key("m/84'/0'/0'/1")}/*)`, 'change_path'],
    [`wpkh([deadbeef/84h/0h/7h]${key("m/84'/0'/0'/1")}/*)`, 'change_path'],
    // The origin alone says it, of a key that was written anew as an account's.
    [`wpkh([${fingerprint}/84h/0h/0h/1]${xpub}/*)`, 'change_path'],
    [`wpkh([${fingerprint}/84h/0h/0h/0]${key("m/84'/0'/0'/0")}/0/*)`, 'wrong_level'],
    [`wpkh([${fingerprint}/84h/0h/0h/0]${xpub}/0/*)`, 'wrong_level'],
    [`wpkh(${key("m/84'/0'/0'/1")}/0/*)`, 'wrong_level'],
    [`wpkh(${account}/0/5)`, 'single_address'],
    [`wpkh(${account}/0)`, 'single_address'],
    [`wpkh(${account}/0h/*)`, 'hardened'],
    [`wpkh(${account}/0/*h)`, 'hardened'],
    [`wpkh(${account}/0H/*)`, 'bad_descriptor'],
    [`wpkh(${account}/2147483648/*)`, 'bad_descriptor'],
    [`wpkh(${account}/0/*`, 'bad_descriptor'],
    [`wpkh(${account}/0/*)#00000000`, 'bad_checksum'],
    [`pkh([${fingerprint}/84h/0h/0h]${key("m/84'/0'/0'", 'zpub')}/0/*)`, 'contradiction'],
    [account, 'contradiction', { script: 'pkh' }],
    [key("m/84'/1'/0'", 'vpub'), 'wrong_network'],
    [`wpkh([${fingerprint}/84h/1h/0h]${xpub}/0/*)`, 'wrong_network'],
    [xpub, 'wrong_network', { network: 'regtest' }],
    [key("m/84'/0'/0'/0"), 'wrong_level', { script: 'wpkh' }],
    [key("m/84'/0'"), 'wrong_level', { script: 'wpkh' }],
    [`wpkh(${xpub}/0/*)`, 'address_needed'],
    [xpub, 'script_needed'],
    [xpub, 'address_not_found', { walletAddress: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4' }],
    [xpub, 'address_not_found', { walletAddress: 'ltc1qjmxnz78nmc8nq77wuxh25n2es7rzm5c2rkk4wh' }],
    ['x'.repeat(70_000), 'too_long'],
  ]
  for (const [text, reason, hints] of cases) {
    const verdict = parseAccount(text, { ...btc, ...hints })
    assert.equal(verdict.ok ? 'read' : verdict.reason, reason, text.slice(0, 60))
    assert.ok(verdict.ok || !verdict.message.includes(xpub.slice(0, 20)))
  }
})

test('the key of the receiving addresses alone is the same account as the account’s own', () => {
  const read = (text: string) => {
    const verdict = parseAccount(text, btc)
    assert.ok(verdict.ok, verdict.ok ? '' : verdict.message)
    return verdict.account
  }
  const whole = read(`wpkh([${fingerprint}/84h/0h/0h]${xpub}/0/*)`)
  const below = read(`wpkh([${fingerprint}/84h/0h/0h/0]${key("m/84'/0'/0'/0")}/*)`)
  assert.equal(below.identity, whole.identity)
  assert.equal(changeOf(below), null, 'its chain of change cannot be told from it')
})

test('accounts of one wallet share a mark: a key that is the other’s, above it, below it or beside it', () => {
  const marks = (inner: string) => walletMarks(openAccount(`wpkh(${inner}/*)`, { chain: 'btc', network: 'main' }))
  const share = (a: string, b: string) => marks(a).some((mark) => marks(b).includes(mark))
  const [receive, change] = [key("m/84'/0'/0'/0"), key("m/84'/0'/0'/1")]
  // As somebody writes it who hides where it comes from.
  const hidden = withVersion(change, '0488b21e', { depth: 3, child: 0x80000000 })
  for (const other of [`${xpub}/7`, xpub, change, hidden, `${change}/0`]) assert.ok(share(`${xpub}/0`, other), other)
  assert.ok(share(receive, change), 'beside it')
  assert.ok(share(`${key('m')}/0/0`, `${key('m/0')}/2`), 'above it')
  for (const other of [key("m/84'/0'/1'"), key("m/49'/0'/0'"), key('m')])
    assert.ok(!share(`${xpub}/0`, `${other}/0`), other)
})

test('what is taken and may not be what was meant comes with a warning', () => {
  const warned = (text: string, hints: Partial<AccountHints> = {}): string[] => {
    const verdict = parseAccount(text, { chain: 'btc', network: 'regtest', ...hints })
    assert.ok(verdict.ok, !verdict.ok ? verdict.message : '')
    return verdict.warnings.map(({ code }) => code)
  }
  assert.deepEqual(warned(key('m', 'tpub'), { script: 'wpkh' }), ['key_above_account'])
  assert.deepEqual(warned(key("m/0'", 'tpub'), { script: 'wpkh' }), ['key_above_account'])
  assert.deepEqual(warned(`wpkh([${fingerprint}/49h/1h/0h]${key("m/49'/1'/0'", 'tpub')}/0/*)`), ['path_of_other_type'])
  assert.deepEqual(warned(`wpkh([${fingerprint}/84h/1h/0h]${key("m/84'/1'/0'", 'tpub')}/0/*)`), [])
  const litecoin = parseAccount(`wpkh([${fingerprint}/84h/2h/0h]${key("m/84'/2'/0'", 'tpub')}/0/*)`, {
    chain: 'ltc',
    network: 'regtest',
  })
  assert.match(litecoin.ok ? '' : litecoin.message, /coin type 2\) is not that of a test network/)
})

test('a path below the account is honoured where the descriptor says it, and identity does not depend on notation', () => {
  const main = { chain: 'btc', network: 'main' } as const
  const deep = openAccount(`wpkh(${xpub}/0/0/*)`, main)
  const flat = openAccount(`wpkh(${key("m/84'/0'/0'/0/0")}/*)`, main)
  assert.equal(deep.identity, flat.identity)
  assert.notEqual(deep.descriptor, flat.descriptor)
  const notations = [
    `${xpub}/0/*`,
    `${xpub}/<0;1>/*`,
    `${xpub}/**`,
    `[${fingerprint}/84'/0'/0']${xpub}/0/*`,
    `${key("m/84'/0'/0'/0")}/*`,
  ]
  assert.equal(new Set(notations.map((inner) => openAccount(`wpkh(${inner})`, main).identity)).size, 1)
  const others = [
    openAccount(`pkh(${xpub}/0/*)`, main),
    openAccount(`wpkh(${xpub}/0/*)`, { ...main, chain: 'ltc' }),
    deep,
  ]
  assert.equal(new Set([...others, openAccount(`wpkh(${xpub}/0/*)`, main)].map(({ identity }) => identity)).size, 4)
})

test('an address on the path of change is one of the wallet too', () => {
  assert.ok(parseAccount(xpub, { ...btc, walletAddress: 'bc1q8c6fshw2dlwun7ekn9qwf37cu2rn755upcp6el' }).ok)
})

test('plain addresses are not taken for accounts, and accounts not for addresses', () => {
  for (const text of [
    'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu',
    '1LqBGSKuX5yYUonjxT5qGfpUsXKYYWeabA',
    'bitcoincash:qqyx49mu0kkn9ftfj6hje6g2wfer34yfnq5tahq3q6',
    '',
  ])
    assert.ok(!looksLikeAccount(text))
  for (const text of [xpub, xprv, `wpkh(${xpub}/0/*)`, ' {"keystore"', 'BSMS 1.0', 'a\nb'])
    assert.ok(looksLikeAccount(text))
})

test('no text throws, takes long, or is read as an account by a slip', () => {
  const good = `wpkh([${fingerprint}/84h/0h/0h]${xpub}/0/*)#`
  const pieces = fc.constantFrom(
    'wpkh(',
    'sh(',
    'tr(',
    ')',
    xpub,
    `[${fingerprint}`,
    '/84h',
    "/0'",
    ']',
    '/*',
    '/<0;1>',
    '#',
    '{',
    '"',
    '\n',
    xprv,
  )
  const text = fc.oneof(
    fc.string({ maxLength: 300 }),
    fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join('')),
  )
  const started = performance.now()
  fc.assert(
    fc.property(text, fc.nat(good.length - 2), fc.string({ minLength: 1, maxLength: 1 }), (any, at, letter) => {
      parseAccount(any, btc)
      // With its checksum no slip of one character passes.
      const whole = openAccount(good.slice(0, -1), { chain: 'btc', network: 'main' }).descriptor
      const slipped = `${whole.slice(0, at)}${letter}${whole.slice(at + 1)}`
      if (slipped !== whole) assert.ok(!parseAccount(slipped, btc).ok, slipped)
    }),
    { numRuns: sized({ short: 100, full: 3_000 }) },
  )
  for (const flood of [
    '('.repeat(60_000),
    `wpkh(${'/'.repeat(60_000)}`,
    '['.repeat(60_000),
    '{'.repeat(60_000),
    `${'1 '.repeat(30_000)}`,
    `${'a,'.repeat(30_000)}`,
    `#${'x'.repeat(60_000)}`,
  ])
    assert.ok(!parseAccount(flood, btc).ok)
  assert.ok(performance.now() - started < 60_000)
})
