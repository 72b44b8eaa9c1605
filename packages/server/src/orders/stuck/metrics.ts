import { Gauge } from 'prom-client'
import { metrics } from '../../platform/metrics.ts'
import type { RailTrouble } from '../../rails/rail.ts'

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
