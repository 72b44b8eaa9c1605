// HTTP routes of the switches of contract.md 3: on which chains a merchant takes money that a third party hands on.
import { chains } from '@florin/chains'
import type { Clock } from '@florin/platform/clock'
import type { Sql } from '@florin/platform/db/pool'
import { Envelope, envelope } from '@florin/platform/http/envelope'
import { LivemodeQuery } from '@florin/platform/http/livemode'
import { Page } from '@florin/platform/http/page'
import type { App } from '@florin/platform/http/server'
import type { Secrets } from '@florin/platform/secrets'
import type { Rails } from '@florin/rail-kit/registry'
import { Type } from 'typebox'
import { defineRoute } from '../define-route.ts'
import { parseChain } from '../parse-chain.ts'
import type { Config } from '../settings.ts'
import type { Wakes } from '../wakes.ts'
import { setThirdParty } from './third-party.change.ts'
import { allowedAt, type ThirdPartySwitch } from './third-party.rules.ts'
import { defaultSwitch, listSwitches } from './third-party.store.ts'

const closed = { additionalProperties: false }
const security = [{ consoleToken: [] }]
const tags = ['console: receiving addresses']
const path = '/api/v1/boss/third-party'
const Livemode = Type.Boolean({ description: 'true: for live orders; false: for test orders' })

const On = Type.Boolean({ description: 'Orders that settle on this chain may be carried by a rail of a third party' })
const TakesUnproven = Type.Boolean({
  description: 'A payout counts on the provider’s word alone where no other source can be asked',
})

const SwitchView = Type.Object(
  {
    chain: Type.String(),
    livemode: Type.Boolean(),
    on: On,
    takes_unproven: TakesUnproven,
    waiting: Type.Union(
      [
        Type.Object(
          {
            on: On,
            takes_unproven: TakesUnproven,
            effective_at: Type.String({ format: 'date-time', description: 'When it counts' }),
          },
          { ...closed, title: 'ThirdPartyWaiting' },
        ),
        Type.Null(),
      ],
      { description: 'A change that counts from `effective_at` on; null: none waits' },
    ),
    updated_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
  },
  closed,
)

function viewOf(row: ThirdPartySwitch, livemode: boolean, now: Date) {
  const counts = allowedAt(row, now)
  const { wished, until } = row
  const waiting =
    until === null || until.effectiveAt <= now
      ? null
      : { on: wished.isOn, takes_unproven: wished.takesUnproven, effective_at: until.effectiveAt.toISOString() }
  return {
    ...{ chain: row.chain, livemode, on: counts.isOn, takes_unproven: counts.takesUnproven, waiting },
    updated_at: row.updatedAt?.toISOString() ?? null,
  }
}

type ThirdPartyDeps = { sql: Sql; clock: Clock; config: Config; secrets: Secrets; wake: Wakes; rails: Rails }

export function thirdPartyRoutes(app: App, deps: ThirdPartyDeps): void {
  defineRoute(app, {
    method: 'GET',
    summary: 'Where rails of a third party may carry orders',
    description:
      'Every chain that such a rail pays out on here. Off in live mode until the merchant switches it on in the console, on in test mode until it is switched off. A change of `on` counts for orders that are made after it, one of `takes_unproven` for pay addresses that are opened after it. A change that waits is in `waiting`.',
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
        description:
          'The account is mailed a link that takes it back. Once a live order was paid, allowing more for live orders counts after 24 hours (`waiting`), unless the browser is known. Allowing less counts at once.',
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
      const chain = parseChain(body.chain, 'chain')
      const { livemode, on: isOn, takes_unproven: takesUnproven } = body
      const row = await setThirdParty(deps, merchant, { chain, livemode, isOn, takesUnproven })
      return envelope(viewOf(row, livemode, deps.clock.now()))
    },
  )
}

/** Chains that are switched, and those that a rail here reaches. */
async function switchesOf(deps: ThirdPartyDeps, merchantId: string, livemode: boolean) {
  const now = deps.clock.now()
  const stored = new Map((await listSwitches(deps.sql, { merchantId, livemode })).map((row) => [row.chain, row]))
  const reached = new Set(
    deps.rails.all
      .filter((rail) => rail.capabilities.custody === 'third-party')
      .flatMap((rail) =>
        (deps.rails.servicesOf(rail.capabilities.kind).assets?.(livemode) ?? [])
          .filter((asset) => asset.pays)
          .map((asset) => asset.chain),
      ),
  )
  return chains
    .filter(({ id }) => stored.has(id) || reached.has(id))
    .map(({ id }) => viewOf(stored.get(id) ?? defaultSwitch(id, livemode), livemode, now))
}
