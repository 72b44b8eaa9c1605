// The console with invented data: `npm run playground -w packages/console` serves the built pages under the same policy as
// the real server, with answers made up in memory. For working on how the console looks; nothing of it is ever shipped.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { extname, join, normalize } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type Answer, ok, Refusal, refused } from './answer.ts'
import { answer, catalogue } from './api.ts'
import { filterOrders } from './orders-api.ts'
import type { World } from './state.ts'
import { makeWorld } from './world.ts'

const built = join(import.meta.dirname, '..', 'dist')

export interface Playground {
  origin: string
  close(): Promise<void>
}

/** What one running playground knows. */
interface Place {
  origin: string
  dist: string
  worlds: Map<string, World>
  codeAskedAt: Map<string, number>
}

function worldOf({ worlds, origin }: Place, email: string): World {
  const known = worlds.get(email)
  if (known !== undefined) return known
  const made = makeWorld(email, origin)
  worlds.set(email, made)
  return made
}

const policy = (nonce: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
}

async function page({ dist }: Place, path: string, response: ServerResponse): Promise<void> {
  const type = types[extname(path)]
  if (type !== undefined) {
    const file = await readFile(join(dist, normalize(path.slice('/console'.length)))).catch(() => null)
    response.writeHead(file === null ? 404 : 200, { 'content-type': type }).end(file ?? '')
    return
  }
  const nonce = randomBytes(16).toString('base64')
  const html = (await readFile(join(dist, 'index.html'), 'utf8')).replace('__CSP_NONCE__', nonce)
  response
    .writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy(nonce) })
    .end(html)
}

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString()
  return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>)
}

async function api(place: Place, request: IncomingMessage, url: URL, response: ServerResponse): Promise<Answer | null> {
  const [, , , area = '', ...path] = url.pathname.split('/')
  const method = request.method ?? 'GET'
  const body = await bodyOf(request)
  if (area === 'chains') return catalogue()
  if (area === 'auth')
    return path[0] === 'code'
      ? sendCode(place, String(body.email))
      : signIn(place, String(body.email), String(body.code))
  const email = Buffer.from(request.headers.authorization?.replace('Bearer ', '') ?? '', 'base64url').toString()
  if (!email.includes('@')) throw new Refusal('invalid_token')
  mustBeOpen(email)
  const world = worldOf(place, email)
  if (path[0] === 'stream') return stream(world, response)
  if (path[0] === 'orders' && path[1] === 'export') return exportCsv(world, url, response)
  if (email.startsWith('slow') && path[0] !== 'merchant') await wait(60_000, undefined, { ref: false })
  if (email.startsWith('broken') && method === 'GET' && path[0] !== 'merchant') throw new Refusal('unavailable')
  if (email.startsWith('failing') && method === 'GET' && path[0] !== 'merchant') throw new Refusal('internal')
  const found = answer(world, { method, path, query: url.searchParams, body, origin: place.origin })
  if (found === undefined) throw new Refusal('not_found')
  return found
}

function sendCode({ codeAskedAt }: Place, email: string): Answer {
  if (!/^[^@\s]+@[^@\s]+$/.test(email)) {
    throw new Refusal('validation_failed', 'The field "email" takes an email address such as name@shop.example.', {
      param: 'email',
    })
  }
  const wait = 60 - Math.floor((Date.now() - (codeAskedAt.get(email) ?? 0)) / 1000)
  if (email.startsWith('limited') && wait > 0) throw new Refusal('rate_limited', undefined, { retryAfterS: wait })
  codeAskedAt.set(email, Date.now())
  return ok({ sent: true, expires_in: 600, resend_after: 60, code_length: 6 })
}

function mustBeOpen(email: string): void {
  if (email.startsWith('suspended')) throw new Refusal('merchant_suspended')
  if (email.startsWith('closed')) throw new Refusal('merchant_closed')
}

/** Any code but 000000 signs in. */
function signIn(place: Place, email: string, code: string): Answer {
  if (code === '000000') throw new Refusal('invalid_login')
  mustBeOpen(email)
  const expires_at = new Date(Date.now() + 7 * 86_400_000).toISOString()
  return ok({ token: Buffer.from(email).toString('base64url'), merchant: worldOf(place, email).merchant, expires_at })
}

function stream(world: World, response: ServerResponse): null {
  response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': hello\n\n')
  const listener = (change: string) => response.write(`event: change\ndata: ${change}\n\n`)
  const beat = setInterval(() => response.write(': still here\n\n'), 15_000)
  world.listeners.add(listener)
  response.on('close', () => {
    clearInterval(beat)
    world.listeners.delete(listener)
  })
  return null
}

function exportCsv(world: World, url: URL, response: ServerResponse): null {
  const rows = filterOrders(world, url.searchParams)
  response.writeHead(200, { 'content-type': 'text/csv' })
  response.write('order_no,status,amount_usd,title\n')
  const send = () => {
    for (const order of rows.splice(0, 20)) {
      response.write(`${order.order_no},${order.status},${order.amount_usd},"${order.title ?? ''}"\n`)
    }
    if (rows.length === 0) response.end()
    else setTimeout(send, 100)
  }
  send()
  return null
}

export async function startPlayground({ port = 0, dist = built } = {}): Promise<Playground> {
  const place: Place = { origin: '', dist, worlds: new Map(), codeAskedAt: new Map() }
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', place.origin)
    const requestId = `req_${randomBytes(13).toString('hex')}`
    const send = ({ status, headers, body }: Answer) =>
      response.writeHead(status, { ...headers, 'x-request-id': requestId }).end(body)
    if (url.pathname.startsWith('/console')) {
      void page(place, url.pathname, response)
    } else if (url.pathname.startsWith('/api/v1/')) {
      api(place, request, url, response).then(
        (made) => made !== null && send(made),
        (error: unknown) =>
          send(refused(error instanceof Refusal ? error : new Refusal('internal', String(error)), requestId)),
      )
    } else {
      response.writeHead(302, { location: '/console/' }).end()
    }
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  place.origin = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : port}`
  return {
    origin: place.origin,
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}

if (import.meta.main) {
  const { origin } = await startPlayground({ port: Number(process.env.PORT ?? 4400) })
  console.log(`The console with invented data: ${origin}/console/`)
}
