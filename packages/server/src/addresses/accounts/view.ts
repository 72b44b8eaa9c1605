// The wire shape of an account of a wallet (contract.md 3.1). The key itself is not in it: an answer that leaks shows five
// addresses and not every payment there will ever be.
import { type Account, firstAddresses, openAccount, type ScriptType } from '@florin/accounts'
import { type Static, Type } from 'typebox'
import {
  type AccountText,
  DEPTH_BLOCKS_MAX,
  DEPTHS_MAX,
  type Depth,
  hasRoom,
  isNearCap,
  unpaidCap,
  unpaidRun,
} from './rules.ts'
import type { AccountRow } from './store.ts'

const closed = { additionalProperties: false }
const TextOrNull = Type.Union([Type.String(), Type.Null()])
const Script = Type.Union([Type.Literal('wpkh'), Type.Literal('sh-wpkh'), Type.Literal('pkh'), Type.Literal('tr')])
const ScriptInput = Type.Union([Script, Type.Null()], {
  description: 'The type of the wallet’s addresses, where the text does not say it',
})

/** What comes with the text of an account, where that leaves something open. */
export const accountFields = {
  script_type: Type.Optional(ScriptInput),
  wallet_address: Type.Optional(
    Type.Union([Type.String({ maxLength: 200 }), Type.Null()], {
      description:
        'Of an account: one receiving address that the wallet shows, where the text leaves type or chain open',
    }),
  ),
}
export const accountText = (body: {
  address: string
  script_type?: ScriptType | null
  wallet_address?: string | null
}): AccountText => ({
  text: body.address,
  script: body.script_type ?? null,
  walletAddress: body.wallet_address ?? null,
})

const candidate = {
  script_type: Script,
  fingerprint: { ...TextOrNull, description: 'Of the wallet’s top key; null: the text does not show it' },
  path: { ...TextOrNull, description: 'From the top key to the account’s, such as m/84h/0h/0h' },
  first_addresses: Type.Array(Type.String(), { description: 'The first five, to compare with the wallet' }),
}

/** What a text may mean, before anything is stored. */
export const CandidateView = Type.Object(candidate, closed)

/** How many blocks an order below an amount waits for, rising; the last has no bound. */
export const Confirmations = Type.Array(
  Type.Object(
    {
      below_usd: Type.Union([Type.Integer({ minimum: 1, maximum: 1_000_000 }), Type.Null()], {
        description: 'Whole dollars; null in the last alone',
      }),
      blocks: Type.Integer({ minimum: 1, maximum: DEPTH_BLOCKS_MAX }),
    },
    closed,
  ),
  { minItems: 1, maxItems: DEPTHS_MAX },
)

export const readDepths = (wish: Static<typeof Confirmations> | null): Depth[] | null =>
  wish?.map(({ below_usd: belowUsd, blocks }) => ({ belowUsd, blocks })) ?? null

export const AccountView = Type.Object(
  {
    ...candidate,
    id: Type.String(),
    state: Type.Union(
      [Type.Literal('examining'), Type.Literal('ready'), Type.Literal('near_limit'), Type.Literal('full')],
      {
        description:
          'examining: the chain is asked which addresses were used; near_limit: raise the limit in the wallet; full: the coin is not offered',
      },
    ),
    next_index: Type.Integer({ description: 'The next order’s address is the wallet’s number of this index' }),
    unpaid: Type.Integer({ description: 'How many in a row were given to orders and not paid' }),
    unpaid_max: Type.Integer({
      description: 'With so many the coin is not offered: the wallet would not see the next',
    }),
    wallet_limit: Type.Integer({ description: 'How many unused addresses in a row the wallet looks at' }),
    wallet_limit_is_yours: Type.Boolean({
      description: 'false: whoever set this account first says its limit and its confirmations',
    }),
    confirmations: Type.Union([Confirmations, Type.Null()], { description: 'null: as the operator’s rails file says' }),
  },
  closed,
)

export function viewCandidate(account: Account): Static<typeof CandidateView> {
  const { script, fingerprint, path } = account
  return { script_type: script, fingerprint, path, first_addresses: firstAddresses(account) }
}

export function viewAccount(row: AccountRow | undefined, merchantId: string): Static<typeof AccountView> | null {
  if (row === undefined) return null
  const account = openAccount(row.descriptor, row)
  const ready = !hasRoom(row) ? 'full' : isNearCap(row) ? 'near_limit' : 'ready'
  return {
    ...viewCandidate(account),
    id: row.id,
    state: row.examinedAt === null ? 'examining' : ready,
    next_index: Number(row.nextIndex),
    unpaid: Number(unpaidRun(row)),
    unpaid_max: Number(unpaidCap(row)),
    wallet_limit: row.walletLimit,
    wallet_limit_is_yours: row.setBy === merchantId,
    confirmations: row.depths?.map(({ belowUsd, blocks }) => ({ below_usd: belowUsd, blocks })) ?? null,
  }
}
