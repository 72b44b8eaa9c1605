// SQL of whose an account is: which accounts and single addresses may be of one wallet, and the change of an owner.
import { type Account, changeOf, walletMarks } from '@florin/accounts'
import { holdLock } from '@florin/platform/db/locks/advisory-locks'
import type { Db, Tx } from '@florin/platform/db/tx'
import type { ToldBy } from './rules.ts'
import { type AccountRow, accountColumns } from './store.ts'

/** Until the commit no other transaction sets an account or an address of this chain. */
export const lockOwners = (tx: Tx, chain: string): Promise<unknown> => holdLock(tx, 'account owners', chain)

export interface OwnedAccount extends AccountRow {
  turn: number
}

/** Accounts that may be of the same wallet: `overlapOf` decides. Those whose keys are shown first; anybody can name a parent. */
export function listRelated(db: Db, a: { id: string; account: Account; notOf: string }): Promise<OwnedAccount[]> {
  const { chain, network } = a.account
  const marks = walletMarks(a.account)
  const shown = marks.filter((mark) => !mark.startsWith('of '))
  return db<OwnedAccount[]>`
    select ${accountColumns(db)}, r.turn from receiving_accounts r
    where (r.id = ${a.id} or r.wallet_marks && ${marks}::text[]) and r.chain = ${chain} and r.network = ${network}
      and r.merchant_id <> ${a.notOf}
    order by r.id = ${a.id} desc, r.wallet_marks && ${shown}::text[] desc, r.created_at, r.id limit 100`
}

export interface OwnedAddress {
  merchantId: string
  address: string
}

/** Single addresses at which other merchants receive, or are to. */
export function listSingle(db: Db, a: { chain: string; notOf: string }): Promise<OwnedAddress[]> {
  return db<OwnedAddress[]>`
    select merchant_id as "merchantId", address from receiving_addresses
    where chain = ${a.chain} and merchant_id <> ${a.notOf} and address not like 'acct\\_%'
    union
    select merchant_id, address from waiting_addresses
    where chain = ${a.chain} and merchant_id <> ${a.notOf} and address not like 'acct\\_%' limit 100000`
}

/** Whether an account of another merchant has this script, of its change as well. */
export async function isInAccount(db: Db, a: { chain: string; script: string; notOf: string }): Promise<boolean> {
  const rows = await db`
    select 1 from (
      select account_id from account_addresses where script = ${a.script}
      union all select account_id from account_change where script = ${a.script}) d
    join receiving_accounts r on r.id = d.account_id
    where r.chain = ${a.chain} and r.merchant_id <> ${a.notOf} limit 1`
  return rows.length > 0
}

/** Accounts of other merchants whose first addresses are not derived yet. */
export function listUnderived(db: Db, a: { chain: string; notOf: string }): Promise<AccountRow[]> {
  return db<AccountRow[]>`
    select ${accountColumns(db)} from receiving_accounts r
    where r.chain = ${a.chain} and r.derived_to = 0 and r.merchant_id <> ${a.notOf} order by r.created_at limit 20`
}

export async function findOwned(tx: Tx, id: string): Promise<OwnedAccount | null> {
  const [row] = await tx<OwnedAccount[]>`
    select ${accountColumns(tx)}, r.turn from receiving_accounts r where r.id = ${id} for no key update`
  return row ?? null
}

/** The account is another merchant's from now on, as if it were set for the first time. What orders were given stays given. */
export async function giveAccount(tx: Tx, a: { id: string; merchantId: string }): Promise<void> {
  await tx`
    update receiving_accounts set merchant_id = ${a.merchantId}, turn = turn + 1, wallet_limit = 20, depths = null, said_below = null,
      start_index = 0, next_index = found_below, seen_below = found_below,
      told_by = array(select word from unnest(told_by) word where word in ('unspent', 'blocks') order by word)
    where id = ${a.id}`
}

/** What a text shows of an account: from the one who proved to have its keys, so nothing of the other text is kept. */
export async function saveText(
  tx: Tx,
  a: { id: string; account: Account; from: bigint; toldBy: readonly ToldBy[] },
): Promise<void> {
  const { descriptor, fingerprint } = a.account
  await tx`
    update receiving_accounts set descriptor = ${descriptor}, fingerprint = ${fingerprint}, wallet_marks = ${walletMarks(a.account)},
      change_from = ${changeOf(a.account) === null ? null : descriptor}, start_index = ${a.from},
      next_index = greatest(${a.from}::bigint, found_below), seen_below = greatest(${a.from}::bigint, found_below),
      told_by = array(select distinct word from unnest(told_by || ${a.toldBy as ToldBy[]}::text[]) word order by word)
    where id = ${a.id}`
}

/** These are given to no order: a swap of somebody else may pay them. */
export async function passOver(
  tx: Tx,
  a: { id: string; indexes: readonly number[]; scripts: readonly string[] },
  now: Date,
): Promise<void> {
  await tx`
    insert into account_addresses (account_id, index, script, seen_at)
    select ${a.id}, index, script, ${now} from unnest(${a.indexes as number[]}::bigint[], ${a.scripts as string[]}::text[]) as t (index, script)
    on conflict on constraint one_address_per_index do update set seen_at = coalesce(account_addresses.seen_at, excluded.seen_at)`
}

export async function findMerchant(db: Db, email: string): Promise<string | null> {
  const [row] = await db<
    { id: string }[]
  >`select id from merchant_accounts where lower(email) = lower(${email}) limit 1`
  return row?.id ?? null
}

export async function listEmails(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await db<{ id: string; email: string }[]>`
    select id, email from merchant_accounts where id = any(${ids as string[]}::text[]) limit 1000`
  return new Map(rows.map((row) => [row.id, row.email]))
}
