// Links to public block explorers. Null where none is known for the chain.

import type { Chain } from './chain.ts'
import { getChain } from './registry.ts'

function fill(template: string | null, field: string, value: string): string | null {
  // A colon is legal in a path and some addresses have one, so it stays readable.
  return template?.replace(field, () => encodeURIComponent(value).replaceAll('%3A', ':')) ?? null
}

/** @example explorerTxUrl('btc', txid) // 'https://mempool.space/tx/…' */
export function explorerTxUrl(chain: Chain | string, tx: string): string | null {
  return fill(getChain(chain).explorer.tx, '{tx}', tx)
}

export function explorerAddressUrl(chain: Chain | string, address: string): string | null {
  return fill(getChain(chain).explorer.address, '{address}', address)
}
