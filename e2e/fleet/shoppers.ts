// Mixed load: merchants' servers that make and follow orders, payers who pay and look at their page, merchants who look at lists and
// figures, readers of the feed. Each insists until it is answered, as a careful client does; every answer but a good one and
// 503 with Retry-After is a fault.
import { setTimeout as wait } from 'node:timers/promises'
import type { Merchant } from '../merchant.ts'
import type { Balancer, Reply } from './balancer.ts'

export interface Shoppers {
  /** External id → what is known of the order and how it has to end. */
  readonly orders: ReadonlyMap<string, { no: string; goal: Goal }>
  readonly counts: Readonly<Record<'answered' | 'refused' | 'cut' | 'finished', number>>
  readonly faults: readonly string[]
  readonly slowestMs: number
  /** Whole orders that are begun each second; Infinity: as many as are answered. */
  pace: number
  /** Ends when every order that was begun has ended as it has to, or at once. */
  stop(isAtOnce?: true): Promise<void>
}

type Goal = 'success' | 'failed' | 'expired'
interface OrderJson {
  order_no: string
  status: string
  checkout_url: string
}

const AT_ONCE = 24
/** The slot of a request that was cut off may be held by its Idempotency-Key for a moment. */
const isUnderWay = (reply: Reply<unknown>): boolean =>
  reply.status === 409 && JSON.stringify(reply.body).includes('idempotency_in_progress')

export function startShoppers(a: { balancer: Balancer; shop: Merchant; webhookUrl: string }): Shoppers {
  const orders = new Map<string, { no: string; goal: Goal }>()
  const counts = { answered: 0, refused: 0, cut: 0, finished: 0 }
  const faults: string[] = []
  let slowestMs = 0
  let isOver = false
  let isGivenUp = false
  let next = 0
  let begun = performance.now()

  /** Until there is an answer that is none of the expected refusals. */
  async function insist<T>(method: string, path: string, headers: Record<string, string>, body?: unknown) {
    for (;;) {
      if (isGivenUp) throw new Error('given up')
      const sent = performance.now()
      const reply = await a.balancer.ask<T>(method, path, headers, body)
      slowestMs = Math.max(slowestMs, performance.now() - sent)
      if (reply === null) counts.cut++
      else if (reply.status === 503 && /^[1-9]\d*$/.test(reply.retryAfter ?? '')) counts.refused++
      else if (!isUnderWay(reply)) {
        counts.answered++
        return reply
      }
      await wait(50)
    }
  }

  async function good<T>(method: string, path: string, headers: Record<string, string>, body?: unknown): Promise<T> {
    const reply = await insist<T>(method, path, headers, body)
    if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.status} ${JSON.stringify(reply.body)}`)
    return reply.body
  }

  async function oneOrder(n: number): Promise<void> {
    const { shop } = a
    const externalId = `fleet-${n}`
    const goal = n % 10 === 0 ? 'expired' : n % 10 === 1 ? 'failed' : 'success'
    const body = {
      ...{ amount_usd: 10, external_id: externalId, title: `Blue shirt ${n}`, webhook_url: `${a.webhookUrl}/` },
      ...(n % 3 === 0 ? {} : { pay_chain: 'base' }),
    }
    const made = await good<OrderJson>('POST', '/v1/orders', { ...shop.key, 'idempotency-key': externalId }, body)
    orders.set(externalId, { no: made.order_no, goal })
    // What the payer's page asks for.
    await good('GET', new URL(made.checkout_url).pathname.replace('/pay/', '/checkout/'), {})
    for (;;) {
      const { status } = await good<OrderJson>('GET', `/v1/orders/${made.order_no}`, shop.key)
      if (status === goal) break
      const action =
        goal === 'expired' ? 'expire' : status === 'pending' ? 'pay' : goal === 'failed' ? 'fail' : 'settle'
      const path = `/v1/test/orders/${made.order_no}/simulate`
      if (isGivenUp) return
      const reply = await a.balancer.ask('POST', path, shop.key, { action })
      // One that was cut off may have been done: the next look tells.
      if (reply === null) counts.cut++
      else if (reply.status === 503 && reply.retryAfter !== null) counts.refused++
      else if (reply.status < 300 || reply.status === 409 || reply.status === 422) counts.answered++
      else faults.push(`${path} ${action}: ${reply.status} ${JSON.stringify(reply.body)}`)
      if (reply === null || reply.status >= 300) await wait(50)
    }
    await look(n)
    counts.finished++
  }

  /** What others look at meanwhile: one thing an order, by turns. */
  async function look(n: number): Promise<void> {
    const { console: boss, key } = a.shop
    const range = `livemode=false&from=${new Date(Date.now() - 86_400_000).toISOString()}`
    const looks: [string, Record<string, string>][] = [
      ['/api/v1/boss/orders?livemode=false&limit=20', boss],
      [`/api/v1/boss/orders?livemode=false&q=fleet-${n}`, boss],
      [`/api/v1/boss/stats/summary?${range}`, boss],
      ['/v1/orders?status=success&limit=10', key],
      ['/v1/events?limit=20', key],
      ['/api/v1/boss/deliveries?livemode=false&limit=20', boss],
      ['/api/v1/boss/attention?livemode=false', boss],
    ]
    const [path, headers] = looks[n % looks.length] ?? ['/healthz', {}]
    await good('GET', path, headers)
  }

  const shoppers: Shoppers & { pace: number } = {
    orders,
    counts,
    faults,
    get slowestMs() {
      return Math.round(slowestMs)
    },
    pace: Number.POSITIVE_INFINITY,
    async stop(isAtOnce) {
      isOver = true
      isGivenUp = isAtOnce === true
      await Promise.all(loops)
    },
  }

  async function forever(): Promise<void> {
    while (!isOver) {
      const now = performance.now()
      begun = Math.max(begun + 1000 / shoppers.pace, now - 1000)
      if (begun > now) await wait(begun - now)
      if (isOver) return
      await oneOrder(next++).catch((error: unknown) => void faults.push(String(error)))
    }
  }
  const loops = Array.from({ length: AT_ONCE }, forever)
  return shoppers
}
