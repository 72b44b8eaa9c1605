// Promises: a fault of the kinds that operators meet moves its own alert and no other, and none fires while all is well.
// Real parts break: a real node's key without gas, a provider that lies, a chain that nobody answers for, a receiver that is down, a
// disk that fills, mail that is not taken, workers that are behind. What /metrics says then is judged by Prometheus' own promtool.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { anvilAccount } from '@florin/contracts/anvil-accounts'
import { MINUTE_MS } from '@florin/protocol'
import { aLyingNode, type Lie } from '../../../rail-evm/src/test/lying-node.fixture.ts'
import { aWorld, chainOver, stopNodes, testNode, type World } from '../../../rail-evm/src/test/world.fixture.ts'
import { buildApp } from '../../../server/src/app.ts'
import { stuckJob } from '../../../server/src/orders/stuck/stuck.ts'
import { standingJob } from '../../../server/src/reports/standing/standing.ts'
import { webhookJobs } from '../../../server/src/webhooks/jobs.ts'
import { needsDebian } from '../../../server/test/debian.ts'
import { anEvent, aShop, eventually } from '../../../server/test/deliveries.ts'
import { settleDue } from '../../../server/test/orders.ts'
import { withTx } from '../db/tx.ts'
import { enqueueMail } from '../mail/enqueue.ts'
import { smtpMailer } from '../mail/mailer.ts'
import { sendDueMail } from '../mail/send.ts'

const execute = promisify(execFile)
const shipped = join(import.meta.dirname, '../../../../deploy/prometheus')
const alerts = join(shipped, 'alerts.yml')

before(() => needsDebian('prometheus'))
after(stopNodes)

test('what operations.md gives Prometheus is a configuration of it', async (t) => {
  const dir = await mkdtemp(join(tmpdir(), 'florin-scrape-'))
  t.after(() => rm(dir, { recursive: true, force: true }))
  const page = await readFile(join(import.meta.dirname, '../../../../docs/operations.md'), 'utf8')
  const block = /^```yaml\n(scrape_configs:.*?)^```/ms.exec(page)?.[1] ?? ''
  await copyFile(alerts, join(dir, 'alerts.yml'))
  await writeFile(join(dir, 'prometheus.yml'), block)
  const { stdout } = await execute('promtool', ['check', 'config', '--syntax-only', join(dir, 'prometheus.yml')])
  assert.match(stdout, /SUCCESS.*valid prometheus config/)
})

/** Series → value, as Prometheus keeps them of one process. */
type Reading = Map<string, number>

function readingOf(text: string): Reading {
  const reading: Reading = new Map()
  for (const line of text.split('\n')) {
    const [, name, labels = '', value] = /^(florin_\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
    if (name === undefined || Number.isNaN(Number(value))) continue
    const own = labels === '' ? [] : [labels]
    reading.set(`${name}{${[...own, 'job="florin"', 'instance="pay-1"'].join(',')}}`, Number(value))
  }
  reading.set('up{job="florin",instance="pay-1"}', 1)
  // A test has no backups.
  reading.set('florin_backup_age_seconds{folder="backup",job="florin",instance="pay-1"}', 3600)
  return reading
}

/** What was read stands for an hour and a half; counters rise once, after an hour, from what was read before. */
function seriesOf(was: Reading, is: Reading) {
  return [...is].map(([series, value]) => {
    const isCounter = /^\w+_(total|bucket|sum|count)\{/.test(series)
    const before = was.get(series) ?? 0
    return { series, values: isCounter ? `${before}+0x60 ${value}+0x30` : `${value}+0x90` }
  })
}

interface Case {
  name: string
  fires: string[]
  input: ReturnType<typeof seriesOf>
}

/** Throws what promtool says where other alerts fire than are meant to. */
async function judge(t: TestContext, cases: readonly Case[]): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'florin-alerts-'))
  t.after(() => rm(dir, { recursive: true, force: true }))
  const file = join(dir, 'test.yml')
  const tests = cases.map(({ name, fires, input }) => ({
    ...{ name, interval: '1m', input_series: input },
    promql_expr_test: [
      {
        expr: 'group by (alertname) (ALERTS{alertstate="firing"})',
        eval_time: '65m',
        exp_samples: [...fires, 'FlorinWatchdog'].map((alert) => ({ labels: `{alertname="${alert}"}`, value: 1 })),
      },
    ],
  }))
  await writeFile(file, JSON.stringify({ rule_files: [alerts], evaluation_interval: '1m', tests }))
  await execute('promtool', ['test', 'rules', file], { maxBuffer: 16 << 20 }).catch(
    (error: { stdout: string; stderr: string }) => assert.fail(`${error.stdout}\n${error.stderr}`),
  )
}

test('promtool reads the alerts, and what operations.md says to give to Prometheus', async (t) => {
  const { stdout } = await execute('promtool', ['check', 'rules', alerts])
  assert.match(stdout, /SUCCESS: \d+ rules found/)
  const page = await readFile(join(import.meta.dirname, '../../../../docs/operations.md'), 'utf8')
  const [, shown] = /^```yaml\n(scrape_configs:.*?)^```$/ms.exec(page) ?? []
  assert.ok(shown)
  const dir = await mkdtemp(join(tmpdir(), 'florin-alerts-'))
  t.after(() => rm(dir, { recursive: true, force: true }))
  await writeFile(join(dir, 'prometheus.yml'), shown)
  await copyFile(alerts, join(dir, 'alerts.yml'))
  // The token is in a file that an operator makes.
  await execute('promtool', ['check', 'config', '--syntax-only', join(dir, 'prometheus.yml')])
})

test('the tests that ship beside the alerts hold', async () => {
  const { stdout } = await execute('promtool', ['test', 'rules', join(shipped, 'alerts.test.yml')])
  assert.match(stdout, /SUCCESS/)
})

test('each fault moves its own alert, and nothing fires while all is well', { timeout: 10 * MINUTE_MS }, async (t) => {
  const scene = await aScene(t)
  const cases: Case[] = []
  const well = async (name: string, was: Reading): Promise<Reading> => {
    const is = await scene.read()
    cases.push({ name, fires: [], input: seriesOf(was, is) })
    return is
  }
  const start = await scene.read()
  await well('all is well', start)
  for (const [alert, { breaks, mends }] of Object.entries(faultsOf(scene))) {
    const was = await scene.read()
    await breaks()
    cases.push({ name: alert, fires: [alert], input: seriesOf(was, await scene.read()) })
    await mends()
    await well(`after ${alert}`, await scene.read())
  }
  await judge(t, cases)
})

interface Scene extends World {
  disk: string
  /** What the third provider says; null: the truth. */
  lie: { now: Lie }
  /** No provider answers: the chain is read by nobody. */
  isOut: { now: boolean }
  shop: Awaited<ReturnType<typeof aShop>>
  /** One round of the jobs that count, and what /metrics says then. */
  read(): Promise<Reading>
  pass(ms: number): Promise<void>
}

async function aScene(t: TestContext): Promise<Scene> {
  const disk = await mkdtemp(join(tmpdir(), 'florin-disk-'))
  await execute('mount', ['-t', 'tmpfs', '-o', 'size=16m,mode=755', 'florin-test', disk])
  t.after(async () => {
    await execute('umount', ['-l', disk])
    await rm(disk, { recursive: true, force: true })
  })
  const journalDir = join(disk, 'journal')
  await mkdir(journalDir)
  const node = await testNode()
  const lie: Scene['lie'] = { now: () => null }
  const isOut: Scene['isOut'] = { now: false }
  const honest = await Promise.all([1, 2].map(() => aLyingNode(t, node.url, () => (isOut.now ? 503 : null))))
  const third = await aLyingNode(t, node.url, (call) => (isOut.now ? 503 : lie.now(call)))
  const rpc = [...honest, third].map(({ url }, n) => ({ url, operator: `operator ${n}` }))
  const config = { journalDir, webhookAllowPrivate: true, operatorEmails: [] }
  const world = await aWorld(t, { node, chains: [chainOver(node, { rpc })], config })
  const app = await buildApp(world.deps)
  t.after(() => app.close())
  const jobs = [stuckJob(world.deps), standingJob(world.deps)]
  const pass = async (ms: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed += 15_000) {
      world.clock.advance(15_000)
      await world.work().catch(() => undefined)
      for (const job of jobs) await job.run(new AbortController().signal)
    }
  }
  const shop = await aShop(world.deps)
  // The mail that tells of the new key.
  while ((await sendDueMail(world.deps)) > 0);
  const read = async (): Promise<Reading> => {
    await pass(15_000)
    return readingOf((await app.inject('/metrics')).body)
  }
  return { ...world, disk, lie, isOut, shop, read, pass }
}

/** Alert → how to bring it about, and how it ends. */
function faultsOf(scene: Scene): Record<string, { breaks(): Promise<unknown>; mends(): Promise<unknown> }> {
  const { deps, clock, node, anvil, client, lie } = scene
  const relayer = anvilAccount(1).address
  let gas = 0n
  const nobody = 'http://127.0.0.1:1/'
  return {
    FlorinGasOut: {
      async breaks() {
        gas = await client.getBalance({ address: relayer })
        const order = await scene.order()
        await scene.look()
        await anvil.setBalance({ address: relayer, value: 0n })
        await scene.pay(order.legs[0]?.address ?? '', node.usdc, order.legs[0]?.amountDue ?? 0n)
        await scene.mine(3)
        await scene.look()
        while ((await settleDue(deps)) > 0);
        await scene.pass(2 * MINUTE_MS)
      },
      async mends() {
        await anvil.setBalance({ address: relayer, value: gas })
        await scene.pass(MINUTE_MS)
        await scene.mine(5)
        await scene.work()
        while ((await settleDue(deps)) > 0);
      },
    },
    FlorinProviderLies: {
      async breaks() {
        const other = `0x${'bad0'.repeat(16)}`
        lie.now = ({ method }) =>
          method === 'eth_getBlockByNumber'
            ? { edit: (block) => (block === null ? null : { ...(block as object), hash: other }) }
            : null
        for (let n = 0; n < 5; n++) {
          await scene.mine(1)
          await scene.pass(15_000)
        }
      },
      async mends() {
        lie.now = () => null
        await scene.pass(70 * MINUTE_MS)
        await scene.mine(1)
      },
    },
    FlorinChainBehind: {
      async breaks() {
        scene.isOut.now = true
        await scene.pass(5 * MINUTE_MS)
      },
      async mends() {
        scene.isOut.now = false
        for (let n = 0; n < 5; n++) {
          await scene.mine(1)
          await scene.pass(MINUTE_MS)
        }
      },
    },
    FlorinWebhooksFail: {
      async breaks() {
        for (let n = 0; n < 15; n++) await anEvent(deps, scene.shop, nobody)
        const [worker] = webhookJobs(deps)
        assert.ok(worker)
        const tried = () => deps.sql<{ n: number }[]>`select count(*)::int as n from deliveries where attempt_count > 0`
        const signal = new AbortController().signal
        await eventually(
          async () => {
            await worker.run(signal)
            return (await tried())[0]?.n
          },
          (n) => n === 15,
        )
        await worker.end?.()
      },
      mends: () => deps.sql`delete from delivery_queue`,
    },
    FlorinWebhooksLate: {
      async breaks() {
        await anEvent(deps, scene.shop, nobody)
        clock.advance(5 * MINUTE_MS)
      },
      mends: () => deps.sql`delete from delivery_queue`,
    },
    FlorinWorkLate: {
      breaks: () => deps.sql`
        insert into rail_facts (rail, order_ref, fact, created_at, due_at)
        select 'nobody', 'ord_nobody', '{}', at, at from (select ${clock.now()}::timestamptz - interval '5 minutes' as at) late`,
      mends: () => deps.sql`delete from rail_facts where rail = 'nobody'`,
    },
    FlorinMailDown: {
      async breaks() {
        const mailer = smtpMailer('smtp://127.0.0.1:1', 'florin@pay.example')
        const now = clock.now()
        const mail = { to: 'ann@shop.example', subject: 'Your code', text: 'It is here.' }
        await withTx(deps.sql, (tx) =>
          enqueueMail(tx, deps.secrets, mail, { now, dropAfter: new Date(now.getTime() + 60 * MINUTE_MS) }),
        )
        assert.equal(await sendDueMail({ ...deps, mailer }), 1)
        mailer.close()
        clock.advance(10 * MINUTE_MS)
      },
      mends: () => sendDueMail(deps),
    },
    FlorinDiskNearlyFull: {
      breaks: () => writeFile(join(scene.disk, 'filler'), Buffer.alloc(15 << 20)),
      mends: () => rm(join(scene.disk, 'filler')),
    },
  }
}
