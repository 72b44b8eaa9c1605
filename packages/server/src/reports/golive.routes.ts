// HTTP route of the checklist that is worked off before real money comes (`florin golive`).
import { type Chain, findChain } from '@florin/chains'
import { warning } from '@florin/platform/check'
import type { Clock } from '@florin/platform/clock'
import type { Sql } from '@florin/platform/db/pool'
import { AppError } from '@florin/platform/errors'
import { CheckView, viewChecks } from '@florin/platform/http/check'
import { Envelope, envelope } from '@florin/platform/http/envelope'
import type { App } from '@florin/platform/http/server'
import type { Rails } from '@florin/rail-kit/registry'
import { Type } from 'typebox'
import type { Config } from '../settings.ts'
import { examineInstall } from './golive.ts'

const closed = { additionalProperties: false }
const howOf = ({ id, name, family }: Chain): string => {
  const add = `add chains.${id} to the rails file that RAILS_CONFIG names (docs/going-live.md).`
  if (family === 'evm') return `Deploy the contracts, and ${add}`
  if (family === 'utxo' && (id === 'btc' || id === 'ltc')) {
    return `Run a node of your own or name two block hosts, and ${add} It needs no contracts.`
  }
  return `No rail of this version carries real money on ${name}: take a chain that one carries.`
}

export function goLiveRoutes(app: App, deps: { sql: Sql; clock: Clock; config: Config; rails: Rails }): void {
  app.get(
    '/api/v1/boss/golive/:chain',
    {
      config: { operator: true },
      schema: {
        tags: ['console: operator'],
        summary: 'What is open before a chain takes real money',
        description: 'Looked up on the chain and in this installation; names no secret. `guardian`: an address.',
        security: [{ consoleToken: [] }],
        params: Type.Object({ chain: Type.String() }, closed),
        querystring: Type.Object({ guardian: Type.Optional(Type.String({ pattern: '^0x[0-9a-fA-F]{40}$' })) }, closed),
        response: {
          200: Envelope(
            Type.Object({ chain: Type.String(), base_url: Type.String(), checks: Type.Array(CheckView) }, closed),
          ),
        },
      },
    },
    async ({ params, query }) => {
      const chain = findChain(params.chain)
      if (chain === null) throw new AppError('unknown_chain', { param: 'chain' })
      const asked = { chain: chain.id, guardian: query.guardian ?? null, answersRequests: true }
      const examined = await Promise.all(
        deps.rails.all.map(async (rail) => ({
          isOwn: rail.capabilities.custody === 'none',
          checks: await rail.checks(asked),
        })),
      )
      const own = examined.find(({ isOwn, checks }) => isOwn && checks.length > 0)?.checks ?? [
        warning('rail', `Nothing carries real money on ${chain.name}.`, howOf(chain)),
      ]
      // A third party lets payers pay from other chains: it carries none by itself.
      const others = examined.flatMap((one) => (one.isOwn ? [] : one.checks))
      const { baseUrl } = deps.config
      return envelope({
        chain: chain.id,
        base_url: baseUrl,
        checks: viewChecks([...own, ...others, ...(await examineInstall(deps))]),
      })
    },
  )
}
