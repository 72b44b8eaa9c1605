// SQL of the process that asks the sources: what they said, what was made of it. Written in bulk, a few statements a round.
import type { FxMarket } from '@florin/protocol'
import type { Sql } from '../platform/db/pool.ts'
import type { Db, Tx } from '../platform/db/tx.ts'
import type { Agreed, Seen, Verdict } from './agree/decide.ts'
import type { Answer } from './sources/adapter.ts'

/** Sources that may be asked now; one that is new is due at once. */
export async function listDue(sql: Sql, ids: readonly string[], now: Date): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select i.id from unnest(${ids as string[]}::text[]) with ordinality i (id, n) left join fx_sources s on s.id = i.id
    where s.next_at is null or s.next_at <= ${now} order by i.n`
  return rows.map((row) => row.id)
}

/** @returns how often it has failed in a row, this time included. */
export async function recordAsked(
  tx: Tx,
  a: { id: string; fault: string | null; now: Date; nextAt: (failures: number) => Date },
): Promise<number> {
  const [row] = await tx<{ failures: number }[]>`select failures from fx_sources where id = ${a.id}`
  const failures = a.fault === null ? 0 : (row?.failures ?? 0) + 1
  await tx`
    insert into fx_sources (id, next_at, failures, asked_at, answered_at, fault)
    values (${a.id}, ${a.nextAt(failures)}, ${failures}, ${a.now}, ${a.fault === null ? a.now : null}, ${a.fault})
    on conflict (id) do update set next_at = excluded.next_at, failures = excluded.failures, asked_at = excluded.asked_at,
      answered_at = coalesce(excluded.answered_at, fx_sources.answered_at), fault = excluded.fault`
  return failures
}

/** What a source no longer tells is forgotten; an answer older than the one that is known changes nothing. */
export async function saveAnswers(tx: Tx, source: string, answers: readonly Answer[], fetchedAt: Date): Promise<void> {
  const rows = JSON.stringify(answers)
  await tx`
    insert into fx_answers (source, quote, market, source_group, via, kind, fixing, rate, observed_at, fetched_at, changed_at)
    select ${source}, a.quote, a.market, a."group", a.via, a.kind, a.fixing, a.rate, a."observedAt", ${fetchedAt}::timestamptz,
      a."observedAt"
    from json_to_recordset(${rows}::text::json) as a (quote text, market text, "group" text, via text, kind text, fixing text,
      rate text, "observedAt" timestamptz)
    on conflict (source, quote, market) do update set source_group = excluded.source_group, via = excluded.via,
      kind = excluded.kind, fixing = excluded.fixing, rate = excluded.rate, observed_at = excluded.observed_at,
      fetched_at = excluded.fetched_at,
      changed_at = case when fx_answers.rate = excluded.rate then fx_answers.changed_at else excluded.changed_at end
    where fx_answers.observed_at <= excluded.observed_at`
  await tx`
    delete from fx_answers where source = ${source} and not (quote, market) in (
      select a.quote, a.market from json_to_recordset(${rows}::text::json) as a (quote text, market text))`
}

/** Of the sources that are asked, as they are set today. */
export function listSeen(db: Db, sources: readonly string[]): Promise<Seen[]> {
  return db<Seen[]>`
    select source, quote, market, source_group as "group", via, kind, fixing, rate, observed_at as "observedAt",
      fetched_at as "fetchedAt", changed_at as "changedAt"
    from fx_answers where source = any(${sources as string[]}) limit 10000`
}

export interface Check {
  quote: string
  market: FxMarket
  verdict: Verdict['kind']
  why: string | null
  since: Date
  lastRate: string | null
  lastAt: Date | null
  heldRate: string | null
  releasedRate: string | null
}

const checkColumns = (db: Db) => db`
  quote, market, verdict, why, since, last_rate as "lastRate", last_at as "lastAt", held_rate as "heldRate",
  released_rate as "releasedRate"`

export const listChecks = (db: Db): Promise<Check[]> =>
  db<Check[]>`select ${checkColumns(db)} from fx_checks limit 1000`

/** Verdicts of one round, in one statement each. */
export async function saveVerdicts(
  tx: Tx,
  found: readonly { quote: string; market: FxMarket; verdict: Verdict }[],
  a: { now: Date; rulesVersion: number },
): Promise<void> {
  const checks = found.map(({ quote, market, verdict }) => ({
    ...{ quote, market, verdict: verdict.kind, why: 'why' in verdict ? verdict.why : null },
    last: verdict.kind === 'agreed' ? verdict.rate : null,
    held: verdict.kind === 'held' ? verdict.rate : null,
  }))
  await tx`
    insert into fx_checks (quote, market, verdict, why, since, checked_at, last_rate, last_at, held_rate)
    select c.quote, c.market, c.verdict, c.why, ${a.now}::timestamptz, ${a.now}::timestamptz, c.last,
      case when c.last is null then null else ${a.now}::timestamptz end, c.held
    from json_to_recordset(${JSON.stringify(checks)}::text::json)
      as c (quote text, market text, verdict text, why text, last text, held text)
    on conflict (quote, market) do update set verdict = excluded.verdict, why = excluded.why,
      checked_at = excluded.checked_at, held_rate = excluded.held_rate,
      since = case when fx_checks.verdict = excluded.verdict then fx_checks.since else excluded.since end,
      last_rate = coalesce(excluded.last_rate, fx_checks.last_rate), last_at = coalesce(excluded.last_at, fx_checks.last_at),
      released_rate = case when excluded.last_rate is null then fx_checks.released_rate end`
  const rates = found.flatMap(({ quote, market, verdict }) =>
    verdict.kind === 'agreed' || verdict.kind === 'stale' ? [rowOf(quote, market, verdict)] : [],
  )
  await tx`
    insert into fx_rates (quote, market, basis, rate, observed_at, agreed_at, valid_until, apart_bps, sources, rules_version)
    select r.quote, r.market, r.basis, r.rate, r."observedAt", ${a.now}::timestamptz, r."validUntil", r."apartBps", r.sources,
      ${a.rulesVersion}::int
    from json_to_recordset(${JSON.stringify(rates)}::text::json) as r (quote text, market text, basis text, rate text,
      "observedAt" timestamptz, "validUntil" timestamptz, "apartBps" int, sources json)
    on conflict (quote, market, basis) do update set rate = excluded.rate, observed_at = excluded.observed_at,
      agreed_at = excluded.agreed_at, valid_until = excluded.valid_until, apart_bps = excluded.apart_bps,
      sources = excluded.sources, rules_version = excluded.rules_version`
  const stopped = found.flatMap(({ quote, market, verdict }) =>
    verdict.kind === 'disagree' || verdict.kind === 'off_peg' || verdict.kind === 'held' ? [{ quote, market }] : [],
  )
  // What sources contradict is not sold at the rate from before; what they are silent about is, until its bound.
  await tx`
    update fx_rates r set valid_until = ${a.now}
    from json_to_recordset(${JSON.stringify(stopped)}::text::json) as s (quote text, market text)
    where r.quote = s.quote and r.market = s.market and r.valid_until > ${a.now}`
}

const rowOf = (quote: string, market: FxMarket, { kind, rate, observedAt, validUntil, apartBps, sources }: Agreed) => ({
  ...{ quote, market, basis: kind, rate, observedAt, validUntil, apartBps, sources },
})

/** A person looked at a held jump: that rate, and what is near it, counts from the next round on. */
export async function releaseHeld(tx: Tx, a: { quote: string; market: FxMarket; rate: string }): Promise<boolean> {
  const rows = await tx`
    update fx_checks set released_rate = held_rate
    where quote = ${a.quote} and market = ${a.market} and verdict = 'held' and held_rate = ${a.rate} returning 1`
  return rows.length === 1
}

export interface SourceState {
  id: string
  failures: number
  askedAt: Date | null
  answeredAt: Date | null
  fault: string | null
}

export function listSources(db: Db, ids: readonly string[]): Promise<SourceState[]> {
  return db<SourceState[]>`
    select id, failures, asked_at as "askedAt", answered_at as "answeredAt", fault
    from fx_sources where id = any(${ids as string[]}) order by id limit 100`
}

/** Currencies in use that have had no rate for a while, and jumps that wait for a person. */
export function listTroubles(db: Db, a: { since: Date; before: Date; now: Date }): Promise<Check[]> {
  return db<Check[]>`
    with used as (
      select currency from orders where currency <> 'USD' and created_at >= ${a.since} group by currency
      union select default_currency from price_settings
      union select display_currency from price_settings
    )
    select ${checkColumns(db)} from fx_checks c join used on used.currency = c.quote
    where verdict <> 'agreed' and (market = 'official' or last_at is not null)
      and (verdict = 'held' or since <= ${a.before})
      and not exists (
        select from fx_rates r
        where r.quote = c.quote and r.market = c.market and r.basis = 'agreed' and r.valid_until > ${a.now})
    order by quote, market limit 50`
}
