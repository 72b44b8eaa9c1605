// A signed-in merchant with orders, for tests of what the console reads and does.
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { OrderState } from '@florin/order-model/state'
import type { Config } from '../src/settings.ts'
import { aMerchant, anApiKey, type TestApiKey, type TestMerchant } from './factories.ts'
import { type TestApp, testApp } from './harness.ts'
import { anOrder } from './orders.ts'

export const OPERATOR = 'operator@florin.example'

export interface ConsoleAnswer<T> {
  status: number
  code: number
  data: T
  error: { code: string; param: string | null; message: string } | undefined
}

export interface ConsoleUser {
  merchant: TestMerchant
  key: TestApiKey
  get<T>(url: string): Promise<ConsoleAnswer<T>>
  post<T>(url: string, body?: object): Promise<ConsoleAnswer<T>>
  /** A pending test order of $50 in USDC on base, unless told otherwise. */
  order(body?: Record<string, unknown>): Promise<OrderState>
}

export interface TestConsole extends TestApp, ConsoleUser {
  /** Another merchant of the same installation. */
  another(email?: string): Promise<ConsoleUser>
}

/** @param database the URL of a migrated one; without it, one of its own. */
export async function testConsole(
  t: TestContext,
  overrides: Partial<Config> = {},
  database?: string,
): Promise<TestConsole> {
  const at = await testApp(t, { operatorEmails: [OPERATOR], ...overrides }, database)
  const user = await aUser(at)
  return { ...at, ...user, another: (email) => aUser(at, email) }
}

async function aUser(at: TestApp, email?: string): Promise<ConsoleUser> {
  const merchant = await aMerchant(at.deps, email)
  const key = await anApiKey(at.deps, merchant)
  await at.deps.sql`
    insert into receiving_addresses (merchant_id, chain, address, updated_at)
    values (${merchant.id}, 'base', '0x52908400098527886E0F7030069857D2E4169EE7', ${at.clock.now()})`
  async function call<T>(method: 'GET' | 'POST', url: string, body?: object): Promise<ConsoleAnswer<T>> {
    const reply = await at.app.inject({
      method,
      url: `/api/v1/boss/${url}`,
      headers: merchant.headers,
      ...(body === undefined ? {} : { payload: body }),
    })
    const { code, data, error } = reply.json()
    assert.equal(code === 0, reply.statusCode < 300, 'the envelope says what the status says')
    return { status: reply.statusCode, code, data, error }
  }
  const caller = { ...key, scopes: [], feeBps: 0 }
  return {
    merchant,
    key,
    get: (url) => call('GET', url),
    post: (url, body) => call('POST', url, body),
    order: (body = {}) => anOrder(at.deps, caller, { amount_usd: 50, pay_chain: 'base', ...body } as never),
  }
}
