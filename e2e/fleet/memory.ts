// The resident memory of processes while they live, and how fast what they hold grows. Node lets garbage lie for minutes while there
// is room, which comes and goes by a hundred megabytes: so it is asked to collect (collect.mjs) before each look that counts.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

/** What the watched processes are started with. */
export const watchable = { NODE_OPTIONS: `--expose-gc --import=${join(import.meta.dirname, 'collect.mjs')}` }

export interface Growth {
  what: string
  minutes: number
  /** After collecting, at the first look that counts and at the last. */
  firstMb: number
  lastMb: number
  /** The means of the first and the last third of its looks, after collecting. */
  firstThirdMb: number
  lastThirdMb: number
  /** Before collecting, at any look. */
  mostMb: number
  /** The slope of a straight line through what was left after collecting. */
  mbPerMinute: number
}

export interface Watch {
  /** Of each process that lived for at least so long; its first minutes, when it fills its caches, do not count. */
  growth(a: { atLeastMs: number; afterMs: number }): Growth[]
  stop(): Promise<void>
}

const EVERY_MS = 30_000
/** Collecting takes a tenth of it; pages are given back by another thread. */
const COLLECTED_MS = 2_000
/** As /proc names it: what is sent before the process listens would end it. */
const CATCHES_SIGUSR2 = 1n << 11n

interface Point {
  at: number
  beforeMb: number
  afterMb: number
}

export function watchMemory(list: () => readonly { what: string; pid: number | undefined }[]): Watch {
  const seen = new Map<number, { what: string; points: Point[] }>()
  const ended = new AbortController()

  const look = async ({ what, pid }: { what: string; pid: number | undefined }): Promise<void> => {
    if (pid === undefined) return
    const before = await statusOf(pid)
    if (before === null || !before.collects) return
    try {
      process.kill(pid, 'SIGUSR2')
    } catch {
      return // It was killed meanwhile.
    }
    await wait(COLLECTED_MS)
    const after = await statusOf(pid)
    if (after === null) return
    const one = seen.get(pid) ?? { what, points: [] }
    seen.set(pid, one)
    one.points.push({ at: performance.now(), beforeMb: before.mb, afterMb: after.mb })
  }
  const watching = (async () => {
    while (!ended.signal.aborted) {
      await Promise.all(list().map(look))
      await wait(EVERY_MS, undefined, { signal: ended.signal }).catch(() => undefined)
    }
  })()

  return {
    growth({ atLeastMs, afterMs }) {
      return [...seen.values()].flatMap(({ what, points }) => {
        const began = points[0]?.at ?? 0
        const counted = points.filter(({ at }) => at - began >= afterMs)
        const [first, last] = [counted[0], counted.at(-1)]
        if (first === undefined || last === undefined || last.at - began < atLeastMs) return []
        const third = Math.ceil(counted.length / 3)
        return [
          {
            what,
            firstThirdMb: round(meanMb(counted.slice(0, third))),
            lastThirdMb: round(meanMb(counted.slice(-third))),
            minutes: round((last.at - first.at) / 60_000),
            firstMb: round(first.afterMb),
            lastMb: round(last.afterMb),
            mostMb: round(Math.max(...points.map(({ beforeMb }) => beforeMb))),
            mbPerMinute: round(slope(counted) * 60_000),
          },
        ]
      })
    },
    async stop() {
      ended.abort()
      await watching
    },
  }
}

const meanMb = (points: readonly Point[]): number =>
  points.reduce((sum, { afterMb }) => sum + afterMb, 0) / points.length
const round = (n: number): number => Math.round(n * 100) / 100

/** null: it is gone. */
async function statusOf(pid: number): Promise<{ mb: number; collects: boolean } | null> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  const kb = Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0)
  if (kb === 0) return null
  const caught = BigInt(`0x${/^SigCgt:\s+([0-9a-f]+)$/m.exec(status)?.[1] ?? '0'}`)
  return { mb: kb / 1024, collects: (caught & CATCHES_SIGUSR2) !== 0n }
}

/** Least squares, in MB a millisecond. */
function slope(points: readonly Point[]): number {
  const mean = (of: (point: Point) => number): number =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length
  const [at, mb] = [mean((point) => point.at), mean((point) => point.afterMb)]
  const spread = points.reduce((sum, point) => sum + (point.at - at) ** 2, 0)
  return spread === 0 ? 0 : points.reduce((sum, point) => sum + (point.at - at) * (point.afterMb - mb), 0) / spread
}
