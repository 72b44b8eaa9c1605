// Metrics of the standing comparison (florin_reconcile_*). Set by whoever works; reading them asks nobody.
import { metrics } from '@florin/platform/metrics'
import { Counter, Gauge } from 'prom-client'

const registers = [metrics]

export const compared = new Counter({
  name: 'florin_reconcile_compared_total',
  help: 'Balances of orders that were compared with the chain at a final block',
  registers,
})
export const differences = new Gauge({
  name: 'florin_reconcile_differences',
  help: 'Differences between books and chain that were seen at two final blocks and are still there',
  registers,
})
export const behind = new Gauge({
  name: 'florin_reconcile_behind_seconds',
  help: 'How late the comparison is: the order that is due longest, or the round over all orders',
  registers,
})
