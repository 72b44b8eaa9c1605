// Clients that others' generators make of the OpenAPI document: they compile under `strict` and walk an order to a verified webhook. And
// what the second usual linter says of it. The tools come from npm into a folder of their own; nothing of Florin needs them.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { verify } from '@florin/protocol/signature'
import { type Florin, startFlorin, until } from './florin.ts'
import { type Inbox, type Merchant, signUp, startInbox } from './merchant.ts'
import { type Receiver, startReceiver } from './receiver.ts'

const tools = [
  ...['typescript@5.9.3', '@types/node@24', 'openapi-typescript@7.13.0', 'openapi-fetch@0.17.0'],
  ...['@hey-api/openapi-ts@0.99.0', '@stoplight/spectral-core@1.24.1', '@stoplight/spectral-rulesets@1.23.1'],
]
const document = join(import.meta.dirname, '../docs/openapi.json')

let folder = ''
let florin: Florin
let inbox: Inbox
let shop: Merchant
let receiver: Receiver

const run = async (file: string, args: readonly string[], env: Record<string, string> = {}): Promise<string> => {
  try {
    const options = { cwd: folder, env: { ...process.env, ...env }, maxBuffer: 1 << 24 }
    return (await promisify(execFile)(file, args, options)).stdout
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    throw new Error(`${file} ${args.join(' ')}\n${stdout}\n${stderr}`)
  }
}
const tool = (name: string): string => join(folder, 'node_modules/.bin', name)

before(async () => {
  folder = await mkdtemp(join(await realpath(tmpdir()), 'florin-clients-'))
  await writeFile(join(folder, 'package.json'), '{ "name": "clients", "private": true, "type": "module" }')
  await run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...tools])
  await cp(document, join(folder, 'openapi.json'))
  await writeFile(
    join(folder, 'resolve.mjs'),
    `import { registerHooks } from 'node:module'
registerHooks({
  resolve(specifier, context, next) {
    if (!specifier.startsWith('.') || /\\.[cm]?js$/.test(specifier)) return next(specifier, context)
    try { return next(specifier + '.js', context) } catch { return next(specifier + '/index.js', context) }
  },
})`,
  )
  inbox = await startInbox()
  florin = await startFlorin({ SMTP_URL: inbox.smtpUrl })
  shop = await signUp(florin.url, inbox, 'clients@shop.example')
  receiver = await startReceiver()
})
after(async () => {
  await receiver?.close()
  await florin?.close()
  await inbox?.close()
  await rm(folder, { recursive: true })
})

/** The walk of each client, in its own words; it prints the number and the status of the order that it ends with. */
const clients: Record<string, { generate(): Promise<unknown>; program: string }> = {
  'openapi-typescript': {
    generate: () => run(tool('openapi-typescript'), ['openapi.json', '--output', 'openapi-typescript.ts']),
    program: `
import createClient from 'openapi-fetch'
import type { components, paths } from './openapi-typescript.ts'
const { FLORIN: baseUrl = '', KEY: key = '', HOOK: webhook_url = '' } = process.env
const client = createClient<paths>({ baseUrl, headers: { 'X-API-Key': key } })
const made = await client.POST('/v1/orders', {
  params: { header: { 'Idempotency-Key': 'walk' } },
  body: { amount_usd: '12.50', webhook_url, metadata: { cart: '7' } },
})
if (made.error) throw new Error(made.error.error.code)
const path = { order_no: made.data.order_no }
await client.POST('/v1/test/orders/{order_no}/simulate', { params: { path }, body: { action: 'pay' } })
await client.POST('/v1/test/orders/{order_no}/simulate', { params: { path }, body: { action: 'settle' } })
const { data, error } = await client.GET('/v1/orders', {
  params: { query: { status: ['success', 'failed'], metadata: { cart: '7' }, limit: 5, sort: 'oldest' } },
})
if (error) throw new Error(error.error.message)
const order: components['schemas']['Order'] | undefined = data.data[0]
const refused = await client.GET('/v1/orders/{order_no}', { params: { path: { order_no: 'ord_none' } } })
const code: components['schemas']['ErrorCode'] | undefined = refused.error?.error.code
if (code !== 'order_not_found') throw new Error('no refusal')
console.log(order?.order_no, order?.status)
`,
  },
  'hey-api': {
    generate: () =>
      run(tool('openapi-ts'), ['--input', 'openapi.json', '--output', 'hey-api', '--client', '@hey-api/client-fetch']),
    program: `
import { createClient } from './hey-api/client'
import { createOrder, getOrder, listOrders, simulateOrder } from './hey-api/sdk.gen'
import type { Order, OrderStatus } from './hey-api/types.gen'
const { FLORIN: baseUrl = '', KEY: key = '', HOOK: webhook_url = '' } = process.env
const client = createClient({ baseUrl, headers: { 'X-API-Key': key } })
const made = await createOrder({
  client,
  headers: { 'Idempotency-Key': 'walk-of-hey-api' },
  body: { amount_usd: '12.50', webhook_url, metadata: { cart: '8' } },
  throwOnError: true,
})
const path = { order_no: made.data.order_no }
await simulateOrder({ client, path, body: { action: 'pay' }, throwOnError: true })
await simulateOrder({ client, path, body: { action: 'settle' }, throwOnError: true })
const wanted: OrderStatus[] = ['success', 'failed']
const list = await listOrders({ client, query: { status: wanted, metadata: { cart: '8' }, limit: 5, sort: 'oldest' }, throwOnError: true })
const order: Order | undefined = list.data.data[0]
const refused = await getOrder({ client, path: { order_no: 'ord_none' } })
if (refused.error?.error.code !== 'order_not_found') throw new Error('no refusal')
console.log(order?.order_no, order?.status)
`,
  },
}

// Both by one compiler: reading the libraries of the browser and of Node is most of its work.
test('each is generated, and compiled under strict', async () => {
  const names = Object.keys(clients)
  for (const [name, { generate, program }] of Object.entries(clients)) {
    await generate()
    await writeFile(join(folder, `${name}-walk.ts`), program)
  }
  const compilerOptions = {
    ...{ strict: true, target: 'es2022', module: 'esnext', moduleResolution: 'bundler', outDir: 'built' },
    ...{ lib: ['es2022', 'dom', 'dom.iterable'], types: ['node'], skipLibCheck: false },
    ...{ allowImportingTsExtensions: true, rewriteRelativeImportExtensions: true },
  }
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: names.map((name) => `${name}-walk.ts`) }),
  )
  assert.equal(await run(join(folder, 'node_modules/.bin/tsc'), ['-p', 'tsconfig.json']), '')
})

for (const name of Object.keys(clients)) {
  test(`${name}: walked to a verified webhook`, async () => {
    // Node asks for whole file names, which generators leave out.
    const env = { FLORIN: florin.url, KEY: shop.apiKey, HOOK: `${receiver.url}/webhooks/florin` }
    const printed = await run(process.execPath, ['--import', './resolve.mjs', join('built', `${name}-walk.js`)], env)
    const [orderNo = '', status] = printed.trim().split(' ')
    assert.equal(status, 'success')
    await until(() => receiver.of(orderNo).some(({ event }) => event.event === 'order.success'), 'its webhook')
    for (const { body, headers } of receiver.of(orderNo)) {
      const header = headers['x-service-signature']
      const verdict = verify({ header, body, secrets: [shop.webhookSecret], now: Date.now() / 1000 })
      assert.equal(verdict.ok, true)
    }
  })
}

test('spectral:oas finds no error and nothing to warn of', async () => {
  await writeFile(
    join(folder, 'lint.mjs'),
    `import { readFileSync } from 'node:fs'
import core from '@stoplight/spectral-core'
import rulesets from '@stoplight/spectral-rulesets'
const spectral = new core.Spectral()
spectral.setRuleset({ extends: [rulesets.oas] })
const found = await spectral.run(JSON.parse(readFileSync('openapi.json', 'utf8')))
console.log(JSON.stringify(found.map(({ code, message, path }) => code + ': ' + message + ' ' + path.join('/'))))`,
  )
  assert.deepEqual(JSON.parse(await run(process.execPath, ['lint.mjs'])), [])
})
