// The conversation with a receiver during one examination: every webhook sent to it goes through here, is counted, and
// the genuine ones are timed. Ids are fresh in each run, so a receiver that remembers earlier runs is no worse examined.
import { webhookHeaders } from '@florin/protocol'
import { type Answer, type Connections, isAccepted, post } from '../post.ts'
import { freshId, signatureOf, unixNow } from '../webhook.ts'
import { type Sample, type SampleWish, sampleOf } from './samples.ts'

/** How a webhook differs from a genuine one; nothing of it for a genuine one. */
export interface Sending {
  readonly delivery?: string
  readonly attempt?: number
  /** Seconds to add to the present time in the signature. */
  readonly shiftS?: number
  /** The secrets it is signed with, the right one where left out. */
  readonly secrets?: readonly string[]
  /** The signature header itself; null for none. */
  readonly signature?: string | null
  /** Signed instead of the body that is sent. */
  readonly signedBody?: Uint8Array
  readonly contentType?: string
}

export interface VisitOptions {
  readonly url: URL
  readonly secret: string
  readonly timeoutMs: number
  readonly externalId: string | null
  readonly connections: Connections
}

/** What a receiver may answer in so many words, so that its inside can be seen (the example receivers do). */
export const reports = ['applied', 'duplicate', 'outdated'] as const
export type Report = (typeof reports)[number]

export class Visit {
  readonly options: VisitOptions
  /** Answers to webhooks that should be accepted. */
  readonly genuine: Answer[] = []
  sent = 0
  /** Whether the receiver says in words what it did. Known from its first answer. */
  speaks = false

  constructor(options: VisitOptions) {
    this.options = options
  }

  sample(wish: SampleWish = {}): Sample {
    return sampleOf({ externalId: this.options.externalId, ...wish })
  }

  /** Sends a webhook that should be accepted. */
  async send(sample: Sample, sending: Sending = {}): Promise<Answer> {
    const answer = await this.probe(sample, sending)
    this.genuine.push(answer)
    return answer
  }

  /** Sends a webhook that should be refused, or one of which either is right. */
  probe(sample: Sample, sending: Sending = {}): Promise<Answer> {
    const { url, secret, timeoutMs, connections } = this.options
    const { delivery = freshId('dlv'), attempt = 1, shiftS = 0, secrets = [secret], signedBody = sample.body } = sending
    const signature =
      sending.signature === undefined ? signatureOf(signedBody, secrets, unixNow() + shiftS) : sending.signature
    const headers = webhookHeaders({ event: sample.event, deliveryId: delivery, attempt, signature })
    if (sending.contentType !== undefined) headers['Content-Type'] = sending.contentType
    this.sent++
    return post(connections, { url, headers, body: sample.body, timeoutMs })
  }

  /** What the receiver says that it did, where it speaks. */
  reportOf(answer: Answer): Report | null {
    if (!this.speaks || answer.kind !== 'answered') return null
    return readReport(answer)
  }
}

export function readReport(answer: Answer): Report | null {
  if (!isAccepted(answer) || answer.kind !== 'answered') return null
  const word = answer.text.trim().toLowerCase()
  return reports.find((report) => report === word) ?? null
}
