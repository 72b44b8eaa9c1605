// Promises: each block of code in the README runs as it is printed and prints what is printed under it, and each example does what
// its comments say. Both run against the installed library, as they would at a merchant's.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { cp, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, type TestContext, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { signTestWebhook, type TestWebhook } from '../src/index.ts'
import { type Installed, installedSdk, oldestNode, packageRoot, repositoryRoot, run } from './installed.ts'
import { answer, fail, localServer, type Script } from './local-server.ts'

const secret = 'whsec_0123456789ABCDEFGHIJKLMNOPQRSTUV'
const apiKey = `florin_test_${'k'.repeat(38)}`
const readme = await readFile(join(packageRoot, 'README.md'), 'utf8')
const blocks = readme.split(/^## /m).flatMap((section) => {
  const heading = section.split('\n')[0]
  return [...section.matchAll(/^```js\n(.*?)^```\n(?:\n```text\n(.*?)^```)?/gms)].map(([, code = '', output]) => ({
    heading,
    code,
    output,
  }))
})

let installed: Installed
before(async () => {
  installed = await installedSdk()
  await cp(join(repositoryRoot, 'examples'), join(installed.folder, 'examples'), { recursive: true })
  for (const [n, { code }] of blocks.entries()) await writeFile(join(installed.folder, `block-${n}.mjs`), code)
  await symlink(join(repositoryRoot, 'node_modules', 'fastify'), join(installed.folder, 'node_modules', 'fastify'))
})
after(() => installed.remove())

const order = (n: number, status: 'processing' | 'success' | 'refunded') =>
  signTestWebhook({ secret, event: `order.${status}`, order: { order_no: `ord_${n}` } }).event.order

/** The calls that the documents make, answered as contract.md says. */
const service: Script = ({ method, path, query, body }, response) => {
  const call = `${method} ${path}`
  if (call === 'POST /v1/orders') return answer(response, 201, { ...order(1, 'processing'), status: 'pending' })
  if (call.endsWith('/simulate'))
    return answer(response, 200, order(1, JSON.parse(body).action === 'settle' ? 'success' : 'processing'))
  if (call === 'GET /v1/orders' && query.has('cursor'))
    return answer(response, 200, { data: [order(3, 'refunded')], has_more: false, next_cursor: null })
  if (call === 'GET /v1/orders')
    return answer(response, 200, {
      data: [order(1, 'success'), order(2, 'success')],
      has_more: true,
      next_cursor: 'page2',
    })
  if (call === 'GET /v1/events/stream') {
    const events = (['processing', 'success'] as const).map(
      (status, n) =>
        `id: ${n}\ndata: ${JSON.stringify({ id: `evt_${n}`, event: `order.${status}`, order: order(1, status) })}\n\n`,
    )
    return void response.writeHead(200, { 'content-type': 'text/event-stream' }).write(events.join(''))
  }
  return fail(response, 'order_not_found')
}

async function environment(t: TestContext) {
  const { baseUrl, received } = await localServer(t, service)
  const env = {
    ...process.env,
    FLORIN_API_KEY: apiKey,
    FLORIN_BASE_URL: baseUrl,
    FLORIN_WEBHOOK_SECRET: secret,
    PORT: '0',
  }
  return { env, received }
}

for (const [n, { heading, code, output }] of blocks.entries()) {
  test(`README, "${heading}", block ${n + 1}`, async (t) => {
    const { env } = await environment(t)
    const { path } = await oldestNode()
    const printed = await run(path, [`block-${n}.mjs`], { env, cwd: installed.folder })
    if (output !== undefined) assert.equal(printed, output)
    else if (!code.includes('export ')) assert.match(printed, /^Send the payer to http/)
  })
}

test('the README shows the calls that a merchant needs', () => {
  assert.ok(blocks.length >= 8)
  assert.ok(!/```(ts|javascript|typescript)\n/.test(readme), 'a block in another language would not be run')
})

/** Posts what a receiver meets in its life and returns its answers. */
async function visit(post: (webhook: TestWebhook) => Promise<Response>): Promise<[status: number, text: string][]> {
  const newer = signTestWebhook({ secret, order: { order_no: 'ord_1', version: 3, title: 'Crème brûlée' } })
  const older = signTestWebhook({ secret, event: 'order.processing', order: { order_no: 'ord_1', version: 2 } })
  const forged = { ...newer, rawBody: newer.rawBody.replace('"order.success"', '"order.failed"') }
  const answers: [number, string][] = []
  for (const webhook of [newer, newer, older, forged, { ...newer, headers: { 'content-type': 'application/json' } }]) {
    const response = await post(webhook)
    answers.push([response.status, await response.text()])
  }
  return answers
}

const expected = [
  [200, 'applied'],
  [200, 'duplicate'],
  [200, 'outdated'],
  [400, ''],
  [400, ''],
]

for (const name of ['receiver-node-http', 'receiver-fastify']) {
  test(`${name} takes what is genuine, once and in order, and refuses the rest`, async (t) => {
    const { env } = await environment(t)
    const program = spawn(process.execPath, [join(installed.folder, 'examples', name, 'server.mjs')], {
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    t.after(() => program.kill())
    let port = ''
    for await (const line of createInterface(program.stdout)) {
      port = /^listening on port (\d+)$/.exec(line)?.[1] ?? ''
      if (port) break
    }
    const url = `http://127.0.0.1:${port}/webhooks/florin`
    const answers = await visit(({ headers, rawBody }) => fetch(url, { method: 'POST', headers, body: rawBody }))
    assert.deepEqual(answers, expected)
  })
}

for (const [name, path] of [
  ['receiver-next', ['examples', 'receiver-next', 'app', 'webhooks', 'florin', 'route.js']],
  ['the handler of the README', ['block-1.mjs']],
] as const) {
  test(`${name} answers a web Request`, async (t) => {
    process.env.FLORIN_WEBHOOK_SECRET = secret
    t.mock.method(console, 'log', () => {})
    t.mock.method(console, 'error', () => {})
    const { POST }: { POST(request: Request): Promise<Response> } = await import(
      pathToFileURL(join(installed.folder, ...path)).href
    )
    const answers = await visit(({ headers, rawBody }) =>
      POST(new Request('https://shop.example/', { method: 'POST', headers, body: rawBody })),
    )
    assert.deepEqual(
      answers.map(([status]) => status),
      expected.map(([status]) => status),
    )
  })
}

test('create-order prints where the payer goes and, with a test key, what arrived', async (t) => {
  const { env, received } = await environment(t)
  const printed = await run(
    process.execPath,
    [join(installed.folder, 'examples', 'create-order', 'create-order.mjs')],
    { env: { ...env, CART_ID: 'cart-7' } },
  )
  assert.match(printed, /^Order ord_1: send the payer to http/)
  assert.match(printed, /It is success: 20 USDC arrived at 0x/)
  assert.equal(received[0]?.headers['idempotency-key'], 'cart-7')
})
