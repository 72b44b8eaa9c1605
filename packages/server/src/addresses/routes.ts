// HTTP routes of receiving addresses (contract.md 3).
import { type AddressVerdict, type Chain, checkPayee } from '@florin/chains'
import { assert } from '@florin/platform/assert'
import type { Clock } from '@florin/platform/clock'
import type { Sql } from '@florin/platform/db/pool'
import { AppError } from '@florin/platform/errors'
import { Envelope, envelope } from '@florin/platform/http/envelope'
import { Page, PageQuery, pageOf, readIdCursor, readLimit } from '@florin/platform/http/page'
import type { App } from '@florin/platform/http/server'
import type { Secrets } from '@florin/platform/secrets'
import type { Log } from '@florin/platform/worker/job'
import { ADDRESS_LABEL_MAX } from '@florin/protocol'
import { isAccountRef } from '@florin/rail-kit/account-ref'
import type { Rails } from '@florin/rail-kit/registry'
import { Type } from 'typebox'
import { parseChain } from '../parse-chain.ts'
import type { Config } from '../settings.ts'
import type { Wakes } from '../wakes.ts'
import { accountSettingRoutes } from './account-settings.routes.ts'
import { type AccountHistory, type AccountNetworks, isAccountText, judgeAccount } from './accounts/rules.ts'
import { listAccounts } from './accounts/store.ts'
import { accountFields, accountText } from './accounts/view.ts'
import { carriage, FRESH_MS, keptFor, type RailsOf } from './catalogue.ts'
import { cancelChange, removeAddress, setAddress } from './change.ts'
import { ChainName, path, security, shownWith, tags } from './route-parts.ts'
import { parseLabel, parsePlace } from './rules.ts'
import { findChainAddress, listChainAddresses, listHistory } from './store.ts'
import {
  AddressView,
  HistoryView,
  VerdictView,
  viewAccountVerdict,
  viewAddress,
  viewHistory,
  viewVerdict,
} from './view.ts'

const closed = { additionalProperties: false }
const AddressText = Type.String({
  description:
    'Judged by the rules of the chain; white space is not trimmed. On btc and ltc also an account of a wallet: extended public key, descriptor or a wallet’s export',
})

const NOBODYS =
  'This is the contract of a token or of a service, where coins are lost. Give an address of your own wallet.'

async function isNobodys(rails: Rails, chain: Chain, place: string): Promise<boolean> {
  const known = await rails.readAddress({ chain: chain.id, livemode: true, text: place })
  return known.some(({ isNobodysWallet }) => isNobodysWallet)
}

/** What is set is judged so as well. */
async function unlessNobodys({ rails }: AddressDeps, chain: Chain, verdict: AddressVerdict): Promise<AddressVerdict> {
  if (!verdict.valid || !(await isNobodys(rails, chain, verdict.canonical))) return verdict
  return { valid: false, reason: 'not_payable', message: NOBODYS, looksLike: [], warnings: verdict.warnings }
}

type AddressDeps = {
  sql: Sql
  clock: Clock
  config: Config
  secrets: Secrets
  wake: Wakes
  rails: Rails
  accountNetworks: AccountNetworks
  log: Log
  accountHistory: AccountHistory
}

export function addressRoutes(app: App, deps: AddressDeps, railsOf: RailsOf): void {
  const rails = keptFor(FRESH_MS, deps.clock, railsOf)
  app.put(
    path,
    {
      config: { act: 'judged' },
      schema: {
        tags,
        summary: 'Set the receiving address of a chain',
        description:
          'Orders that exist keep the address they were made with. Once a live order was paid, a new value counts for live orders after 24 hours (`effective_at`), unless the sign-in is fresh and the browser known. Setting what is in effect cancels what waits.',
        security,
        body: Type.Object(
          {
            chain: ChainName,
            address: AddressText,
            ...accountFields,
            signature: Type.Optional(
              Type.Union([Type.String({ maxLength: 200 }), Type.Null()], {
                description:
                  'Of an account that is in use elsewhere: the text of the refusal, signed with a key of the account (BIP-137)',
              }),
            ),
            label: Type.Optional(
              Type.Union([Type.String(), Type.Null()], {
                description: `One line of up to ${ADDRESS_LABEL_MAX} characters; left out, the address has none`,
              }),
            ),
          },
          closed,
        ),
        response: { 200: Envelope(AddressView) },
      },
    },
    async ({ merchant, body }) => {
      const chain = parseChain(body.chain, 'chain')
      const label = parseLabel(chain, body.label ?? null)
      const { place, warnings, given } =
        (await ownAccount(deps, merchant, chain, body.address)) ??
        parsePlace(chain, accountText(body), deps.accountNetworks)
      if (await isNobodys(deps.rails, chain, place)) {
        throw new AppError('invalid_address', {
          param: 'address',
          message: NOBODYS,
        })
      }
      const row = await setAddress(deps, merchant, {
        chain,
        address: place,
        label,
        ...(given === null ? {} : { given, signature: body.signature ?? null }),
      })
      const view = viewAddress(row, { ...(await shownWith(deps, merchant, [row])), warnings })
      assert(view !== null, 'an address that was set is there')
      return envelope(view)
    },
  )

  app.get(
    path,
    {
      schema: {
        tags,
        summary: 'All receiving addresses',
        security,
        response: { 200: Envelope(Page(AddressView)) },
      },
    },
    async ({ merchant }) => {
      const rows = await listChainAddresses(deps.sql, merchant.id)
      const shown = await shownWith(deps, merchant, rows)
      // At most one per chain, so one page holds them all.
      const data = rows.map((row) => viewAddress(row, shown)).filter((view) => view !== null)
      return envelope({ data, has_more: false, next_cursor: null })
    },
  )

  app.get(
    `${path}/history`,
    {
      schema: {
        tags,
        summary: 'Every receiving address there ever was, newest first',
        security,
        querystring: Type.Object({ ...PageQuery, chain: Type.Optional(ChainName) }, closed),
        response: { 200: Envelope(Page(HistoryView)) },
      },
    },
    async ({ merchant, query }) => {
      const limit = readLimit(query)
      const before = readIdCursor(query.cursor, 'adr')
      const chain = query.chain === undefined ? null : parseChain(query.chain, 'chain').id
      const rows = await listHistory(deps.sql, { merchantId: merchant.id, chain, before, limit: limit + 1 })
      const accounts = await listAccounts(
        deps.sql,
        rows.flatMap(({ address }) => address ?? []),
      )
      return envelope(
        pageOf(
          rows,
          limit,
          (row) => viewHistory(row, accounts),
          (row) => [row.id],
        ),
      )
    },
  )

  app.post(
    `${path}/validate`,
    {
      config: { act: 'harmless' },
      schema: {
        tags,
        summary: 'Judge an address or an account without storing it',
        security,
        body: Type.Object({ chain: ChainName, address: AddressText, ...accountFields }, closed),
        response: { 200: Envelope(VerdictView) },
      },
    },
    async ({ body }) => {
      const chain = parseChain(body.chain, 'chain')
      const text = accountText(body)
      const verdict = isAccountText(chain, text)
        ? viewAccountVerdict(chain, judgeAccount(chain, text, deps.accountNetworks))
        : viewVerdict(chain, await unlessNobodys(deps, chain, checkPayee(chain, body.address)))
      const carried = deps.rails.hasLiveRail ? carriage(chain, rails()(chain)) : []
      return envelope({ ...verdict, warnings: [...verdict.warnings, ...carried] })
    },
  )

  accountSettingRoutes(app, deps)

  app.delete(
    `${path}/:chain`,
    {
      config: { act: 'judged' },
      schema: {
        tags,
        summary: 'Remove the receiving address of a chain',
        description: 'It waits as a new value does: until `effective_at` live orders settle where they did.',
        security,
        params: Type.Object({ chain: ChainName }, closed),
        response: {
          200: Envelope(
            Type.Object({ chain: Type.String(), effective_at: Type.Union([Type.String(), Type.Null()]) }, closed),
          ),
        },
      },
    },
    async ({ merchant, params }) => {
      const chain = parseChain(params.chain, 'chain')
      const { waiting } = await removeAddress(deps, merchant, chain)
      return envelope({ chain: chain.id, effective_at: waiting?.effectiveAt.toISOString() ?? null })
    },
  )

  app.delete(
    `${path}/:chain/waiting`,
    {
      config: { act: 'harmless' },
      schema: {
        tags,
        summary: 'Cancel the change of an address that waits',
        security,
        params: Type.Object({ chain: ChainName }, closed),
        response: { 200: Envelope(Type.Object({ chain: Type.String() }, closed)) },
      },
    },
    async ({ merchant, params }) => {
      const chain = parseChain(params.chain, 'chain')
      await cancelChange(deps, merchant, chain)
      return envelope({ chain: chain.id })
    },
  )
}

/** An account that is in effect or waits may be named by its reference: sent again, it needs no key. null: it is none of these. */
async function ownAccount(deps: { sql: Sql }, merchant: { id: string }, chain: Chain, text: string) {
  if (!isAccountRef(text)) return null
  const row = await findChainAddress(deps.sql, merchant.id, chain.id)
  const isOwn = row.address === text || row.waiting?.address === text
  return isOwn ? { place: text, warnings: [], given: null } : null
}
