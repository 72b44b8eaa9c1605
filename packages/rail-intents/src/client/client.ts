// The provider's interface: five questions. Reading ones may be asked again, a live quote never: each allocates another
// address.
import type { IntentsSettings } from '../settings/config.ts'
import { askProvider, ProviderAway } from './ask.ts'
import {
  type FeedEntry,
  type QuoteReply,
  type QuoteRequest,
  readFeed,
  readQuote,
  readStatus,
  readTokens,
  type StatusReply,
  type Token,
  UnreadableAnswer,
} from './wire.ts'

/** Which swap; the memo is part of its name. */
export interface SwapPlace {
  address: string
  memo: string | null
}

export interface OneClick {
  tokens(): Promise<Token[]>
  quote(request: QuoteRequest): Promise<QuoteReply>
  status(place: SwapPlace): Promise<StatusReply>
  /** Tells of a deposit, so that it is found sooner; needed for nothing. */
  submit(place: SwapPlace & { txHash: string }): Promise<void>
  /** The partner's swaps in these states that were made since. */
  feed(a: { since: Date; statuses: readonly string[] }): Promise<FeedEntry[]>
}

const FEED_ENTRIES = 1_000

/** Each throws ProviderAway or ProviderRefused. */
export function oneClick(settings: IntentsSettings): OneClick {
  const { url, apiKey, timeoutMs, feed, referral } = settings
  const headers: Record<string, string> =
    apiKey === null ? {} : { 'x-api-key': apiKey, authorization: `Bearer ${apiKey}` }
  const get = (path: string): Promise<unknown> => askProvider({ url: `${url}${path}`, headers, timeoutMs })
  const post = (path: string, body: unknown): Promise<unknown> =>
    askProvider({
      ...{ url: `${url}${path}`, method: 'POST', timeoutMs, body: JSON.stringify(body) },
      headers: { ...headers, 'content-type': 'application/json' },
    })
  return {
    tokens: async () => readable(readTokens, await get('/v0/tokens')),
    quote: async (request) => readable(readQuote, await post('/v0/quote', request)),
    async status({ address, memo }) {
      const query = new URLSearchParams({ depositAddress: address, ...(memo === null ? {} : { depositMemo: memo }) })
      return readable(readStatus, await get(`/v0/status?${query}`))
    },
    async submit({ address, memo, txHash }) {
      await post('/v0/deposit/submit', { txHash, depositAddress: address, ...(memo === null ? {} : { memo }) })
    },
    async feed({ since, statuses }) {
      const query = new URLSearchParams({
        ...{ numberOfTransactions: String(FEED_ENTRIES), referral, statuses: statuses.join(',') },
        startTimestamp: since.toISOString(),
      })
      const bearer = { authorization: `Bearer ${feed.key}` }
      const asked = { url: `${feed.url}/api/v0/transactions?${query}`, headers: bearer, timeoutMs }
      return readable(readFeed, await askProvider(asked))
    },
  }
}

function readable<T>(read: (json: unknown) => T, json: unknown): T {
  try {
    return read(json)
  } catch (error) {
    if (error instanceof UnreadableAnswer) throw new ProviderAway(error.message)
    throw error
  }
}
