// Payers before the checkout of one order, each in a browser of its own: cookies are kept, and nothing else is known.
import type { TestContext } from 'node:test'
import type { OrderState } from '@florin/order-model/state'
import { withTx } from '@florin/platform/db/tx'
import type { Checkout, Order } from '@florin/protocol'
import type { AssetRef } from '@florin/rail-kit/interface/asset'
import { reportFacts } from '@florin/rail-kit/report.store'
import { type TestConsole, testConsole } from '../../test/console.ts'
import { settleOrder } from '../orders/rail-outbox.ts'
import { getOrder } from '../orders/store.ts'
import type { Config } from '../settings.ts'

export interface CheckoutAnswer {
  status: number
  body: Checkout & { error?: { code: string; param: string | null; message: string } }
  text: string
  cookies: string[]
}

/** One browser that was given the checkout link. */
export interface Browser {
  get(): Promise<CheckoutAnswer>
  post(path: string, body: object, headers?: Record<string, string>): Promise<CheckoutAnswer>
  /** `name=value`, or empty. */
  cookie: string
}

export interface Shop extends TestConsole {
  orderNo: string
  token: string
  browser(): Browser
  read(): Promise<OrderState>
  /** As the merchant's server reads it. */
  api(): Promise<Order>
  /** A confirmed transfer to a leg, from a wallet; of the leg's own asset where none is given. */
  pay(legId: string, amount: bigint, from?: string, sent?: AssetRef): Promise<void>
}

let transfers = 0

/** A merchant's order of $50 that leaves the choice to its payer, and the link to it. */
export async function aShop(
  t: TestContext,
  body: Record<string, unknown> = {},
  config: Partial<Config> = {},
): Promise<Shop> {
  const at = await testConsole(t, config)
  const { orderNo, checkoutToken: token } = await at.order({ pay_chain: undefined, settle_chain: 'base', ...body })
  const read = () => getOrder(at.deps.sql, orderNo)
  return {
    ...at,
    orderNo,
    token,
    read,
    browser() {
      const call = async (
        method: 'GET' | 'POST',
        path: string,
        sent?: object,
        headers = {},
      ): Promise<CheckoutAnswer> => {
        const reply = await at.app.inject({
          method,
          url: `/checkout/${token}${path}`,
          headers: { ...(self.cookie === '' ? {} : { cookie: self.cookie }), ...headers },
          ...(sent === undefined ? {} : { payload: sent }),
        })
        const first = reply.cookies.find(({ maxAge }) => maxAge !== 0)
        if (first !== undefined) self.cookie = `${first.name}=${first.value}`
        const cookies = [reply.headers['set-cookie'] ?? []].flat()
        return { status: reply.statusCode, body: reply.json(), text: reply.payload, cookies }
      }
      const self: Browser = {
        cookie: '',
        get: () => call('GET', ''),
        post: (path, sent, headers) => call('POST', path, sent, headers),
      }
      return self
    },
    async api() {
      const reply = await at.app.inject({ url: `/v1/orders/${orderNo}`, headers: at.key.headers })
      return reply.json()
    },
    async pay(legId, amount, from, as) {
      const { legs, orderRef } = await read()
      const leg = legs.find((one) => one.id === legId)
      if (leg === undefined) throw new Error('no such leg')
      const { chain, asset, contract, decimals } = as ?? leg
      const now = at.clock.now()
      const key = `${chain}:0xb10c:${++transfers}`
      const sent = { key, legRef: leg.ref, txHash: `0x${String(transfers).padStart(64, '0')}`, outputIndex: 0 }
      await withTx(at.deps.sql, (tx) =>
        reportFacts(tx, {
          ...{ rail: 'sandbox', orderRef, now },
          facts: [
            {
              ...{ kind: 'payment_seen', ...sent, amount, from: from ?? null, height: 5n, seenAt: now },
              asset: { chain, asset, contract, decimals },
            },
            { kind: 'payment_confirmed', key },
          ],
        }),
      )
      await settleOrder(at.deps, { orderNo, orderRef })
    },
  }
}
