// No input takes long: what each costs this thread is measured on every chain after warming up. One that seems to cost
// too much is measured again and the best counts, so that a busy machine does not decide the outcome. Inputs aim at the
// costly parts: base58, big bech32, curves, look-alike search.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { chains, checkAddress } from '../src/index.ts'
import { checksummed } from './generate.ts'

const limitMs = 5
const MOST_RUNS = 30

function inputs(): readonly string[] {
  const rows: readonly { address: string }[] = JSON.parse(
    readFileSync(new URL('../vectors/addresses.json', import.meta.url), 'utf8'),
  )
  const list = rows.filter((_, at) => at % 6 === 0).map((row) => row.address)
  for (const format of checksummed) {
    const address = format.make(Uint8Array.from({ length: format.bytes }, (_, at) => (at * 37 + 11) & 255))
    list.push(address, `${address}${address}`, address.slice(0, -1))
  }
  const alphabets = [
    '0123456789',
    '0123456789abcdef',
    '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz',
    'z',
    '1',
    'qpzry9x8gf2tvdw0s3jn54khce6mua7l',
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567',
    'a.',
    'a-',
    'ab ',
    'é',
  ]
  const heads = ['', '0x', 'bc1q', 'u1', 'addr1', 'kaspa:', 'nano_', 'f3', '[1,']
  for (const length of [44, 64, 90, 128, 130, 131, 400, 512, 513, 10_000])
    for (const alphabet of alphabets)
      for (const head of heads) {
        const letters = Array.from(
          { length: length - head.length },
          (_, at) => alphabet[(at * 7 + 3) % alphabet.length],
        )
        list.push(head + letters.join(''))
      }
  return list
}

/** Milliseconds of this thread, whatever else runs on its core. */
function costOf(work: () => unknown): number {
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1_000
}

test(`no input costs over ${limitMs} ms on any chain`, (context) => {
  const list = inputs()
  for (const text of list) for (const chain of chains.slice(30, 45)) checkAddress(chain, text)
  let worst = { ms: 0, chain: '', text: '' }
  let total = 0
  for (const chain of chains)
    for (const text of list) {
      let best = Number.POSITIVE_INFINITY
      for (let run = 0; run < MOST_RUNS && best >= limitMs; run++) {
        best = Math.min(
          best,
          costOf(() => checkAddress(chain, text)),
        )
      }
      total += best
      if (best > worst.ms) worst = { ms: best, chain: chain.id, text: text.slice(0, 24) }
    }
  const count = list.length * chains.length
  context.diagnostic(
    `${count} pairs of chain and input; worst ${worst.ms.toFixed(2)} ms (${worst.chain}, ${worst.text}…), mean ${((total / count) * 1000).toFixed(0)} µs`,
  )
  assert.ok(worst.ms < limitMs, `${worst.chain} cost ${worst.ms} ms for ${worst.text}`)
})
