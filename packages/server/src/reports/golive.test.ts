// Promises: each point of the checklist is open while what it asks for is not so, says how to close it, and is closed when
// it is; only operators read it, and it names no secret.
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, type TestContext } from 'node:test'
import { anvilAccount, anvilKey } from '@florin/contracts/anvil-accounts'
import { type Check, isOk } from '@florin/platform/check'
import { parseEther } from 'viem'
import { slowTest, quickTest as test } from '../../../../scripts/sizes.ts'
import { aWorld, chainOver, stopNodes, testNode } from '../../../rail-evm/src/test/world.fixture.ts'
import { aMerchant } from '../../test/factories.ts'
import { buildApp } from '../app.ts'
import { markSeedExported } from '../recovery/seed.store.ts'
import { ensureSeed } from '../recovery/seed.ts'
import type { Config } from '../settings.ts'

after(stopNodes)

const addressOf = (account: number) => anvilAccount(account).address
const [owner, relayer, guardian, stranger] = [addressOf(0), addressOf(1), addressOf(3), addressOf(9)]
const OPERATOR = 'boss@shop.example'
const DOLLAR = '0x000000000000000000000000000000000000fee0'
const HALF = '0x000000000000000000000000000000000000fee1'
const feedCode = (answer: string) =>
  `0x60003560e01c63313ce56714602e5760016000526${`3${answer}`}602052426040524260605260016080526` +
  '0a06000f35b60086000526020' +
  '6000f3'

async function anInstall(t: TestContext, a: { fields?: object; config?: Partial<Config> } = {}) {
  const node = await testNode()
  const chains = [chainOver(node, a.fields)]
  const world = await aWorld(t, { node, chains, config: { operatorEmails: [OPERATOR], ...a.config } })
  await world.anvil.setCode({ address: DOLLAR, bytecode: feedCode('05f5e100') as `0x${string}` })
  await world.anvil.setCode({ address: HALF, bytecode: feedCode('02faf080') as `0x${string}` })
  const app = await buildApp(world.deps)
  t.after(() => app.close())
  const boss = await aMerchant(world.deps, OPERATOR)
  const ask = async (query = '', headers = boss.headers, chain = 'base') => {
    const reply = await app.inject({ url: `/api/v1/boss/golive/${chain}${query}`, headers })
    return { status: reply.statusCode, text: reply.body, checks: (reply.json().data?.checks ?? []) as Check[] }
  }
  const point = async (name: string, query = ''): Promise<Check> => {
    const found = (await ask(query)).checks.find((one) => one.id === name)
    assert.ok(found, name)
    assert.equal(found.remedy === null, isOk(found), 'an open point says how to close it, a closed one does not')
    return found
  }
  return { ...world, node, ask, point }
}

test('what of the chain is not so is open, and closed once it is', async (t) => {
  const at = await anInstall(t)
  assert.match((await at.point('mode')).summary, /test mode/)
  assert.equal(isOk(await at.point('contracts')), true)
  assert.match((await at.point('watching')).summary, /never read/)
  assert.match((await at.point('relayer')).summary, /No process that runs has a relayer key/)
  await at.work()
  for (const name of ['relayer', 'gas', 'watching']) assert.equal(isOk(await at.point(name)), true, name)

  const single = await at.point('owner')
  assert.deepEqual([single.status, single.summary], ['warning', `The owner ${owner} is a single key.`])
  // A wallet that delegates is a single key all the same.
  await at.anvil.setCode({ address: owner, bytecode: `0xef0100${'11'.repeat(20)}` })
  assert.equal(isOk(await at.point('owner')), false)
  await at.anvil.setCode({ address: owner, bytecode: '0x5b00' })
  assert.equal(isOk(await at.point('owner')), true)
  await at.anvil.setCode({ address: owner, bytecode: '0x' })

  assert.match((await at.point('guardian')).remedy ?? '', /--guardian/)
  assert.match((await at.point('guardian', `?guardian=${stranger}`)).summary, /is not a guardian/)
  assert.equal(isOk(await at.point('guardian', `?guardian=${guardian}`)), true)

  const had = await at.client.getBalance({ address: relayer })
  await at.anvil.setBalance({ address: relayer, value: parseEther('0.5') })
  // Ten orders of 120,000 gas at the cap of 100 gwei are 0.12 a day.
  assert.match((await at.point('gas')).summary, /has 0\.5 ETH, enough for at least 4 days/)
  assert.match((await at.point('gas')).remedy ?? '', /until it lasts 7 days/)
  await at.anvil.setBalance({ address: relayer, value: had })

  assert.match((await at.point('refunder')).summary, /process that answers requests has the refunder key/)
  assert.match((await at.point('providers')).summary, /the word of 127\.0\.0\.1:/)
  assert.match((await at.point('pegs')).summary, /Nobody looks at the price of USDC and USDT/)
  at.clock.advance(10 * 60_000)
  for (const name of ['relayer', 'watching']) assert.equal(isOk(await at.point(name)), false, `${name} is over`)
})

slowTest('keys, gas price, feeds and providers of another set-up', async (t) => {
  const node = await testNode()
  const feed = (address: string) => ({ kind: 'chainlink', feed: address, heartbeatS: 86_400 })
  const down = { kind: 'http', name: 'exchange', url: 'http://127.0.0.1:1/', path: 'price' }
  const dollar = [feed(DOLLAR), feed(DOLLAR)]
  const rpc = [node.url, node.url.replace('127.0.0.1', 'localhost')]
  const wrong = anvilKey(9)
  const key = { privateKey: wrong, maxFeeGwei: '0.000000001', minTipGwei: '0' }
  const at = await anInstall(t, {
    fields: { rpc, relayer: key, refunder: undefined, peg: { USDC: dollar, USDT: [feed(HALF), down] } },
  })
  await at.work()
  assert.match((await at.point('relayer')).summary, new RegExp(`${stranger.toLowerCase()} is not a relayer`))
  assert.match((await at.point('gas')).summary, /maxFeeGwei allows 0\.000000001/)
  const fallen = await at.point('pegs')
  assert.equal(isOk(fallen), false, 'one coin at its peg does not stand for the other')
  assert.match(fallen.summary, /^USDC is quoted: chainlink says \$1, chainlink says \$1; USDT is not quoted: /)
  assert.match(fallen.summary, /USDT is not quoted: chainlink says \$0\.5, exchange: .*ECONNREFUSED/)
  assert.equal(isOk(await at.point('providers')), true)
  assert.equal(isOk(await at.point('refunder')), true)
  const { text } = await at.ask()
  assert.ok(!text.includes(wrong.slice(2)), 'no secret')
  const pegged = await anInstall(t, { fields: { rpc, peg: { USDC: dollar, USDT: [...dollar, down] } } })
  const near = await pegged.point('pegs')
  assert.ok(isOk(near), 'two of three are enough')
  assert.match(near.summary, /USDT is quoted: chainlink says \$1, chainlink says \$1, exchange: /)
  const unsaid = await anInstall(t, { fields: { rpc, peg: { USDC: dollar, USDT: 'none' } } })
  const unlooked = await unsaid.point('pegs')
  assert.ok(isOk(unlooked), 'it is said aloud')
  assert.match(unlooked.summary, /^USDC is quoted: .*; USDT is taken at a dollar: "none" is said of its peg\.$/)
  const silent = await anInstall(t, { fields: { rpc: [...rpc, 'http://127.0.0.1:1'] } })
  await silent.work()
  assert.match((await silent.point('providers')).summary, /127\.0\.0\.1:1 is silent/)
})

test('what of the installation is not so is open, and closed once it is', async (t) => {
  const dir = await mkdtemp(join(tmpdir(), 'florin-golive-'))
  t.after(() => rm(dir, { recursive: true, force: true }))
  const dataDir = join(dir, 'data')
  const bare = await anInstall(t, {
    config: {
      dataDir,
      journalDir: join(dataDir, 'journal'),
      masterKey: null,
      smtpUrl: null,
      baseUrl: 'http://pay.example',
    },
  })
  const names = ['base_url', 'smtp', 'master_key', 'journal', 'recovery_seed', 'backups']
  for (const name of names) assert.equal(isOk(await bare.point(name)), false, name)

  const backupDir = join(dir, 'backups')
  await mkdir(backupDir)
  const config = {
    baseUrl: 'https://pay.example',
    smtpUrl: 'smtp://mail.example',
    masterKey: 'ab'.repeat(32),
    backupDir,
  }
  const at = await anInstall(t, { config: { ...config, dataDir, journalDir: join(dir, 'journal') } })
  for (const name of ['base_url', 'smtp', 'master_key', 'journal']) assert.equal(isOk(await at.point(name)), true, name)
  const { seed } = await ensureSeed(at.deps.sql, at.deps.secrets, at.clock.now())
  assert.equal(isOk(await at.point('recovery_seed')), false)
  await markSeedExported(at.deps.sql, at.clock.now())
  assert.equal(isOk(await at.point('recovery_seed')), true)
  assert.match((await at.point('backups')).summary, /Nothing in .* reads as a whole backup/)
  const file = join(backupDir, 'florin.sql')
  await writeFile(file, 'half a dump')
  assert.match((await at.point('backups')).summary, /Nothing in .* reads as a whole backup/)
  await writeFile(file, '--\n-- PostgreSQL database dump complete\n--\n')
  const at47h = new Date(at.clock.now().getTime() - 47 * 3_600_000)
  await utimes(file, at47h, at47h)
  assert.match((await at.point('backups')).summary, /is 47 hours old, and no restore was tried/)
  await writeFile(`${file}.drilled`, '')
  assert.match((await at.point('backups')).summary, /that was tried is 47 h old/)
  at.clock.advance(3_600_000)
  assert.match(
    (await at.point('backups')).summary,
    /is 48 hours old, and the newest whose restore was tried is 48 hours old/,
  )
  const { text } = await at.ask()
  for (const secret of [config.masterKey, Buffer.from(seed).toString('hex')]) assert.ok(!text.includes(secret))
})

test('only operators ask; a chain without real money is one open point, and one that is not there a 422', async (t) => {
  const at = await anInstall(t)
  const merchant = await aMerchant(at.deps)
  assert.equal((await at.ask('', merchant.headers)).status, 403)
  assert.equal((await at.ask('?guardian=0x12')).status, 422)
  const [first] = (await at.ask('', undefined, 'arb')).checks
  assert.deepEqual([first?.id, first?.status], ['rail', 'warning'])
  assert.match(first?.remedy ?? '', /add chains\.arb to the rails file/)
  assert.equal((await at.ask('', undefined, 'nowhere')).status, 422)
})
