// SQL of what one provider alone has said so far: what the others are to be asked about, and what came of it.
import type { Fragment } from '@florin/platform/db/sql'
import type { Db, Tx } from '@florin/platform/db/tx'
import { DAY_MS } from '@florin/protocol'
import type { Hex } from 'viem'
import type { ProviderState } from '../node/trust.ts'
import type { Changed, Deposit } from './watch.store.ts'

/** A payment, or a log of the factory, that waits for a second provider. */
export interface Claim {
  key: string
  saidBy: string
  txHash: string
  logIndex: number
  height: bigint
  blockHash: Hex
  vault: string | null
  /** Why it could not be decided when the others were asked last. */
  disputed: string | null
  /** When the others were to be asked again; null: they were not asked yet. */
  askAt: Date | null
  createdAt: Date
  /** It was refuted before, and is asked about again. */
  isRefuted: boolean
  /** null: it is about no address of this install. */
  orderRef: string | null
  of:
    | { kind: 'deposit'; token: string | null; amount: bigint; from: string | null; isLog: boolean }
    | { kind: 'factory'; event: string; args: Readonly<Record<string, string>> }
}

interface Place {
  chain: string
  height: bigint
  now: Date
  limit: number
}

/** Oldest first, so that nothing waits behind what keeps coming. */
export function listClaims(db: Db, a: Place): Promise<Claim[]> {
  return claimsWhere(
    db,
    a,
    db`state = 'seen' and not agreed and height <= ${a.height.toString()} and (ask_at is null or ask_at <= ${a.now})`,
  )
}

/** For a day, and as long as its block is known and on this branch. */
export function listRefuted(db: Db, a: Place): Promise<Claim[]> {
  return claimsWhere(
    db,
    a,
    db`state = 'orphaned' and not agreed and ask_at <= ${a.now} and created_at > ${new Date(a.now.getTime() - DAY_MS)}
      and exists (select 1 from chain_blocks b where b.chain = told.chain and b.height = told.height and b.hash = told.block_hash)`,
  )
}

async function claimsWhere(db: Db, a: Place, condition: Fragment): Promise<Claim[]> {
  const columns = () => db`
    key, said_by as "saidBy", tx_hash as "txHash", log_index as "logIndex", height, block_hash as "blockHash",
    disputed, ask_at as "askAt", created_at as "createdAt", state = 'orphaned' as "isRefuted", vault`
  const deposits = await db<
    (Omit<Claim, 'of'> & {
      token: string | null
      amount: string
      from: string | null
      foundBy: string
    })[]
  >`
    select ${columns()}, order_ref as "orderRef", token, amount::text, from_address as "from", found_by as "foundBy"
    from forwarder_observations told
    where chain = ${a.chain} and ${condition}
    order by height, key limit ${a.limit}`
  const logs = await db<(Omit<Claim, 'of'> & { event: string; args: Record<string, string> })[]>`
    select ${columns()}, event, args,
      (select v.order_ref from forwarder_vaults v where v.vault = told.vault limit 1) as "orderRef"
    from forwarder_factory_logs told
    where chain = ${a.chain} and ${condition}
    order by height, key limit ${a.limit}`
  return [
    ...deposits.map(({ token, amount, from, foundBy, ...claim }): Claim => {
      const isLog = token !== null && foundBy !== 'balance'
      return { ...claim, of: { kind: 'deposit', token, amount: BigInt(amount), from, isLog } }
    }),
    ...logs.map(({ event, args, ...claim }): Claim => ({ ...claim, of: { kind: 'factory', event, args } })),
  ]
}

/** Whether something that enough providers told has become deep enough since. */
export async function isAnythingRipe(db: Db, a: { chain: string; credit: bigint; final: bigint }): Promise<boolean> {
  const rows = await db`
    select 1 where exists (
      select from forwarder_observations
      where chain = ${a.chain} and state = 'seen' and agreed and height <= ${a.credit.toString()})
    or exists (
      select from forwarder_factory_logs
      where chain = ${a.chain} and state = 'seen' and agreed and height <= ${a.final.toString()})`
  return rows.length > 0
}

const tableOf = (db: Db, kind: Claim['of']['kind']) =>
  kind === 'deposit' ? db`forwarder_observations` : db`forwarder_factory_logs`

export function markAgreed(tx: Tx, kind: Claim['of']['kind'], keys: readonly string[]): Promise<unknown> {
  return tx`
    update ${tableOf(tx, kind)} set agreed = true, disputed = null, ask_at = null
    where key = any(${keys as string[]}) and state = 'seen'`
}

/** The others are asked again later. @param why null: they did not say. */
export function postponeClaim(tx: Tx, claim: Claim, a: { why: string | null; askAt: Date }): Promise<unknown> {
  return tx`
    update ${tableOf(tx, claim.of.kind)} set disputed = ${a.why}, ask_at = ${a.askAt}
    where key = ${claim.key} and state = 'seen'`
}

/**
 * It never was: two others have the block and not this in it.
 * @param askAt when the others are asked all the same; null: never, since the next look at the balance finds what is there
 * @returns payments that orders must be told of.
 */
export async function refuteClaim(tx: Tx, claim: Claim, askAt: Date | null): Promise<Changed[]> {
  const rows = await tx<{ key: string }[]>`
    update ${tableOf(tx, claim.of.kind)} set state = 'orphaned', disputed = null, ask_at = ${askAt}
    where key = ${claim.key} and state = ${claim.isRefuted ? 'orphaned' : 'seen'} returning key`
  const { orderRef } = claim
  if (claim.isRefuted || claim.of.kind === 'factory' || orderRef === null) return []
  return rows.map(({ key }) => ({ key, orderRef }))
}

/** It was refuted, and is there after all. @returns payments that orders must be told of again. */
export async function restoreClaim(tx: Tx, claim: Claim): Promise<Deposit[]> {
  if (claim.of.kind === 'factory') {
    await tx`
      update forwarder_factory_logs set state = 'seen', agreed = true, ask_at = null
      where key = ${claim.key} and state = 'orphaned'`
    return []
  }
  const rows = await tx<(Omit<Deposit, 'amount'> & { amount: string })[]>`
    update forwarder_observations set state = 'seen', agreed = true, ask_at = null
    where key = ${claim.key} and state = 'orphaned'
    returning key, leg_ref as "legRef", order_ref as "orderRef", vault, token, amount::text, tx_hash as "txHash",
      log_index as "logIndex", from_address as "from", height, block_hash as "blockHash", seen_at as "seenAt",
      found_by as "foundBy", said_by as "saidBy", agreed`
  // While the payment was not there its order could not take what had become of it.
  if (rows.length > 0) {
    await tx`
      update forwarder_factory_logs set relayed = null
      where vault = ${claim.vault} and event in ('Settled', 'Refunded') and state = 'final' and relayed = 'final'`
  }
  return rows.map((row) => ({ ...row, amount: BigInt(row.amount) }))
}

/** Whether a payment of an order, at or below a height, waits for a second provider. */
export async function hasClaims(db: Db, a: { chain: string; orderRef: string; height: bigint }): Promise<boolean> {
  const rows = await db`
    select 1 from forwarder_observations
    where order_ref = ${a.orderRef} and chain = ${a.chain} and state = 'seen' and not agreed
      and height <= ${a.height.toString()} limit 1`
  return rows.length > 0
}

export interface Disputed {
  chain: string
  count: bigint
  example: string
}

/** What waits because providers contradict each other. */
export function listDisputed(db: Db): Promise<Disputed[]> {
  return db<Disputed[]>`
    select chain, count(*), min(disputed) as example from (
      select chain, disputed from forwarder_observations where disputed is not null and state = 'seen'
      union all
      select chain, disputed from forwarder_factory_logs where disputed is not null and state = 'seen'
    ) waiting group by chain order by chain limit 100`
}

export async function saveProviders(db: Db, chain: string, states: readonly ProviderState[], now: Date): Promise<void> {
  for (const { name, verdict, reason, until } of states) {
    await db`
      insert into chain_providers as known (chain, name, verdict, reason, until, since, updated_at)
      values (${chain}, ${name}, ${verdict}, ${reason}, ${until}, ${now}, ${now})
      on conflict (chain, name) do update set verdict = excluded.verdict, reason = excluded.reason,
        until = excluded.until, updated_at = excluded.updated_at,
        since = case when known.verdict = excluded.verdict then known.since else excluded.since end`
  }
  await db`
    delete from chain_providers where chain = ${chain} and not name = any(${states.map((state) => state.name)})`
}

export function listProviders(db: Db): Promise<(ProviderState & { chain: string; since: Date; updatedAt: Date })[]> {
  return db`
    select chain, name, verdict, reason, until, since, updated_at as "updatedAt" from chain_providers order by chain, name limit 1000`
}
