// Promises: whatever keeps money from moving is an item in attention within two minutes, for operators with what to do
// and for the merchants whose money waits with what it means; a metric and a note say the same; all of it ends by itself.

import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, type TestContext } from 'node:test'
import { payFactoryAbi } from '@florin/contracts'
import { toAnvil } from '@florin/contracts/anvil'
import { anvilAccount, anvilKey } from '@florin/contracts/anvil-accounts'
import { isOk, ok } from '@florin/platform/check'
import { sendDueMail } from '@florin/platform/mail/send'
import { metrics } from '@florin/platform/metrics'
import type { Job } from '@florin/platform/worker/job'
import { sumCosts } from '@florin/rail-evm/relay/outbox.store'
import { createWalletClient } from 'viem'
import { slowTest, quickTest as test } from '../../../../../scripts/sizes.ts'
import {
  aWorld,
  chainOver,
  owner,
  SEED,
  stopNodes,
  testNode,
  type World,
} from '../../../../rail-evm/src/test/world.fixture.ts'
import { bindRefund, settleDue } from '../../../test/orders.ts'
import { listAttention } from '../../attention/store.ts'
import { sentenceOf } from '../../attention/words.ts'
import { routeJournal } from '../../recovery/journal.ts'
import { getOrder } from '../store.ts'
import { stuckJob } from './stuck.ts'

after(stopNodes)

const relayer = anvilAccount(1).address
const PAYER = '0x8617E340B3D01FA5F11F306F4090FD50E238070D'
const OPERATOR = 'mer_of_the_operator'

interface Scene extends World {
  job: Job
  /** So much time passes in the steps that jobs take. */
  pass(ms: number): Promise<void>
  /** An order that is paid, and whose payment counts. */
  paid(body?: Parameters<World['order']>[0]): Promise<{ orderNo: string }>
}

async function aScene(t: TestContext, fields: object = {}): Promise<Scene> {
  const node = await testNode()
  const world = await aWorld(t, {
    ...{ node, chains: [chainOver(node, fields)] },
    config: { operatorEmails: ['operator@florin.example'] },
  })
  const job = stuckJob(world.deps)
  return {
    ...world,
    job,
    async pass(ms) {
      for (let passed = 0; passed < ms; passed += 15_000) {
        world.clock.advance(15_000)
        await world.work().catch(() => undefined)
        await job.run(new AbortController().signal)
      }
    },
    async paid(body) {
      const order = await world.order(body)
      await world.look()
      await world.pay(order.legs[0]?.address ?? '', node.usdc, order.legs[0]?.amountDue ?? 0n)
      await world.mine(3)
      await world.look()
      while ((await settleDue(world.deps)) > 0);
      return order
    },
  }
}

const wrongIn = (job: Job): string =>
  (job.checks?.() ?? []).flatMap((check) => (isOk(check) ? [] : check.summary)).join('\n')

/** Open items as operators and as the merchant see them. */
async function openItems({ deps, caller }: World, who: 'operator' | 'merchant') {
  const items = await listAttention(deps.sql, {
    merchantId: who === 'operator' ? null : caller.merchantId,
    askedBy: who === 'operator' ? OPERATOR : caller.merchantId,
    ...{ livemode: false, open: true, before: null, limit: 100 },
  })
  return items.map(({ kind, evidence }) => ({ kind, says: sentenceOf(kind, evidence) }))
}

const kindsOf = async (world: World, who: 'operator' | 'merchant' = 'operator') =>
  (await openItems(world, who)).map(({ kind }) => kind)

async function gaugeOf(name: string, labels: Record<string, string>): Promise<number | undefined> {
  const { values = [] } = (await metrics.getSingleMetric(name)?.get()) ?? {}
  return values.find((one) => Object.entries(labels).every(([key, value]) => one.labels[key] === value))?.value
}

test('a relayer without gas: both are told within two minutes, and nobody any more once it has some', async (t) => {
  const world = await aScene(t)
  const had = await world.client.getBalance({ address: relayer })
  await world.anvil.setBalance({ address: relayer, value: 0n })
  const order = await world.paid()
  await world.pass(120_000)
  const [told, ...others] = await openItems(world, 'operator')
  assert.deepEqual(others, [], 'the merchant’s own item is not repeated for operators')
  assert.equal(told?.kind, 'out_of_gas')
  assert.match(
    told?.says ?? '',
    new RegExp(`base: ${relayer} has too little for gas .*Send native coins to this address`),
  )
  assert.match(wrongIn(world.job), /has too little for gas/)
  assert.equal(await gaugeOf('florin_check_failing', { chain: 'base', id: 'out_of_gas' }), 1)
  assert.equal(await gaugeOf('florin_gas_runway_days', { chain: 'base', role: 'relayer' }), 0)
  const [meant] = await openItems(world, 'merchant')
  assert.equal(meant?.kind, 'money_waits')
  assert.match(meant?.says ?? '', new RegExp(`paid on Base for order ${order.orderNo} cannot be passed on to you`))

  await sendDueMail(world.deps)
  const mails = world.mailbox.mails.filter(({ subject }) => /stuck/.test(subject))
  assert.deepEqual(
    mails.map(({ to, subject }) => [to, subject]),
    [['operator@florin.example', '[test] Money may be stuck on Base']],
  )
  assert.match(mails[0]?.text ?? '', /has too little for gas [\s\S]*Send native coins to this address/)
  assert.equal(await gaugeOf('florin_attention_open', { kind: 'fix_service', mode: 'test' }), 1)

  await world.anvil.setBalance({ address: relayer, value: had })
  await world.pass(15_000)
  assert.deepEqual([await kindsOf(world), await kindsOf(world, 'merchant')], [[], []])
  assert.equal(wrongIn(world.job), '')
  assert.equal(await gaugeOf('florin_check_failing', { chain: 'base', id: 'out_of_gas' }), undefined)
  await world.mine(5)
  await world.work()
  while ((await settleDue(world.deps)) > 0);
  assert.equal((await getOrder(world.deps.sql, order.orderNo)).status, 'success')
  const left = await world.client.getBalance({ address: relayer })
  const { spent } = await sumCosts(world.deps.sql, { chain: 'base', signer: relayer.toLowerCase() }, new Date(0))
  assert.equal(spent, had - left, 'what was spent is what the chain took')
  const closed = await world.deps.sql<{ resolution: string }[]>`select distinct resolution from attention limit 9`
  assert.deepEqual([...closed], [{ resolution: 'it is over by itself' }])
})

slowTest('gas above the cap pauses sending, and says so; a moment of it calls nobody', async (t) => {
  const world = await aScene(t, {
    relayer: { privateKey: anvilKey(1), maxFeeGwei: '0.000000002', minTipGwei: '0', batchWaitMs: 0 },
  })
  await world.paid()
  await world.pass(15_000)
  assert.deepEqual(await kindsOf(world), [])
  await world.pass(105_000)
  assert.deepEqual([await kindsOf(world), await kindsOf(world, 'merchant')], [['gas_over_cap'], ['money_waits']])
  assert.match((await openItems(world, 'operator'))[0]?.says ?? '', /gwei, cap 0.000000002 gwei.*raise maxFeeGwei/)
})

test('paused refunds are seen before one waits', async (t) => {
  const world = await aScene(t)
  const wallet = createWalletClient({ transport: toAnvil(world.node.url), account: owner })
  const call = { address: world.node.factory, abi: payFactoryAbi, chain: null } as const
  await world.pass(15_000)
  await wallet.writeContract({ ...call, functionName: 'pauseRefunds' })
  await world.mine()
  await world.pass(120_000)
  assert.deepEqual(await kindsOf(world), ['refunds_paused'])
  assert.deepEqual(await kindsOf(world, 'merchant'), [], 'no refund waits')
  await overpaid(world)
  await world.pass(30_000)
  assert.match((await openItems(world, 'merchant'))[0]?.says ?? '', /^Refunds on Base for order ord_/)
  await wallet.writeContract({ ...call, functionName: 'unpauseRefunds' })
  await world.mine()
  await world.pass(90_000)
  assert.deepEqual(await kindsOf(world), [])
})

for (const role of ['relayer', 'refunder'] as const) {
  test(`work for a ${role} key that no process has is an item once it waits`, async (t) => {
    const world = await aScene(t, { [role]: undefined })
    await world.pass(120_000)
    assert.deepEqual(await kindsOf(world), [], 'a key that nothing waits for may be away')
    if (role === 'relayer') await world.paid()
    else await overpaid(world)
    await world.pass(120_000)
    assert.deepEqual(await kindsOf(world), ['key_missing'])
    const [told] = await openItems(world, 'operator')
    assert.match(told?.says ?? '', new RegExp(`no process has a ${role} key, .*Start a process with the key`))
    assert.deepEqual(await kindsOf(world, 'merchant'), ['money_waits'])
  })
}

/** Twice what was asked for, with a refund address bound: the rest goes back. */
async function overpaid(world: Scene): Promise<void> {
  const order = await world.order()
  const bound = await bindRefund(world.deps, order.orderNo, PAYER)
  const leg = bound.legs.at(-1)
  await world.look()
  await world.pay(leg?.address ?? '', world.node.usdc, (leg?.amountDue ?? 0n) * 2n)
  await world.mine(3)
  await world.work()
  while ((await settleDue(world.deps)) > 0);
  await world.work()
  await world.mine(6)
  await world.work()
  while ((await settleDue(world.deps)) > 0);
}

test('a provider that is down is named while the others carry on; without any the chain stands still', async (t) => {
  const node = await testNode()
  const rpc = [node.url, node.url.replace('127.0.0.1', 'localhost'), 'http://127.0.0.1:1']
  const world = await aScene(t, { rpc })
  await world.pass(120_000)
  assert.deepEqual(await kindsOf(world), ['provider'])
  assert.match((await openItems(world, 'operator'))[0]?.says ?? '', /127\.0\.0\.1:1 does not answer/)

  const dark = await aScene(t, { rpc: ['http://127.0.0.1:1', 'http://127.0.0.1:2'] })
  await dark.pass(120_000)
  assert.deepEqual((await kindsOf(dark)).toSorted(), ['chain', 'provider', 'provider'])
})

slowTest('a journal that cannot be written is said while it lasts, by every process', async (t) => {
  const world = await aScene(t)
  const { sql, log, clock } = world.deps
  const above = await mkdtemp(join(tmpdir(), 'florin-journal-'))
  t.after(() => rm(above, { recursive: true, force: true }))
  const dir = join(above, 'journal')
  await writeFile(dir, 'a file is no folder')
  const journal = routeJournal({ dir, seed: SEED, clock, log, sql })
  for (let n = 0; n < 4; n++) {
    await journal.probe()
    await world.pass(15_000)
  }
  assert.match(journal.own()[0]?.summary ?? '', /cannot be written \(ENOTDIR\): no pay address is shown there/)
  assert.deepEqual(await kindsOf(world), ['journal'])
  const [told] = await openItems(world, 'operator')
  assert.ok(told?.says.includes(dir) && /ENOTDIR.*Make room/.test(told.says))
  assert.ok(wrongIn(world.job).includes(dir))
  await rm(dir)
  await mkdir(dir)
  await journal.probe()
  await world.pass(15_000)
  assert.deepEqual([journal.own(), await kindsOf(world)], [[], []])

  // One that died with its trouble says nothing for ever.
  await rm(dir, { recursive: true })
  await journal.probe()
  await world.pass(240_000)
  assert.deepEqual(await kindsOf(world), [])
  await journal.close()
})

slowTest(
  'stuck: a person dismisses the item → it opens again while a process still finds the trouble, and no more after',
  async (t) => {
    const world = await aScene(t, { rpc: ['http://127.0.0.1:1'] })
    await world.pass(60_000)
    const { sql, rails } = world.deps
    const dismiss = () => sql`
    update attention set resolved_at = now(), resolved_by = 'somebody', resolution = 'dismiss'
    where resolved_at is null and actions = '{dismiss}'`
    await dismiss()
    assert.deepEqual(await kindsOf(world), [])
    await world.pass(15_000)
    assert.ok((await kindsOf(world)).includes('chain'))
    // The chain is taken out of the rails file of every process.
    const well = { ...ok(['chain', 'op'], 'op is read.'), chain: 'op', livemode: false, holdsUp: [] }
    const checks = async () => new Map([['forwarder', [well]]])
    const elsewhere = stuckJob({ ...world.deps, rails: { ...rails, checks } })
    await elsewhere.run(new AbortController().signal)
    assert.ok((await kindsOf(world)).includes('chain'), 'another process may still find it')
    await dismiss()
    await elsewhere.run(new AbortController().signal)
    assert.deepEqual(await kindsOf(world), [])
  },
)
