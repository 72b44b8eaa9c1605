import { metrics } from '@florin/platform/metrics'
import type { RailTrouble } from '@florin/rail-kit/interface/health'
import { Gauge } from 'prom-client'

const troubles = new Gauge({
  name: 'florin_rail_trouble',
  help: 'What keeps money from moving or soon will, by kind: how many keys, providers or chains; absent when none',
  labelNames: ['rail', 'chain', 'kind'] as const,
  registers: [metrics],
})

export function measureTroubles(known: readonly { rail: string; trouble: RailTrouble }[]): void {
  troubles.reset()
  for (const { rail, trouble } of known) troubles.inc({ rail, chain: trouble.chain, kind: trouble.kind })
}

const open = new Gauge({
  name: 'florin_attention_open',
  help: 'Items that need attention and are open, by kind; absent when none',
  labelNames: ['kind', 'mode'] as const,
  registers: [metrics],
})

export function measureOpen(rows: readonly { kind: string; livemode: boolean; count: bigint }[]): void {
  open.reset()
  for (const { kind, livemode, count } of rows) open.set({ kind, mode: livemode ? 'live' : 'test' }, Number(count))
}
