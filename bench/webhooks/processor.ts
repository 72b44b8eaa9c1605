// Processor time by process, from Linux's /proc: what a delivery costs, however busy the machine is with other things.
import { readdirSync, readFileSync } from 'node:fs'
import type { Sql } from '../../packages/platform/src/db/pool.ts'

const TICK_MS = 10

interface Stat {
  pid: number
  parent: number
  /** Its own, and that of its children that have ended. */
  ms: number
}

function statOf(pid: number): Stat | null {
  try {
    // The name stands in parentheses and may hold anything.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
    return { pid, parent: Number(fields[1]), ms: ticks * TICK_MS }
  } catch {
    return null
  }
}

/** @returns 0 on systems other than Linux. */
export const processorMs = (pid: number | undefined): number => statOf(pid ?? 0)?.ms ?? 0

/** All processes of the PostgreSQL behind `sql`, which runs on this machine. */
export async function databaseMs(sql: Sql): Promise<number> {
  const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`
  const server = statOf(row?.pid ?? 0)?.parent ?? 0
  if (server === 0) return 0
  const all = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [statOf(Number(name))] : []))
  return all.reduce((sum, each) => (each?.pid === server || each?.parent === server ? sum + each.ms : sum), 0)
}
