// A shop with an address, and strangers before its pages: each request comes from the address that is said.
import type { TestContext } from 'node:test'
import type { PaymentLink } from '@florin/protocol'
import { makeRails } from '@florin/rail-kit/registry'
import { aMerchant, anApiKey, type TestApiKey, type TestMerchant } from '../../test/factories.ts'
import { type TestApp, testApp } from '../../test/harness.ts'

export interface Reply<T = Record<string, unknown>> {
  status: number
  body: T & { error?: { code: string; param: string | null; message: string } }
  headers: Record<string, unknown>
}

export interface PageReply {
  status: number
  html: string
  /** Where a form led: a checkout. */
  location: string | null
  /** What a browser keeps of the answer, as it sends it back. */
  cookie: string
}

export interface Seller extends TestApp {
  merchant: TestMerchant
  key: TestApiKey
  v1<T>(method: 'GET' | 'POST', url: string, body?: object, headers?: Record<string, string>): Promise<Reply<T>>
  boss<T>(method: 'GET' | 'POST', url: string, body?: object): Promise<Reply<{ data: T }>>
  link(body?: object): Promise<PaymentLink>
  /** A stranger opens a page. */
  open(url: string, headers?: Record<string, string>): Promise<PageReply>
  /** A stranger sends its form. */
  submit(
    url: string,
    fields?: Record<string, string>,
    ip?: string,
    headers?: Record<string, string>,
  ): Promise<PageReply>
}

export async function aSeller(t: TestContext): Promise<Seller> {
  const at = await testApp(t, { trustProxy: ['127.0.0.1'] })
  const merchant = await aMerchant(at.deps)
  const key = await anApiKey(at.deps, merchant)
  await at.deps.sql`
    insert into receiving_addresses (merchant_id, chain, address, updated_at)
    values (${merchant.id}, 'base', '0x52908400098527886E0F7030069857D2E4169EE7', ${at.clock.now()})`
  const call = async (method: 'GET' | 'POST', url: string, headers: Record<string, string>, body?: object) => {
    const reply = await at.app.inject({ method, url, headers, ...(body === undefined ? {} : { payload: body }) })
    return { status: reply.statusCode, body: reply.json(), headers: reply.headers as Record<string, unknown> }
  }
  const pathOf = (url: string): string => new URL(url, 'http://localhost').pathname
  const page = (reply: Awaited<ReturnType<typeof at.app.inject>>): PageReply => ({
    ...{ status: reply.statusCode, html: reply.body },
    location: typeof reply.headers.location === 'string' ? reply.headers.location : null,
    cookie: reply.cookies.map(({ name, value }) => `${name}=${value}`).join('; '),
  })
  const seller: Seller = {
    ...{ ...at, merchant, key },
    v1: (method, url, body, headers = {}) => call(method, `/v1/${url}`, { ...key.headers, ...headers }, body),
    boss: (method, url, body) => call(method, `/api/v1/boss/${url}`, merchant.headers, body),
    async link(body = {}) {
      const made = await seller.v1<PaymentLink>('POST', 'payment_links', { title: 'Chair', amount: '25', ...body })
      if (made.status !== 201) throw new Error(JSON.stringify(made.body))
      return made.body
    },
    open: async (url, headers = {}) => page(await at.app.inject({ method: 'GET', url: pathOf(url), headers })),
    submit: async (url, fields = {}, ip = '203.0.113.7', headers = {}) =>
      page(
        await at.app.inject({
          ...{ method: 'POST', url: pathOf(url), payload: new URLSearchParams(fields).toString() },
          headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-for': ip, ...headers },
        }),
      ),
  }
  return seller
}

/** As if a rail here carried real money: for rules of the live mode that never reach one. */
export function carryRealMoney({ deps }: Seller): void {
  deps.rails = makeRails(
    deps.rails.all.map((rail) => ({
      ...rail,
      capabilities: { ...rail.capabilities, isLive: true },
      carries: () => true,
    })),
  )
}
