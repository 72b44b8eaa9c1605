// What the merchant says about an account of a wallet: how many unused addresses in a row the wallet looks at, and how deep
// payments have to be. Who set the account first says it.
import type { Chain } from '@florin/chains'
import { type AccountRef, isAccountRef } from '../account-ref.ts'
import type { Deps } from '../deps.ts'
import { recordAudit } from '../platform/db/audit.ts'
import { type Tx, withTx } from '../platform/db/tx.ts'
import { AppError } from '../platform/errors.ts'
import { checkDepths, type Depth, type SaidUse, usedBelowOf } from './accounts/rules.ts'
import { type AccountRow, listAccounts, lockAccount, saveDepths, saveWalletLimit } from './accounts/store.ts'
import { saveSaid } from './accounts/use.store.ts'
import { findChainAddress } from './store.ts'
import type { ChainAddressRow } from './waiting.ts'

type Caller = { id: string; email: string }

/** What is written, and how the audit says it; null: it is as it was. */
type Change = { save(tx: Tx): Promise<unknown>; action: string; detail: Record<string, string> } | null

/** @throws AppError address_not_found where the chain has no account; validation_failed where another set it first. */
export function setWalletLimit(
  deps: Pick<Deps, 'sql' | 'clock'>,
  caller: Caller,
  chain: Chain,
  walletLimit: number,
): Promise<ChainAddressRow> {
  // Whoever knows the key of another's wallet could else push its payments beyond what it sees.
  const refusal = 'This account was set here before, and whoever set it first says its limit.'
  return changeAccount(deps, caller, chain, { param: 'wallet_limit', refusal }, ({ id, walletLimit: from }) =>
    from === walletLimit
      ? null
      : {
          save: (tx) => saveWalletLimit(tx, { id, walletLimit }),
          action: 'receiving_account.limit',
          detail: { from: `${from}`, to: `${walletLimit}` },
        },
  )
}

/** Counts for orders that choose the coin from now on. @param depths null: as the operator says. @throws AppError as above */
export function setDepths(
  deps: Pick<Deps, 'sql' | 'clock'>,
  caller: Caller,
  chain: Chain,
  depths: readonly Depth[] | null,
): Promise<ChainAddressRow> {
  if (depths !== null) checkDepths(depths)
  // Whoever knows the key of another's wallet could else make its payers wait.
  const refusal = 'This account was set here before, and whoever set it first says how deep payments have to be.'
  return changeAccount(deps, caller, chain, { param: 'confirmations', refusal }, ({ id, depths: from }) =>
    depthText(from) === depthText(depths)
      ? null
      : {
          save: (tx) => saveDepths(tx, { id, depths }),
          action: 'receiving_account.confirmations',
          detail: { from: depthText(from), to: depthText(depths) },
        },
  )
}

/** What the merchant says of the addresses that were used before: the counter starts behind them. */
export async function setUse(
  deps: Pick<Deps, 'sql' | 'clock'>,
  caller: Caller,
  chain: Chain,
  said: SaidUse,
): Promise<ChainAddressRow> {
  // Whoever knows the key of another's wallet could else push its payments beyond what it sees.
  const refusal = 'This account was set here before, and whoever set it first says which addresses were used.'
  const now = deps.clock.now()
  const id = accountOf(await findChainAddress(deps.sql, caller.id, chain.id))
  const known = (await listAccounts(deps.sql, [id])).get(id)
  if (known === undefined || known.setBy !== caller.id)
    throw new AppError('validation_failed', { param: said.param, message: refusal })
  // Searched for before anything is locked: it may take a second.
  const below = await usedBelowOf(known, said)
  return changeAccount(deps, caller, chain, { param: said.param, refusal }, (account) =>
    account.saidBelow === below || account.id !== id
      ? null
      : {
          save: (tx) => saveSaid(tx, { id, below }, now),
          action: 'receiving_account.used',
          detail: { from: account.saidBelow === null ? 'not said' : `${account.saidBelow}`, to: `${below}` },
        },
  )
}

/** @example '1 below $500, 3' */
const depthText = (depths: readonly Depth[] | null): string =>
  depths === null
    ? 'as the operator says'
    : depths
        .map(({ belowUsd, blocks }) => (belowUsd === null ? `${blocks}` : `${blocks} below $${belowUsd}`))
        .join(', ')

/** What was set last. @throws AppError address_not_found */
function accountOf(row: ChainAddressRow): AccountRef {
  const id = [row.waiting?.address, row.address].find((place): place is AccountRef => isAccountRef(place ?? ''))
  if (id === undefined) throw new AppError('address_not_found', { param: 'chain' })
  return id
}

async function changeAccount(
  deps: Pick<Deps, 'sql' | 'clock'>,
  caller: Caller,
  chain: Chain,
  a: { param: string; refusal: string },
  change: (account: AccountRow) => Change,
): Promise<ChainAddressRow> {
  const now = deps.clock.now()
  return withTx(deps.sql, async (tx) => {
    const row = await findChainAddress(tx, caller.id, chain.id)
    const id = accountOf(row)
    const account = await lockAccount(tx, id)
    if (account === null || account.setBy !== caller.id)
      throw new AppError('validation_failed', { param: a.param, message: a.refusal })
    const made = change(account)
    if (made === null) return row
    await made.save(tx)
    const { action, detail } = made
    await recordAudit(tx, { merchantId: caller.id, actor: caller.email, action, subject: chain.id, detail }, now)
    return row
  })
}
