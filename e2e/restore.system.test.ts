// Promises: a Florin whose database is lost comes back from an older backup by its commands, and gives no address of a wallet to
// two orders; the payer of an order that was lost pays no other one, and the merchant is told of the money.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { PASSWORD, startLitecoind, USER } from '../packages/rail-utxo/src/test/litecoind.fixture.ts'
import { ACCOUNT } from '../packages/rail-utxo/src/test/world.fixture.ts'
import { needsDebian } from '../packages/server/test/debian.ts'
import { startFlorin, until } from './florin.ts'
import { call, type Merchant, signUp, startInbox } from './merchant.ts'

const execute = promisify(execFile)
const command = join(import.meta.dirname, '../packages/server/src/backup/command.ts')

interface Order {
  order_no: string
  status: string
  pay: { address: string; amount_due: string }
}

test('restored from an older backup: no address is given twice, and money of a lost order is shown', async (t) => {
  await needsDebian('litecoind')
  const ends: (() => Promise<unknown>)[] = []
  t.after(async () => {
    for (const end of ends.toReversed()) await end()
  })
  const dir = await mkdtemp(join(tmpdir(), 'florin-restore-'))
  ends.push(() => rm(dir, { recursive: true, force: true }))
  const node = await startLitecoind({ mweb: false })
  ends.push(() => node.stop())
  const inbox = await startInbox()
  ends.push(() => inbox.close())
  const rails = join(dir, 'rails.json')
  const ltc = {
    ...{ mode: 'test', pollMs: 200, confirmations: [{ blocks: 1 }] },
    node: { url: node.url, user: USER, passwordEnv: 'LTC_PASSWORD' },
    prices: { sources: [{ kind: 'fixed', usd: '100' }], spreadBps: 0 },
  }
  await writeFile(rails, JSON.stringify({ chains: { ltc } }))
  const environment = { SMTP_URL: inbox.smtpUrl, RAILS_CONFIG: rails, LTC_PASSWORD: PASSWORD }
  const backup = async (dataDir: string, ...words: string[]): Promise<string> => {
    const env = {
      PATH: process.env.PATH ?? '',
      TMPDIR: tmpdir(),
      FX_SOURCES: 'fixed',
      ...environment,
      DATA_DIR: dataDir,
    }
    return (await execute(process.execPath, [command, ...words], { env })).stdout
  }
  const order = async (url: string, { key }: Merchant): Promise<Order> => {
    const body = { amount_usd: 50, pay_chain: 'ltc', settle_chain: 'ltc' }
    const made = await call<Order>(`${url}/v1/orders`, 'POST', { headers: key, body })
    assert.equal(made.status, 201, made.text)
    return made.body
  }

  const first = await startFlorin(environment)
  ends.push(() => first.close())
  const merchant = await signUp(first.url, inbox, 'owner@shop.example')
  const addresses = `${first.url}/api/v1/boss/addresses`
  const headers = merchant.console
  const set = await call(addresses, 'PUT', { headers, body: { chain: 'ltc', address: ACCOUNT } })
  assert.equal(set.status, 200, set.text)
  const said = await call(`${addresses}/ltc/used`, 'PUT', { headers, body: { never_used: true } })
  assert.equal(said.status, 200, said.text)
  const kept = await order(first.url, merchant)
  const file = join(dir, 'older.backup')
  assert.match(await backup(first.dataDir, '--no-drill', '--out', file), /1 orders/)
  const lost = [await order(first.url, merchant), await order(first.url, merchant)]
  // The database of the first Florin does not come back.
  await first.stop()

  const other = join(dir, 'other')
  await mkdir(other, { mode: 0o700 })
  await cp(join(first.dataDir, 'master.key'), join(other, 'master.key'))
  await assert.rejects(
    backup(other, 'restore', file, '--replace'),
    /There is no journal in .*activate.*--without-journal/s,
  )
  await assert.rejects(backup(other, 'activate'), /There is no journal in/)
  await cp(join(first.dataDir, 'journal'), join(other, 'journal', 'one'), { recursive: true })
  assert.match(await backup(other, 'activate'), /2 addresses were given out after the backup.*Start Florin/)

  const second = await startFlorin({ ...environment, DATA_DIR: other })
  ends.push(() => second.close())
  const fresh = [await order(second.url, merchant), await order(second.url, merchant)]
  const all = [kept, ...lost, ...fresh].map(({ pay }) => pay.address)
  assert.equal(new Set(all).size, all.length, all.join(' '))
  const [payer] = lost
  const [one, two] = fresh
  assert.ok(payer && one && two)
  for (const { pay } of [payer, one]) await node.send(pay.address, BigInt(pay.amount_due))
  await node.mine(2)
  const statusOf = async ({ order_no }: Order): Promise<string> =>
    (await call<Order>(`${second.url}/v1/orders/${order_no}`, 'GET', { headers: merchant.key })).body.status
  await until(async () => (await statusOf(one)) === 'success', 'the order that was paid is a success')
  interface Item {
    reason: string
    evidence: { to?: string }
  }
  const items = async (): Promise<Item[]> => {
    const list = `${second.url}/api/v1/boss/attention?livemode=false`
    return (await call<{ data: { data: Item[] } }>(list, 'GET', { headers })).body.data.data
  }
  await until(
    async () => (await items()).some(({ reason }) => reason === 'payment_of_lost_order'),
    'an item of the money',
  )
  assert.deepEqual(
    (await items()).flatMap(({ reason, evidence }) => (reason === 'payment_of_lost_order' ? [evidence.to] : [])),
    [payer.pay.address],
  )
  assert.deepEqual([await statusOf(two), await statusOf(kept)], ['pending', 'pending'])
  assert.equal(await second.stop(), 0)
})
