// What is measured of the connections to the database: how many there are, who waits for one, and how long statements
// take. From memory alone; a pool costs the same whether anybody reads it or not.
import { Counter, Gauge, Histogram } from 'prom-client'
import { metrics } from '../metrics.ts'

const registers = [metrics]
const upTo10Seconds = [0.001, 0.0025, 0.01, 0.025, 0.1, 0.25, 1, 2.5, 10]

const waits = new Histogram({
  name: 'florin_db_wait_seconds',
  help: 'How long a statement or transaction waited for a connection',
  labelNames: ['pool'] as const,
  buckets: upTo10Seconds,
  registers,
})
const statements = new Histogram({
  name: 'florin_db_statement_seconds',
  help: 'From sending a statement to its whole answer',
  labelNames: ['pool'] as const,
  buckets: upTo10Seconds,
  registers,
})
const failures = new Counter({
  name: 'florin_db_failures_total',
  help: 'Statements and transactions that failed, for whatever reason',
  labelNames: ['pool'] as const,
  registers,
})

/** What a pool says of itself when it is asked. */
export interface PoolState {
  inUse: number
  idle: number
  waiting: number
}

const open = new Map<() => PoolState, string>()
const connections = new Gauge({
  name: 'florin_db_connections',
  help: 'Connections of a pool, and who waits for one, by state: in_use, idle, waiting',
  labelNames: ['pool', 'state'] as const,
  registers,
  collect() {
    connections.reset()
    for (const [stateOf, pool] of open) {
      const { inUse, idle, waiting } = stateOf()
      connections.inc({ pool, state: 'in_use' }, inUse)
      connections.inc({ pool, state: 'idle' }, idle)
      connections.inc({ pool, state: 'waiting' }, waiting)
    }
  },
})

export const connectionsMax = new Gauge({
  name: 'florin_db_connections_max',
  help: 'Connections that this process opens to the database at most',
  registers,
})

export interface PoolMeter {
  waited(ms: number): void
  ran(ms: number): void
  failed(): void
  close(): void
}

export function measurePool(pool: string, stateOf: () => PoolState): PoolMeter {
  open.set(stateOf, pool)
  const [wait, statement, failure] = [waits.labels({ pool }), statements.labels({ pool }), failures.labels({ pool })]
  return {
    waited: (ms) => wait.observe(ms / 1000),
    ran: (ms) => statement.observe(ms / 1000),
    failed: () => failure.inc(),
    close: () => void open.delete(stateOf),
  }
}
