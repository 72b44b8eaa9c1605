// Derives where a wallet's own change goes, so that coins of change are known as the merchant's.
import { changeOf, deriveAddresses, openAccount } from '@florin/accounts'
import type { Sql } from '@florin/platform/db/pool'
import { listThinChange, saveChange } from './wallets.store.ts'

/** So far beyond the counter of receiving addresses: a wallet has less change than payments. */
const CHANGE_AHEAD = 500n
/** A millisecond of one core each. */
const AT_ONCE = 100

/** One piece. @returns 0: it goes on by its pace, so that no process is kept busy. */
export async function keepWallets(sql: Sql): Promise<number> {
  for (const { id, from, changeFrom, ...row } of await listThinChange(sql, { ahead: CHANGE_AHEAD, limit: 1 })) {
    const change = changeOf(openAccount(changeFrom, row))
    const derived = change === null ? [] : deriveAddresses(change, Number(from), AT_ONCE)
    await saveChange(sql, { id, from, scripts: derived.map((one) => one.scriptPubKey) })
  }
  return 0
}
