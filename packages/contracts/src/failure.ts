// What a revert of the forwarder means: the answer of a simulated settlement or the `reason` of a SettleFailed event.
import { type Abi, decodeErrorResult, type Hex } from 'viem'
import { depositVaultAbi } from '../abi/deposit-vault.ts'
import { payFactoryAbi } from '../abi/pay-factory.ts'

/** `error` is the Solidity name; `words` is the text a token gave, where it gave one. */
export interface Failure {
  error: string
  args: readonly unknown[]
  words: string | null
}

const ERRORS: Abi = [...payFactoryAbi, ...depositVaultAbi].filter((entry) => entry.type === 'error')

/**
 * Decodes revert data. Total: empty data is "OutOfGas" (nothing here reverts without saying why), unknown data "Unknown".
 *
 * @example decodeFailure(log.args.reason) // { error: 'TokenTransferFailed', args: […], words: 'Blacklistable: …' }
 */
export function decodeFailure(data: Hex): Failure {
  if (data === '0x') return { error: 'OutOfGas', args: [], words: null }
  const outer = decode(data)
  if (!outer) return { error: 'Unknown', args: [data], words: null }
  if (outer.error === 'Error') return { ...outer, words: String(outer.args[0]) }
  if (outer.error !== 'TokenTransferFailed') return { ...outer, words: null }
  const inner = decode(String(outer.args[3]))
  return { ...outer, words: inner?.error === 'Error' ? String(inner.args[0]) : null }
}

function decode(data: string): { error: string; args: readonly unknown[] } | null {
  try {
    const { errorName, args } = decodeErrorResult({ abi: ERRORS, data: `0x${data.slice(2)}` })
    return { error: errorName, args: args ?? [] }
  } catch {
    return null
  }
}
