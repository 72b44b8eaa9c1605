// Promises: with the ids of another merchant in the address, no call and no page shows or changes anything of theirs; and a
// secret is in the answer that made it and in none after, on no page and in no call. The calls are taken from the service's
// own description, so one that is added is tried too.
import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { scopes } from '../../packages/protocol/src/index.ts'
import { slowTest, quickTest as test } from '../../scripts/sizes.ts'
import { until } from '../florin.ts'
import { call, type Merchant, signUp } from '../merchant.ts'
import { openStage, type Stage } from './stage.ts'
import { sizes, visit } from './visitor.ts'

let stage: Stage
let mine: Owned
let other: Merchant

before(async () => {
  stage = await openStage({ LOG_LEVEL: 'warn' })
  const { florin, inbox } = stage
  mine = await fill(await signUp(florin.url, inbox, 'mine@shop.example'))
  other = await withEveryScope(await signUp(florin.url, inbox, 'other@shop.example'))
})

after(() => stage?.close())

interface Owned {
  merchant: Merchant
  /** By the place in the path that takes it, as `appkeys/{id}` or `{order_no}`. */
  ids: Record<string, string>
  /** Texts that are nobody else's to see. */
  marks: string[]
  /** What was shown once. */
  secrets: string[]
}

const boss = '/api/v1/boss'
const title = 'A very private teapot'

async function data<T>(path: string, headers: Record<string, string>, body?: unknown): Promise<T> {
  const answer = await call<{ data: T }>(`${stage.florin.url}${boss}${path}`, body === undefined ? 'GET' : 'POST', {
    headers,
    ...(body === undefined ? {} : { body }),
  })
  assert.ok(answer.status < 300, `${path}: ${answer.text}`)
  return answer.body.data
}

/** So that an answer is about the id and not about what the key may do. */
async function withEveryScope(merchant: Merchant): Promise<Merchant> {
  const wish = { name: 'all', scopes: [...scopes] }
  const { api_key } = await data<{ api_key: string }>('/appkeys', merchant.console, wish)
  return { ...merchant, key: { 'x-api-key': api_key } }
}

/** A merchant with one of everything that has an id. */
async function fill(merchant: Merchant): Promise<Owned> {
  const { console: headers } = merchant
  const order = await call<{ order_no: string; checkout_url: string }>(`${stage.florin.url}/v1/orders`, 'POST', {
    headers: merchant.key,
    body: { amount_usd: 77.77, title, external_id: 'T-4711', webhook_url: `${stage.shop.origin}/webhooks` },
  })
  const orderNo = order.body.order_no
  for (const action of ['pay', 'settle']) await data(`/test/orders/${orderNo}/simulate`, headers, { action })
  type Rows = { data: { id: string }[] }
  const find = async (list: string) => (await data<Rows>(`/${list}`, headers)).data[0]?.id ?? ''
  await until(async () => (await find('deliveries?livemode=false&status=succeeded')) !== '', 'a delivery')
  const key = await find('appkeys?livemode=false')
  const rotated = await data<{ api_key: string }>(`/appkeys/${key}/rotate`, headers, { grace_seconds: 3600 })
  const secret = await data<{ webhook_secret: string }>(`/appkeys/${key}/webhook-secret/rotate`, headers, {
    overlap_seconds: 3600,
  })
  const range = { from: new Date(Date.now() - 3_600_000).toISOString(), to: new Date().toISOString() }
  const replay = await data<{ id: string }>('/deliveries/replay', headers, {
    ...range,
    livemode: false,
    status: 'succeeded',
  })
  const ids = {
    '{order_no}': orderNo,
    'appkeys/{id}': key,
    'deliveries/{id}': await find('deliveries?livemode=false'),
    'sessions/{id}': await find('sessions'),
    'replays/{id}': replay.id,
  }
  const token = order.body.checkout_url.split('/').at(-1) ?? ''
  return {
    merchant,
    ids,
    marks: [merchant.email, title, 'T-4711', token],
    secrets: [merchant.apiKey, merchant.webhookSecret, rotated.api_key, secret.webhook_secret],
  }
}

interface Call {
  method: string
  path: string
}

/** Every call under a merchant's key or token. */
async function listCalls(): Promise<Call[]> {
  const { body } = await call<{ paths: Record<string, Record<string, unknown>> }>(
    `${stage.florin.url}/openapi.json`,
    'GET',
  )
  return Object.entries(body.paths)
    .filter(([path]) => path.startsWith('/v1/') || path.startsWith(boss))
    .flatMap(([path, methods]) => Object.keys(methods).map((method) => ({ method: method.toUpperCase(), path })))
}

const headersOf = ({ path }: Call, merchant: Merchant): Record<string, string> =>
  path.startsWith('/v1/') ? merchant.key : merchant.console

/** With the ids of `owner` in it; null where it takes none, or one that anybody may name. */
function withIds(path: string, ids: Record<string, string>): string | null {
  const filled = Object.entries(ids).reduce((text, [place, id]) => {
    const part = place.replace(/\{.*\}/, '')
    return text.replace(place, `${part}${id}`)
  }, path)
  return filled.includes('{') || filled === path ? null : filled
}

/** Bodies that are right, so that an answer is about the id and not about the body. */
const bodies: Readonly<Record<string, object>> = {
  simulate: { action: 'refund' },
  'test-event': { url: 'http://127.0.0.1:9/', event: 'order.success' },
  '{id}': { name: 'taken over' },
}
const bodyOf = ({ method, path }: Call): { body?: object } =>
  method === 'GET' || method === 'DELETE' ? {} : { body: bodies[path.split('/').at(-1) ?? ''] ?? {} }

test('no call takes the id of another merchant', async () => {
  const before = await data(`/orders/${mine.ids['{order_no}']}`, mine.merchant.console)
  const tried: string[] = []
  for (const one of await listCalls()) {
    const path = withIds(one.path, mine.ids)
    if (path === null) continue
    const { status, text } = await call(`${stage.florin.url}${path}`, one.method, {
      headers: headersOf(one, other),
      ...bodyOf(one),
    })
    const what = `${one.method} ${one.path}`
    // A call for operators is refused before anything is looked for.
    assert.ok(status === 404 || text.includes('"operator_required"'), `${what}: ${status} ${text}`)
    for (const mark of mine.marks) assert.ok(!text.includes(mark), `${what} tells ${mark}`)
    tried.push(what)
  }
  for (const id of Object.keys(mine.ids))
    assert.ok(
      tried.some((what) => what.includes(id)),
      `${id} was tried`,
    )
  assert.ok(tried.length >= 18, tried.join('\n'))
  assert.deepEqual(await data(`/orders/${mine.ids['{order_no}']}`, mine.merchant.console), before)
  const key = await data<{ name: string }>(`/appkeys/${mine.ids['appkeys/{id}']}`, mine.merchant.console)
  assert.equal(key.name, 'shop')
})

/** Every page of the console, those of one thing with the ids of `mine`. */
const pages = (): string[] => [
  '/',
  '/setup',
  '/orders',
  `/orders?q=${mine.ids['{order_no}']}`,
  `/orders/${mine.ids['{order_no}']}`,
  '/addresses',
  '/keys',
  `/keys/${mine.ids['appkeys/{id}']}`,
  '/webhooks',
  `/webhooks?order_no=${mine.ids['{order_no}']}`,
  `/webhooks/${mine.ids['deliveries/{id}']}`,
  '/webhooks/replay',
  '/webhooks/check',
  '/attention',
  '/books',
  '/audit',
  '/settings',
]

/** Opens every page as `merchant`, and hands what it shows and all that it was sent to `judge`. */
async function readAll(merchant: Merchant, judge: (path: string, text: string) => void): Promise<void> {
  const visitor = await visit(stage.browser, [stage.florin.url], sizes.desk)
  const { page } = visitor
  try {
    const session = {
      token: merchant.token,
      email: merchant.email,
      expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
    }
    await page.addInitScript((text) => localStorage.setItem('florin.session', text), JSON.stringify(session))
    const sent: Promise<string>[] = []
    page.on('response', (response) => {
      const isRead = response.url().includes('/api/') && !response.url().endsWith('/stream')
      if (isRead) sent.push(response.text().catch(() => ''))
    })
    for (const path of pages()) {
      sent.length = 0
      await page.goto(`${stage.florin.url}/console${path}`)
      await page.getByRole('heading', { level: 1 }).first().waitFor()
      await page.locator('[class*=Skeleton]').first().waitFor({ state: 'detached' })
      judge(path, await page.content())
      for (const text of await Promise.all(sent)) judge(path, text)
    }
  } finally {
    await visitor.close()
  }
}

slowTest('no page shows anything of another merchant', async () => {
  await readAll(other, (path, text) => {
    // The page's own address and search field repeat what was asked for; what is told of it is what counts.
    for (const mark of mine.marks) assert.ok(!text.includes(mark), `${path} tells ${mark}`)
  })
})

slowTest('what was shown once is on no page and in no answer after', async () => {
  await readAll(mine.merchant, (path, text) => {
    for (const secret of mine.secrets) assert.ok(!text.includes(secret), `${path} tells a secret again`)
  })
  const { merchant, secrets, ids } = mine
  const renewed: Merchant = { ...merchant, key: { 'x-api-key': secrets[2] ?? '' } }
  let read = 0
  for (const one of await listCalls()) {
    if (one.method !== 'GET' || one.path.endsWith('/stream')) continue
    const path = withIds(one.path, ids) ?? one.path
    const needsMode =
      /\/(orders|deliveries|appkeys|attention|summary|series|export)$/.test(path) && path.startsWith(boss)
    const { status, text } = await call(`${stage.florin.url}${path}${needsMode ? '?livemode=false' : ''}`, 'GET', {
      headers: headersOf(one, renewed),
    }).catch(() => ({ status: 0, text: '' }))
    if (status === 200) read += 1
    for (const secret of secrets) assert.ok(!text.includes(secret), `${one.path} tells a secret again`)
  }
  assert.ok(read >= 18, `${read} answers were read`)
  for (const secret of secrets) assert.ok(!stage.florin.output().includes(secret), 'nor in the log')
})
