// The test event: a signed sample, marked as one, sent at once to a URL that a merchant is trying out. It is not a
// delivery: it is not logged and not retried.
import type { Clock } from '@florin/platform/clock'
import type { Sql } from '@florin/platform/db/pool'
import { AppError } from '@florin/platform/errors'
import { newId } from '@florin/platform/ids'
import { countWithin, endOfWindow } from '@florin/platform/limits/store'
import type { Secrets } from '@florin/platform/secrets'
import {
  MINUTE_MS,
  type Order,
  SECOND_MS,
  sampleOrder,
  TEST_EVENTS_PER_MINUTE,
  type WebhookKind,
} from '@florin/protocol'
import { openWebhookSecrets } from '../../keys/store.ts'
import type { Config } from '../../settings.ts'
import { type Connections, makeConnections } from '../send/connections.ts'
import { type OutcomeCode, outcomeCodes } from '../send/outcome.ts'
import { outgoing } from '../send/post.ts'
import { send, unsigned } from '../send/send.ts'
import { diallerOf } from '../send/target.ts'

type SampleDeps = { sql: Sql; clock: Clock; secrets: Secrets; config: Config }

/** Concurrent samples per merchant: each holds a connection for up to ten seconds. */
const AT_ONCE_MAX = 3

export interface SampleAnswer {
  ok: boolean
  http_status: number | null
  latency_ms: number
  error: OutcomeCode | null
  /** What the error means, in a sentence. */
  message: string
  response_excerpt: string | null
  sent: { url: string; headers: Record<string, string>; body: string }
}

export interface Sampler {
  /**
   * @param a.signer the API key or endpoint whose secrets sign it. @param a.url as returned by parseWebhookUrl.
   * @throws AppError rate_limited.
   */
  send(a: {
    merchantId: string
    signer: string
    livemode: boolean
    url: string
    event: WebhookKind
  }): Promise<SampleAnswer>
  close(): Promise<void>
}

export function makeSampler(deps: SampleDeps): Sampler {
  const { config, clock } = deps
  const dialler = diallerOf(config)
  const connections: Connections = makeConnections(dialler, 0)
  const running = new Map<string, number>()

  return {
    close: () => connections.close(),
    async send({ merchantId, signer, livemode, url, event }) {
      const count = running.get(merchantId) ?? 0
      if (count >= AT_ONCE_MAX) throw new AppError('rate_limited', { retryAfterS: 10 })
      running.set(merchantId, count + 1)
      try {
        await admit(deps, merchantId)
        const secrets = (await openWebhookSecrets(deps, [signer])).get(signer) ?? []
        const now = clock.now()
        const body = Buffer.from(JSON.stringify(sampleEvent(event, livemode, now)))
        const post = outgoing({
          url,
          event,
          deliveryId: newId('dlv', now),
          attempt: 1,
          body,
          secrets,
          now,
        })
        const outcome = secrets.length === 0 ? unsigned : await send(connections, post, config.webhookTimeoutMs)
        return {
          ok: outcome.error === null,
          http_status: outcome.httpStatus,
          latency_ms: outcome.latencyMs,
          error: outcome.error,
          message: sentenceOf(outcome.error),
          response_excerpt: outcome.excerpt,
          sent: { url, headers: pairs(post.headers), body: body.toString() },
        }
      } finally {
        const left = (running.get(merchantId) ?? 1) - 1
        if (left === 0) running.delete(merchantId)
        else running.set(merchantId, left)
      }
    },
  }
}

/** The caller chooses where it goes: this service is no cannon, and no scanner of other people's ports. */
async function admit({ sql, clock }: SampleDeps, merchantId: string): Promise<void> {
  const now = clock.now()
  const limit = { scope: `test events ${merchantId}`, max: TEST_EVENTS_PER_MINUTE, windowMs: MINUTE_MS }
  if ((await countWithin(sql, limit, now)) !== null) return
  throw new AppError('rate_limited', {
    retryAfterS: (endOfWindow(MINUTE_MS, now).getTime() - now.getTime()) / SECOND_MS,
    message: `${TEST_EVENTS_PER_MINUTE} test events were sent in this minute. Send the next one in the coming minute.`,
  })
}

function sentenceOf(code: OutcomeCode | null): string {
  if (code === null) return 'The receiver took it.'
  const known: Readonly<Record<string, string>> = outcomeCodes
  return (
    known[code] ?? `The receiver answered with status ${code.slice('http_'.length)}; any 2xx would have been a success.`
  )
}

function pairs(flat: readonly string[]): Record<string, string> {
  const found: Record<string, string> = {}
  for (let i = 0; i + 1 < flat.length; i += 2) found[flat[i] ?? ''] = flat[i + 1] ?? ''
  return found
}

/** A fictitious order: `metadata.sample` says so, and its number belongs to no order. */
function sampleEvent(event: WebhookKind, livemode: boolean, now: Date) {
  const at = now.toISOString()
  const order: Order = {
    ...sampleOrder(event, `ord_${'0'.repeat(26)}`, at),
    livemode,
    external_id: 'sample',
    title: 'Sample order',
    description: 'Sent by the test-event call. No such order exists.',
    metadata: { sample: 'true' },
  }
  return { id: newId('evt', now), event, created_at: at, order }
}
