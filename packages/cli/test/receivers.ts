// Receivers to examine: a right one, and the ways in which receivers go wrong. Each is a real HTTP server; a fault is one
// option, so that a finding can have only one cause.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { secret } from './program.ts'

type Payload = { id: string; event: string; order: { order_no: string; version: number; status: string } }

export interface Fault {
  /** What the check is given instead of the raw body. */
  respell?: (raw: Buffer) => string | Buffer
  /** The text that is signed. */
  signed?: (t: string, body: string | Buffer) => string
  key?: string
  digest?: 'hex' | 'base64'
  checks?: 'nothing' | 'no time' | 'only age' | 'what is there' | 'first v1' | 'last v1'
  toleranceS?: number
  /** Answers to what is refused. */
  refusesWith?: number
  crashes?: boolean
  counts?: 'everything' | 'by delivery' | 'after a look' | 'before the check'
  /** What a repeated event is answered with. */
  repeatedWith?: number
  ignoresVersion?: boolean
  says?: boolean
  unknownKind?: number
  isStrict?: boolean
  bodyMax?: number
  type?: 'exact' | 'falls over'
  atOnceMax?: number
  /** Each answer waits so long … */
  delayMs?: number
  /** … or only the first … */
  isSlowOnce?: boolean
  /** … or each for those before it. */
  isSerial?: boolean
  hangs?: boolean
  closes?: boolean
  /** Answers everything so. */
  always?: { status: number; headers?: Record<string, string> }
}

const knownFields = 'id event created_at order'

/** A receiver that is right but for its fault; returns its address. */
export async function aReceiver(
  t: TestContext,
  fault: Fault = {},
  tls?: { key: string; cert: string },
): Promise<string> {
  const receiver = new Receiver(fault)
  const take = (request: IncomingMessage, response: ServerResponse) => void receiver.take(request, response)
  const server = tls === undefined ? createServer(take) : createSecureServer(tls, take)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http${tls === undefined ? '' : 's'}://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks/florin`
}

class Refused extends Error {
  readonly status: number
  constructor(status: number) {
    super()
    this.status = status
  }
}

class Receiver {
  readonly #fault: Fault
  readonly #seen = new Set<string>()
  readonly #versions = new Map<string, number>()
  #open = 0
  #answered = 0
  #queue = Promise.resolve()

  constructor(fault: Fault) {
    this.#fault = fault
  }

  async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const {
      always,
      hangs,
      delayMs = 0,
      atOnceMax = Number.POSITIVE_INFINITY,
      closes = false,
      crashes = false,
    } = this.#fault
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    if (hangs) return
    if (closes) response.setHeader('connection', 'close')
    if (always) return void response.writeHead(always.status, always.headers).end()
    this.#open++
    try {
      if (this.#open > atOnceMax) throw new Refused(503)
      await this.#delay(delayMs)
      const word = await this.#process(request, Buffer.concat(chunks))
      response.writeHead(200).end(this.#fault.says === false ? 'ok' : word)
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      if (crashes) response.destroy()
      else response.writeHead(error.status).end()
    } finally {
      this.#open--
    }
  }

  #delay(delayMs: number): Promise<void> {
    const { isSlowOnce = false, isSerial = false } = this.#fault
    const isDelayed = delayMs > 0 && !(isSlowOnce && this.#answered++ > 0)
    if (!isDelayed) return Promise.resolve()
    const delay = () => new Promise<void>((resolve) => setTimeout(resolve, delayMs))
    this.#queue = isSerial ? this.#queue.then(delay) : delay()
    return this.#queue
  }

  async #process({ headers }: IncomingMessage, raw: Buffer): Promise<string> {
    const { bodyMax = 100_000, type, counts, unknownKind, isStrict, repeatedWith, ignoresVersion } = this.#fault
    if (raw.length > bodyMax) throw new Refused(413)
    if (type === 'exact' && headers['content-type'] !== 'application/json') throw new Refused(415)
    if (type === 'falls over' && !headers['content-type']?.startsWith('application/json')) throw new Refused(500)
    const event: Payload = JSON.parse(raw.toString())
    const isRepeated = this.#seen.has(event.id)
    if (counts === 'before the check') this.#seen.add(event.id)
    this.#check(headers, raw)
    const known = ['success', 'processing', 'failed', 'refunded', 'expired'].includes(event.event.replace('order.', ''))
    if (!known && unknownKind !== undefined) throw new Refused(unknownKind)
    if (isStrict && Object.keys(event).join(' ') !== knownFields) throw new Refused(422)
    const id = counts === 'by delivery' ? String(headers['x-service-delivery']) : event.id
    if (counts !== 'everything') {
      const isKnown = counts === 'before the check' ? isRepeated : this.#seen.has(id)
      // A look at the database that others overtake before the write.
      if (counts === 'after a look') await new Promise((resolve) => setTimeout(resolve, 250))
      if (isKnown && repeatedWith !== undefined) throw new Refused(repeatedWith)
      if (isKnown) return 'duplicate'
    }
    this.#seen.add(id)
    const version = this.#versions.get(event.order.order_no) ?? 0
    // The same version twice is let through where counting once is what is examined.
    const isOutdated = counts === undefined ? version >= event.order.version : version > event.order.version
    if (isOutdated && !ignoresVersion) return 'outdated'
    this.#versions.set(event.order.order_no, event.order.version)
    return 'applied'
  }

  #check(headers: IncomingMessage['headers'], raw: Buffer): void {
    const { checks, respell, key = secret, digest = 'hex', toleranceS = 300, refusesWith = 400 } = this.#fault
    const signed = this.#fault.signed ?? ((t: string, body: string | Buffer) => `${t}.${body}`)
    if (checks === 'nothing') return
    const header = String(headers['x-service-signature'] ?? '')
    if (checks === 'what is there' && header === '') return
    const t = /(?:^|,)t=(\d+)/.exec(header)?.[1] ?? ''
    const given = [...header.matchAll(/v1=([^,]*)/g)].map(([, v1 = '']) => v1)
    const asked = checks === 'first v1' ? given.slice(0, 1) : checks === 'last v1' ? given.slice(-1) : given
    const ageS = Math.abs(Date.now() / 1_000 - Number(t))
    const isOld = checks === 'only age' ? Date.now() / 1_000 - Number(t) > toleranceS : ageS > toleranceS
    if (checks !== 'no time' && isOld) throw new Refused(refusesWith)
    const wanted = createHmac('sha256', key)
      .update(signed(t, respell ? respell(raw) : raw))
      .digest(digest)
    const fits = asked.some(
      (v1) => v1.length === wanted.length && timingSafeEqual(Buffer.from(v1), Buffer.from(wanted)),
    )
    if (!fits) throw new Refused(refusesWith)
  }
}
