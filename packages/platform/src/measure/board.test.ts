// Promises of what operators watch: every expression of the alerts and the dashboard can be read, names only metrics and
// labels that a real /metrics has, and every alert has its page in the documentation.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { parser } from '@prometheus-io/lezer-promql'
import { parse } from 'yaml'
import { forgetHead, measureHead } from '../../../rail-kit/src/heads.ts'
import { listJobs } from '../../../server/src/jobs.ts'
import { standingJob } from '../../../server/src/reports/standing/standing.ts'
import { aMerchant, anApiKey, aReceivingAddress } from '../../../server/test/factories.ts'
import { testApp } from '../../../server/test/harness.ts'
import { metrics } from '../metrics.ts'
import '../../../server/src/deps.ts'

const root = join(import.meta.dirname, '../../../..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')

interface Alert {
  alert: string
  expr: string
  annotations: { runbook: string; summary: string }
  labels: { severity: string }
}
const alerts = (parse(read('deploy/prometheus/alerts.yml')) as { groups: { rules: Alert[] }[] }).groups.flatMap(
  ({ rules }) => rules,
)
interface Panel {
  title: string
  targets?: { expr: string }[]
}
const panels = (JSON.parse(read('deploy/grafana/florin.json')) as { panels: Panel[] }).panels
const expressions = [
  ...alerts.map(({ alert, expr }) => ({ where: alert, expr })),
  ...panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ where: title, expr }))),
]

/** Of Prometheus itself: what it puts to every series that it reads. */
const OF_PROMETHEUS = ['instance', 'job', 'le']

/** The metrics an expression names, and the labels it asks for. */
function namesIn(expr: string): { metrics: string[]; labels: string[]; isBroken: boolean } {
  const found = { metrics: [] as string[], labels: [] as string[], isBroken: false }
  parser.parse(expr).iterate({
    enter({ type, from, to }) {
      if (type.isError) found.isBroken = true
      if (type.name === 'Identifier') found.metrics.push(expr.slice(from, to))
      if (type.name === 'LabelName') found.labels.push(expr.slice(from, to))
    },
  })
  return found
}

test('alerts and dashboard name what a real /metrics has, and nothing that a parser would refuse', async (t) => {
  const { app, deps } = await testApp(t)
  assert.ok(listJobs(deps).some(({ name }) => name === standingJob(deps).name))
  const text = (await app.inject('/metrics')).body
  const declared = new Set([...text.matchAll(/^# TYPE (\S+) /gm)].map(([, name = '']) => name))
  assert.ok(alerts.length > 20 && expressions.length > 80)
  for (const { where, expr } of expressions) {
    const { metrics: named, labels, isBroken } = namesIn(expr)
    assert.equal(isBroken, false, `${where}: ${expr}`)
    const known = named.filter((name) => name !== 'up').map((name) => name.replace(/_(bucket|sum|count)$/, ''))
    for (const name of known) assert.ok(declared.has(name), `${where} asks for ${name}`)
    const has = known.flatMap((name) => labelsOf(name))
    for (const label of labels)
      assert.ok([...OF_PROMETHEUS, ...has].includes(label), `${where}: no metric in it has the label ${label}`)
  }
  const shown = new Set(
    expressions.flatMap(({ expr }) => namesIn(expr).metrics.map((one) => one.replace(/_(bucket|sum|count)$/, ''))),
  )
  const own = [...declared].filter((name) => name.startsWith('florin_') && name !== 'florin_job_interval_seconds')
  assert.deepEqual(
    own.filter((name) => !shown.has(name)),
    [],
    'every metric of ours is on the board or behind an alert',
  )
})

function labelsOf(name: string): string[] {
  const metric = metrics.getSingleMetric(name) as unknown as { labelNames?: string[] } | undefined
  return metric?.labelNames ?? []
}

test('every alert has a severity that says when to look, and a page that says what to do', () => {
  const text = read('docs/operations.md')
  for (const { alert, annotations, labels } of alerts) {
    assert.match(labels.severity, /^(page|ticket|none)$/, alert)
    assert.equal(annotations.runbook, `docs/operations.md#${alert.toLowerCase()}`)
    const page = text.split(`\n### ${alert}\n`)[1]?.split(/\n#{2,3} /)[0] ?? ''
    assert.ok(page.trim().length > 80, `docs/operations.md says nothing of ${alert}`)
  }
  const pages = [...text.matchAll(/^### (Florin[A-Z]\w+)$/gm)].map(([, name]) => name)
  assert.deepEqual([...pages].sort(), alerts.map(({ alert }) => alert).sort(), 'one page an alert, and no other')
})

test('an order leaves its mark in counts and times, by route and never by merchant or address', async (t) => {
  const { app, deps, clock } = await testApp(t)
  const merchant = await aMerchant(deps)
  const key = await anApiKey(deps, merchant)
  await aReceivingAddress(deps, merchant)
  const make = await app.inject({
    ...{ method: 'POST', url: '/v1/orders', headers: key.headers },
    payload: { amount_usd: 5, pay_chain: 'base' },
  })
  assert.equal(make.statusCode, 201)
  const { order_no: no, checkout_url: page } = make.json()
  await app.inject({ method: 'GET', url: `/v1/orders/${no}`, headers: key.headers })
  await app.inject({ method: 'GET', url: `/nobody/made/this/${no}` })
  clock.advance(20 * 60_000)
  await standingJob(deps).run(new AbortController().signal)
  const text = (await app.inject('/metrics')).body
  assert.match(text, /^florin_http_answers_total\{method="POST",route="\/v1\/orders",status="201"\} \d+$/m)
  assert.match(
    text,
    /^florin_http_request_seconds_count\{method="GET",route="\/v1\/orders\/:[^"]+",status="2xx"\} \d+$/m,
  )
  assert.match(text, /^florin_http_answers_total\{method="any",route="none",status="404"\} \d+$/m)
  assert.match(text, /^florin_http_refusals_total\{code="not_found"\} \d+$/m)
  assert.match(text, /^florin_orders_created_total\{mode="test"\} \d+$/m)
  assert.match(text, /^florin_orders_open\{status="pending",mode="test",age="under_1h"\} 1$/m)
  for (const queue of ['facts', 'hand_overs', 'settlements', 'refunds', 'deliveries'])
    assert.match(text, new RegExp(`^florin_queue_length\\{queue="${queue}"\\} 0$`, 'm'))
  assert.match(text, /^florin_webhooks_late 0$/m)
  assert.match(text, /^florin_webhooks_late_oldest_seconds 0$/m)
  assert.match(text, /^florin_queue_length\{queue="mails"\} \d+$/m)
  assert.match(text, /^florin_database_trouble 0$/m)
  assert.match(text, /^florin_build_info\{version="[\d.]+",commit="[0-9a-f]{40}",node="24\.[\d.]+",mode="all"\} 1$/m)
  for (const secret of [no, merchant.id, key.id, String(page).split('/').at(-1) ?? ''])
    assert.ok(!text.includes(secret), `${secret} is in /metrics`)
})

test('the age of backups is infinite where the folder is empty or gone, and absent where none is set', async (t) => {
  const { deps } = await testApp(t)
  const age = async (backupDir: string | null) => {
    await standingJob({ ...deps, config: { ...deps.config, backupDir } }).run(new AbortController().signal)
    return /^florin_backup_age_seconds\{folder="backup"\} (\S+)$/m.exec(await metrics.metrics())?.[1]
  }
  assert.equal(await age(null), undefined)
  const folder = await mkdtemp(join(tmpdir(), 'florin-no-backups-'))
  assert.equal(await age(folder), '+Inf')
  await rm(folder, { recursive: true })
  assert.equal(await age(folder), '+Inf')
})

test('the newest block of a chain that is read no more gets older by itself, until another process reads it', async () => {
  const time = new Date('2026-01-01T00:00:00Z')
  measureHead('a-chain', { time, now: new Date(time.getTime() + 5_000), maxAgeMs: 60_000 })
  const read = async (name: string) => {
    const { values = [] } = (await metrics.getSingleMetric(name)?.get()) ?? {}
    return values.find(({ labels }) => labels.chain === 'a-chain')?.value
  }
  const first = (await read('florin_chain_head_age_seconds')) ?? 0
  assert.ok(first > 5)
  assert.ok(((await read('florin_chain_head_age_seconds')) ?? 0) > first)
  assert.equal(await read('florin_chain_head_age_limit_seconds'), 60)
  forgetHead('a-chain')
  assert.equal(await read('florin_chain_head_age_seconds'), undefined)
})
