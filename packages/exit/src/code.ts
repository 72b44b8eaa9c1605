// Holds the code on a chain against the forwarder that this program was built with. The constructor's values stand inside
// the code (immutables), so those places are checked by themselves and blanked before the hash is compared.

import { depositVaultRuntime, payFactoryRuntime } from '@florin/contracts/runtime'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesOf, type Exit, type Hex, hexOf } from './proof.ts'

interface Runtime {
  hash: Hex
  immutables: Record<string, readonly number[]>
}

/** The pinned hashes, for people and for the page. */
export const pinned = { factory: payFactoryRuntime.hash, vault: depositVaultRuntime.hash }

/** @returns what is wrong with the code at the factory's and the vault code's address; null: it is the pinned code. */
export function faultOfCode(exit: Exit, code: { factory: Hex; impl: Hex }): string | null {
  if (code.factory === '0x') return 'The factory is not on this chain.'
  if (!isPinned(payFactoryRuntime, code.factory, { IMPL: exit.impl })) {
    return 'The code of the factory is not the forwarder that this program knows. Send nothing to it.'
  }
  if (!isPinned(depositVaultRuntime, code.impl, { FACTORY: exit.factory })) {
    return 'The vault code is not the one that this program knows. Send nothing to it.'
  }
  return null
}

function isPinned(runtime: Runtime, code: Hex, values: Record<string, Hex>): boolean {
  const bytes = bytesOf(code)
  for (const [name, places] of Object.entries(runtime.immutables)) {
    for (const place of places) {
      const word = bytes.subarray(place, place + 32)
      if (hexOf(word) !== `0x${'0'.repeat(24)}${(values[name] ?? '0x').slice(2)}`) return false
      word.fill(0)
    }
  }
  return hexOf(keccak_256(bytes)) === runtime.hash
}
