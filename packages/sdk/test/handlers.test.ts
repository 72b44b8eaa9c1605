// Promises: with each framework one line receives webhooks: a genuine event is handed over once and answered 200, anything else is a
// 400 that says why, and what the shop throws is the framework's own error, so that Florin sends the event again.
import assert from 'node:assert/strict'
import { createServer, type RequestListener, type Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import fastify from 'fastify'
import {
  expressWebhook,
  type FlorinEvent,
  fastifyWebhook,
  honoWebhook,
  nodeWebhook,
  signTestWebhook,
  type WebhookHandlerOptions,
  webhookHandler,
} from '../src/index.ts'
import * as web from '../src/web.ts'

const require = createRequire(import.meta.url)
const secret = 'whsec_0123456789ABCDEFGHIJKLMNOPQRSTUV'
const PATH = '/webhooks/florin'

interface Shop extends WebhookHandlerOptions {
  taken: string[]
  refused: string[]
}

function aShop(): Shop {
  const taken: string[] = []
  const refused: string[] = []
  return {
    ...{ secret, taken, refused },
    on(event: FlorinEvent) {
      if (event.order.external_id === 'broken') throw new Error('the shop’s database is away')
      taken.push(event.event)
    },
    onRefused: (error) => void refused.push(error.reason),
  }
}

type Send = (body: string | Uint8Array, headers: Record<string, string>) => Promise<{ status: number; text: string }>

const overFetch =
  (handle: (request: Request) => Promise<Response>): Send =>
  async (body, headers) => {
    const request = new Request(`https://shop.example${PATH}`, {
      method: 'POST',
      body: new Uint8Array(Buffer.from(body)),
      headers,
    })
    const answer = await handle(request)
    return { status: answer.status, text: await answer.text() }
  }

async function overHttp(t: TestContext, server: Server): Promise<Send> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${PATH}`
  return async (body, headers) => {
    const answer = await fetch(url, { method: 'POST', body: new Uint8Array(Buffer.from(body)), headers })
    return { status: answer.status, text: await answer.text() }
  }
}

interface ExpressApp extends RequestListener {
  post(path: string, ...handlers: unknown[]): void
  use(...handlers: unknown[]): void
}
type Express = (() => ExpressApp) & { raw(options: object): unknown; json(): unknown }

/** How each is written in a shop, and how its error is told where `on` throws: by an answer, or to whoever called. */
const frameworks: Record<string, { make(t: TestContext, shop: Shop): Promise<Send> | Send; throws?: true }> = {
  'Node’s own server': { make: (t, shop) => overHttp(t, createServer(nodeWebhook(shop))) },
  Express: {
    make(t, shop) {
      const app = (require('express') as Express)()
      app.post(PATH, expressWebhook(shop))
      app.use((_error: Error, _request: unknown, response: { status(n: number): { end(): void } }, _next: unknown) => {
        response.status(500).end()
      })
      return overHttp(t, createServer(app))
    },
  },
  'Express with express.raw': {
    make(t, shop) {
      const express = require('express') as Express
      const app = express()
      app.post(PATH, express.raw({ type: 'application/json' }), expressWebhook(shop))
      app.use((_error: Error, _request: unknown, response: { status(n: number): { end(): void } }, _next: unknown) => {
        response.status(500).end()
      })
      return overHttp(t, createServer(app))
    },
  },
  Fastify: {
    async make(t, shop) {
      const app = fastify()
      await app.register(fastifyWebhook({ path: PATH, ...shop }))
      app.post('/json', async ({ body }) => body)
      await app.ready()
      t.after(() => app.close())
      const elsewhere = await app.inject({ method: 'POST', url: '/json', payload: { a: 1 } })
      assert.deepEqual(elsewhere.json(), { a: 1 }, 'other routes keep their parser')
      return async (body, headers) => {
        const answer = await app.inject({ method: 'POST', url: PATH, payload: Buffer.from(body), headers })
        return { status: answer.statusCode, text: answer.body }
      }
    },
  },
  Hono: {
    make(_t, shop) {
      const { Hono } = require('hono') as {
        Hono: new () => { post(path: string, handle: unknown): void; fetch(request: Request): Promise<Response> }
      }
      const app = new Hono()
      app.post(PATH, honoWebhook(shop))
      return overFetch(async (request) => app.fetch(request))
    },
  },
  'Next.js, with the Request that it hands over': { make: (_t, shop) => overFetch(webhookHandler(shop)), throws: true },
  'Workers, without anything of Node': { make: (_t, shop) => overFetch(web.webhookHandler(shop)), throws: true },
}

for (const [name, { make, throws }] of Object.entries(frameworks)) {
  test(name, async (t) => {
    t.mock.method(console, 'error', () => undefined)
    const shop = aShop()
    const send = await make(t, shop)
    const genuine = signTestWebhook({ secret, order: { title: 'Crème brûlée' } })
    assert.deepEqual(await send(genuine.rawBody, genuine.headers), { status: 200, text: 'ok' })
    assert.deepEqual(shop.taken, ['order.success'])

    assert.deepEqual(await send(`${genuine.rawBody} `, genuine.headers), { status: 400, text: 'mismatch' })
    assert.deepEqual(await send(genuine.rawBody, { 'content-type': 'application/json' }), {
      ...{ status: 400, text: 'missing_header' },
    })
    const foreign = signTestWebhook({ secret: secret.replace('0', '1') })
    assert.deepEqual(await send(foreign.rawBody, foreign.headers), { status: 400, text: 'mismatch' })
    const old = signTestWebhook({ secret, timestamp: Math.floor(Date.now() / 1000) - 600 })
    assert.deepEqual(await send(old.rawBody, old.headers), { status: 400, text: 'stale' })
    assert.deepEqual(shop.taken, ['order.success'])
    assert.deepEqual(shop.refused, ['mismatch', 'missing_header', 'mismatch', 'stale'])

    const broken = signTestWebhook({ secret, order: { external_id: 'broken' } })
    if (throws === true) await assert.rejects(send(broken.rawBody, broken.headers), /database is away/)
    else assert.equal((await send(broken.rawBody, broken.headers)).status, 500)
  })
}

test('behind a JSON parser the refusal says what to mend', async (t) => {
  const express = require('express') as Express
  const app = express()
  app.use(express.json())
  const told: string[] = []
  app.post(PATH, expressWebhook({ ...aShop(), onRefused: ({ message }) => void told.push(message) }))
  const send = await overHttp(t, createServer(app))
  const genuine = signTestWebhook({ secret })
  assert.deepEqual(await send(genuine.rawBody, genuine.headers), { status: 400, text: 'body_parsed' })
  assert.match(told[0] ?? '', /Mount this handler before app\.use\(express\.json\(\)\)/)
})
