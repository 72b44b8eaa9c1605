// The few calls of the forwarder and of tokens as call data. Every argument here is one word, so encoding is laying words
// side by side; a test compares each with viem over the contracts' ABI. Pure.

import type { Route } from '@florin/contracts/route'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { type Hex, hexOf } from './proof.ts'

const ROUTE = '(uint256,bytes32,address,address,address,uint16,uint128,uint40,address)'

const signatures = {
  settleOpen: `settleOpen(${ROUTE})`,
  settleOpenNoFee: `settleOpenNoFee(${ROUTE},address)`,
  rescue: `rescue(${ROUTE},address)`,
  failedPushAt: `failedPushAt(${ROUTE},address,address)`,
  settle: `settle(${ROUTE},address,uint256,uint16)`,
  refundBound: `refundBound(${ROUTE},address,uint256)`,
  executeRefund: `executeRefund(${ROUTE},address,address,uint256)`,
  refundEta: 'refundEta(bytes32)',
  hasRole: 'hasRole(uint8,address)',
  balanceOf: 'balanceOf(address)',
  decimals: 'decimals()',
  symbol: 'symbol()',
} as const

export type Method = keyof typeof signatures

/** Call data. Numbers and addresses become a word each, a route its nine. */
export function encodeCall(method: Method, ...args: readonly (Route | Hex | bigint)[]): Hex {
  const selector = hexOf(keccak_256(new TextEncoder().encode(signatures[method])).subarray(0, 4))
  return `${selector}${args.map(wordsOf).join('')}`
}

function wordsOf(arg: Route | Hex | bigint): string {
  if (typeof arg === 'bigint') return arg.toString(16).padStart(64, '0')
  if (typeof arg === 'string') return arg.slice(2).toLowerCase().padStart(64, '0')
  const { chainId, ref, token, merchant, collector, feeBps, minAmount, openAfter, refundTo } = arg
  return [chainId, ref, token, merchant, collector, BigInt(feeBps), minAmount, BigInt(openAfter), refundTo]
    .map(wordsOf)
    .join('')
}
