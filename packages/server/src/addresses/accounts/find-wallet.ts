// Who has a wallet on this server, for its operator: found by the id of an account, or by the text of one in any notation.
import { type Account, accountChains, type Network, openAccount, overlapOf, parseAccount } from '@florin/accounts'
import type { Sql } from '@florin/platform/db/pool'
import { accountRef, isAccountRef } from '@florin/rail-kit/account-ref'
import { listRelated } from './ownership.store.ts'
import { type AccountRow, listAccounts } from './store.ts'

const networks: readonly Network[] = ['main', 'test', 'regtest']

/** @returns accounts of the same wallet, or null where the text is none. A parent that is only named counts for nothing. */
export async function findWallet(sql: Sql, text: string): Promise<AccountRow[] | null> {
  if (isAccountRef(text)) return [...(await listAccounts(sql, [text])).values()]
  const meant = accountChains.flatMap((chain) =>
    networks.flatMap((network): readonly Account[] => {
      const verdict = parseAccount(text, { chain, network })
      return verdict.ok ? [verdict.account] : verdict.candidates
    }),
  )
  if (meant.length === 0) return null
  const found = new Map<string, AccountRow>()
  for (const account of meant)
    for (const row of await listRelated(sql, { id: accountRef(account.identity), account, notOf: '' })) {
      const overlap = overlapOf(account, openAccount(row.descriptor, row))
      if (overlap === 'covered' || overlap === 'above') found.set(row.id, row)
    }
  return [...found.values()]
}
