// The playground: the built page over examples, with no service behind it. `npm run play -w packages/checkout`,
// then open /pay/{state}; a state's acts lead to other states. Only on loopback; nothing of it is shipped.
import { existsSync, readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { extname, join } from 'node:path'
import type { Checkout } from '@florin/protocol'
import { moreChoices, START } from '../../../checkout-core/test/parts.ts'
import { aCheckout, isStateName, stateNames, states } from '../../../checkout-core/test/states.ts'
import { pagePolicy, readBuiltEntry } from '../../../platform/src/http/static.ts'
import { noBrand } from '../../../server/src/brand/brand.ts'
import { languageOf, wordsSource } from '../../../server/src/checkout/language.ts'
import { checkoutPage } from '../../../server/src/checkout/page.ts'

const built = join(import.meta.dirname, '../../dist')
const types: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.css': 'text/css' }

/** Where an act leads; an act that a state does not name leads nowhere. */
const acts: Readonly<Record<string, string>> = {
  pay: 'confirming',
  underpay: 'partial',
  overpay: 'overpaid_wanted',
  confirm: 'settling',
  settle: 'paid',
  expire: 'expired',
  pay_late: 'late',
  'refund-address': 'refunding',
}

export interface Playground {
  origin: string
  /** Puts an order into another state and tells every page that watches it. */
  show(token: string, state: string): void
  /** Every order is as its example says again. */
  reset(): void
  /** Whether it answers at all: off, it drops every connection, as a server that is gone. */
  setUp(isUp: boolean): void
  close(): Promise<void>
}

export function startPlayground({ port = 0, dist = built } = {}): Promise<Playground> {
  const began = new Map<string, number>()
  const current = new Map<string, { state: string; version: number }>()
  const watchers = new Map<string, Set<ServerResponse>>()
  let isUp = true

  /** The example with its times moved to the present, so that countdowns run. */
  function checkoutOf(token: string): Checkout {
    const { state, version } = current.get(token) ?? { state: token, version: 1 }
    const example: Checkout = isStateName(state) ? states[state] : aCheckout()
    const since = `${token} ${version}`
    began.set(since, began.get(since) ?? Date.now())
    const shift = (began.get(since) ?? 0) - Date.parse(example.server_time)
    const moved = JSON.stringify(example).replace(/"(\d{4}-\d\d-\d\dT[\d:.]+Z)"/g, (_, iso: string) =>
      JSON.stringify(new Date(Date.parse(iso) + shift).toISOString()),
    )
    return { ...(JSON.parse(moved) as Checkout), version, server_time: new Date().toISOString() }
  }

  function show(token: string, state: string): void {
    current.set(token, { state, version: (current.get(token)?.version ?? 1) + 1 })
    for (const watcher of watchers.get(token) ?? []) tell(watcher, token)
  }

  const tell = (watcher: ServerResponse, token: string): void => {
    watcher.write(`event: checkout\ndata: ${JSON.stringify(checkoutOf(token))}\n\n`)
  }

  async function act(request: IncomingMessage, response: ServerResponse, token: string, name: string): Promise<void> {
    const body = JSON.parse((await request.toArray()).join('') || '{}') as Record<string, string>
    const isWrong = name === 'pay' ? body.refund_address?.startsWith('0x') : !body.address?.startsWith('0x')
    if ((name === 'refund-address' || body.chain === 'stellar') && isWrong) {
      const message = 'This is not an address of Base: it starts with 0x and has 40 hexadecimal digits.'
      const error = { type: 'invalid_request', code: 'invalid_address', message, param: 'address', request_id: 'req_1' }
      json(response, 422, { error })
      return
    }
    const chosen = body.chain === 'stellar' ? 'pay_through' : 'pay_test'
    const next = name === 'pay' ? chosen : acts[name === 'simulate' ? (body.action ?? '') : name]
    if (next !== undefined) show(token, next)
    json(response, 200, checkoutOf(token))
  }

  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const [, area = '', token = '', name = ''] = pathname.split('/')
    if (!isUp) return void request.socket.destroy()
    if (area === 'checkout' && name === 'stream') {
      response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' })
      const set = watchers.get(token) ?? new Set()
      watchers.set(token, set.add(response))
      request.on('close', () => set.delete(response))
      tell(response, token)
    } else if (area === 'checkout' && request.method === 'POST') {
      act(request, response, token, name).catch(() => response.destroy())
    } else if (area === 'checkout' && name === 'choices')
      json(response, 200, { data: moreChoices, total: moreChoices.length })
    else if (area === 'checkout') json(response, 200, checkoutOf(token))
    else if (area === 'pay' && request.method === 'POST') {
      // A form of the plain page.
      show(token, 'pay_test')
      response.writeHead(303, { Location: `/pay/${token}` }).end()
    } else if (area === 'pay' && token === 'assets') file(response, join(dist, 'assets', name))
    else if (area === 'pay') {
      // Each visit finds the example at its beginning.
      began.clear()
      page(request, response, checkoutOf(token), dist)
    } else {
      response.writeHead(200, { 'Content-Type': 'text/html' })
      response.end(stateNames.map((state) => `<p><a href="/pay/${state}">${state}</a>`).join(''))
    }
  })
  return new Promise((settle) => {
    server.listen(port, '127.0.0.1', () => {
      const address = server.address()
      const origin = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : port}`
      settle({
        origin,
        show,
        reset: () => current.clear(),
        setUp(next) {
          isUp = next
          if (!next) server.closeAllConnections()
        },
        close: () =>
          new Promise((done) => {
            server.close(() => done())
            server.closeAllConnections()
          }),
      })
    })
  })
}

function json(response: ServerResponse, status: number, value: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json' })
  response.end(JSON.stringify(value))
}

function file(response: ServerResponse, path: string): void {
  const type = types[extname(path)]
  if (type === undefined || !existsSync(path)) return void response.writeHead(404).end()
  // As the service sends it: compressed at the build.
  response.writeHead(200, { 'Content-Type': type, 'Content-Encoding': 'br' })
  response.end(readFileSync(`${path}.br`))
}

function page(request: IncomingMessage, response: ServerResponse, checkout: Checkout, dist: string): void {
  const entry = readBuiltEntry(dist, 'src/main.tsx', '')
  if (entry === null) return void response.writeHead(503).end('Build it first: npm run build -w packages/checkout')
  const locale = languageOf(request.headers['accept-language'])
  const assets = { script: entry.script, style: entry.style, preload: entry.preload(wordsSource(locale)) }
  const brand = { ...noBrand('http://127.0.0.1'), name: checkout.merchant.name }
  response.writeHead(200, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': pagePolicy({ styleNonce: 'playground' }),
  })
  response.end(
    checkoutPage({
      checkout,
      assets,
      locale,
      brand,
      nonce: 'playground',
      url: `http://127.0.0.1/pay/${checkout.order_no}`,
    }),
  )
}

if (import.meta.main) {
  const { origin } = await startPlayground({ port: Number(process.argv[2] ?? 4100) })
  process.stdout.write(`${origin} (examples begin at ${new Date(START).toISOString()})\n`)
}
