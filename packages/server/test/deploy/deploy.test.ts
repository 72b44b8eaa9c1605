// Promises of what operators start Florin by: the compose file and the systemd units name known settings, ask for every
// secret, migrate before anything else, give a stop its time, and run as nobody in particular.
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parse } from 'yaml'
import { variables } from '../../src/config.ts'
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
  for (const name of ['database', 'backup', 'worker', 'migrate']) assert.equal(service(name).ports, undefined)
  assert.equal(service('database').image, 'postgres:18')
  assert.equal(service('backup').image, service('database').image, 'pg_dump is of the server’s own version')
  assert.match(service('backup').entrypoint?.at(-1) ?? '', /pg_dump .*"\$\$name\.part" && pg_restore --list/)
  assert.ok(service('api').volumes?.includes('journal:/journal'))
  assert.ok(service('worker').volumes?.includes('backups:/backups:ro'), 'the alert looks at them')
  const { environment, volumes: ofWorker } = service('worker')
  assert.ok(ofWorker?.includes(`archive:${environment.ARCHIVE_DIR}`), 'what is moved there is nowhere else')
  const made = /^RUN mkdir (.*) && chown node:node \1$/m.exec(read('Dockerfile'))?.[1]?.split(' ')
  assert.deepEqual(made, ['/journal', '/archive'], 'a volume is written by the ordinary user')
  for (const { volumes = [] } of Object.values(compose.services))
    for (const volume of volumes) assert.ok((volume.split(':')[0] ?? '') in compose.volumes, volume)
})

/** What the image gives to Node. */
const starts = (JSON.parse(/^CMD (.*)$/m.exec(read('Dockerfile'))?.[1] ?? '[]') as string[]).slice(1)

test('whatever starts the service keeps the room of young objects small, and one thread collects it', () => {
  assert.deepEqual(starts, ['--max-semi-space-size=16', '--no-parallel-scavenge', 'packages/server/src/main.ts'])
  for (const [name, { command }] of Object.entries(compose.services))
    assert.equal(command, undefined, `${name} of the compose file runs what its image does`)
  for (const file of readdirSync(join(root, 'deploy/helm/florin/templates')))
    assert.doesNotMatch(read(`deploy/helm/florin/templates/${file}`), /^\s*(- )?(command|args):/m, file)
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
    const started = /^ExecStart=\/usr\/bin\/node (.*)$/m.exec(text)?.[1]?.split(' ') ?? []
    assert.ok(existsSync(join(root, started.at(-1) ?? 'nothing')))
    assert.deepEqual(started, starts, 'as the image starts it')
    for (const wall of ['DynamicUser=yes', 'NoNewPrivileges=yes', 'ProtectSystem=strict', 'CapabilityBoundingSet='])
      assert.match(text, new RegExp(`^${wall}$`, 'm'), `${unit}: ${wall}`)
    if (unit !== 'florin-migrate.service') assert.match(text, /^Requires=florin-migrate\.service$/m)
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
