// HTTP routes of the switches of contract.md 3: on which chains a merchant takes money that a third party hands on.
import { chains } from '@florin/chains'
import { Type } from 'typebox'
import { defineRoute } from '../define-route.ts'
import type { Deps } from '../deps.ts'
import { parseChain } from '../parse-chain.ts'
import { Envelope, envelope } from '../platform/http/envelope.ts'
import { LivemodeQuery } from '../platform/http/livemode.ts'
import { Page } from '../platform/http/page.ts'
import type { App } from '../platform/http/server.ts'
import { defaultSwitch, listSwitches, saveSwitch, type ThirdPartySwitch } from './third-party.store.ts'

const closed = { additionalProperties: false }
const security = [{ consoleToken: [] }]
const tags = ['console: receiving addresses']
const path = '/api/v1/boss/third-party'
const Livemode = Type.Boolean({ description: 'true: for live orders; false: for test orders' })

const SwitchView = Type.Object(
  {
    chain: Type.String(),
    livemode: Type.Boolean(),
    on: Type.Boolean({ description: 'Orders that settle on this chain may be carried by a rail of a third party' }),
    takes_unproven: Type.Boolean({
      description: 'A payout counts on the provider’s word alone where nobody else can be asked',
    }),
    updated_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
  },
  closed,
)

const viewOf = (row: ThirdPartySwitch, livemode: boolean) => ({
  ...{ chain: row.chain, livemode, on: row.isOn, takes_unproven: row.takesUnproven },
  updated_at: row.updatedAt?.toISOString() ?? null,
})

export function thirdPartyRoutes(app: App, deps: Deps): void {
  defineRoute(app, {
    method: 'GET',
    summary: 'Where rails of a third party may carry orders',
    description:
      'Every chain that such a rail pays out on here. Off in live mode until the merchant switches it on in the console, on in test mode until it is switched off. A change of `on` counts for orders that are made after it, one of `takes_unproven` for pay addresses that are opened after it.',
    response: Page(SwitchView),
    v1: { url: '/v1/third-party', tags: ['chains'], scope: 'orders:read' },
    console: { url: path, tags, livemode: false, query: LivemodeQuery },
    async answer({ merchantId, livemode }) {
      return { data: await switchesOf(deps, merchantId, livemode === true), has_more: false, next_cursor: null }
    },
  })

  app.put(
    path,
    {
      // Whose hands the money passes through is as much as where it goes.
      config: { act: 'fresh' },
      schema: {
        tags,
        summary: 'Let rails of a third party carry orders that settle on a chain, or not',
        security,
        body: Type.Object(
          {
            chain: Type.String({ maxLength: 200, description: 'Id, alias or CAIP-2 id of a chain' }),
            ...{ livemode: Livemode, on: Type.Boolean(), takes_unproven: Type.Optional(Type.Boolean()) },
          },
          closed,
        ),
        response: { 200: Envelope(SwitchView) },
      },
    },
    async ({ merchant, body }) => {
      const { id: chain } = parseChain(body.chain, 'chain')
      const { livemode, on: isOn } = body
      const known = (await listSwitches(deps.sql, { merchantId: merchant.id, livemode })).find(
        (row) => row.chain === chain,
      )
      const before = known ?? defaultSwitch(chain, livemode)
      const row = await saveSwitch(deps.sql, {
        ...{ merchantId: merchant.id, livemode, chain, isOn },
        ...{ takesUnproven: body.takes_unproven ?? before.takesUnproven, now: deps.clock.now() },
      })
      return envelope(viewOf(row, livemode))
    },
  )
}

/** Chains that are switched, and those that a rail here reaches. */
async function switchesOf(deps: Deps, merchantId: string, livemode: boolean) {
  const stored = new Map((await listSwitches(deps.sql, { merchantId, livemode })).map((row) => [row.chain, row]))
  const reached = new Set(
    deps.rails.all
      .filter((rail) => rail.capabilities.custody === 'third-party')
      .flatMap((rail) => (rail.assets?.(livemode) ?? []).filter((asset) => asset.pays).map((asset) => asset.chain)),
  )
  return chains
    .filter(({ id }) => stored.has(id) || reached.has(id))
    .map(({ id }) => viewOf(stored.get(id) ?? defaultSwitch(id, livemode), livemode))
}
