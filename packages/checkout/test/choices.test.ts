// Promises: coins come before networks, a search finds either by the beginning of any word, and a choice is remembered
// only where it can still be made.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { searchChoices } from '@florin/checkout-core'
import fc from 'fast-check'
import { choices } from '../../checkout-core/test/parts.ts'
import { choiceKey, coinsOf, rememberChoice, rememberedChoice } from '../src/choices.ts'

const names = (query: string): string[] => searchChoices(choices, query).map(choiceKey)

test('every choice stands under exactly one coin, the usual coins first', () => {
  const coins = coinsOf(choices)
  assert.deepEqual(
    coins.slice(0, 5).map(({ asset }) => asset),
    ['USDC', 'USDT', 'BTC', 'ETH', 'SOL'],
  )
  assert.equal(new Set(coins.map(({ asset }) => asset)).size, coins.length)
  assert.deepEqual(new Set(coins.flatMap((coin) => coin.choices)), new Set(choices))
})

test('a search looks at coin, network and short name, in any order', () => {
  assert.deepEqual(names('usdc base'), ['base USDC'])
  assert.deepEqual(names('BASE usd'), ['base USDC', 'base USDT'])
  assert.deepEqual(names('bit'), ['btc BTC', 'bch BCH'])
  assert.deepEqual(names('bsc bnb'), ['bsc BNB', 'bsc USDC', 'bsc USDT'])
  assert.deepEqual(names('nothing'), [])
  assert.deepEqual(names('contract-of-usdt tron'), ['tron USDT'], 'a contract is known by its beginning')
  assert.equal(names('  ').length, choices.length)
})

test('whole names come before beginnings', () => {
  assert.equal(names('eth')[0], 'eth ETH')
  assert.equal(names('sol')[0], 'sol SOL')
})

test('no search text breaks the search, and what it finds was offered', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (query) => {
      for (const found of searchChoices(choices, query)) assert.ok(choices.includes(found))
    }),
  )
})

test('a choice is remembered until it cannot be made', () => {
  const kept = new Map<string, string>()
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  }
  const [first] = choices
  assert.ok(first)
  assert.equal(
    rememberedChoice(choices, () => storage),
    null,
  )
  rememberChoice(first, () => storage)
  assert.equal(
    rememberedChoice(choices, () => storage),
    first,
  )
  assert.equal(
    rememberedChoice(choices.slice(1), () => storage),
    null,
  )
})

test('a browser that forbids storage forgets and nothing else', () => {
  const [first] = choices
  assert.ok(first)
  const forbidden = (): never => {
    throw new Error('denied')
  }
  rememberChoice(first, forbidden)
  assert.equal(rememberedChoice(choices, forbidden), null)
})
