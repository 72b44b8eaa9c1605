// Where money goes back to: the script of an address in either network's form, and the link that pays it.
import { payUri } from '@florin/chains'
import { networkOf } from '../chain/networks.ts'
import { addressOf, scriptOf } from '../chain/script.ts'
import { coinOf } from '../settings/coin.ts'
import type { UtxoChain } from '../settings/config.ts'

/** Addresses are those of the main network also in test mode: the script is the same. */
export function findScript(a: { chain: string; livemode: boolean; to: string }): string | null {
  for (const name of ['main', 'regtest'] as const) {
    const network = networkOf(a.chain, name)
    const script = network === null || (a.livemode && name !== 'main') ? null : scriptOf(network, a.to)
    if (script !== null) return script
  }
  return null
}

/** The address as it stands in requests: the main network's form. */
export function payeeOf(chain: string, script: string): string {
  const network = networkOf(chain, 'main')
  return (network === null ? null : addressOf(network, script)) ?? script
}

/** As requests and as the chain's own wallets write it, which differ in test mode. */
export const spellingsOf = (chain: Pick<UtxoChain, 'id' | 'network'>, script: string): string[] => [
  ...new Set([payeeOf(chain.id, script), addressOf(chain.network, script) ?? script]),
]

export function scriptOfRefund(a: { chain: string; livemode: boolean; to: string }): string {
  const script = findScript(a)
  if (script === null) throw new Error(`a refund on ${a.chain} names an address that is none there`)
  return script
}

/** As the wallets of the network write it that carries the order: what people copy has to be payable there. */
export function shownAddress(a: { chain: string; livemode: boolean; script: string }): string | null {
  const network = networkOf(a.chain, a.livemode ? 'main' : 'regtest')
  return network === null ? null : addressOf(network, a.script)
}

export function uriOfRefund(a: { chain: string; livemode: boolean; script: string; amount: bigint }): string | null {
  const address = shownAddress(a)
  const asset = coinOf(a.chain)
  return address === null ? null : payUri({ chain: a.chain, asset, address, amount: a.amount })
}
