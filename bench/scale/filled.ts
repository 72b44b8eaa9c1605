// The benchmark's orders: made, or found again where an earlier run left them.
import { aMerchant, anApiKey } from '../../packages/server/test/factories.ts'
import { fillOrders } from '../../packages/server/test/scale/many-orders.ts'
import { orSmoke } from '../smoke.ts'
import type { BenchDatabase } from '../webhooks/database.ts'

export interface Filled {
  merchant: { id: string; headers: Record<string, string> }
  key: { headers: Record<string, string> }
  /** When it was filled: days are counted back from there. */
  now: Date
  orders: number
  /** How it came about, for people. */
  said: string
}

type Note = Omit<Filled, 'now' | 'said'>

export async function filled({ deps, url }: BenchDatabase, orders: number): Promise<Filled> {
  const { sql, clock } = deps
  const count = (n: number): string => Math.floor(n).toLocaleString('en')
  const made = ({ orders: n }: Note): string => `${count(n)} orders, ${count(n / 4)} of one merchant`
  const [{ table } = { table: null }] = await sql<{ table: string | null }[]>`
    select to_regclass('bench_filled')::text as table`
  if (table !== null) {
    const [found] = await sql<{ note: Note; at: Date }[]>`select note, at from bench_filled`
    if (found !== undefined)
      return { ...found.note, now: found.at, said: `${made(found.note)}: filled at ${found.at.toISOString()}` }
  }
  const began = performance.now()
  const merchant = await aMerchant(deps)
  const key = await anApiKey(deps, merchant, { mode: 'live' })
  const now = clock.now()
  const phases: string[] = []
  const told = (what: string, seconds: number): void => void phases.push(`${what} ${seconds.toFixed(0)}`)
  await fillOrders(url, { told, orders, large: merchant, apiKeyId: key.id, now, others: orSmoke(2_000, 50) })
  const note: Note = {
    ...{
      merchant: { id: merchant.id, headers: { ...merchant.headers } },
      key: { headers: { ...key.headers } },
      orders,
    },
  }
  await sql`create table bench_filled (note jsonb not null, at timestamptz not null)`
  await sql`insert into bench_filled (note, at) values (${JSON.stringify(note)}::text::jsonb, ${now})`
  const seconds = ((performance.now() - began) / 1000).toFixed(0)
  return { ...note, now, said: `${made(note)}: filled in ${seconds} s (${phases.join(', ')})` }
}
