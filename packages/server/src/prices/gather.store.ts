// SQL of the process that asks the sources: what they said, what was made of it. Written in bulk, a few statements a round.
import type { Sql } from '@florin/platform/db/pool'
import type { Db, Tx } from '@florin/platform/db/tx'
import type { Seen, Verdict } from './agree/decide.ts'
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
    insert into fx_answers (source, quote, kind, rate, observed_at, fetched_at)
    select ${source}, a.quote, a.kind, a.rate, a."observedAt", ${fetchedAt}::timestamptz
    from json_to_recordset(${rows}::text::json) as a (quote text, kind text, rate text, "observedAt" timestamptz)
    on conflict (source, quote) do update set kind = excluded.kind, rate = excluded.rate,
      observed_at = excluded.observed_at, fetched_at = excluded.fetched_at
    where fx_answers.observed_at <= excluded.observed_at`
  await tx`
    delete from fx_answers where source = ${source} and not quote in (
      select a.quote from json_to_recordset(${rows}::text::json) as a (quote text))`
}

/** Of the sources that are asked, as they are set today. */
export function listSeen(db: Db, sources: readonly string[]): Promise<Seen[]> {
  return db<Seen[]>`
    select source, quote, kind, rate, observed_at as "observedAt", fetched_at as "fetchedAt"
    from fx_answers where source = any(${sources as string[]}) limit 10000`
}

export interface Check {
  quote: string
  verdict: Verdict['kind']
  why: string | null
  since: Date
}

const checkColumns = (db: Db) => db`quote, verdict, why, since`

export const listChecks = (db: Db): Promise<Check[]> =>
  db<Check[]>`select ${checkColumns(db)} from fx_checks limit 1000`

/** Verdicts of one round, in one statement each. */
export async function saveVerdicts(
  tx: Tx,
  found: readonly { quote: string; verdict: Verdict }[],
  a: { now: Date; rulesVersion: number },
): Promise<void> {
  const checks = found.map(({ quote, verdict }) => ({
    ...{ quote, verdict: verdict.kind, why: 'why' in verdict ? verdict.why : null },
  }))
  await tx`
    insert into fx_checks (quote, verdict, why, since)
    select c.quote, c.verdict, c.why, ${a.now}::timestamptz
    from json_to_recordset(${JSON.stringify(checks)}::text::json) as c (quote text, verdict text, why text)
    on conflict (quote) do update set verdict = excluded.verdict, why = excluded.why,
      since = case when fx_checks.verdict = excluded.verdict then fx_checks.since else excluded.since end`
  const rates = found.flatMap(({ quote, verdict }) => (verdict.kind === 'agreed' ? [{ quote, ...verdict }] : []))
  await tx`
    insert into fx_rates (quote, rate, observed_at, agreed_at, valid_until, apart_bps, sources, rules_version)
    select r.quote, r.rate, r."observedAt", ${a.now}::timestamptz, r."validUntil", r."apartBps", r.sources,
      ${a.rulesVersion}::int
    from json_to_recordset(${JSON.stringify(rates)}::text::json) as r (quote text, rate text,
      "observedAt" timestamptz, "validUntil" timestamptz, "apartBps" int, sources json)
    on conflict (quote) do update set rate = excluded.rate, observed_at = excluded.observed_at,
      agreed_at = excluded.agreed_at, valid_until = excluded.valid_until, apart_bps = excluded.apart_bps,
      sources = excluded.sources, rules_version = excluded.rules_version`
  const stopped = found.flatMap(({ quote, verdict: { kind } }) =>
    kind === 'disagree' || kind === 'off_peg' ? [quote] : [],
  )
  // A rate that sources contradict ends at once. Where they are silent it lasts until its bound.
  await tx`
    update fx_rates set valid_until = ${a.now} where quote = any(${stopped}::text[]) and valid_until > ${a.now}`
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

/** Currencies in use that have had no rate for a while. */
export function listTroubles(db: Db, a: { since: Date; before: Date; now: Date }): Promise<Check[]> {
  return db<Check[]>`
    with used as (
      select currency from order_summaries where currency <> 'USD' and created_at >= ${a.since} group by currency
      union select default_currency from price_settings
      union select display_currency from price_settings
    )
    select ${checkColumns(db)} from fx_checks c join used on used.currency = c.quote
    where verdict <> 'agreed' and since <= ${a.before}
      and not exists (select from fx_rates r where r.quote = c.quote and r.valid_until > ${a.now})
    order by quote limit 50`
}
