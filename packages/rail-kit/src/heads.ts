// How old the newest block is that this process knows of each chain it watches. The age goes on by itself, so a watcher
// that hears nothing more is seen to be behind.
import { metrics } from '@florin/platform/metrics'
import { Gauge } from 'prom-client'

const labelNames = ['chain'] as const
const known = new Map<string, { ageMs: number; at: number; maxAgeMs: number | null }>()

const ages = new Gauge({
  name: 'florin_chain_head_age_seconds',
  help: 'Age of the newest block of a chain that this process watches',
  labelNames,
  registers: [metrics],
  collect() {
    ages.reset()
    limits.reset()
    for (const [chain, { ageMs, at, maxAgeMs }] of known) {
      ages.set({ chain }, Math.max(0, ageMs + performance.now() - at) / 1000)
      if (maxAgeMs !== null) limits.set({ chain }, maxAgeMs / 1000)
    }
  },
})
const limits = new Gauge({
  name: 'florin_chain_head_age_limit_seconds',
  help: 'From which age on nobody is sent to pay on a chain; absent where the settings name none',
  labelNames,
  registers: [metrics],
})

export function measureHead(chain: string, a: { time: Date; now: Date; maxAgeMs: number | null }): void {
  known.set(chain, { ageMs: a.now.getTime() - a.time.getTime(), at: performance.now(), maxAgeMs: a.maxAgeMs })
}

/** Another process watches it now. */
export const forgetHead = (chain: string): void => void known.delete(chain)
