// Measures GET and POST of /v1/orders as a ratio to a bare Fastify + pg route that runs the same SQL text and
// sends the same bytes without validation, and to a bare single-row SELECT and INSERT. One run, median of five rounds;
// each round measures every side once, so what else the machine does falls on all of them. Beside it what a request costs
// the process that answers it in processor time, which other work on the machine changes less. BENCH_PROFILE=florin or bare
// leaves a processor profile of that process in /tmp.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { measure, median, type Request } from './load.ts'
import { makeBenchShop } from './orders-shop.ts'
import { nodeOptions } from './shipped.ts'
import { orSmoke, verdict } from './smoke.ts'
import { processorMs } from './webhooks/processor.ts'

const ROUNDS = orSmoke(5, 1)
const SECONDS = orSmoke(3, 0.1)
const CONNECTIONS = 32

const shop = await makeBenchShop()
const children: ChildProcess[] = []

interface Server {
  origin: string
  pid: number | undefined
}

async function serve(name: string, environment: Record<string, string>): Promise<Server> {
  const child = fork(join(import.meta.dirname, `orders-${name}.ts`), {
    env: { ...process.env, ...environment },
    stdio: 'inherit',
    execArgv: [
      ...(name === 'florin' ? nodeOptions : []),
      ...(process.env.BENCH_PROFILE === name ? ['--cpu-prof', '--cpu-prof-dir=/tmp'] : []),
    ],
  })
  children.push(child)
  const [message] = (await once(child, 'message')) as [{ origin: string }]
  return { origin: message.origin, pid: child.pid }
}

const plan = JSON.stringify(shop.plan)
const florin = await serve('florin', { BENCH_DATABASE: shop.databaseUrl, BENCH_MASTER_KEY: shop.masterKey })
const bare = await serve('bare', { BENCH_DATABASE: shop.databaseUrl, BENCH_PLAN: plan })

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

interface Figures {
  perSecond: number
  /** Processor time of the server for each request. */
  us: number
}

async function of(server: Server, status: number, request: (n: number) => Request): Promise<Figures> {
  const before = processorMs(server.pid)
  const { sent, seconds } = await measure(server.origin, request, {
    connections: CONNECTIONS,
    seconds: SECONDS,
    status,
  })
  return { perSecond: sent / seconds, us: ((processorMs(server.pid) - before) * 1000) / sent }
}

const sides: Record<string, () => Promise<Figures>> = {
  'GET  Florin': () => of(florin, 200, get),
  'GET  bare, same SQL and bytes': () => of(bare, 200, get),
  'GET  bare single-row SELECT': () =>
    of(bare, 200, (n) => at(get(n), `/select/${shop.orderNos[n % shop.orderNos.length]}`)),
  'POST Florin': () => of(florin, 201, post),
  'POST bare, same SQL and bytes': () => of(bare, 201, post),
  'POST bare single-row INSERT': () => of(bare, 201, () => at(post(), '/insert')),
}

const results = new Map<string, Figures[]>(Object.keys(sides).map((name) => [name, []]))
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

const figure = (name: string, what: keyof Figures): number =>
  median((results.get(name) ?? []).map((figures) => figures[what]))
const rate = (name: string): number => figure(name, 'perSecond')
for (const name of Object.keys(sides)) {
  const [perSecond, us] = [rate(name), figure(name, 'us')].map((value) => value.toFixed(0))
  console.log(`${name.padEnd(34)} ${perSecond?.padStart(7)} /s ${us?.padStart(7)} µs of the server`)
}
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
