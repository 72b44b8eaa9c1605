// The wire shape of an account of a wallet (contract.md 3.1). The key itself is not in it: an answer that leaks shows five
// addresses and not every payment there will ever be.
import { type Account, firstAddresses, openAccount, type ScriptType } from '@florin/accounts'
import { type Static, Type } from 'typebox'
import type { CountedAccount } from './counter.store.ts'
import {
  type AccountText,
  DEPTH_BLOCKS_MAX,
  DEPTHS_MAX,
  type Depth,
  hasRoom,
  isNearCap,
  isReady,
  isStrangersFull,
  type SaidUse,
  strangersCap,
  unpaidCap,
  unpaidRun,
  useKnown,
} from './rules.ts'

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

const UseView = Type.Object(
  {
    known: Type.Union(
      [
        Type.Literal('whole'),
        Type.Literal('said'),
        Type.Literal('reading'),
        Type.Literal('part'),
        Type.Literal('unknown'),
      ],
      {
        description:
          'Of the addresses that were used before. whole: every block was read; said: you said it; reading: blocks are being read; part: what could be asked told of some; unknown: nothing here can tell',
      },
    ),
    told_by: Type.Array(
      Type.Union([
        Type.Literal('wallet_address'),
        Type.Literal('export'),
        Type.Literal('unspent'),
        Type.Literal('blocks'),
        Type.Literal('merchant'),
      ]),
    ),
    read_down_to: Type.Union([Type.Integer(), Type.Null()], { description: 'The lowest block that was read' }),
    asks: Type.Boolean({ description: 'Say which address was used last: PUT …/used' }),
  },
  { ...closed, title: 'AccountUse' },
)

/** What a merchant says of the addresses that were used: one of these fields. */
export const UsedInput = Type.Object(
  {
    last_used_address: Type.Optional(
      Type.String({ maxLength: 200, description: 'The last that was given to a payer' }),
    ),
    next_address: Type.Optional(
      Type.String({ maxLength: 200, description: 'The next that the wallet would give out' }),
    ),
    next_index: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'Its number, from 0 on' })),
    never_used: Type.Optional(Type.Literal(true, { description: 'No address of the account was ever used' })),
  },
  { ...closed, minProperties: 1, maxProperties: 1 },
)

/** @throws AppError validation_failed unless one thing is said */
export function readUsed(body: Static<typeof UsedInput>): SaidUse {
  const { last_used_address: last, next_address: next, next_index: index } = body
  if (last !== undefined) return { param: 'last_used_address', address: last }
  if (next !== undefined) return { param: 'next_address', address: next }
  return index === undefined ? { param: 'never_used' } : { param: 'next_index', index }
}

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
    use: UseView,
    next_index: Type.Integer({ description: 'The next order’s address is the wallet’s number of this index' }),
    unpaid: Type.Integer({ description: 'How many in a row were given to orders and not paid' }),
    unpaid_max: Type.Integer({
      description: 'With so many the coin is not offered: the wallet would not see the next',
    }),
    by_payers: Type.Integer({
      description: 'Of those, how many payers started by themselves (payment links, invoices)',
    }),
    by_payers_max: Type.Integer({
      description: 'With so many the coin is offered to orders of your server alone',
    }),
    wallet_limit: Type.Integer({ description: 'How many unused addresses in a row the wallet looks at' }),
    confirmations: Type.Union([Confirmations, Type.Null()], { description: 'null: as the operator’s rails file says' }),
  },
  { ...closed, title: 'WalletAccount' },
)

export function viewCandidate(account: Account): Static<typeof CandidateView> {
  const { script, fingerprint, path } = account
  return { script_type: script, fingerprint, path, first_addresses: firstAddresses(account) }
}

export function viewAccount(row: CountedAccount | undefined): Static<typeof AccountView> | null {
  if (row === undefined) return null
  const account = openAccount(row.descriptor, row)
  const isNear = isNearCap(row) || isStrangersFull(row)
  const ready = !hasRoom(row) && !row.canReuse ? 'full' : isNear ? 'near_limit' : 'ready'
  const known = useKnown(row)
  return {
    ...viewCandidate(account),
    id: row.id,
    use: {
      known,
      told_by: [...row.toldBy],
      read_down_to: row.readDownTo === null ? null : Number(row.readDownTo),
      asks: known !== 'whole' && known !== 'said',
    },
    state: isReady(row) ? ready : 'examining',
    next_index: Number(row.nextIndex),
    unpaid: Number(unpaidRun(row)),
    unpaid_max: Number(unpaidCap(row)),
    by_payers: Number(row.byStrangers),
    by_payers_max: Number(strangersCap(row)),
    wallet_limit: row.walletLimit,
    confirmations: row.depths?.map(({ belowUsd, blocks }) => ({ below_usd: belowUsd, blocks })) ?? null,
  }
}
