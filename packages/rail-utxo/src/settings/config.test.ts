// Settings of Bitcoin and Litecoin: what nothing would send is refused, and not repeated.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseUtxoChains } from './config.ts'

test('hosts of blocks: a user or a password in an address → refused without repeating it', () => {
  const parse = (hosts: string[]) => parseUtxoChains(JSON.stringify({ chains: { btc: { mode: 'live', hosts } } }), {})
  assert.throws(
    () => parse(['https://ann:hunter2@blocks.example/api']),
    (error) =>
      error instanceof Error &&
      /hosts: an address with a user or a password/.test(error.message) &&
      !/hunter2/.test(error.message),
  )
  assert.throws(
    () => parse(['https://blocks.example/api']),
    (error) => error instanceof Error && !/hosts: an address/.test(error.message),
  )
})
