// The limit of the merchant's wallet, as the merchant says it: how many unused addresses in a row it looks at.
import type { Chain } from '@florin/chains'
import { type AccountRef, isAccountRef } from '../account-ref.ts'
import type { Deps } from '../deps.ts'
import { recordAudit } from '../platform/db/audit.ts'
import { type Tx, withTx } from '../platform/db/tx.ts'
import { AppError } from '../platform/errors.ts'
import { lockAccount, saveWalletLimit } from './accounts/store.ts'
import { findChainAddress } from './store.ts'
import type { ChainAddressRow } from './waiting.ts'

/** @throws AppError address_not_found where the chain has no account; validation_failed where another set it first. */
export async function setWalletLimit(
  deps: Pick<Deps, 'sql' | 'clock'>,
  caller: { id: string; email: string },
  chain: Chain,
  walletLimit: number,
): Promise<ChainAddressRow> {
  const now = deps.clock.now()
  return withTx(deps.sql, async (tx) => {
    const row = await findChainAddress(tx, caller.id, chain.id)
    const id = [row.waiting?.address, row.address].find((place): place is AccountRef => isAccountRef(place ?? ''))
    if (id === undefined) throw new AppError('address_not_found', { param: 'chain' })
    await save(tx, { id, merchantId: caller.id, actor: caller.email, chain: chain.id, walletLimit }, now)
    return row
  })
}

async function save(
  tx: Tx,
  a: { id: AccountRef; merchantId: string; actor: string; chain: string; walletLimit: number },
  now: Date,
): Promise<void> {
  const account = await lockAccount(tx, a.id)
  // Whoever knows the key of another's wallet could else push its payments beyond what it sees.
  if (account === null || account.setBy !== a.merchantId) {
    const message = 'This account was set here before, and whoever set it first says its limit.'
    throw new AppError('validation_failed', { param: 'wallet_limit', message })
  }
  if (account.walletLimit === a.walletLimit) return
  await saveWalletLimit(tx, { id: a.id, walletLimit: a.walletLimit })
  const detail = { from: `${account.walletLimit}`, to: `${a.walletLimit}` }
  const { merchantId, actor, chain: subject } = a
  await recordAudit(tx, { merchantId, actor, action: 'receiving_account.limit', subject, detail }, now)
}
