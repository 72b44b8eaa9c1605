// Exchange rates for tests, as if the sources had just agreed on them.
import { FX_RULES_VERSION, MINUTE_MS } from '@florin/protocol'
import type { Deps } from '../deps.ts'
import { type StoredRate, saveRate } from './store.ts'

/** Units of the currency for one dollar; it holds for ten minutes, unless told otherwise. */
export async function aRate(
  deps: Pick<Deps, 'sql' | 'clock'>,
  quote: string,
  rate: string,
  overrides: Partial<StoredRate> = {},
): Promise<void> {
  const now = deps.clock.now()
  const at = now.toISOString()
  const answer = { rate, observed_at: at, fetched_at: at }
  await saveRate(deps.sql, quote, {
    rate,
    observedAt: now,
    agreedAt: now,
    validUntil: new Date(now.getTime() + 10 * MINUTE_MS),
    apartBps: 3,
    sources: [
      { id: 'ecb', ...answer },
      { id: 'coinbase', ...answer },
    ],
    rulesVersion: FX_RULES_VERSION,
    ...overrides,
  })
}
