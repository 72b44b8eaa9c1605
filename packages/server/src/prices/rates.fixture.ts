// Exchange rates for tests, as if the sources had just agreed on them.
import { FX_RULES_VERSION, type FxMarket, MINUTE_MS } from '@florin/protocol'
import type { Deps } from '../deps.ts'
import { type StoredRate, saveRate } from './store.ts'

/** Units of the currency for one dollar; it holds for ten minutes, unless told otherwise. */
export async function aRate(
  deps: Pick<Deps, 'sql' | 'clock'>,
  quote: string,
  rate: string,
  overrides: Partial<StoredRate> & { market?: FxMarket } = {},
): Promise<void> {
  const now = deps.clock.now()
  const { market = 'official', ...more } = overrides
  const at = now.toISOString()
  const answer = { via: null, rate, observed_at: at, fetched_at: at }
  await saveRate(
    deps.sql,
    { quote, market },
    {
      basis: 'agreed',
      rate,
      observedAt: now,
      agreedAt: now,
      validUntil: new Date(now.getTime() + 10 * MINUTE_MS),
      apartBps: 3,
      sources: [
        { id: 'ecb', group: 'ecb', ...answer },
        { id: 'coinbase', group: 'coinbase', ...answer },
      ],
      rulesVersion: FX_RULES_VERSION,
      ...more,
    },
  )
}
