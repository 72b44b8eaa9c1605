// Pay addresses for test orders: they look real enough to show and copy, and can never be paid on a main network.

import { sha256 } from '@noble/hashes/sha2.js'
import { hex } from '@scure/base'
import type { Chain } from './chain.ts'
import { getChain, rulesOf } from './registry.ts'

/**
 * A test pay address, the same for the same chain and seed: of the test network where the format carries the network
 * (`tb1q…`, `T…` on XRP, `0Q…` on TON), else `TEST_<chain>_<hex>`, which no chain accepts. `checkAddress` refuses it
 * on every chain.
 *
 * @param seed any bytes; an order's random reference is a good one
 */
export function sandboxAddress(chain: Chain | string, seed: Uint8Array): string {
  const asked = getChain(chain)
  const bytes = sha256(new Uint8Array([...new TextEncoder().encode(`florin sandbox ${asked.id} `), ...seed]))
  return rulesOf(asked).testAddress?.(bytes) ?? `TEST_${asked.id}_${hex.encode(bytes.subarray(0, 16))}`
}
