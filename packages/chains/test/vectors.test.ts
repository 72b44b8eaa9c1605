// Every published vector is judged as its standard says, and nothing an answer says is untrue.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { chains, checkAddress, findChain, InvalidAddress, parseAddress } from '../src/index.ts'

interface Row {
  readonly chain: string
  readonly address: string
  readonly valid: boolean
  readonly note: string
}

function read(name: string): readonly Row[] {
  return JSON.parse(readFileSync(new URL(`../vectors/${name}`, import.meta.url), 'utf8'))
}

const collected = read('addresses.json')
const standards = read('standards.json')
const rows = [...collected, ...standards]

for (const [name, list, least] of [
  ['addresses.json', collected, 439],
  ['standards.json', standards, 326],
] as const)
  test(`all ${list.length} rows of ${name} are judged as written`, () => {
    assert.ok(list.length >= least)
    const wrong = list.filter((row) => checkAddress(row.chain, row.address).valid !== row.valid)
    assert.deepEqual(wrong, [])
  })

test('a valid answer names one spelling, which is valid and its own canonical form', () => {
  for (const row of rows.filter((each) => each.valid)) {
    const first = checkAddress(row.chain, row.address)
    assert.ok(first.valid)
    const second = checkAddress(row.chain, first.canonical)
    assert.ok(second.valid, `${row.chain}: the canonical form is refused`)
    assert.equal(second.canonical, first.canonical)
    assert.equal(parseAddress(row.chain, row.address), first.canonical)
  }
})

test('spellings of one address meet in one canonical form', () => {
  const same: readonly (readonly [string, ...string[]])[] = [
    [
      'eth',
      '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
      '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed',
      '0x5AAEB6053F3E94C9B9A09F33669435E7EF1BEAED',
    ],
    ['btc', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', 'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4'],
    [
      'bch',
      'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a',
      'qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a',
      '1BpEi6DfDAUFd7GtittLSdBeYJvcoaVggu',
    ],
    [
      'ton',
      'UQAs9VlT6S776tq3unJcP5Ogsj-ELLunLXuOb1EKcOQi41-E',
      'EQAs9VlT6S776tq3unJcP5Ogsj+ELLunLXuOb1EKcOQi4wJB',
      '0:2cf55953e92efbeadab7ba725c3f93a0b23f842cbba72d7b8e6f510a70e422e3',
    ],
    [
      'starknet',
      '0x02fd23d9182193775423497fc0c472e156c57c69e4089a1967fb288a2d84e914',
      '0x2Fd23d9182193775423497fc0c472E156C57C69E4089A1967fb288A2d84e914',
    ],
    ['ronin', '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359', 'ronin:fB6916095ca1df60bB79Ce92cE3Ea74c37c5d359'],
    [
      'nano',
      'nano_3t6k35gi95xu6tergt6p69ck76ogmitsa8mnijtpxm9fkcm736xtoncuohr3',
      'xrb_3t6k35gi95xu6tergt6p69ck76ogmitsa8mnijtpxm9fkcm736xtoncuohr3',
    ],
    ['hedera', '0.0.123', '0.0.123-vfmkw'],
  ]
  for (const [chain, canonical, ...others] of same)
    for (const text of [canonical, ...others]) assert.equal(parseAddress(chain, text), canonical ?? '')
})

test('looksLike names exactly the chains that take the very same text, grammars without a checksum aside', (context) => {
  let claims = 0
  for (const row of rows) {
    const verdict = checkAddress(row.chain, row.address)
    if (verdict.valid) continue
    for (const id of verdict.looksLike) {
      claims++
      assert.ok(checkAddress(id, row.address).valid, `${id} was claimed for a text it refuses`)
    }
  }
  context.diagnostic(`${claims} claims checked`)
  assert.ok(claims > 200)
  for (const row of rows.filter((each) => each.valid && !['near', 'eos', 'starknet', 'icp'].includes(each.chain)))
    for (const other of ['eth', 'sol', 'btc', 'xrp', 'monero']) {
      const verdict = checkAddress(other, row.address)
      if (!verdict.valid) assert.ok(verdict.looksLike.includes(row.chain), `${row.chain} not recognised on ${other}`)
    }
})

test('a message is one sentence, names the chain, and never repeats the text', () => {
  for (const row of rows) {
    const verdict = checkAddress(row.chain, row.address)
    if (verdict.valid) continue
    assert.match(verdict.message, /^[A-Z][^\n]*\.$/)
    assert.ok(verdict.message.includes(findChain(row.chain)?.name ?? '?'))
    if (row.address.length > 8) assert.ok(!verdict.message.includes(row.address))
    assert.throws(() => parseAddress(row.chain, row.address), InvalidAddress)
  }
})

test('every chain has a vector it accepts and one it refuses', () => {
  const accepted = new Set(rows.filter((row) => row.valid).map((row) => findChain(row.chain)?.family))
  for (const chain of chains) assert.ok(accepted.has(chain.family), `${chain.family} has no valid vector`)
  const address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
  for (const chain of chains.filter((each) => each.family.startsWith('evm')))
    assert.deepEqual([checkAddress(chain, address).valid, checkAddress(chain, `${address}0`).valid], [true, false])
})

test('the reasons that callers may rely on', () => {
  const cases: readonly (readonly [string, unknown, string])[] = [
    ['eth', '', 'address_required'],
    ['eth', undefined, 'address_required'],
    ['eth', 42, 'address_required'],
    ['eth', { toString: () => '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' }, 'address_required'],
    ['eth', ' 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', 'bad_charset'],
    ['eth', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAe', 'bad_length'],
    ['eth', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD', 'bad_checksum'],
    ['eth', '0x0000000000000000000000000000000000000000', 'not_payable'],
    ['eth', '0x000000000000000000000000000000000000dEaD', 'not_payable'],
    ['eth', 'vitalik.eth', 'name_not_address'],
    ['eth', 'ethereum:0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', 'unsupported_form'],
    ['eth', 'eip155:1:0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', 'unsupported_form'],
    ['btc', 'tb1qcrh3yqn4nlleplcez2yndq2ry8h9ncg3qh7n54', 'wrong_network'],
    ['cardano', 'stake1uyehkck0lajq8gr28t9uxnuvgcqrc6070x3k9r8048z8y5gh6ffgw', 'wrong_kind'],
    ['btc', 'x'.repeat(513), 'bad_length'],
    ['stellar', 'alice*example.com', 'name_not_address'],
    ['cardano', '$handle', 'name_not_address'],
  ]
  for (const [chain, text, reason] of cases) {
    const verdict = checkAddress(chain, text)
    assert.equal(verdict.valid ? 'valid' : verdict.reason, reason, `${chain} ${String(text)}`)
  }
})

test('warnings say what no check can find out', () => {
  const cases: readonly (readonly [string, string, readonly string[]])[] = [
    ['eth', '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed', ['no_checksum']],
    ['eth', '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', ['token_contract']],
    ['ton', 'EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs', ['token_contract']],
    ['sol', '2DRxyJDsDccGL6mb8PLMsKQTCU3C7xUq8aprz53VcW4k', ['no_checksum', 'off_curve']],
    ['ltc', '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy', ['also_bitcoin']],
    ['xrp', 'XVLhHMPHU98es4dbozjVtdWzVrDjtV18pX8yuPT7y4xaEHi', ['carries_memo']],
    ['starknet', '0x2fd23d9182193775423497fc0c472e156c57c69e4089a1967fb288a2d84e914', ['no_checksum']],
    ['starknet', '0x02Fd23d9182193775423497fc0c472E156C57C69E4089A1967fb288A2d84e914', []],
    ['starknet', '0x02fD23d9182193775423497fc0c472E156C57C69E4089A1967fb288A2d84e914', ['case_checksum']],
    ['btc', 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0', []],
  ]
  for (const [chain, text, codes] of cases) {
    const verdict = checkAddress(chain, text)
    assert.deepEqual([verdict.valid, verdict.warnings.map((each) => each.code)], [true, codes], text)
  }
})
