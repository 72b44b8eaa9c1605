// Well-formed addresses of each chain, as the double gives out for deposits: one for each number.
import { createHash } from 'node:crypto'
import { findChain } from '@florin/chains'
import { base58 } from '@scure/base'
import { checksummed } from '../../../chains/test/generate.ts'

/** The forms that a deposit comes at; the others of a chain are for recipients. */
const forms: Readonly<Record<string, string>> = {
  btc: 'p2wpkh',
  ton: 'non-bounceable',
  xrp: 'classic',
  stellar: 'account',
  cardano: 'enterprise',
  zec: 't1',
}
/** Points of a curve: taken from a list. */
const aleo = [
  'aleo184vuwr5u7u0ha5f5k44067dd2uaqewxx6pe5ltha5pv99wvhfqxqv339h4',
  'aleo1rhgdu77hgyqd3xjj8ucu3jj9r2krwz6mnzyd80gncr5fxcwlh5rsvzp9px',
]

function bytesOf(chain: string, n: number, length: number): Buffer {
  const parts = [0, 1, 2].map((part) => createHash('sha256').update(`${chain} ${n} ${part}`).digest())
  return Buffer.concat(parts).subarray(0, length)
}

export function depositAddress(chain: string, n: number): string {
  if (chain === 'hypercore' || findChain(chain)?.family === 'evm') return `0x${bytesOf(chain, n, 20).toString('hex')}`
  switch (chain) {
    case 'sol':
      return base58.encode(bytesOf(chain, n, 32))
    case 'near':
      return bytesOf(chain, n, 32).toString('hex')
    case 'sui':
    case 'aptos':
      return `0x${bytesOf(chain, n, 32).toString('hex')}`
    case 'starknet':
      return `0x00${bytesOf(chain, n, 31).toString('hex')}`
    case 'aleo':
      return aleo[n % aleo.length] ?? ''
  }
  const wanted = forms[chain]
  const own = checksummed.filter((one) => one.chain === chain)
  const format = own.find((one) => one.name === wanted) ?? own[0]
  if (format === undefined) throw new Error(`the double gives out no addresses on ${chain}`)
  return format.make(bytesOf(chain, n, format.bytes))
}
