// Asks the sources of exchange rates and keeps what they agree on. One process at a time, by a lease; what it finds is in the
// database for all, and an order reads nothing else.
import type { Clock } from '@florin/platform/clock'
import { claimLease, holdLease, type Lease } from '@florin/platform/db/lease'
import type { Sql } from '@florin/platform/db/pool'
import { type Tx, withTx } from '@florin/platform/db/tx'
import { newId } from '@florin/platform/ids'
import type { Job, Log } from '@florin/platform/worker/job'
import { currencies, FX_RULES_VERSION, judgeCurrency, MINUTE_MS, SECOND_MS } from '@florin/protocol'
import type { Config } from '../settings.ts'
import { decide, type Override, type Seen, type Verdict } from './agree/decide.ts'
import { listChecks, listDue, listSeen, recordAsked, saveAnswers, saveVerdicts } from './gather.store.ts'
import { forgetRates, measureRates, measureSources } from './metrics.ts'
import type { Adapter } from './sources/adapter.ts'
import { ask, openAgent } from './sources/ask.ts'
import { adaptersOf } from './sources/list.ts'
import { tellOperators } from './tell.ts'

const EVERY_MS = 15 * SECOND_MS
/** Longer than asking all at once takes, timeouts included. */
const LEASE_MS = MINUTE_MS
/** After failures: doubling, up to five minutes or the source's own pace. */
const BACK_OFF_MS = 5 * SECOND_MS
const BACK_OFF_MAX_MS = 5 * MINUTE_MS

export type GatherDeps = { sql: Sql; clock: Clock; config: Config; log: Log }

/** @param adapters where they are asked; those of the settings unless a test brings its own. */
export function gatherJob(deps: GatherDeps, adapters: readonly Adapter[] = adaptersOf(deps.config.fxSources)): Job {
  const agent = openAgent()
  const holder = newId('fxg', deps.clock.now())
  const ids = adapters.map((adapter) => adapter.id)
  let keptAt = 0
  return {
    name: 'fx-rates',
    everyMs: EVERY_MS,
    async run(stop) {
      if (adapters.length === 0) return 0
      const lease = await claimLease(deps.sql, { name: 'fx-rates', holder, now: deps.clock.now(), leaseMs: LEASE_MS })
      if (lease === null) {
        forgetRates()
        return 0
      }
      const due = new Set(await listDue(deps.sql, ids, deps.clock.now()))
      // Together: one that hangs holds up none of the others' answers longer than its timeout.
      const asked = await Promise.all(
        adapters
          .filter((adapter) => due.has(adapter.id))
          .map(async (adapter) => ({ adapter, ...(await ask(adapter, { agent, now: deps.clock.now, stop })) })),
      )
      if (stop.aborted) return 0
      for (const { adapter, fault } of asked) {
        if (fault !== null) deps.log.debug({ source: adapter.id, fault }, 'a source of exchange rates gave none')
      }
      // Without new answers only ages grow: once a minute is enough to tell of what has none.
      const now = deps.clock.now().getTime()
      if (asked.length === 0 && now - keptAt < MINUTE_MS) return 0
      keptAt = now
      await keep(deps, lease, asked, ids)
      return asked.length
    },
    async end() {
      await agent.destroy()
    },
  }
}

type Asked = Awaited<ReturnType<typeof ask>> & { adapter: Adapter }

async function keep(deps: GatherDeps, lease: Lease, asked: readonly Asked[], ids: readonly string[]): Promise<void> {
  const now = deps.clock.now()
  const rounds = await withTx(deps.sql, async (tx) => {
    await holdLease(tx, lease, { now, leaseMs: LEASE_MS })
    for (const { adapter, answers, fault, retryAfterMs } of asked) {
      const nextAt = (failures: number): Date =>
        new Date(now.getTime() + Math.max(retryAfterMs, pauseOf(adapter, failures)))
      await recordAsked(tx, { id: adapter.id, fault, now, nextAt })
      if (fault === null) await saveAnswers(tx, adapter.id, answers, now)
    }
    const found = await judgeAll(tx, ids, { now, overrides: deps.config.fxOverrides })
    await saveVerdicts(tx, found, { now, rulesVersion: FX_RULES_VERSION })
    await tellOperators(tx, now)
    return found
  })
  measureRates(rounds, now)
  measureSources(asked.map(({ adapter, fault }) => ({ id: adapter.id, fault })))
}

function pauseOf(adapter: Adapter, failures: number): number {
  if (failures === 0) return adapter.everyMs
  return Math.min(BACK_OFF_MS * 2 ** Math.min(failures - 1, 10), BACK_OFF_MAX_MS, adapter.everyMs)
}

export interface Found {
  quote: string
  verdict: Verdict
}

/** Every currency of today that has an answer or an override: the euro first, since others are fixed to it. */
async function judgeAll(
  tx: Tx,
  ids: readonly string[],
  { now, overrides }: { now: Date; overrides: ReadonlyMap<string, Override> },
): Promise<Found[]> {
  const [answered, checks] = [await listSeen(tx, ids), await listChecks(tx)]
  const seen = Map.groupBy(answered, (one) => one.quote)
  const known = new Set(checks.map((check) => check.quote))
  const anchors = new Map<string, string>()
  const found: Found[] = []
  const today = [...currencies.values()].filter(
    ({ code }) => code !== 'USD' && judgeCurrency(code, now.toISOString()).kind === 'current',
  )
  for (const currency of today.sort((a, b) => Number(a.peg !== undefined) - Number(b.peg !== undefined))) {
    const { code, peg } = currency
    const answers: Seen[] | undefined = seen.get(code)
    const override = overrides.get(code) ?? null
    if (answers === undefined && override === null && !known.has(code)) continue
    const anchor = peg === undefined ? null : (anchors.get(peg.to) ?? null)
    const verdict = decide(currency, answers ?? [], { now, override, anchor })
    if (verdict.kind === 'agreed') anchors.set(code, verdict.rate)
    found.push({ quote: code, verdict })
  }
  return found
}
