import { kindOf } from '@florin/order-model/attention/kinds'
import { metrics } from '@florin/platform/metrics'
import type { RailCheck } from '@florin/rail-kit/interface/rail'
import { Gauge } from 'prom-client'

const failing = new Gauge({
  name: 'florin_check_failing',
  help: 'Checks of rails that are not ok, by id; absent when none',
  labelNames: ['rail', 'chain', 'id', 'status'] as const,
  registers: [metrics],
})

export function measureChecks(known: readonly { rail: string; check: RailCheck }[]): void {
  failing.reset()
  for (const { rail, check } of known) failing.inc({ rail, chain: check.chain, id: check.id, status: check.status })
}

const open = new Gauge({
  name: 'florin_attention_open',
  help: 'Items that need attention and are open, by kind; absent when none',
  labelNames: ['kind', 'mode'] as const,
  registers: [metrics],
})

export function measureOpen(rows: readonly { kind: string; livemode: boolean; count: bigint }[]): void {
  open.reset()
  for (const { kind, livemode, count } of rows)
    open.inc({ kind: kindOf(kind), mode: livemode ? 'live' : 'test' }, Number(count))
}
