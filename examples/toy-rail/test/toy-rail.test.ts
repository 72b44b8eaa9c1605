// The toy rail as a stranger has it: packed, installed into a folder of its own without a network, run through the conformance
// suite, and loaded by a real Florin that is started in that folder.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { railContract } from '@florin/rail-kit/testing'
import { loadRails } from '@florin/server/src/compose.ts'
import { openDeps } from '@florin/server/src/deps.ts'
import { ownDatabase, testConfig } from '@florin/server/test/harness.ts'
import { pino } from 'pino'
import { type Florin, startFlorin, until } from '../../../e2e/florin.ts'
import { call, signUp, startInbox } from '../../../e2e/merchant.ts'
import { startReceiver } from '../../../e2e/receiver.ts'
import { quickTest, sized, slowTest } from '../../../scripts/sizes.ts'
import { ToyChain } from './chain.ts'
import { makeWorld, type ToyPackage, USDC } from './world.ts'

const run = promisify(execFile)
const INSTALLED = './rails/node_modules/florin-toy-rail'
const source = join(import.meta.dirname, '..')
const folder = await mkdtemp(join(tmpdir(), 'florin-toy-'))
after(() => rm(folder, { recursive: true, force: true }))
await install()
const toy = (await import(pathToFileURL(join(folder, INSTALLED, 'index.js')).href)) as ToyPackage

/** As the page says it; Florin's own packages are those of the installation that runs the rail. */
async function install(): Promise<void> {
  await mkdir(join(folder, 'node_modules'))
  await symlink(join(source, '../../node_modules/@florin'), join(folder, 'node_modules/@florin'), 'dir')
  await run('npm', ['pack', '--pack-destination', folder], { cwd: source })
  const tarball = './florin-toy-rail-0.1.0.tgz'
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', '--prefix', 'rails', tarball], { cwd: folder })
}

const isQuick = (promise: string) => /^the exact|^too much|^what was final|^killed/.test(promise)
railContract({ kind: 'toy', custody: 'none' }, (t) => makeWorld(t, toy), {
  killEvery: sized({ short: 19, full: 1 }),
  testFor: (promise) => (isQuick(promise) ? quickTest : slowTest),
})

test('toy rail: a Florin that RAILS names it to → an order is paid, settled and reported by webhook', async (t) => {
  const chain = await new ToyChain(() => new Date()).start()
  t.after(() => chain.close())
  const inbox = await startInbox()
  t.after(() => inbox.close())
  const receiver = await startReceiver()
  t.after(() => receiver.close())
  const environment = { RAILS: INSTALLED, TOY_CHAIN_URL: chain.url, SMTP_URL: inbox.smtpUrl, FEE_BPS: '100' }
  const florin: Florin = await startFlorin(environment, 'server', undefined, folder)
  t.after(() => florin.close())
  const shop = await signUp(florin.url, inbox, 'toy@shop.example')
  const { body, status, text } = await call<{
    order_no: string
    pay: { rail: string; address: string; amount_due: string }
  }>(`${florin.url}/v1/orders`, 'POST', {
    headers: shop.key,
    body: { amount_usd: 25, pay_chain: 'base', pay_asset: 'USDC', webhook_url: `${receiver.url}/hook` },
  })
  assert.equal(status, 201, text)
  assert.equal(body.pay.rail, 'toy')
  const statuses = () => receiver.of(body.order_no).map(({ event }) => event.order.status)
  chain.pay(body.pay.address, 25_000_000n, USDC)
  await until(() => statuses().includes('processing'), 'a webhook of the payment', t.signal)
  await until(
    () => {
      chain.finalize()
      return statuses().includes('success')
    },
    'a webhook of the success',
    t.signal,
  )
  assert.deepEqual(chain.balancesOf('0x52908400098527886E0F7030069857D2E4169EE7').balances[0]?.amount, '24750000')
  assert.equal(chain.balancesOf(body.pay.address).balances[0]?.amount, '0')
})

test('RAILS: a copy that sleeps after a restore → its rails give out no address', async (t) => {
  process.env.TOY_CHAIN_URL = 'http://127.0.0.1:1'
  t.after(() => {
    delete process.env.TOY_CHAIN_URL
  })
  const databaseUrl = await ownDatabase(t)
  const config = testConfig({ mode: 'api', rails: [join(folder, INSTALLED)] })
  const kinds = async (): Promise<string[]> => {
    const { deps, close } = await openDeps({ config, log: pino({ level: 'silent' }), databaseUrl })
    await deps.sql`update installation set asleep_since = now()`
    await close()
    return deps.rails.all.map(({ capabilities }) => capabilities.kind)
  }
  assert.deepEqual(await kinds(), ['toy', 'sandbox'])
  assert.deepEqual(await kinds(), ['sandbox'])
})

test('toy rail: docs/rails/write-a-rail.md shows its files as they are', async () => {
  const page = await readFile(join(source, '../../docs/rails/write-a-rail.md'), 'utf8')
  const blocks = [...page.matchAll(/`examples\/toy-rail\/([\w./-]+)`[^`]*:\n\n```\w+\n([\s\S]*?)\n```/g)]
  const whole = ['index.js', 'job.js', 'package.json', 'rail.js', 'store.js']
  const parts = ['test/toy-rail.test.ts', 'test/world.ts']
  assert.deepEqual(blocks.map(([, file]) => file).sort(), [...whole, ...parts].sort())
  for (const [, file = '', block = ''] of blocks) {
    const text = await readFile(join(source, file), 'utf8')
    if (whole.includes(file)) assert.equal(`${block}\n`, text, file)
    else assert.ok(text.includes(`${block}\n`), file)
  }
})

test('RAILS: a package that is missing, or that is no rail, stops the start with its name', async () => {
  await assert.rejects(loadRails({ rails: ['florin-missing-rail'] }), /florin-missing-rail, which is not found from/)
  await assert.rejects(loadRails({ rails: ['fast-check'] }), /fast-check, which is no rail/)
})
