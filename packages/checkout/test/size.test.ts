// Promises: the payer's page is light. What counts is what a payer downloads: the page and one language. The contract's
// budget is 90 kB of JavaScript, gzipped; the page stays ten below it, so that the next feature fits too. What comes
// after the page, for wallets in the browser, has to fit into the rest.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { readBuiltEntry } from '../../platform/src/http/static.ts'
import { wordsSource } from '../../server/src/checkout/language.ts'
import { buildPage } from './playground/build.ts'

const BUDGET = 80_000
const ALL = 90_000
const STYLES = 8_000

const folder = await buildPage()

const names = (ending: string): string[] => readdirSync(join(folder, 'assets')).filter((name) => name.endsWith(ending))
const weigh = (name: string): number => gzipSync(readFileSync(join(folder, 'assets', name)), { level: 9 }).length
const sum = (sizes: readonly number[]): number => sizes.reduce((total, size) => total + size, 0)

test('one payer downloads the page and one language', () => {
  const isLater = (name: string): boolean => name.startsWith('Wallet')
  const [main = 0, ...languages] = names('.js')
    .filter((name) => !isLater(name))
    .map(weigh)
    .sort((a, b) => b - a)
  assert.ok(languages.length >= 6, 'each language is a file of its own')
  assert.ok(main + Math.max(...languages) <= BUDGET, `${main} and ${Math.max(...languages)} bytes`)
  assert.ok(main + Math.max(...languages) + sum(names('.js').filter(isLater).map(weigh)) <= ALL)
  assert.ok(sum(names('.css').map(weigh)) <= STYLES)
})

test('every file is compressed beside itself and nothing is fetched from elsewhere', () => {
  for (const name of [...names('.js'), ...names('.css')]) {
    const text = readFileSync(join(folder, 'assets', name))
    assert.deepEqual(gunzipSync(readFileSync(join(folder, 'assets', `${name}.gz`))), text)
    assert.ok(names('.br').includes(`${name}.br`), name)
    assert.ok(!/@import|url\(\s*["']?(?:https?:)?\/\//.test(text.toString()), name)
  }
})

test('the words of the page’s language are asked for at once, and no other', () => {
  const preload = readBuiltEntry(folder, 'src/main.tsx', '')?.preload(wordsSource('de')) ?? []
  const spoken = preload.filter((name) => /^assets\/(de|en|es|fr|pt|zh)-/.test(name))
  assert.deepEqual(
    spoken.map((name) => name.slice(0, 'assets/de-'.length)),
    ['assets/de-'],
  )
})
