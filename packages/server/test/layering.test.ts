// The rule of who may import whom (ARCHITECTURE.md). It reads import lines and a few forbidden words and names the
// file that breaks the rule; adding an arrow here is a decision.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { test } from 'node:test'
import { closureOf, findCircles, isTestFile, readSources, roomPath, root, type Source } from './imports.ts'

const src = join(root, 'packages/server/src')
const files = globSync('**/*.ts', { cwd: src })
  .filter((file) => !/\.(test|slow|faults|system|contract|fixture)\.ts$/.test(file))
  .map((file) => ({ file, text: readFileSync(join(src, file), 'utf8') }))

const importsOf = (text: string): string[] => [...text.matchAll(/from '([^']+)'/g)].map((match) => match[1] ?? '')

/** Files at the top that construct and start: they may import everything, and nothing else imports them. */
const wiring = ['app.ts', 'config.ts', 'deps.ts', 'effects.ts', 'embedded.ts', 'jobs.ts', 'main.ts', 'rekey.ts']

/** feature → features (or files of them) that it may import. Other files at the top are for everybody. */
const arrows: Record<string, readonly string[]> = {
  login: [],
  keys: [],
  addresses: ['attention/store', 'login/default-chain'],
  backup: ['recovery/given'],
  brand: [],
  rails: [],
  prices: ['attention/store'],
  recovery: ['addresses/accounts/assign'],
  orders: [
    'addresses',
    'attention/store',
    'brand/brand',
    'brand/mail',
    'keys/store',
    'prices',
    'webhooks/events.store',
    'webhooks/queue/enqueue',
    'webhooks/rules',
  ],
  attention: [],
  decisions: ['attention', 'orders'],
  webhooks: ['keys', 'attention/store'],
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
  for (const { file, text } of files) {
    const [feature = ''] = file.split('/')
    if (!file.includes('/')) continue
    for (const target of importsOf(text).filter((path) => path.startsWith('.'))) {
      const path = relative(src, join(src, file, '..', target))
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
    .flatMap(({ file, text }) => {
      const targets = importsOf(text).filter((path) => path.startsWith('.'))
      const wired = targets
        .map((path) => relative(src, join(src, file, '..', path)))
        .filter((path) => wiring.includes(path))
      const wrong = isProgram(file) ? wired.filter((path) => !/^(config|deps|embedded)\.ts$/.test(path)) : wired
      return [...wrong.map((path) => `${file} → ${path}`), ...(/\bDeps\b/.test(text) ? [`${file} names Deps`] : [])]
    })
  assert.deepEqual(broken, [])
})

test('of the server only the wiring names the rails that move money', () => {
  // They keep the journal of the addresses, print it, and read it after a restore.
  const known = /^recovery\/(journal|given|command)\.ts$/
  const broken = files
    .filter(({ file, text }) => !wiring.includes(file) && !known.test(file) && /'@florin\/rail-(?!kit\/)/.test(text))
    .map(({ file }) => file)
  assert.deepEqual(broken, [])
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
  for (const [name, targets] of Object.entries(allowed)) {
    for (const file of globSync(`packages/${name}/src/**/*.{ts,tsx}`, { cwd: root })) {
      // Snippets are text that merchants copy; what they import is not imported here.
      if (isTestFile(file) || file.endsWith('/snippets.ts')) continue
      for (const path of importsOf(readFileSync(join(root, file), 'utf8'))) {
        // By its name, or by its path.
        const other = path.startsWith('.') ? join(file, '..', path).split(sep)[1] : /^@florin\/([\w-]+)/.exec(path)?.[1]
        if (other !== undefined && other !== name) assert.ok(targets.includes(other), `${file} imports ${path}`)
      }
    }
  }
})
