// What the order benchmark stands on: a database with a merchant, a key and 2,000 orders, and the SQL that the
// real calls send, recorded as the driver sent it.
import { randomBytes } from 'node:crypto'
import { pino } from 'pino'
import { databaseClock } from '../packages/platform/src/clock.ts'
import { migrate } from '../packages/platform/src/db/migrate.ts'
import { makePartitions } from '../packages/platform/src/db/partitions.ts'
import { openPool, withoutLimits } from '../packages/platform/src/db/pool.ts'
import { newId } from '../packages/platform/src/ids.ts'
import { makeSecrets } from '../packages/platform/src/secrets.ts'
import { railsOf } from '../packages/rail-kit/src/sandbox/rail.ts'
import { createKey } from '../packages/server/src/keys/change.ts'
import { hashOf, parseApiKey } from '../packages/server/src/keys/secret.ts'
import { findKeyCaller } from '../packages/server/src/keys/store.ts'
import { packageMigrations } from '../packages/server/src/migrations.ts'
import { createOrder } from '../packages/server/src/orders/create/create.ts'
import { parseInput } from '../packages/server/src/orders/create/input.ts'
import { findOrder } from '../packages/server/src/orders/store.ts'
import { noTips, orderView } from '../packages/server/src/orders/view.ts'
import { partitionedTables } from '../packages/server/src/partitions.ts'
import { makeWakes } from '../packages/server/src/wakes.ts'
import { testConfig } from '../packages/server/test/harness.ts'
import { orSmoke } from './smoke.ts'

/** One statement as it went over the wire. Values that change with each request are marked by name. */
export interface Recorded {
  text: string
  values: unknown[]
}

export interface Plan {
  get: Recorded[]
  post: Recorded[]
  /** The bytes of the answers. */
  getBody: string
  postBody: string
  orderNo: string
  /** Values of `post` that must be new for each order. */
  fresh: { value: string; prefix: string }[]
}

export async function makeBenchShop() {
  const cluster = process.env.FLORIN_TEST_PG
  if (!cluster) throw new Error('run this through `npm run bench`')
  const name = `bench_${randomBytes(4).toString('hex')}`
  const admin = openPool({ url: cluster, max: 1, applicationName: 'bench admin' })
  await admin.unsafe(`create database ${name}`)
  const url = new URL(cluster)
  url.pathname = `/${name}`

  let recording: Recorded[] | null = null
  const sql = openPool({
    url: url.href,
    max: 4,
    applicationName: 'bench',
    limits: withoutLimits,
    onStatement: ({ text, values }) => recording?.push({ text, values: [...values] }),
  })
  const record = async <T>(work: () => Promise<T>): Promise<[Recorded[], T]> => {
    recording = []
    const result = await work()
    const done = recording
    recording = null
    return [done, result]
  }
  await migrate(sql, packageMigrations)
  const clock = await databaseClock(sql)
  await makePartitions(sql, partitionedTables, clock.now())
  const masterKey = randomBytes(32).toString('hex')
  const config = testConfig()
  const rails = railsOf(sql)
  const deps = {
    config,
    sql,
    clock,
    rails,
    log: pino({ level: 'silent' }),
    secrets: makeSecrets(masterKey),
    wake: makeWakes(),
  }
  const merchantId = newId('mer', clock.now())
  const [merchant] = await sql<{ no: number }[]>`
    insert into merchants (id, email, default_settle_chain, created_at) values (${merchantId}, 'bench@shop.example', 'base', ${clock.now()}) returning no`
  await sql`
    insert into receiving_addresses (merchant_id, chain, address, updated_at)
    values (${merchantId}, 'base', '0x52908400098527886E0F7030069857D2E4169EE7', ${clock.now()})`
  const caller = {
    id: merchantId,
    no: merchant?.no ?? 0,
    email: 'bench@shop.example',
    sessionId: '',
    isOperator: false,
    isFresh: true,
    isKnownBrowser: true,
    browser: null,
  }
  const { apiKey } = await createKey(deps, caller, { name: 'bench', mode: 'test', scopes: undefined, expiresAt: null })
  const parsed = parseApiKey(apiKey)
  if (parsed === null) throw new Error('the key does not parse')
  const auth = () => findKeyCaller(sql, hashOf(parsed), clock.now())
  const keyCaller = await auth()
  if (keyCaller === null) throw new Error('the key is not known')

  // What a shop sends: the payer will choose how to pay on the checkout.
  const createBody = JSON.stringify({
    amount_usd: 49.9,
    external_id: 'order-1',
    title: 'Blue shirt',
    metadata: { cart: '17' },
  })
  const create = () => createOrder(deps, keyCaller, parseInput(JSON.parse(createBody) as { amount_usd: number }), null)
  const orderNos: string[] = []
  for (let n = 0; n < orSmoke(2000, 50); n++)
    orderNos.push((JSON.parse((await create()).json) as { order_no: string }).order_no)
  await sql`analyze`

  const [authentication] = await record(auth)
  const [post, created] = await record(create)
  const order = JSON.parse(created.json) as { order_no: string; checkout_url: string }
  const own = { orderNo: order.order_no, merchantId, livemode: false }
  const [get, state] = await record(() => findOrder(sql, own))
  if (state === null) throw new Error('the order is not there')
  const insert = post.find((statement) => statement.text.includes('insert into orders'))
  const ref = insert?.values.find((value) => typeof value === 'string' && /^[0-9A-Za-z]{22}$/.test(value))
  const event = insert?.values.find((value) => typeof value === 'string' && value.startsWith('evt_'))
  const plan: Plan = {
    get: [...authentication, ...get],
    post: [...authentication, ...post],
    getBody: JSON.stringify(orderView(state, { baseUrl: config.baseUrl, tips: noTips })),
    postBody: created.json,
    orderNo: order.order_no,
    fresh: [
      { value: order.order_no, prefix: 'ord_' },
      { value: String(ref), prefix: '' },
      { value: String(event), prefix: 'evt_' },
      { value: order.checkout_url.split('/').at(-1) ?? '', prefix: '' },
    ],
  }
  return {
    databaseUrl: url.href,
    masterKey,
    apiKey,
    orderNos,
    createBody,
    plan,
    async close() {
      await sql.end()
      await admin.unsafe(`drop database ${name} with (force)`)
      await admin.end()
    },
  }
}
