// A process with the pools that production has, over a test's database, asked over HTTP by a merchant's server.

import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { Check } from '@florin/platform/check'
import { openPool, type Sql, withoutLimits } from '@florin/platform/db/pool'
import { openPools } from '@florin/platform/db/pools'
import { railsOf } from '@florin/rail-kit/sandbox/rail'
import { buildApp } from '../../src/app.ts'
import { aMerchant, anApiKey, aReceivingAddress } from '../factories.ts'
import { testDeps } from '../harness.ts'

export interface Asked {
  status: number
  code: string | undefined
  retryAfter: string | undefined
}

export interface PooledProcess {
  /** A connection of its own, without limits. */
  admin: Sql
  create(): Promise<Asked>
  read(): Promise<Asked>
  ready(): Promise<{ status: number; database: string }>
}

export async function pooledProcess(t: TestContext): Promise<PooledProcess> {
  const { deps: usual, databaseUrl } = await testDeps(t)
  const pools = openPools(databaseUrl, 'api')
  const { payments: sql, lists } = pools
  const deps = { ...usual, sql, lists, databaseTrouble: pools.trouble, rails: railsOf(sql) }
  const app = await buildApp(deps)
  const admin = openPool({ url: databaseUrl, max: 1, applicationName: 'outage', limits: withoutLimits })
  t.after(async () => {
    await app.close()
    await pools.end({ timeout: 1 })
    await admin.end({ timeout: 1 })
  })
  const merchant = await aMerchant(deps)
  const { headers } = await anApiKey(deps, merchant)
  await aReceivingAddress(deps, merchant)
  const ask = async (method: 'GET' | 'POST', payload?: object): Promise<Asked> => {
    const answer = await app.inject({ method, url: '/v1/orders', headers, ...(payload ? { payload } : {}) })
    const { 'retry-after': retryAfter } = answer.headers
    return {
      status: answer.statusCode,
      code: answer.json().error?.code,
      retryAfter: retryAfter === undefined ? undefined : String(retryAfter),
    }
  }
  const process: PooledProcess = {
    admin,
    create: () => ask('POST', { amount_usd: 5, title: 'x'.repeat(100) }),
    read: () => ask('GET'),
    async ready() {
      const answer = await app.inject('/readyz')
      const [database] = answer.json<{ checks: Check[] }>().checks
      return { status: answer.statusCode, database: database?.status === 'ok' ? 'ok' : (database?.summary ?? '') }
    },
  }
  assert.equal((await process.create()).status, 201)
  return process
}
