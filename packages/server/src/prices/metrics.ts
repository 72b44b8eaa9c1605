// Metrics of exchange rates, by the process that asks the sources.
import { metrics } from '@florin/platform/metrics'
import { Gauge } from 'prom-client'
import type { Verdict } from './agree/decide.ts'

const ages = new Gauge({
  name: 'florin_fx_rate_age_seconds',
  help: 'Age of the oldest answer that the rate of a currency is made of; absent while there is no rate',
  labelNames: ['currency'] as const,
  registers: [metrics],
})
const distances = new Gauge({
  name: 'florin_fx_apart_bps',
  help: 'How far the answers are apart that the rate of a currency is made of',
  labelNames: ['currency'] as const,
  registers: [metrics],
})
const refusals = new Gauge({
  name: 'florin_fx_no_rate',
  help: '1 while a currency has no rate, by why: silent, disagree, off_peg',
  labelNames: ['currency', 'why'] as const,
  registers: [metrics],
})
const failing = new Gauge({
  name: 'florin_fx_source_failing',
  help: '1 while the last question to a source gave no rates, else 0',
  labelNames: ['source'] as const,
  registers: [metrics],
})

export function measureRates(found: readonly { quote: string; verdict: Verdict }[], now: Date): void {
  for (const gauge of [ages, distances, refusals]) gauge.reset()
  for (const { quote: currency, verdict } of found) {
    if (verdict.kind === 'agreed') {
      ages.set({ currency }, (now.getTime() - verdict.observedAt.getTime()) / 1_000)
      distances.set({ currency }, verdict.apartBps)
    } else refusals.set({ currency, why: verdict.kind }, 1)
  }
}

/** Another process asks the sources now. */
export function forgetRates(): void {
  for (const gauge of [ages, distances, refusals, failing]) gauge.reset()
}

export function measureSources(asked: readonly { id: string; fault: string | null }[]): void {
  for (const { id, fault } of asked) failing.set({ source: id }, fault === null ? 0 : 1)
}
