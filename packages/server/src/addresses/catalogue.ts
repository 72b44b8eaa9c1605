// The catalogue (contract.md 3): every chain with its assets, which of the rails running here carry them, in which
// mode. For display; what an order accepts is decided by the rails when it is created.
import { type Chain, chains } from '@florin/chains'
import type { Clock } from '@florin/platform/clock'
import { Envelope, envelope } from '@florin/platform/http/envelope'
import { Page } from '@florin/platform/http/page'
import type { App } from '@florin/platform/http/server'
import { SECOND_MS } from '@florin/protocol'
import { type Static, Type } from 'typebox'

const closed = { additionalProperties: false }
const Text = Type.String()
const TextOrNull = Type.Union([Text, Type.Null()])
const Symbols = (description: string) => Type.Array(Text, { description })

const ChainRailView = Type.Object(
  {
    rail: Text,
    livemode: Type.Boolean(),
    custody: Type.String({ description: 'none, or third-party where another service holds the money on its way' }),
    pay: Symbols('What a payer can pay with on this chain'),
    settle: Symbols('What a merchant can get on this chain'),
  },
  closed,
)
export type ChainRail = Static<typeof ChainRailView>

const ChainView = Type.Object(
  {
    id: Text,
    name: Text,
    aliases: Type.Array(Text),
    family: Text,
    caip2: TextOrNull,
    assets: Type.Array(Type.Object({ asset: Text, contract: TextOrNull, decimals: Type.Integer() }, closed), {
      description: 'The native coin first',
    }),
    explorer: Type.Object(
      { tx: TextOrNull, address: TextOrNull },
      { ...closed, description: 'Templates that hold {tx} or {address}' },
    ),
    memo: Type.Union([Type.Object({ name: Text, in_address: TextOrNull }, closed), Type.Null()], {
      description: 'What exchanges ask for beside an address, and the address form that carries it',
    }),
    rails: Type.Array(ChainRailView),
    settles: Type.Enum(['direct', 'third-party', 'none'], {
      description:
        "How money can settle here, in the key's mode or, without a key, live. third-party: only through another service that holds it on its way. none: nothing here carries this chain",
    }),
  },
  { ...closed, title: 'Chain' },
)

/** The rails that run here for a chain. Passed in by app.ts, since features do not import each other. */
export type RailsOf = () => (chain: Chain) => readonly ChainRail[]

/** Routes are read at most this often, however often the catalogue is. */
export const FRESH_MS = 10 * SECOND_MS

export function catalogueRoutes(app: App, deps: { clock: Clock }, railsOf: RailsOf): void {
  const rails = keptFor(FRESH_MS, deps.clock, railsOf)
  const page = (livemode: boolean | null) => {
    const of = rails()
    const data = chains.map((chain) => {
      const all = of(chain)
      const shown = all.filter((rail) => livemode === null || rail.livemode === livemode)
      return viewChain(chain, shown, settlesOf(all, livemode ?? true))
    })
    return { data, has_more: false, next_cursor: null }
  }
  const tags = ['chains']
  app.get(
    '/api/v1/chains',
    { schema: { tags, summary: 'The catalogue', security: [], response: { 200: Envelope(Page(ChainView)) } } },
    async () => envelope(page(null)),
  )
  app.get(
    '/v1/chains',
    {
      config: { scope: null },
      schema: {
        tags,
        summary: "The catalogue in the key's mode",
        security: [{ apiKey: [] }, { apiKeyBearer: [] }],
        response: { 200: Page(ChainView) },
      },
    },
    async ({ apiKey }) => page(apiKey.livemode),
  )
}

/** By the rails of one mode. */
export function settlesOf(rails: readonly ChainRail[], livemode: boolean): 'direct' | 'third-party' | 'none' {
  const able = rails.filter((rail) => rail.livemode === livemode && rail.settle.length > 0)
  if (able.length === 0) return 'none'
  return able.some(({ custody }) => custody === 'none') ? 'direct' : 'third-party'
}

function viewChain(
  chain: Chain,
  rails: readonly ChainRail[],
  settles: ReturnType<typeof settlesOf>,
): Static<typeof ChainView> {
  return {
    id: chain.id,
    name: chain.name,
    aliases: [...chain.aliases],
    family: chain.family,
    caip2: chain.caip2,
    assets: chain.assets.map(({ asset, contract, decimals }) => ({ asset, contract, decimals })),
    explorer: chain.explorer,
    memo: chain.memo === null ? null : { name: chain.memo.name, in_address: chain.memo.inAddress },
    rails: [...rails],
    settles,
  }
}

// For display only: a replica may show routes some seconds late, and nothing depends on them.
export function keptFor<T>(ms: number, clock: Clock, make: () => T): () => T {
  let kept: { until: number; value: T } | null = null
  return () => {
    const now = clock.now().getTime()
    if (kept === null || now >= kept.until) kept = { until: now + ms, value: make() }
    return kept.value
  }
}

/** What a merchant should know before an address is saved: whether real money can come there at all, and through whom. */
export function carriage(chain: Chain, rails: readonly ChainRail[]): { code: string; message: string }[] {
  switch (settlesOf(rails, true)) {
    case 'direct':
      return []
    case 'third-party':
      return [
        {
          code: 'third_party_only',
          message: `Live orders settle on ${chain.name} only through NEAR Intents, which holds the money for some minutes, and only once you switch that on for this chain.`,
        },
      ]
    case 'none':
      return [
        {
          code: 'not_carried',
          message: `Nothing here settles live orders on ${chain.name}. The address can be saved, and is used once something does.`,
        },
      ]
  }
}
