// Promises of the wording: each reason the rules can give has a sentence of its own, and a new one still has some.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { beginnings } from './account-words.ts'
import { familyName, inGroups, matchesChain, refusalText } from './words.ts'

const reasons = [
  ...['address_required', 'bad_charset', 'bad_length', 'bad_checksum', 'wrong_network'],
  ...['wrong_kind', 'secret_key', 'name_not_address', 'not_payable', 'unsupported_form'],
]

test('each reason has its own sentence', () => {
  const said = reasons.map((reason) => refusalText(reason, 'Bitcoin'))
  assert.equal(new Set([...said, refusalText(null, 'Bitcoin')]).size, reasons.length + 1)
  for (const sentence of said) assert.match(sentence, /^[A-Z].*[.?]$/)
  assert.equal(refusalText('new_reason', 'Bitcoin'), 'It is not a valid Bitcoin address.')
})

test('the beginnings of a wallet’s addresses are those of its network', () => {
  assert.equal(beginnings('ltc', []), 'ltc1q…, M…, L…, ltc1p…')
  assert.equal(beginnings('btc', ['bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu']), 'bc1q…, 3…, 1…, bc1p…')
  assert.equal(beginnings('ltc', ['mkp', 'rltc1qcr8te4kr609gcawutmrza0j4xv80jy8z3']), 'rltc1q…, rltc1p…')
  assert.equal(beginnings('doge', []), null)
})

test('families that people know by one name share it', () => {
  assert.equal(familyName('evm-ronin'), familyName('evm'))
  assert.equal(familyName('unheard-of'), 'Other')
})

test('groups put together are the address', () => {
  assert.deepEqual(
    inGroups('0x12345678').map((group) => group.text),
    ['0x12', '3456', '78'],
  )
})

test('a chain is found by id, name, alias and coin', () => {
  const chain = {
    id: 'bsc',
    name: 'BNB Smart Chain',
    aliases: ['binance'],
    assets: [{ asset: 'BNB' }, { asset: 'USDT' }],
  }
  for (const query of ['BSC', 'smart', 'binan', 'usdt', '  ']) assert.ok(matchesChain(chain, query), query)
  assert.ok(!matchesChain(chain, 'bitcoin'))
})
