// The library as a merchant installs it, from the archive that the service hands out, in an empty folder: an order, its webhook and the
// lists, on Node 18 to 24, Deno and Bun, by import and by require; and the command line. The runtimes come from npm.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { type Florin, startFlorin } from './florin.ts'
import { type Inbox, type Merchant, signUp, startInbox } from './merchant.ts'

const root = join(import.meta.dirname, '..')
const platform = `${process.platform}-${process.arch}`

let base = ''
let shop = ''
let florin: Florin
let inbox: Inbox
let merchant: Merchant

const run = async (
  file: string,
  args: readonly string[],
  cwd: string,
  env: Record<string, string> = {},
): Promise<string> => {
  const all = { cwd, env: { ...process.env, ...env }, maxBuffer: 1 << 24 }
  const { stdout } = await promisify(execFile)(file, args, all)
  return stdout.trim()
}

const walk = `
const main = async () => {
  const florin = new Florin({ apiKey: process.env.KEY, baseUrl: process.env.FLORIN })
  const made = await florin.orders.create({ amount_usd: '12.50', metadata: { from: process.env.FROM } })
  await florin.test.simulate(made.order_no, { action: 'pay' })
  const order = await florin.test.simulate(made.order_no, { action: 'settle' })
  const listed = []
  for await (const each of florin.orders.list({ metadata: { from: process.env.FROM }, status: ['success'], limit: 1 })) listed.push(each.order_no)
  if (listed.length !== 1 || listed[0] !== made.order_no) throw new Error('the list has ' + listed)
  const { data } = await florin.events.list({ limit: 100 }).page()
  const secret = 'whsec_0123456789ABCDEFGHIJKLMNOPQRSTUV'
  const { rawBody, headers } = signTestWebhook({ secret, order })
  const taken = []
  const answer = await webhookHandler({ secret, on: (event) => taken.push(event.order.order_no) })(
    new Request('https://shop.example/', { method: 'POST', body: rawBody, headers }),
  )
  if (answer.status !== 200 || taken[0] !== made.order_no) throw new Error('the webhook was not taken')
  try {
    await florin.orders.get('ord_none')
  } catch (error) {
    if (!(error instanceof FlorinError) || error.code !== 'order_not_found') throw error
  }
  console.log(order.status, data.some((event) => event.order.order_no === made.order_no))
}
main().catch((error) => {
  console.error(error)
  process.exit(1)
})
`
const names = '{ Florin, FlorinError, signTestWebhook, webhookHandler }'

before(async () => {
  base = await mkdtemp(join(await realpath(tmpdir()), 'florin-runtimes-'))
  const packed = join(base, 'packed')
  await run(process.execPath, [join(root, 'scripts/pack.mjs'), packed], root)
  shop = join(base, 'shop')
  await mkdir(shop)
  await writeFile(join(shop, 'package.json'), '{ "name": "shop", "private": true }')
  const archives = ['sdk', 'cli'].map((name) => join(packed, `florin-${name}-0.1.0.tgz`))
  await run('npm', ['install', '--offline', '--cache', join(base, 'cache'), ...archives], shop)
  await writeFile(join(shop, 'walk.mjs'), `import ${names} from '@florin/sdk'\n${walk}`)
  await writeFile(join(shop, 'walk.cjs'), `const ${names} = require('@florin/sdk')\n${walk}`)
  inbox = await startInbox()
  florin = await startFlorin({ SMTP_URL: inbox.smtpUrl })
  merchant = await signUp(florin.url, inbox, 'runtimes@shop.example')
})
after(async () => {
  await florin?.close()
  await inbox?.close()
  await rm(base, { recursive: true })
})

/** The npm package, its program, and what stands before the file. */
const runtimes: readonly (readonly [name: string, spec: string, program: string, ...args: string[]])[] = [
  ['Node 18', `node-${platform}@18`, 'bin/node'],
  ['Node 20', `node-${platform}@20`, 'bin/node'],
  ['Node 22', `node-${platform}@22`, 'bin/node'],
  ['Node 24', `node-${platform}@24`, 'bin/node'],
  ['Deno', `@deno/${platform}-glibc`, 'deno', 'run', '-A', '--node-modules-dir=manual'],
  ['Bun', `@oven/bun-${platform}-baseline`, 'bin/bun', 'run'],
]
const folderOf = (name: string): string => name.toLowerCase().replace(' ', '-')

// All at once: npm is started once, and not for each.
test('the runtimes are installed', async () => {
  const specs = runtimes.map(([name, spec]) => `${folderOf(name)}@npm:${spec}`)
  await run('npm', ['install', '--prefix', base, '--ignore-scripts', '--no-audit', '--no-fund', ...specs], base)
})

for (const [name, , program, ...args] of runtimes) {
  test(name, async (t) => {
    const path = join(base, 'node_modules', folderOf(name), program)
    for (const file of ['walk.mjs', 'walk.cjs']) {
      const env = { FLORIN: florin.url, KEY: merchant.apiKey, FROM: `${name} ${file}` }
      assert.equal(await run(path, [...args, file], shop, env), 'success true', `${name} ${file}`)
    }
    if (!name.startsWith('Node') || name === 'Node 18') return
    const cli = join(shop, 'node_modules/@florin/cli/bin/florin.mjs')
    const env = { FLORIN_URL: florin.url, FLORIN_BASE_URL: florin.url, FLORIN_API_KEY: merchant.apiKey }
    assert.match(await run(path, [cli, 'orders', 'list'], shop, env), /success/)
    t.diagnostic(await run(path, [cli, '--version'], shop))
  })
}
