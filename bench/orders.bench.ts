// Measures GET and POST of /v1/orders as a ratio to a bare Fastify + pg route that runs the same SQL text and
// sends the same bytes without validation, and to a bare single-row SELECT and INSERT. One run, median of five rounds;
// each round measures every side once, so what else the machine does falls on all of them.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { measure, median, type Request } from './load.ts'
import { makeBenchShop } from './orders-shop.ts'
import { orSmoke, verdict } from './smoke.ts'

const ROUNDS = orSmoke(5, 1)
const SECONDS = orSmoke(3, 0.1)
const CONNECTIONS = 32

const shop = await makeBenchShop()
const children: ChildProcess[] = []

async function serve(file: string, environment: Record<string, string>): Promise<string> {
  const child = fork(join(import.meta.dirname, file), { env: { ...process.env, ...environment }, stdio: 'inherit' })
  children.push(child)
  const [message] = (await once(child, 'message')) as [{ origin: string }]
  return message.origin
}

const plan = JSON.stringify(shop.plan)
const florin = await serve('orders-florin.ts', { BENCH_DATABASE: shop.databaseUrl, BENCH_MASTER_KEY: shop.masterKey })
const bare = await serve('orders-bare.ts', { BENCH_DATABASE: shop.databaseUrl, BENCH_PLAN: plan })

const key = { 'x-api-key': shop.apiKey }
const get = (n: number): Request => ({
  method: 'GET',
  path: `/v1/orders/${shop.orderNos[n % shop.orderNos.length]}`,
  headers: key,
})
const post = (): Request => ({
  method: 'POST',
  path: '/v1/orders',
  headers: { ...key, 'content-type': 'application/json' },
  body: shop.createBody,
})
const at = (request: Request, path: string): Request => ({ ...request, path })

const sides: Record<string, () => Promise<number>> = {
  'GET  Florin': () => measure(florin, get, { connections: CONNECTIONS, seconds: SECONDS, status: 200 }),
  'GET  bare, same SQL and bytes': () =>
    measure(bare, get, { connections: CONNECTIONS, seconds: SECONDS, status: 200 }),
  'GET  bare single-row SELECT': () =>
    measure(bare, (n) => at(get(n), `/select/${shop.orderNos[n % shop.orderNos.length]}`), {
      connections: CONNECTIONS,
      seconds: SECONDS,
      status: 200,
    }),
  'POST Florin': () => measure(florin, post, { connections: CONNECTIONS, seconds: SECONDS, status: 201 }),
  'POST bare, same SQL and bytes': () =>
    measure(bare, post, { connections: CONNECTIONS, seconds: SECONDS, status: 201 }),
  'POST bare single-row INSERT': () =>
    measure(bare, () => at(post(), '/insert'), { connections: CONNECTIONS, seconds: SECONDS, status: 201 }),
}

const results = new Map<string, number[]>(Object.keys(sides).map((name) => [name, []]))
try {
  // A round that does not count: prepared statements, warm code, warm caches.
  for (const run of Object.values(sides)) await run()
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, run] of Object.entries(sides)) results.get(name)?.push(await run())
  }
} finally {
  for (const child of children) child.kill('SIGTERM')
  await shop.close()
}

const rate = (name: string): number => median(results.get(name) ?? [])
for (const name of Object.keys(sides)) console.log(`${name.padEnd(34)} ${rate(name).toFixed(0).padStart(7)} /s`)
const ratio = (what: string, a: string, b: string, goal: number | null): boolean => {
  const value = rate(a) / rate(b)
  const verdict = goal === null ? '' : value >= goal ? `  (goal ${goal}: reached)` : `  (goal ${goal}: MISSED)`
  console.log(`${what.padEnd(52)} ${value.toFixed(2)}${verdict}`)
  return goal === null || value >= goal
}
const reached = [
  ratio('GET  Florin ÷ bare with the same SQL and bytes', 'GET  Florin', 'GET  bare, same SQL and bytes', 0.75),
  ratio('POST Florin ÷ bare with the same SQL and bytes', 'POST Florin', 'POST bare, same SQL and bytes', 0.6),
  ratio('GET  Florin ÷ bare single-row SELECT', 'GET  Florin', 'GET  bare single-row SELECT', null),
  ratio('POST Florin ÷ bare single-row INSERT', 'POST Florin', 'POST bare single-row INSERT', null),
]
process.exitCode = verdict(reached)
