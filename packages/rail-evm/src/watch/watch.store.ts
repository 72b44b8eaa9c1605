// SQL of what the watcher saw: deposits and factory logs. Only the holder of a chain's lease writes here, and whoever writes
// deposits locks the chain's cursor first, so expected balances are never stale. So does the relay, which adds the logs that
// receipts of its own show (relay/mined-logs.store.ts).
import { chunksOf } from '@florin/platform/chunks'
import type { Db, Tx } from '@florin/platform/db/tx'
import type { Address, Hex } from 'viem'
import type { FactoryLog } from '../node/factory-logs.ts'
import type { FinalHeights } from '../node/finality.ts'

export interface Deposit {
  key: string
  legRef: string
  orderRef: string
  vault: Address
  /** null: the native coin. */
  token: Address | null
  amount: bigint
  txHash: string
  logIndex: number
  from: string | null
  height: bigint
  blockHash: Hex
  seenAt: Date
  foundBy: 'first' | 'second' | 'balance'
  /** The voice that told it; empty where several did. */
  saidBy: string
  /** Whether as many said the same as the chain's quorum asks for. */
  agreed: boolean
}

/** @returns keys that are new, or are known and had left the chain: what is to be reported. */
export async function insertDeposits(
  tx: Tx,
  chain: string,
  deposits: readonly Deposit[],
  now: Date,
): Promise<Set<string>> {
  const fresh = new Set<string>()
  for (const some of chunksOf(deposits)) {
    await setApart(tx, some)
    const rows = some.map((row) => ({
      ...{ key: row.key, leg_ref: row.legRef, order_ref: row.orderRef, chain, vault: row.vault, token: row.token },
      ...{ amount: row.amount.toString(), tx_hash: row.txHash, log_index: row.logIndex, from_address: row.from },
      ...{ height: row.height.toString(), block_hash: row.blockHash, seen_at: row.seenAt, state: 'seen' },
      ...{ found_by: row.foundBy, said_by: row.saidBy, agreed: row.agreed, created_at: now },
    }))
    const inserted = await tx<{ key: string }[]>`
      insert into forwarder_observations ${tx(rows)}
      on conflict (key) do update
        set state = 'seen', agreed = forwarder_observations.agreed or excluded.agreed, ask_at = null
        where forwarder_observations.state = 'orphaned'
      returning key`
    for (const { key } of inserted) fresh.add(key)
  }
  return fresh
}

/**
 * Two rows of one place with different contents both stay: two providers differ, or a balance was read again and had grown.
 * A key that is taken so gets its content behind it.
 */
async function setApart(tx: Tx, rows: readonly Deposit[]): Promise<void> {
  const taken = await tx<{ key: string }[]>`
    select key from forwarder_observations known
    join unnest(${rows.map((row) => row.key)}::text[], ${rows.map((row) => row.vault)}::text[],
      ${rows.map((row) => row.token ?? '')}::text[], ${rows.map((row) => row.amount.toString())}::text[])
      as told (key, vault, token, amount) using (key)
    where known.vault <> told.vault or coalesce(known.token, '') <> told.token or known.amount <> told.amount::numeric`
  const keys = new Set(taken.map((row) => row.key))
  for (const row of rows) if (keys.has(row.key)) row.key = `${row.key}:${row.vault.slice(2, 10)}:${row.amount}`
}

export interface Changed {
  key: string
  orderRef: string
}

/**
 * Confirms what is deep enough now and was told by enough providers. Everything recorded at or below is on this branch, since what left it is orphaned.
 * @param a.extra how many blocks deeper payments of large orders must be before they count.
 */
export async function confirmUpTo(tx: Tx, chain: string, a: { height: bigint; extra: bigint }): Promise<Changed[]> {
  const height = a.height.toString()
  return tx<Changed[]>`
    update forwarder_observations o set state = 'confirmed' from forwarder_vaults v
    where v.leg_ref = o.leg_ref and o.chain = ${chain} and o.state = 'seen' and o.agreed and o.height <= ${height}
      and (not v.is_large or o.height <= ${(a.height - a.extra).toString()})
    returning o.key, o.order_ref as "orderRef"`
}

/** A settlement, a refund or the announcement of one that its order was told is final. */
export interface Undone {
  orderRef: string
  legRef: string
  txHash: string
  event: 'Settled' | 'Refunded' | 'RefundProposed'
}

/** Removes everything above a height: payments, factory logs, the blocks themselves. Newest first. */
export async function rollBackTo(
  tx: Tx,
  chain: string,
  height: bigint,
): Promise<{ payments: Changed[]; undone: Undone[] }> {
  const above = height.toString()
  const gone = await tx<Changed[]>`
    update forwarder_observations set state = 'orphaned'
    where chain = ${chain} and height > ${above} and state <> 'orphaned'
    returning key, order_ref as "orderRef"`
  const undone = await tx<Undone[]>`
    with gone as (
      update forwarder_factory_logs set state = 'orphaned'
      where chain = ${chain} and height > ${above} and state <> 'orphaned'
      returning event, vault, tx_hash, height, log_index, relayed
    )
    select v.order_ref as "orderRef", v.leg_ref as "legRef", gone.tx_hash as "txHash", gone.event
    from gone join forwarder_vaults v using (vault)
    where gone.relayed = 'final' and gone.event in ('Settled', 'Refunded', 'RefundProposed')
    order by gone.height desc, gone.log_index desc`
  await tx`delete from chain_blocks where chain = ${chain} and height > ${above}`
  return { payments: gone, undone }
}

/** Marks logs that no reorg can remove by the chain's rule. @returns how many became final. */
export async function finalizeFactoryLogs(tx: Tx, chain: string, upTo: FinalHeights): Promise<number> {
  const final = await tx`
    update forwarder_factory_logs l set state = 'final'
    where chain = ${chain} and state = 'seen' and agreed and height <= ${upTo.normal.toString()}
      and (height <= ${upTo.large.toString()}
        or not exists (select 1 from forwarder_vaults v where v.vault = l.vault and v.is_large))
    returning 1`
  return final.length
}

/** A log that another provider told differently is kept beside the other, as deposits are. */
export async function insertFactoryLogs(
  tx: Tx,
  chain: string,
  a: { logs: readonly FactoryLog[]; timeOf: (log: FactoryLog) => Date; saidBy: string; agreed: boolean; now: Date },
): Promise<void> {
  for (const log of a.logs) {
    const args = JSON.stringify(log.args)
    const place = `${chain}:${log.blockHash}:${log.logIndex}`
    const [other] = a.agreed
      ? []
      : await tx`
          select 1 from forwarder_factory_logs
          where key = ${place} and (event <> ${log.event} or args::text <> ${args} or tx_hash <> ${log.txHash})`
    const key = other === undefined ? place : `${place}:${a.saidBy}`
    await tx`
      insert into forwarder_factory_logs (key, chain, event, vault, tx_hash, log_index, height, block_hash, args, state,
        said_by, agreed, block_time, created_at)
      values (${key}, ${chain}, ${log.event}, ${log.vault}, ${log.txHash}, ${log.logIndex}, ${log.height.toString()},
        ${log.blockHash}, ${args}::text::json, 'seen', ${a.saidBy}, ${a.agreed},
        ${a.timeOf(log)}, ${a.now})
      on conflict (key) do update set state = 'seen' where forwarder_factory_logs.state = 'orphaned'`
  }
}

/**
 * The balance each vault must have by the rows at or below a height: everything received less everything the factory
 * sent. What one provider alone says was sent is not taken off: money would seem to have come that never did.
 * @param a.withTold takes it off all the same.
 */
export async function expectedBalances(
  db: Db,
  a: { chain: string; token: Address | null; vaults: readonly string[]; height: bigint; withTold?: boolean },
): Promise<Map<string, bigint>> {
  const token = a.token ?? '0x0000000000000000000000000000000000000000'
  const vaults = a.vaults as string[]
  const height = a.height.toString()
  const rows = await db<{ vault: string; amount: string }[]>`
    select vault, sum(amount)::text as amount from (
      select vault, amount from forwarder_observations
      where chain = ${a.chain} and vault = any(${vaults}) and token is not distinct from ${a.token}
        and state <> 'orphaned' and height <= ${height}
      union all
      select vault, -(coalesce(args->>'gross', args->>'amount'))::numeric from forwarder_factory_logs
      where chain = ${a.chain} and vault = any(${vaults}) and args->>'token' = ${token}
        and event in ('Settled', 'Refunded') and state <> 'orphaned' and (agreed or ${a.withTold === true}) and height <= ${height}
    ) moved group by vault`
  return new Map(rows.map((row) => [row.vault, BigInt(row.amount)]))
}

/** Told by a balance and by no log: it arrived at its height or below. */
export const isByBalance = (db: Db) => db`(token is null or found_by = 'balance')`

export interface Booked {
  /** What of a balance is in a payment already. */
  amount: bigint
  /** The part of it that one provider alone reported above the height: whether that is the same money is not known yet. */
  unsure: bigint
}

/**
 * What of the balance at a height every finder takes for booked: all that logs show up to there and all that balances
 * showed at any height, less everything the factory sent. A balance shows only that money arrived at its block or before:
 * finders that look at different heights would each book it.
 */
export async function bookedBalances(
  db: Db,
  a: { chain: string; token: Address | null; vaults: readonly string[]; height: bigint },
): Promise<Map<string, Booked>> {
  const known = await expectedBalances(db, a)
  const rows = await db<{ vault: string; amount: string; unsure: string }[]>`
    select vault, sum(amount)::text as amount, coalesce(sum(amount) filter (where not agreed), 0)::text as unsure
    from forwarder_observations
    where chain = ${a.chain} and vault = any(${a.vaults as string[]}) and token is not distinct from ${a.token}
      and state <> 'orphaned' and height > ${a.height.toString()} and ${isByBalance(db)}
    group by vault`
  const above = new Map(rows.map((row) => [row.vault, row]))
  return new Map(
    a.vaults.map((vault) => {
      const amount = (known.get(vault) ?? 0n) + BigInt(above.get(vault)?.amount ?? 0)
      return [vault, { amount, unsure: BigInt(above.get(vault)?.unsure ?? 0) }]
    }),
  )
}

/** What was read at the depth that counts needs no second scan. */
export async function confirmKeys(tx: Tx, keys: readonly string[]): Promise<void> {
  await tx`update forwarder_observations set state = 'confirmed' where key = any(${keys as string[]})`
}
