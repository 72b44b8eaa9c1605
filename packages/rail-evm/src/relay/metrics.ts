// Metrics of the keys, by the process that sends with them.
import { metrics } from '@florin/platform/metrics'
import { Gauge } from 'prom-client'
import { formatEther } from 'viem'
import type { Signer } from './signer.ts'
import { runwayOf, type Standing } from './trouble.ts'

const labelNames = ['chain', 'role'] as const

const balances = new Gauge({
  name: 'florin_gas_balance',
  help: 'What a key has for gas, in native coins',
  labelNames,
  registers: [metrics],
})
const runways = new Gauge({
  name: 'florin_gas_runway_days',
  help: 'Days that the balance lasts at what gas cost in the last seven; while nothing was spent, a lower bound',
  labelNames,
  registers: [metrics],
})

export function measureGas({ chain, role, cap }: Signer, a: { balance: bigint; standing: Standing }): void {
  const labels = { chain: chain.id, role }
  balances.set(labels, Number(formatEther(a.balance)))
  runways.set(labels, runwayOf({ ...a.standing, balance: a.balance, cap }).days)
}

/** Another process sends with the key now. */
export function forgetGas({ chain, role }: Pick<Signer, 'chain' | 'role'>): void {
  for (const gauge of [balances, runways]) gauge.remove({ chain: chain.id, role })
}
