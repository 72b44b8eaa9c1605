// HTTP routes of what is said of an account of a wallet beside its key (contract.md 3).
import { assert } from '@florin/platform/assert'
import type { Clock } from '@florin/platform/clock'
import type { Sql } from '@florin/platform/db/pool'
import { Envelope, envelope } from '@florin/platform/http/envelope'
import type { App } from '@florin/platform/http/server'
import type { Secrets } from '@florin/platform/secrets'
import { Type } from 'typebox'
import { parseChain } from '../parse-chain.ts'
import type { Config } from '../settings.ts'
import type { Wakes } from '../wakes.ts'
import { setDepths, setUse, setWalletLimit } from './account-settings.ts'
import { WALLET_LIMIT } from './accounts/rules.ts'
import { Confirmations, readDepths, readUsed, UsedInput } from './accounts/view.ts'
import { ChainName, path, security, shownWith, tags } from './route-parts.ts'
import { AddressView, viewAddress } from './view.ts'

const closed = { additionalProperties: false }

export function accountSettingRoutes(
  app: App,
  deps: { sql: Sql; clock: Clock; config: Config; secrets: Secrets; wake: Wakes },
): void {
  app.put(
    `${path}/:chain/wallet-limit`,
    {
      config: { act: 'fresh' },
      schema: {
        tags,
        summary: 'Say how many unused addresses in a row the wallet of an account looks at',
        description:
          'Raise it in the wallet first: beyond the wallet’s own limit it does not see payments until it is raised there. Five fewer addresses wait for a payment at once.',
        security,
        params: Type.Object({ chain: ChainName }, closed),
        body: Type.Object(
          { wallet_limit: Type.Integer({ minimum: WALLET_LIMIT.least, maximum: WALLET_LIMIT.most }) },
          closed,
        ),
        response: { 200: Envelope(AddressView) },
      },
    },
    async ({ merchant, params, body }) => {
      const chain = parseChain(params.chain, 'chain')
      return shown(deps, merchant, await setWalletLimit(deps, merchant, chain, body.wallet_limit))
    },
  )

  app.put(
    `${path}/:chain/confirmations`,
    {
      config: { act: 'fresh' },
      schema: {
        tags,
        summary: 'Say how deep payments to an account have to be, by amount',
        description:
          'For orders whose payer chooses the coin from now on. Never fewer blocks than the operator’s rails file says for the amount; null: as many as it says.',
        security,
        params: Type.Object({ chain: ChainName }, closed),
        body: Type.Object({ confirmations: Type.Union([Confirmations, Type.Null()]) }, closed),
        response: { 200: Envelope(AddressView) },
      },
    },
    async ({ merchant, params, body }) => {
      const chain = parseChain(params.chain, 'chain')
      return shown(deps, merchant, await setDepths(deps, merchant, chain, readDepths(body.confirmations)))
    },
  )

  app.put(
    `${path}/:chain/used`,
    {
      config: { act: 'fresh' },
      schema: {
        tags,
        summary: 'Say which addresses of an account were used before',
        description:
          'The next order gets the address behind. Of payments that were spent long ago a node may know nothing (`use.known`). Said again, the last word counts: single addresses that were paid or given to an order are passed over, and `warnings` says so (`indexes_passed_over`, `nothing_changed`). Each change is mailed with a link that takes it back.',
        security,
        params: Type.Object({ chain: ChainName }, closed),
        body: UsedInput,
        response: { 200: Envelope(AddressView) },
      },
    },
    async ({ merchant, params, body }) => {
      const chain = parseChain(params.chain, 'chain')
      return shown(deps, merchant, await setUse(deps, merchant, chain, readUsed(body)))
    },
  )
}

async function shown(
  deps: { sql: Sql; clock: Clock },
  merchant: { id: string },
  { row, notes }: Awaited<ReturnType<typeof setUse>>,
) {
  const view = viewAddress(row, { ...(await shownWith(deps, merchant, [row])), warnings: notes })
  assert(view !== null, 'an account of which something was said is there')
  return envelope(view)
}
