// The rule of who may import whom (ARCHITECTURE.md). It reads import lines and a few forbidden words and names the
// file that breaks the rule; adding an arrow here is a decision.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { closureOf, findCircles, isTestFile, readSources, roomPath, root, type Source, sourceOf } from './imports.ts'

const isSource = ({ file }: Source): boolean => !isTestFile(file)

/** Files of the server, by their path below its `src`, and what they import of it. */
const files = [...readSources('packages/server/src/**/*.ts').values()]
  .filter(isSource)
  .map(({ file, text, imports }) => ({
    file: roomPath(file) ?? '',
    text,
    targets: imports
      .filter(({ target }) => target.startsWith('packages/server/src/'))
      .map(({ target }) => roomPath(target) ?? ''),
  }))

/** Files at the top that construct and start: they may import everything, and nothing else imports them. */
const wiring = [
  'app.ts',
  'compose.ts',
  'config.ts',
  'deps.ts',
  'effects.ts',
  'embedded.ts',
  'jobs.ts',
  'main.ts',
  'rekey.ts',
]

/** feature → features (or files of them) that it may import. Other files at the top are for everybody. */
const arrows: Record<string, readonly string[]> = {
  login: [],
  keys: [],
  addresses: ['attention/store', 'login/default-chain'],
  backup: ['recovery/given'],
  brand: [],
  rails: [],
  prices: ['attention/store'],
  recovery: ['addresses/accounts/assign', 'addresses/accounts/given.store'],
  orders: [
    'addresses',
    'attention/store',
    'brand/brand',
    'brand/mail',
    'keys/store',
    'prices',
    'sums',
    'webhooks/events.store',
    'webhooks/queue/enqueue',
    'webhooks/rules',
  ],
  attention: [],
  sums: [],
  decisions: ['attention', 'orders'],
  webhooks: ['keys', 'attention/store', 'sums'],
  mails: [],
  openapi: [],
  checkout: ['brand/brand', 'brand/head', 'brand/view', 'orders'],
  selling: [
    'attention/store',
    'brand/brand',
    'brand/head',
    'brand/mail',
    'brand/store',
    'orders',
    'checkout/browser',
    'checkout/html',
    'checkout/language',
    'checkout/door/limit',
    'checkout/page.blocks',
    'prices/parse',
    'prices/refusal',
  ],
  reports: [
    'sums',
    'orders',
    'attention',
    'decisions',
    'webhooks',
    'addresses',
    'keys',
    'login',
    'prices/store',
    'prices/agree/arithmetic',
    'recovery/seed.store',
    'selling/erase.store',
    'backup/newest',
  ],
}

test('features import each other only along the arrows', () => {
  const broken: string[] = []
  for (const { file, targets } of files) {
    const [feature = ''] = file.split('/')
    if (!file.includes('/')) continue
    for (const path of targets) {
      const [other = ''] = path.split('/')
      const isAtTop = !path.includes('/')
      if (other === feature) continue
      if (!isAtTop && !(arrows[feature] ?? []).some((arrow) => path.startsWith(arrow))) broken.push(`${file} → ${path}`)
    }
  }
  assert.deepEqual(broken, [])
})

test('the graph of features has no circle', () => {
  const feature = (path: string): string => path.split('/')[0] ?? ''
  const graph = new Map<string, Source>()
  for (const source of readSources('packages/server/src/*/**/*.ts').values()) {
    if (isTestFile(source.file)) continue
    const file = feature(roomPath(source.file) ?? '')
    const imports = source.imports
      .map((one) => ({ ...one, target: feature(roomPath(one.target) ?? '') }))
      .filter(({ target }) => target !== file)
    graph.set(file, { ...source, file, imports: [...(graph.get(file)?.imports ?? []), ...imports] })
  }
  assert.ok(graph.size > 10)
  assert.deepEqual(findCircles(graph), [])
})

test('only the wiring knows Deps and imports itself', () => {
  // A command is a program of its own: it reads the settings and the master key.
  const isProgram = (file: string): boolean => /(^|\/)command\.ts$/.test(file)
  const broken = files
    .filter(({ file }) => !wiring.includes(file))
    .flatMap(({ file, text, targets }) => {
      const wired = targets.filter((path) => wiring.includes(path))
      const wrong = isProgram(file) ? wired.filter((path) => !/^(compose|config|deps|embedded)\.ts$/.test(path)) : wired
      return [...wrong.map((path) => `${file} → ${path}`), ...(/\bDeps\b/.test(text) ? [`${file} names Deps`] : [])]
    })
  assert.deepEqual(broken, [])
})

/** A name of a rail as text in code. `utxo` is a family of chains too. */
const railName = /(?<!family === )'(forwarder|utxo|intents|sandbox)'|'@florin\/rail-(?!kit\/)/

const namesRail = ({ file, code }: { file: string; code: string }): boolean =>
  !/^packages\/(rail-|chains\/|server\/src\/compose\.ts$)/.test(file) && railName.test(code)

test('compose.ts alone names rails, and nothing but rail-kit names the sandbox', () => {
  const sources = [...readSources('packages/*/src/**/*.{ts,tsx}').values()].filter(({ file }) => !isTestFile(file))
  // What people read instead of the name.
  const words = 'packages/console/src/rail-words.ts'
  assert.deepEqual(
    sources.filter(namesRail).map(({ file }) => file),
    [words],
  )
  const planted = (code: string, file = 'packages/server/src/orders/planted.ts') => namesRail({ file, code })
  assert.ok(planted("if (leg.rail === 'sandbox') return"))
  assert.ok(planted("import { utxo } from '@florin/rail-utxo/index'"))
  assert.ok(planted("import type { Forwarder } from '@florin/rail-evm/index'", 'packages/order-model/src/planted.ts'))
  assert.ok(!planted("import { makeRails } from '@florin/rail-kit/registry'"))
})

test('a rail has at most eight required members and three optional ones', () => {
  const text = readFileSync(join(root, 'packages/rail-kit/src/interface/rail.ts'), 'utf8')
  const body = /^export interface Rail \{\n([\s\S]*?)^\}/m.exec(text)?.[1] ?? ''
  const members = [...body.matchAll(/^ {2}(?:readonly )?(\w+)(\??)[(:]/gm)].map(([, name, mark]) => `${name}${mark}`)
  assert.deepEqual(
    members.filter((name) => !name.endsWith('?')),
    ['capabilities', 'carries', 'open', 'settle', 'refund', 'recheck', 'holdings', 'checks'],
  )
  assert.deepEqual(
    members.filter((name) => name.endsWith('?')),
    ['estimate?', 'hint?', 'readAddress?'],
  )
})

test('making an order needs the types of fewer than 80 files', () => {
  const closure = closureOf(readSources('packages/*/src/**/*.ts'), 'packages/server/src/orders/create/create.ts')
  assert.ok(closure.size > 40, 'the walk follows imports')
  assert.ok(closure.size < 80, `${closure.size} files: ${[...closure].join(' ')}`)
})

test('the environment is read in config.ts, the clock in platform/clock.ts', () => {
  for (const { file: path, code } of readSources('packages/*/src/**/*.ts').values()) {
    const file = roomPath(path)
    if (file === null || isTestFile(path)) continue
    if (file !== 'config.ts') assert.doesNotMatch(code, /process\.env\b/, file)
    if (file !== 'platform/clock.ts') assert.doesNotMatch(code, /\bDate\.now\(\)|new Date\(\)/, file)
  }
})

test('packages import each other only downwards', () => {
  const allowed: Record<string, readonly string[]> = {
    chains: [],
    accounts: ['chains'],
    protocol: [],
    contracts: [],
    docs: ['protocol'],
    'rail-intents': ['chains', 'platform', 'protocol', 'rail-kit'],
    'rail-utxo': ['accounts', 'chains', 'platform', 'protocol', 'rail-kit'],
    'rail-evm': ['chains', 'contracts', 'exit', 'platform', 'protocol', 'rail-kit'],
    'order-model': ['chains', 'platform', 'protocol', 'rail-kit'],
    'rail-kit': ['chains', 'platform', 'protocol'],
    platform: ['checkout-core', 'protocol'],
    exit: ['contracts', 'protocol'],
    'embedded-postgres': [],
    sdk: ['protocol'],
    cli: ['sdk', 'protocol', 'exit'],
    'checkout-core': ['protocol'],
    checkout: ['checkout-core', 'protocol'],
    console: ['chains', 'protocol'],
    server: [
      'accounts',
      'chains',
      'protocol',
      'contracts',
      'checkout-core',
      'embedded-postgres',
      'exit',
      'platform',
      'rail-kit',
      'order-model',
      'rail-evm',
      'rail-utxo',
      'rail-intents',
    ],
  }
  const packages = globSync('packages/*/package.json', { cwd: root }).map((file) => file.split(/[\\/]/)[1])
  assert.deepEqual(packages.sort(), Object.keys(allowed).sort())
  const wrongArrows = ({ file, imports }: Source): string[] => {
    const [, name = ''] = file.split('/')
    return imports.flatMap(({ target }) => {
      const [, other] = /^(?:packages|@florin)\/([\w-]+)/.exec(target) ?? []
      const isRight = other === undefined || other === name || allowed[name]?.includes(other) === true
      return isRight ? [] : [`${file} imports ${target}`]
    })
  }
  // Snippets are text that merchants copy; what they import is not imported here.
  const sources = [...readSources('packages/*/src/**/*.{ts,tsx}').values()]
  for (const source of sources.filter((one) => isSource(one) && !one.file.endsWith('/snippets.ts')))
    assert.deepEqual(wrongArrows(source), [])
  // The conformance suite of rails knows no server, neither by name nor by path, for values or for types.
  for (const [planted, count] of [
    ["import { getOrder } from '@florin/server/src/orders/store.ts'", 1],
    ["import type { OrderDeps } from '../../../server/src/orders/advance.ts'", 1],
    ["import type { OrderState } from '@florin/order-model/state'", 1],
    ["import type { Rails } from '../registry.ts'", 0],
  ] as const)
    assert.equal(wrongArrows(sourceOf('packages/rail-kit/src/testing/planted.ts', planted)).length, count, planted)
})

// dependency-cruiser 17 with `parser: swc` was tried. It refuses a file that declares with `using`, and passes over the type import of an
// alias such as the fourth line below; a planted import has to fail whatever its form. So the arrows are held by these tests.
test('an import is found in each form', () => {
  for (const code of [
    `import { a } from '../orders/store.ts'`,
    `import type { A } from '../orders/store.ts'`,
    `import {\n  b,\n  type A,\n} from '../orders/store.ts'`,
    `export type A = import('../orders/store.ts').A`,
    `export type { A } from '../orders/store.ts'`,
    `import '../orders/store.ts'`,
    `const later = async () => import('../orders/store.ts')`,
  ])
    assert.deepEqual(
      sourceOf('packages/server/src/keys/a.ts', code).imports.map(({ target }) => target),
      ['packages/server/src/orders/store.ts'],
      code,
    )
})
