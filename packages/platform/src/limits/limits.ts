// How many requests a holder makes in a minute, over all processes. Each counts in memory and tells the database every second of
// those who make many; no request waits for that. So a limit may be passed by what the others counted in that second.
import { MINUTE_MS, SECOND_MS } from '@florin/protocol'
import type { Clock } from '../clock.ts'
import type { Sql } from '../db/pool.ts'
import { AppError } from '../errors.ts'
import type { Job } from '../worker/job.ts'
import { addCounts, forgetCounts } from './store.ts'

/** Of a key, and of all keys of a merchant together, over all processes; of an address on each process. */
interface RequestsPerMinute {
  key: number
  merchant: number
  address: number
}

export const usualRequestsPerMinute: RequestsPerMinute = { key: 3_000, merchant: 9_000, address: 3_000 }

export interface Holder {
  /** What it is called in the headers: `key`, `merchant`. */
  kind: string
  id: string
  perMinute: number
}

export interface SharedLimits {
  readonly perMinute: RequestsPerMinute
  /**
   * Counts one request against each holder.
   * @returns the headers that say what is left; of several, by the one with the least.
   * @throws AppError rate_limited
   */
  take(holders: readonly Holder[], setHeader: (name: string, value: string) => void): void
  flush(): Promise<void>
  job: Job
}

/** A holder that made less than this part of its limit in a process is not told of: most never are. */
const TOLD_FROM = 1 / 50
const EVERY_MS = SECOND_MS

interface Count {
  perMinute: number
  /** Of this process. */
  own: number
  /** How many of them the database knows. */
  told: number
  /** Of the others, when it was last asked. */
  others: number
}

export function makeSharedLimits(
  deps: { sql: Sql; clock: Clock },
  perMinute: RequestsPerMinute = usualRequestsPerMinute,
): SharedLimits {
  let minute = 0
  let counts = new Map<string, Count>()

  /** A new minute begins with nothing; what was not told of the last one is over. */
  function turn(now: number): void {
    const current = Math.floor(now / MINUTE_MS) * MINUTE_MS
    if (current === minute) return
    minute = current
    counts = new Map()
  }

  async function flush(): Promise<void> {
    turn(deps.clock.now().getTime())
    const [asked, known] = [minute, counts]
    const due = [...known]
      .filter(([, { own, told, perMinute }]) => own > told && own >= perMinute * TOLD_FROM)
      .map(([holder, { own, told }]) => ({ holder, scope: `requests ${holder}`, n: own - told, own }))
    if (due.length === 0) return
    const rows = await addCounts(deps.sql, { windowMs: MINUTE_MS, now: new Date(asked) }, due)
    for (const { holder, scope, own } of due) {
      const count = known.get(holder)
      const all = rows.find((row) => row.scope === scope)?.n ?? own
      if (count === undefined) continue
      count.told = own
      count.others = Math.max(0, all - own)
    }
  }

  return {
    perMinute,
    take(holders, setHeader) {
      const now = deps.clock.now().getTime()
      turn(now)
      const resetS = Math.max(1, Math.ceil((minute + MINUTE_MS - now) / SECOND_MS))
      let least: { kind: string; left: number } | null = null
      for (const { kind, id, perMinute } of holders) {
        const name = `${kind} ${id}`
        const count = counts.get(name) ?? { perMinute, own: 0, told: 0, others: 0 }
        counts.set(name, count)
        count.own += 1
        const left = perMinute - count.own - count.others
        if (least === null || left < least.left) least = { kind, left }
      }
      if (least === null) return
      setHeader('RateLimit-Policy', holders.map(({ kind, perMinute }) => `"${kind}";q=${perMinute};w=60`).join(', '))
      setHeader('RateLimit', `"${least.kind}";r=${Math.max(0, least.left)};t=${resetS}`)
      if (least.left < 0)
        throw new AppError('rate_limited', {
          message: `This ${least.kind} makes too many requests. Wait until the minute is over.`,
          retryAfterS: resetS,
        })
    },
    flush,
    job: {
      name: 'request-counts',
      everyMs: EVERY_MS,
      // Returns 0, so that the pause follows.
      run: async () => {
        await flush()
        await forgetCounts(deps.sql, deps.clock.now())
        return 0
      },
    },
  }
}
