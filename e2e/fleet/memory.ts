// The resident memory of processes while they live, and how fast it grows: the slope of a straight line through the least of each
// minute, since what is collected later comes and goes by a hundred megabytes.
import { readFile } from 'node:fs/promises'

export interface Growth {
  what: string
  minutes: number
  firstMb: number
  lastMb: number
  mbPerMinute: number
}

export interface Watch {
  /** Of each process that lived for at least so long; its first minutes, when it fills its caches, do not count. */
  growth(a: { atLeastMs: number; afterMs: number }): Growth[]
  stop(): void
}

const EVERY_MS = 1_000

export function watchMemory(list: () => readonly { what: string; pid: number | undefined }[]): Watch {
  const seen = new Map<number, { what: string; points: { at: number; mb: number }[] }>()
  const look = async (): Promise<void> => {
    for (const { what, pid } of list()) {
      if (pid === undefined) continue
      const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
      const kb = Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0)
      if (kb === 0) continue
      const process = seen.get(pid) ?? { what, points: [] }
      seen.set(pid, process)
      process.points.push({ at: performance.now(), mb: kb / 1024 })
    }
  }
  const timer = setInterval(() => void look(), EVERY_MS)
  return {
    growth({ atLeastMs, afterMs }) {
      return [...seen.values()].flatMap(({ what, points }) => {
        const [began, ended] = [points[0]?.at ?? 0, points.at(-1)?.at ?? 0]
        const counted = points.filter(({ at }) => at - began >= afterMs)
        const [first, last] = [counted[0], counted.at(-1)]
        if (first === undefined || last === undefined || ended - began < atLeastMs) return []
        const round = (n: number): number => Math.round(n * 100) / 100
        return [
          {
            what,
            minutes: round((last.at - first.at) / 60_000),
            firstMb: round(first.mb),
            lastMb: round(last.mb),
            mbPerMinute: round(slope(leastOfMinutes(counted)) * 60_000),
          },
        ]
      })
    },
    stop: () => clearInterval(timer),
  }
}

function leastOfMinutes(points: readonly { at: number; mb: number }[]): { at: number; mb: number }[] {
  const minutes = Map.groupBy(points, ({ at }) => Math.floor((at - (points[0]?.at ?? 0)) / 60_000))
  return [...minutes.values()].map((some) => some.reduce((least, point) => (point.mb < least.mb ? point : least)))
}

/** Least squares, in MB a millisecond. */
function slope(points: readonly { at: number; mb: number }[]): number {
  const mean = (of: (point: { at: number; mb: number }) => number): number =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length
  const [at, mb] = [mean((point) => point.at), mean((point) => point.mb)]
  const spread = points.reduce((sum, point) => sum + (point.at - at) ** 2, 0)
  return spread === 0 ? 0 : points.reduce((sum, point) => sum + (point.at - at) * (point.mb - mb), 0) / spread
}
