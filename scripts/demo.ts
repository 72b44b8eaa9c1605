// `npm run demo`: starts Florin and a small shop's webhook receiver, then walks a merchant's first hour, printing what
// happens: sign-in, API key, receiving address, order, payment, verified webhooks. Both stay up until Ctrl-C.
// A local chain runs beside it, and the payment and the settlement are real transactions on it. `--sandbox` simulates
// them instead, as does a machine that the chain's node does not run on.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { hasAnvil } from '../packages/contracts/script/anvil.ts'
import { payOnDevnet } from '../packages/contracts/script/devnet.ts'
import { WebhookVerificationError } from '../packages/sdk/src/webhook-event.ts'
import { verifyWebhook } from '../packages/sdk/src/webhooks.ts'

const root = join(import.meta.dirname, '..')
const port = process.env.PORT ?? '3000'
const url = process.env.BASE_URL ?? `http://localhost:${port}`
const email = 'you@shop.example'
const isDevnet = !process.argv.includes('--sandbox') && hasAnvil()
const program = isDevnet ? 'scripts/devnet.ts' : 'packages/server/src/main.ts'
const leash = pathToFileURL(join(root, 'scripts/end-with-parent.mjs')).href
const isTty = process.stdout.isTTY === true
/** A first start on a small, busy machine takes its time; whoever is bored has Ctrl-C. */
const GIVE_UP_MS = 180_000

const paint = (code: number) => (text: string) => (isTty ? `\u001b[${code}m${text}\u001b[0m` : text)
const bold = paint(1)
const dim = paint(2)
const green = paint(32)
const cyan = paint(36)

let step = 0
const tell = (text: string): void => void process.stdout.write(`\n${bold(`${++step}. ${text}`)}\n`)
const show = (text: string): void => void process.stdout.write(`   ${text}\n`)

/** The child's lines are kept from the screen, because the walk tells the story; a failure shows them. */
function startFlorin(): { child: ChildProcess; output: () => string } {
  const child = spawn(process.execPath, ['--import', leash, join(root, program), ...(isDevnet ? ['--devnet'] : [])], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    // A terminal's Ctrl-C is for us alone: asked twice, Florin would stop at once and leave its PostgreSQL running.
    detached: true,
    env: { FX_SOURCES: 'fixed', ...process.env, DATA_DIR: process.env.DATA_DIR ?? join(root, 'data/demo'), PORT: port },
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      text += chunk.toString()
    })
  }
  return { child, output: () => text }
}

async function until<T>(what: string, look: () => Promise<T | null | undefined> | T | null | undefined): Promise<T> {
  const deadline = performance.now() + GIVE_UP_MS
  for (;;) {
    const found = await look()
    if (found !== null && found !== undefined) return found
    if (performance.now() > deadline) throw new Error(`${what} did not happen within ${GIVE_UP_MS / 1000} s`)
    await wait(50)
  }
}

async function call<T>(method: string, path: string, headers: Record<string, string>, body?: unknown): Promise<T> {
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`)
  return JSON.parse(text) as T
}

/** The merchant's side: twenty lines that any shop needs. */
async function startShop(secret: () => string): Promise<{ server: Server; url: string; seen: string[] }> {
  const seen: string[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    try {
      const event = await verifyWebhook({ rawBody: Buffer.concat(chunks), headers: request.headers, secret: secret() })
      if (event.order.order_no && !seen.includes(event.id)) {
        seen.push(event.id)
        const out =
          event.order.amount_out === null
            ? ''
            : `, ${Number(event.order.amount_out) / 10 ** event.order.settle_decimals} ${event.order.settle_asset} arrived`
        show(
          `${green('✓')} webhook ${bold(event.event)} ${dim(`signature verified, order version ${event.order.version}${out}`)}`,
        )
      }
      response.end()
    } catch (error) {
      response.writeHead(error instanceof WebhookVerificationError ? 400 : 500).end()
      show(`a webhook was refused: ${String(error)}`)
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return { server, url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/webhooks`, seen }
}

interface Order {
  order_no: string
  status: string
  checkout_url: string
  settle_tx_hash: string | null
  pay: { address: string; amount_due: string; asset: string; chain: string; uri: string } | null
}

async function walk(florin: { child: ChildProcess; output: () => string }): Promise<Server> {
  await until('a ready service', async () => {
    if (florin.child.exitCode !== null) throw new Error(florin.output().trim() || 'Florin ended')
    return (await fetch(`${url}/readyz`).catch(() => null))?.ok ? true : null
  })
  show(
    `Florin runs at ${cyan(url)} with its own PostgreSQL. ${dim(isDevnet ? '(and a chain of its own)' : '(data/demo)')}`,
  )

  tell('A merchant signs in with a code sent by mail')
  const before = florin.output().length
  await call('POST', '/api/v1/auth/code', {}, { email })
  const code = await until('the mail', () => /(?:^|\s)(\d{6})\r?$/m.exec(florin.output().slice(before))?.[1])
  show(`the mail says ${bold(code)} ${dim('(no SMTP_URL is set, so mail is shown on the terminal)')}`)
  const login = await call<{ data: { token: string } }>('POST', '/api/v1/auth/login', {}, { email, code })
  const console_ = { authorization: `Bearer ${login.data.token}` }

  tell('makes an API key and sets where the money goes')
  const key = await call<{ data: { api_key: string; webhook_secret: string } }>(
    'POST',
    '/api/v1/boss/appkeys',
    console_,
    { name: 'demo shop', mode: 'test' },
  )
  const api = { 'x-api-key': key.data.api_key }
  show(`API key        ${key.data.api_key.slice(0, 17)}… ${dim('(shown once)')}`)
  const address = await call<{ data: { address: string } }>('PUT', '/api/v1/boss/addresses', console_, {
    chain: 'base',
    address: '0x52908400098527886E0F7030069857D2E4169EE7',
  })
  show(`Base address   ${address.data.address}`)

  tell("The shop's server creates an order")
  const shop = await startShop(() => key.data.webhook_secret)
  const order = await call<Order>('POST', '/v1/orders', api, {
    amount_usd: 49.9,
    external_id: 'cart-17',
    title: 'Blue shirt',
    settle_chain: 'base',
    ...(isDevnet ? { pay_chain: 'base', pay_asset: 'USDC' } : {}),
    webhook_url: shop.url,
  })
  show(`${order.order_no} ${dim('pending')}`)
  show(`the payer opens ${cyan(order.checkout_url)}`)

  const settled = isDevnet ? await payForReal(florin, api, order) : await payInTheSandbox(api, order)
  show(`settled        ${dim(`order is now ${settled.status}`)}`)
  await until('the second webhook', () => (shop.seen.length >= 2 ? true : null))

  tell('Now it is yours')
  show(`console        ${cyan(`${url}/console/`)}  ${dim(`sign in as ${email}; the code appears here`)}`)
  show(`checkout       ${cyan(order.checkout_url)}`)
  show(`API docs       ${cyan(`${url}/docs`)}`)
  show(
    `next order     ${dim(`curl -X POST ${url}/v1/orders -H "X-API-Key: ${key.data.api_key}" -H "Content-Type: application/json" -d '{"amount_usd": 5, "settle_chain": "base", ${isDevnet ? '"pay_chain": "base", "pay_asset": "USDC", ' : ''}"webhook_url": "${shop.url}"}'`)}`,
  )
  if (isDevnet)
    show(`pay it         ${dim(`node scripts/run.mjs scripts/pay.ts 'ITS pay.uri'${rpcOf(florin.output())}`)}`)
  process.stdout.write(`\n   ${dim('Press Ctrl-C to stop.')}\n`)
  return shop.server
}

/** The chain's address where it is not the usual one, with a space before it: as an argument of pay.ts. */
function rpcOf(output: string): string {
  const rpc = /A devnet runs at (http:\S+)/.exec(output)?.[1] ?? ''
  return rpc.endsWith(':8545') ? '' : ` ${rpc}`
}

type Headers = Record<string, string>

async function payInTheSandbox(api: Headers, order: Order): Promise<Order> {
  tell('The payer pays (a test order, so the payment is simulated)')
  const simulate = (action: string) =>
    call<Order>('POST', `/v1/test/orders/${order.order_no}/simulate`, api, { action })
  const paid = await simulate('pay')
  show(`seen on chain  ${Number(paid.pay?.amount_due) / 1e6} ${paid.pay?.asset} to ${paid.pay?.address}`)
  return simulate('settle')
}

async function payForReal(florin: { output: () => string }, api: Headers, order: Order): Promise<Order> {
  tell('The payer sends test USDC on the local chain')
  const hash = await payOnDevnet(order.pay?.uri ?? '', rpcOf(florin.output()).trim() || undefined)
  show(`paid           ${Number(order.pay?.amount_due) / 1e6} ${order.pay?.asset} to ${order.pay?.address}`)
  show(`transaction    ${dim(hash)}`)
  tell('Florin sees the block, settles to the merchant and waits until the settlement is final')
  const settled = await until('the settlement', async () => {
    const now = await call<Order>('GET', `/v1/orders/${order.order_no}`, api)
    return now.status === 'success' ? now : null
  })
  show(`settlement     ${dim(settled.settle_tx_hash ?? '')}`)
  return settled
}

process.stdout.write(`\n${bold('Florin demo')} ${dim('— a merchant’s first hour in a few seconds')}\n`)
const florin = startFlorin()
let isStopping = false
const stop = async (code: number): Promise<void> => {
  if (isStopping) return
  isStopping = true
  if (florin.child.exitCode === null) {
    florin.child.kill('SIGTERM')
    await once(florin.child, 'exit')
  }
  process.exit(code)
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(0))
try {
  await walk(florin)
  // From here on what Florin prints is for the person at the terminal: sign-in codes among it.
  florin.child.stdout?.pipe(process.stdout)
  florin.child.stderr?.pipe(process.stderr)
  florin.child.once('exit', (code) => void stop(code ?? 1))
} catch (error) {
  process.stderr.write(`\nThe demo could not go on: ${error instanceof Error ? error.message : String(error)}\n`)
  await stop(1)
}
