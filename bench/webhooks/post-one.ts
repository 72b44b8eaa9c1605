// One signed POST as somebody would write it who knows undici well: the headers and the ten seconds of the contract, the
// answer read to its end. What the senders that are compared with Florin do.
import { type Agent, request } from 'undici'
import { outgoing } from '../../packages/server/src/webhooks/send/post.ts'

export interface Job {
  id: string
  url: string
  event: string
  body: string
  attempt: number
  secret: string
}

export interface Answered {
  /** null: there was no answer. */
  status: number | null
  excerpt: string | null
  startedAt: Date
  latencyMs: number
}

const TIMEOUT_MS = 10_000

export async function postOne(agent: Agent, job: Job): Promise<Answered> {
  const startedAt = new Date()
  const began = performance.now()
  const { headers } = outgoing({
    ...{ url: job.url, event: job.event, deliveryId: job.id, attempt: job.attempt, now: startedAt },
    ...{ body: Buffer.from(job.body), secrets: [job.secret] },
  })
  const deadline = new AbortController()
  const timer = setTimeout(() => deadline.abort(), TIMEOUT_MS)
  try {
    const { signal } = deadline
    const answer = await request(job.url, { dispatcher: agent, method: 'POST', headers, body: job.body, signal })
    const latencyMs = Math.round(performance.now() - began)
    const excerpt = await answer.body.text()
    return { status: answer.statusCode, excerpt, startedAt, latencyMs }
  } catch {
    return { status: null, excerpt: null, startedAt, latencyMs: Math.round(performance.now() - began) }
  } finally {
    clearTimeout(timer)
  }
}
