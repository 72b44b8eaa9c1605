// Promises of what operators start Florin by: the compose file and the systemd units name known settings, ask for every
// secret, migrate before anything else, give a stop its time, and run as nobody in particular.
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { startEmbedded } from '@florin/embedded-postgres'
import { metrics } from '@florin/platform/metrics'
import { Client } from 'pg'
import { parse } from 'yaml'
import { variables } from '../../src/config.ts'
import '../../src/reports/standing/metrics.ts'
import { reachOf, readSchema } from './distribution.ts'

const root = join(import.meta.dirname, '../../../..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const isSetting = (name: string): boolean =>
  [...variables, 'NODE_ENV'].some((variable) => name === variable || name === `${variable}_FILE`)

interface Service {
  image: string
  restart: string
  environment: Record<string, string>
  depends_on?: Record<string, { condition: string }>
  volumes?: string[]
  ports?: string[]
  read_only?: boolean
  cap_drop?: string[]
  stop_grace_period?: string
  entrypoint?: string[]
  command?: string[]
  mem_limit?: string
  shm_size?: string
  logging?: { driver: string; options: Record<string, string> }
}
const compose = parse(read('compose.yaml'), { merge: true }) as {
  services: Record<string, Service>
  volumes: Record<string, unknown>
}
const service = (name: string): Service => {
  const found = compose.services[name]
  assert.ok(found, `there is no service ${name}`)
  return found
}

test('the compose file asks for every secret, migrates first, and keeps what matters on volumes', () => {
  const text = read('compose.yaml')
  for (const name of ['POSTGRES_PASSWORD', 'MASTER_KEY', 'BASE_URL', 'SMTP_URL', 'SIGNUP'])
    assert.match(text, new RegExp(`\\$\\{${name}:\\?`), `${name} is required`)
  for (const [name, mode] of [
    ['migrate', 'migrate'],
    ['api', 'api'],
    ['worker', 'worker'],
  ] as const) {
    const { environment, read_only, cap_drop } = service(name)
    assert.equal(environment.MODE, mode)
    for (const setting of Object.keys(environment)) assert.ok(isSetting(setting), `${setting} is no setting`)
    assert.deepEqual([read_only, cap_drop], [true, ['ALL']])
  }
  assert.deepEqual(service('migrate').depends_on, { database: { condition: 'service_healthy' } })
  assert.equal(service('migrate').restart, 'no')
  for (const name of ['api', 'worker']) {
    assert.deepEqual(service(name).depends_on, { migrate: { condition: 'service_completed_successfully' } })
    assert.equal(service(name).stop_grace_period, '30s')
  }
  assert.deepEqual(service('api').ports, [`127.0.0.1:$\{PORT:-3000}:3000`], 'nothing is open to the network')
  assert.equal(service('api').environment.PORT, '3000', 'PORT of .env may be a range of ports of the machine')
  for (const name of ['database', 'backup', 'worker', 'migrate']) assert.equal(service(name).ports, undefined)
  assert.equal(service('database').image, 'postgres:18')
  assert.equal(service('backup').image, service('database').image, 'pg_dump is of the server’s own version')
  assert.match(service('backup').entrypoint?.at(-1) ?? '', /pg_dump .*"\$\$name\.part" && pg_restore --list/)
  assert.ok(service('api').volumes?.includes(`journal:${service('api').environment.JOURNAL_DIR}`))
  for (const name of ['api', 'worker'])
    assert.ok(
      service(name).volumes?.includes(`backups:${service(name).environment.BACKUP_DIR}:ro`),
      `golive is answered by api, the alert by worker: ${name} sees the backups`,
    )
  assert.ok(service('backup').volumes?.includes(`backups:${service('backup').environment.BACKUP_DIR}`))
  const made = /^RUN mkdir (.*) && chown node:node \1$/m.exec(read('Dockerfile'))?.[1]?.split(' ')
  assert.deepEqual(made, ['/journal'], 'a volume is written by the ordinary user')
  for (const { volumes = [] } of Object.values(compose.services))
    for (const volume of volumes) assert.ok((volume.split(':')[0] ?? '') in compose.volumes, volume)
})

test('each container of the compose file has a limit of memory and of its log', () => {
  for (const [name, { mem_limit, logging }] of Object.entries(compose.services)) {
    assert.match(mem_limit ?? '', /^\d+[mg]$/, name)
    assert.deepEqual(logging, { driver: 'json-file', options: { 'max-size': '50m', 'max-file': '10' } }, name)
  }
})

test('PostgreSQL starts with the settings of the compose file', async (t) => {
  const [program, ...args] = service('database').command ?? []
  assert.equal(program, 'postgres')
  assert.equal(service('database').shm_size, '256m')
  const settings = Object.fromEntries(args.filter((arg) => arg !== '-c').map((arg) => arg.split('=')))
  const dataDir = mkdtempSync(join(tmpdir(), 'florin-compose-'))
  t.after(() => rmSync(dataDir, { recursive: true, force: true }))
  const log = { info: () => undefined, warn: () => undefined }
  const postgres = await startEmbedded({ dataDir, log, settings })
  t.after(() => postgres.stop())
  const client = new Client({ connectionString: postgres.url })
  await client.connect()
  for (const [name, value] of Object.entries(settings)) {
    const { rows } = await client.query<{ shown: string }>('select current_setting($1) as shown', [name])
    assert.equal(rows[0]?.shown, value, name)
  }
  await client.end()
})

/** What the image gives to Node. */
const starts = (JSON.parse(/^CMD (.*)$/m.exec(read('Dockerfile'))?.[1] ?? '[]') as string[]).slice(1)

test('whatever starts the service keeps the room of young objects small, and one thread collects it', () => {
  assert.deepEqual(starts, ['--max-semi-space-size=16', '--no-parallel-scavenge', 'packages/server/src/main.ts'])
  for (const [name, { command, image }] of Object.entries(compose.services))
    if (image === 'florin') assert.equal(command, undefined, `${name} of the compose file runs what its image does`)
  for (const file of readdirSync(join(root, 'deploy/helm/florin/templates')))
    assert.doesNotMatch(read(`deploy/helm/florin/templates/${file}`), /^\s*(- )?(command|args):/m, file)
})

test('the chart scales workers by a series that exists, and ships the alerts', async () => {
  const { lag } = (parse(read('deploy/helm/florin/values.yaml')) as { worker: { lag: Record<string, string> } }).worker
  const all = await metrics.getMetricsAsJSON()
  const of = (wanted: string | undefined) => all.find(({ name }) => name === wanted)
  const series = of(lag.metric)
  assert.equal(series?.type, 'gauge', `${lag.metric}: a histogram has no series of its own name`)
  assert.match(of('florin_queue_length')?.help ?? '', new RegExp(`\\b${lag.queue}\\b`), 'a queue that is counted')
  assert.equal(read('deploy/helm/florin/alerts.yml'), read('deploy/prometheus/alerts.yml'))
})

const units = readdirSync(join(root, 'deploy/systemd'))

test('the systemd units name known settings, take secrets as files and start what is there', () => {
  assert.deepEqual(units.sort(), ['florin-api.service', 'florin-migrate.service', 'florin-worker.service'])
  for (const unit of units) {
    const text = read(`deploy/systemd/${unit}`)
    const names = [...text.matchAll(/^Environment=(.*)$/gm)].flatMap(([, pairs = '']) =>
      pairs.split(' ').map((pair) => pair.split('=')[0] ?? ''),
    )
    for (const name of names) assert.ok(isSetting(name), `${unit}: ${name} is no setting`)
    for (const secret of ['DATABASE_URL', 'MASTER_KEY', 'SMTP_URL']) {
      assert.ok(names.includes(`${secret}_FILE`), `${unit}: ${secret}`)
      assert.match(text, new RegExp(`^LoadCredential=${secret.toLowerCase()}:`, 'm'))
    }
    assert.match(text, new RegExp(`MODE=${unit.slice('florin-'.length, -'.service'.length)}\\b`))
    const [node = '', ...started] = /^ExecStart=(.*)$/m.exec(text)?.[1]?.split(' ') ?? []
    assert.equal(
      node,
      '/opt/florin/node_modules/.bin/node',
      'the Node 24 that npm installed, not the one of the machine',
    )
    assert.ok(existsSync(join(root, started.at(-1) ?? 'nothing')))
    assert.deepEqual(started, starts, 'as the image starts it')
    for (const wall of ['DynamicUser=yes', 'NoNewPrivileges=yes', 'ProtectSystem=strict', 'CapabilityBoundingSet='])
      assert.match(text, new RegExp(`^${wall}$`, 'm'), `${unit}: ${wall}`)
    // systemd stops whatever requires a unit that is restarted: an upgrade would end both for as long as the migration takes.
    assert.doesNotMatch(text, /^(Requires|BindsTo|PartOf|Requisite)=/m, unit)
    assert.match(text, /^StartLimitIntervalSec=0$/m, `${unit} is started again however long the database is away`)
    assert.match(text, /^Restart=(always|on-failure)$/m, unit)
    if (unit === 'florin-migrate.service') continue
    assert.match(text, /^Wants=.*\bflorin-migrate\.service$/m)
    assert.match(text, /^After=.*\bflorin-migrate\.service$/m)
  }
})

test('what stands between the schema and a database that is spread by merchant is known of every table', () => {
  const schema = readSchema()
  const all = reachOf(schema)
  assert.equal(all.length, schema.match(/^create table /gm)?.length)
  const of = (table: string) => all.find((each) => each.table === table)
  assert.deepEqual(of('order_sums'), { table: 'order_sums', reach: 'ready', keys: [] })
  assert.deepEqual(of('orders')?.keys.sort(), ['orders_checkout_token_key', 'orders_order_ref_key', 'orders_pkey'])
  assert.equal(of('settlements')?.reach, 'order')
  assert.equal(of('chain_blocks')?.reach, 'none')
})
