// Verifies that a chain matches the rails file: its chain id, the contracts' exact code, the tokens' decimals. Until
// that has passed, no address of the chain is shown.
import { depositVaultRuntime, payFactoryRuntime } from '@florin/contracts'
import { OperatorError } from '@florin/platform/errors'
import { type Address, erc20Abi, type Hex, keccak256, padHex } from 'viem'
import { usesTag } from './finality.ts'
import type { ChainRpc } from './rpc.ts'

/** The chain answered, and it is not the one that was configured. */
export class ChainMismatch extends OperatorError {}

/** @throws ChainMismatch that names everything that differs; whatever the client throws when no node answers. */
export async function verifyChain({ chain, client, onOtherChains, namesWithoutTag }: ChainRpc): Promise<void> {
  const { factory, impl } = chain
  const faults: string[] = (await onOtherChains()).map(
    ({ name, chainId }) => `${name} is on chain ${chainId}, not on ${chain.chainId}`,
  )
  if (faults.length > 0) throw mismatch(chain.id, faults)
  const [factoryCode, implCode, ...decimals] = await Promise.all([
    client.getCode({ address: factory }),
    client.getCode({ address: impl }),
    ...chain.tokens.map((token) =>
      client.readContract({ address: token.contract, abi: erc20Abi, functionName: 'decimals' }).catch(noDecimals),
    ),
  ])
  // The factory's code contains the address of its vault code and vice versa, so the two prove each other.
  if (hashOf(factoryCode) !== codeHash(payFactoryRuntime, impl)) faults.push(`${factory} is not our factory`)
  if (hashOf(implCode) !== codeHash(depositVaultRuntime, factory)) faults.push(`${impl} is not our vault code`)
  chain.tokens.forEach((token, n) => {
    if (decimals[n] === token.decimals) return
    const found = decimals[n] === null ? 'there is no token' : `it has ${decimals[n]} decimals, not ${token.decimals}`
    faults.push(`${token.asset} at ${token.contract}: ${found}`)
  })
  if (usesTag(chain)) {
    for (const name of await namesWithoutTag('finalized')) {
      faults.push(`${name} does not know the block tag "finalized", which the chain's finality rule asks for`)
    }
  }
  if (faults.length > 0) throw mismatch(chain.id, faults)
}

const mismatch = (chain: string, faults: readonly string[]): ChainMismatch =>
  new ChainMismatch(`The chain ${chain} is not as configured: ${faults.join('; ')}.`)

/** Retries until the chain is verified, then runs `first` once; concurrent callers share one check. */
export function verifyOnce(rpc: ChainRpc, first: () => Promise<void>): () => Promise<void> {
  let looking: Promise<void> | null = null
  return () => {
    looking ??= verifyChain(rpc)
      .then(first)
      .catch((error: unknown) => {
        looking = null
        throw error
      })
    return looking
  }
}

/** A contract that returns nothing is no token; a node that does not answer is a different error. */
function noDecimals(error: unknown): null {
  if (error instanceof Error && /returned no data|revert/i.test(error.message)) return null
  throw error
}

const hashOf = (code: Hex | undefined): Hex | null => (code === undefined ? null : keccak256(code))

/** Both contracts have one immutable: the other's address. */
function codeHash(runtime: { code: Hex; immutables: Record<string, readonly number[]> }, other: Address): Hex {
  const word = padHex(other, { size: 32 }).slice(2)
  let code: string = runtime.code
  for (const place of Object.values(runtime.immutables).flat()) {
    const at = 2 + place * 2
    code = code.slice(0, at) + word + code.slice(at + word.length)
  }
  return keccak256(code as Hex)
}
