// Promise: the file of an export is whole, though the machine of the worker that writes it dies several times meanwhile.
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { startEmbedded } from '@florin/embedded-postgres'
import type { OrderExport } from '@florin/protocol'
import { openPool, withoutLimits } from '../../packages/server/src/platform/db/pool.ts'
import { MASTER_KEY } from '../../packages/server/test/deploy/master-keys.ts'
import { copies } from '../../packages/server/test/scale/order-copies.ts'
import { startFlorin, until } from '../florin.ts'
import { call, signUp, startInbox } from '../merchant.ts'

const ORDERS = 40_000
const KILLS = 5

test(`${KILLS} kills of the worker leave a file that has every order once`, async (t) => {
  const log = { info: () => undefined, warn: () => undefined }
  const dataDir = await mkdtemp(join(tmpdir(), 'florin-exports-'))
  const database = await startEmbedded({ dataDir, log })
  const sql = openPool({ url: database.url, max: 2, applicationName: 'exports', limits: withoutLimits })
  const inbox = await startInbox()
  const settings = {
    DATABASE_URL: database.url,
    MASTER_KEY,
    SMTP_URL: inbox.smtpUrl,
    LOG_LEVEL: 'warn',
  }
  const florin = await startFlorin(settings)
  t.after(async () => {
    await florin.close()
    await sql.end({ timeout: 1 })
    await inbox.close()
    await database.stop()
    await rm(dataDir, { recursive: true, force: true })
  })
  const { console: headers, key } = await signUp(florin.url, inbox, 'exports@shop.example')
  const made = await call<{ order_no: string }>(`${florin.url}/v1/orders`, 'POST', {
    headers: key,
    body: { amount_usd: 5 },
  })
  await copies({ deps: { sql } }, made.body.order_no, ORDERS)
  const boss = `${florin.url}/api/v1/boss`
  const asked = await call<{ data: OrderExport }>(`${boss}/exports?livemode=false`, 'POST', { headers })
  assert.equal(asked.status, 201)
  const so = async (): Promise<OrderExport> => {
    const list = await call<{ data: OrderExport[] }>(`${boss}/exports?livemode=false`, 'GET', { headers })
    return list.body.data[0] ?? asked.body.data
  }
  let rows = 0
  for (let n = 0; n < KILLS; n++) {
    await until(async () => (await so()).rows > rows, 'another piece')
    await florin.kill()
    await florin.start()
    // As after its two minutes: who died holds the claim.
    await sql`update order_exports set claimed_until = now() - interval '1 second'`
    rows = (await so()).rows
  }
  await until(async () => (await so()).status === 'done', 'the end of the file')
  assert.equal((await so()).rows, ORDERS + 1)
  const file = await fetch(`${boss}/exports/${asked.body.data.id}/file`, { headers })
  const stream = await fetch(`${boss}/orders/export?format=csv&livemode=false`, { headers })
  const written = gunzipSync(Buffer.from(await file.arrayBuffer())).toString('utf8')
  assert.ok(written === (await stream.text()), 'it is what the stream brings')
})
