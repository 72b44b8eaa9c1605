// Promises: all six languages say everything, with the same fields; none is forgotten, none is left over.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { dictionaries } from '../../server/src/checkout/language.ts'
import { en } from '../src/words/en.ts'
import {
  chooseLanguage,
  fill,
  isLanguage,
  type Key,
  type Language,
  languages,
  localeOf,
  phrase,
  sayIn,
} from '../src/words/index.ts'

const codes = Object.keys(languages).filter(isLanguage)
const keys = Object.keys(en) as Key[]
/** Each field once: a sentence may name the same company as often as its grammar needs. */
const fieldsOf = (text: string): string[] =>
  [...new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, field = '']) => field))].sort()

for (const code of codes) {
  test(`${code} says everything, with the fields of the English`, async () => {
    const words = dictionaries[code]
    assert.deepEqual(Object.keys(words).sort(), [...keys].sort())
    for (const key of keys) {
      assert.deepEqual(fieldsOf(words[key]), fieldsOf(en[key]), key)
      assert.equal(words[key], words[key].trim(), key)
      assert.notEqual(words[key], '', key)
    }
  })
}

test('a translation is not the English left standing', async () => {
  const same = new Set(['memo', 'via', 'rate_line', 'receipt_when', 'receipt_transaction', 'simulate_reorg'])
  for (const code of codes.filter((one) => one !== 'en')) {
    const words = dictionaries[code]
    const left = keys.filter((key) => words[key] === en[key] && !same.has(key))
    assert.deepEqual(left, [], code)
  }
})

test('every sentence is used, so none is translated in vain', () => {
  const source = ['checkout/src', 'checkout-core/src', 'server/src/checkout']
    .map((folder) => join(import.meta.dirname, '../..', folder))
    .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)))
    .filter((path) => /\.tsx?$/.test(path) && !/[\\/]words[\\/]|\.test\.ts$/.test(path))
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n')
  const made = /^(simulate|step)_/
  assert.deepEqual(
    keys.filter((key) => !made.test(key) && !source.includes(`'${key}'`)),
    [],
  )
})

test('fields are filled in, also with text that looks like a field', () => {
  assert.equal(fill(en, phrase('coin_on_chain', { asset: '{chain}', chain: '$&' })), '{chain} on $&')
  assert.equal(sayIn(en)('confirmations', { n: '1', of: '3' }), '1 of 3 confirmations')
  assert.equal(sayIn(en)(phrase('copy')), 'Copy')
})

test('the page speaks the first language it can', () => {
  const cases: [string[], Language][] = [
    [['nl', 'pt-PT', 'en'], 'pt'],
    [['zh-Hant-TW'], 'zh'],
    [['DE'], 'de'],
    [['xx'], 'en'],
    [['C.UTF-8', 'de_CH.UTF-8'], 'de'],
    [['en-US@posix', 'fr'], 'en'],
    [[], 'en'],
  ]
  for (const [wishes, language] of cases) assert.equal(chooseLanguage(wishes), language)
})

test('numbers follow the region that the browser names', () => {
  assert.equal(localeOf('de', ['en-GB', 'de-CH']), 'de-CH')
  assert.equal(localeOf('fr', ['en-GB']), 'fr')
})

test('locales of the operating system → locales that Intl accepts', () => {
  assert.equal(localeOf('en', ['C.UTF-8', 'en-US@posix']), 'en-US')
  assert.equal(localeOf('de', ['de_CH.UTF-8']), 'de-CH')
  for (const wish of ['', '@', 'en-', 'en--US', '\u0000', 'POSIX']) assert.equal(localeOf('en', [wish]), 'en')
})
