// The provider's list of tokens as this process knows it: read from the database, which whoever finds it old renews.
import { MINUTE_MS, SECOND_MS } from '@florin/protocol'
import type { OneClick } from '../client/client.ts'
import type { IntentsContext } from '../context.ts'
import { type Catalogue, readCatalogue } from './assets.ts'
import { findTokens, saveTokens } from './store.ts'

const LOOK_EVERY_MS = 20 * SECOND_MS
const RENEW_AFTER_MS = 5 * MINUTE_MS
/** A list this old says too little of prices and of what is carried. */
export const STALE_AFTER_MS = 60 * MINUTE_MS

export interface CatalogueCache {
  /** Empty before the first list was read. */
  now(): Catalogue
  /** When the list was fetched; null: never. */
  fetchedAt(): Date | null
  /** Cheap, and does nothing most of the time. Never throws: the last list stands. */
  refresh(): Promise<void>
}

export function catalogueCache(parts: Pick<IntentsContext, 'sql' | 'clock' | 'log'>, client: OneClick): CatalogueCache {
  let known: Catalogue = readCatalogue([])
  let fetchedAt: Date | null = null
  let lookedAt = Number.NEGATIVE_INFINITY
  const take = (a: { tokens: Parameters<typeof readCatalogue>[0]; fetchedAt: Date }): void => {
    if (fetchedAt !== null && a.fetchedAt <= fetchedAt) return
    known = readCatalogue(a.tokens)
    fetchedAt = a.fetchedAt
  }
  return {
    now: () => known,
    fetchedAt: () => fetchedAt,
    async refresh() {
      const now = parts.clock.now()
      if (now.getTime() - lookedAt < LOOK_EVERY_MS) return
      lookedAt = now.getTime()
      try {
        const stored = await findTokens(parts.sql)
        if (stored !== null) take(stored)
        if (fetchedAt !== null && now.getTime() - fetchedAt.getTime() < RENEW_AFTER_MS) return
        const tokens = await client.tokens()
        await saveTokens(parts.sql, tokens, now)
        take({ tokens, fetchedAt: now })
      } catch (error) {
        parts.log.warn({ err: error }, 'the list of tokens was not renewed; will retry')
      }
    },
  }
}
