// An example of examples/ as somebody uses it: copied to a folder of its own with the library of a running Florin, started by its own
// npm script, and sent the webhooks of an order that examples/create-order makes. What must come of it: each event verified once, a forged
// one refused.
import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { promisify } from 'node:util'
import { type Florin, until } from '../florin.ts'
import { call, type Merchant } from '../merchant.ts'

const examples = join(import.meta.dirname, '../../examples')
const env = { ...process.env, NEXT_TELEMETRY_DISABLED: '1', npm_config_fund: 'false', npm_config_audit: 'false' }

/** @param a.script what its README table says starts it. */
export async function walkExample(
  t: TestContext,
  a: { florin: Florin; folder: string; name: string; script: string; merchant: Merchant },
): Promise<void> {
  const { florin, folder, name, merchant } = a
  const [orders] = await Promise.all([alone('create-order', folder, florin), alone(name, folder, florin)])
  const made = await call<{ data: { api_key: string; webhook_secret: string } }>(
    `${florin.url}/api/v1/boss/appkeys`,
    'POST',
    { headers: merchant.console, body: { name, mode: 'test' } },
  )
  const { api_key: apiKey, webhook_secret: secret } = made.body.data

  // A group of its own: npm, the shell that it starts, and the program.
  const receiver = spawn('npm', ['run', a.script], {
    ...{ cwd: join(folder, name), detached: true, stdio: ['ignore', 'pipe', 'pipe'] },
    env: { ...env, PORT: '0', FLORIN_WEBHOOK_SECRET: secret },
  })
  t.after(() => stop(receiver))
  let said = ''
  for (const stream of [receiver.stdout, receiver.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      said += chunk.toString()
    })
  }
  const port = (): string | undefined => /(?:listening on port |localhost:)(\d+)/.exec(said)?.[1]
  await until(() => {
    assert.equal(receiver.exitCode, null, said)
    return port() !== undefined
  }, `${name} listens; so far: ${said}`)
  const url = `http://127.0.0.1:${port()}/webhooks/florin`

  const order = await promisify(execFile)('npm', ['start'], {
    cwd: orders,
    env: { ...env, FLORIN_API_KEY: apiKey, FLORIN_BASE_URL: florin.url, WEBHOOK_URL: url, CART_ID: name },
  })
  assert.match(order.stdout, /^It is success: 49\.\d+ USDC arrived at 0x/m)
  const orderNo = /^Order (ord_\w+):/m.exec(order.stdout)?.[1]
  const told = (status: string): RegExp => new RegExp(`${orderNo} is ${status} \\(version \\d+\\)`, 'g')
  await until(() => told('success').test(said), `${name} believes the webhook of a settled order; so far: ${said}`)
  assert.equal(said.match(told('success'))?.length, 1, said)

  const body = JSON.stringify({ id: 'evt_forged', event: 'order.success', order: { order_no: 'ord_forged' } })
  const headers = { 'content-type': 'application/json', 'x-service-signature': `t=1,v1=${'0'.repeat(64)}` }
  assert.equal((await fetch(url, { method: 'POST', headers, body })).status, 400, 'a forged one is refused')
  await until(() => said.includes('Refused a webhook'), `${name} says that it refused; so far: ${said}`)
  assert.ok(!said.includes('ord_forged'), said)
}

const installed = new Map<string, Promise<string>>()

/**
 * In an empty folder, with the library of this Florin instead of that of a Florin on port 3000. Once in each folder.
 * @returns where it is.
 */
function alone(name: string, folder: string, florin: Florin): Promise<string> {
  const own = join(folder, name)
  const there = installed.get(own) ?? install(name, own, florin)
  installed.set(own, there)
  return there
}

async function install(name: string, own: string, florin: Florin): Promise<string> {
  await cp(join(examples, name), own, { recursive: true })
  const manifest = join(own, 'package.json')
  const text = await readFile(manifest, 'utf8')
  assert.ok(text.includes('http://localhost:3000/docs/packages/'), `${name} takes the library from a Florin`)
  await writeFile(manifest, text.replace('http://localhost:3000', florin.url))
  await promisify(execFile)('npm', ['install', '--ignore-scripts'], { cwd: own, env })
  return own
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.pid === undefined) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  process.kill(-child.pid, 'SIGTERM')
  await ended
}
