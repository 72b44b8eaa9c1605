// What the console knows of chains: the server's catalogue, read once, and the links made of it.
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { open } from './api.ts'
import { keys } from './query-keys.ts'
import { railName } from './rail-words.ts'

export interface ChainAsset {
  asset: string
  contract: string | null
  decimals: number
}

export interface Chain {
  id: string
  name: string
  aliases: string[]
  family: string
  caip2: string | null
  /** The native coin first. */
  assets: ChainAsset[]
  explorer: { tx: string | null; address: string | null }
  memo: { name: string; in_address: string | null } | null
  rails: ChainRail[]
  /** How real money can settle there: as it is, only through another service that holds it for a while, or not at all. */
  settles: 'direct' | 'third-party' | 'none'
}

/** What carries money to or from a chain here, in one mode. */
export interface ChainRail {
  rail: string
  livemode: boolean
  /** `none`, or `third-party` where another service holds the money on its way. */
  custody: string
  pay: string[]
  settle: string[]
}

/** Real money can settle there: decided by the rails that run here, nothing else. */
export const carriesLive = (chain: Pick<Chain, 'settles'> | undefined): boolean =>
  chain !== undefined && chain.settles !== 'none'

/** What a merchant can get on a chain in one mode, and by what: one line each. */
export function receives(chain: Pick<Chain, 'rails'> | undefined, livemode: boolean): { rail: string; text: string }[] {
  return (chain?.rails ?? [])
    .filter((rail) => rail.livemode === livemode && rail.settle.length > 0)
    .map(({ rail, settle, custody }) => ({
      rail,
      text: `${settle.join(', ')} · ${custody === 'none' ? 'straight to you' : `through ${railName(rail)}, which holds the money for some minutes`}`,
    }))
}

export interface Chains {
  list: readonly Chain[]
  get: (id: string) => Chain | undefined
  name: (id: string) => string
  decimals: (chain: string, asset: string) => number | null
  txUrl: (chain: string, tx: string) => string | null
  addressUrl: (chain: string, address: string) => string | null
}

export function makeChains(list: readonly Chain[]): Chains {
  const byId = new Map(list.map((chain) => [chain.id, chain]))
  const link = (template: string | null | undefined, field: string, value: string) =>
    template?.replace(field, () => encodeURIComponent(value).replaceAll('%3A', ':')) ?? null
  return {
    list,
    get: (id) => byId.get(id),
    name: (id) => byId.get(id)?.name ?? id,
    decimals: (chain, asset) => byId.get(chain)?.assets.find((each) => each.asset === asset)?.decimals ?? null,
    txUrl: (chain, tx) => link(byId.get(chain)?.explorer.tx, '{tx}', tx),
    addressUrl: (chain, address) => link(byId.get(chain)?.explorer.address, '{address}', address),
  }
}

const none = makeChains([])

/** Until the catalogue is read, chains go by their ids and have no links. */
export function useChains(): Chains {
  const { data } = useQuery({
    queryKey: keys.chains(),
    queryFn: ({ signal }) => open.get<{ data: Chain[] }>('/chains', signal),
    staleTime: 10 * 60_000,
  })
  return useMemo(() => (data === undefined ? none : makeChains(data.data)), [data])
}
