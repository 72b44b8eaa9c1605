// Rules between files that a machine can hold: no circles, SQL in stores, pure files pure, rooms inside features.
import assert from 'node:assert/strict'
import { dirname } from 'node:path'
import { test } from 'node:test'
import { findCircles, isStore, isTestFile, readSources, roomPath, type Source } from './imports.ts'

const all = readSources(
  'packages/*/{src,test,script}/**/*.{ts,tsx,mjs}',
  'packages/*/*.ts',
  '{e2e,bench,scripts}/**/*.{ts,tsx,mjs}',
)
const server = [...all.values()].flatMap((source) => {
  const path = roomPath(source.file)
  return path === null || isTestFile(source.file) ? [] : [{ ...source, path }]
})

test('no files import each other in a circle, not for types either', () => {
  assert.ok(all.size > 500)
  assert.deepEqual(findCircles(all), [])
  const circle = (file: string, target: string): [string, Source] => [
    file,
    { file, text: '', code: '', imports: [{ target, isLocal: true, isType: true, names: '' }] },
  ]
  const round = new Map([circle('a', 'b'), circle('b', 'c'), circle('c', 'b')])
  assert.deepEqual(findCircles(round), [['b', 'c']], 'one that is there is found')
})

test('SQL stands in stores and in the platform', () => {
  const statement = /\b(sql|tx|db|connection)(<[^`]*>)?`|\.unsafe\(/
  assert.ok(server.some(({ path, code }) => isStore(path) && statement.test(code)))
  assert.deepEqual(
    server.filter(({ path, code }) => !isStore(path) && statement.test(code)).map(({ path }) => path),
    [],
  )
})

test('nothing that the server runs reckons in the time zone of its machine', () => {
  const local = /\.[gs]et(Hours|Minutes|Date|Day|Month|FullYear)\(|getTimezoneOffset|\.toLocale\w*\(/
  assert.match('at.setDate(at.getDate() + 1)', local)
  const places = /^packages\/(server|protocol|chains|accounts|checkout-core|contracts|exit|embedded-postgres)\/src\//
  const found = [...all.values()].filter(({ file, code }) => places.test(file) && !isTestFile(file) && local.test(code))
  assert.deepEqual(
    found.map(({ file }) => file),
    [],
  )
})

/** What of Node's own modules neither waits nor remembers. */
const pureBuiltins: Readonly<Record<string, RegExp>> = {
  'node:crypto': /^\{ (createHash|hash|scryptSync)(, (createHash|hash|scryptSync))* \}$/,
  'node:net': /^\{ isIP \}$/,
  'node:url': /^\{ domainToASCII \}$/,
}
const impurePackage =
  /^(fastify|@fastify\/.*|undici|pg|pg-pool|postgres|pino|nodemailer|prom-client|jose|react|react-dom)$/
const impureWord =
  /\bDate\.now\(|new Date\(\)|performance\.now\(|Math\.random\(|randomBytes\(|\bprocess\.|\bset(Timeout|Interval)\(|\bfetch\(|\blocalStorage\b/
const saysPure = (text: string): boolean => {
  const header = /^(\/\/.*\n)+/.exec(text)?.[0] ?? ''
  return /\b[Pp]ure\b(?! but)/.test(header)
}

/** How a file reaches what no pure file may touch when it runs; null: it does not. */
function impurityOf(source: Source, seen = new Set<string>()): string | null {
  seen.add(source.file)
  const word = impureWord.exec(source.code)
  if (word !== null) return `${source.file} uses ${word[0]}`
  if (/\/platform\/(src\/)?(db|worker|mail)\/|\/clock\.ts$|store\.ts$/.test(source.file)) return source.file
  for (const one of source.imports.filter((each) => !each.isType)) {
    if (one.isLocal) {
      const next = all.get(one.target)
      const found = next === undefined || seen.has(one.target) ? null : impurityOf(next, seen)
      if (found !== null) return found
    } else if (one.target.startsWith('node:')) {
      if (!(pureBuiltins[one.target]?.test(one.names) ?? false)) return `${source.file} imports ${one.target}`
    } else if (impurePackage.test(one.target)) return `${source.file} imports ${one.target}`
  }
  return null
}

test('a file that says it is pure reaches no database, HTTP, clock, file or chance', () => {
  // Snippets are text that merchants copy.
  const pure = [...all.values()].filter(
    ({ file, text }) => !isTestFile(file) && !file.endsWith('/snippets.ts') && saysPure(text),
  )
  assert.ok(pure.length >= 50, `${pure.length} files say so`)
  const broken = pure.flatMap((source) => {
    const impurity = impurityOf(source)
    return impurity === null ? [] : [`${source.file}: ${impurity}`]
  })
  assert.deepEqual(broken, [])
  for (const file of ['order-model/rules.ts', 'login/rules.ts', 'keys/rules.ts', 'webhooks/queue/caps.ts'])
    assert.ok(
      pure.some((source) => roomPath(source.file) === file),
      `${file} says so no more`,
    )
})

/** Room → what it may import of its own feature: rooms, files, or '.' for the files of its own folder's parent. */
const rooms: Readonly<Record<string, readonly string[]>> = {
  'addresses/accounts': [],
  'order-model/refunds': ['attention', 'balance.ts', 'ledger.ts', 'outcome.ts', 'shown.ts', 'state.ts'].map(
    (name) => `order-model/${name}`,
  ),
  'order-model/attention': [
    'order-model/balance.ts',
    'order-model/ledger.ts',
    'order-model/refunds/refundable.ts',
    'order-model/state.ts',
  ],
  'orders/create': [...['orders/trail', 'orders/list/early.ts', 'orders/save.store.ts', 'orders/view.ts']],
  'orders/list': ['orders/filter.ts', 'orders/rows.store.ts'],
  'orders/trail': [],
  'orders/tell': ['orders/effects.ts', 'orders/store.ts'],
  'orders/inbox': ['orders/advance.ts', 'orders/store.ts'],
  'orders/looks': ['orders/advance.ts', 'orders/rail-outbox.ts', 'orders/store.ts'],
  'orders/own-refunds': ['create/refund-address.ts', 'advance.ts', 'save.store.ts', 'schema.ts', 'store.ts'].map(
    (name) => `orders/${name}`,
  ),
  'orders/reconcile': ['orders/effects.ts', 'orders/tell'],
  'orders/stuck': ['orders/tell'],
  'login/accounts': ['browser.store.ts', 'end-session.ts', 'mails.ts', 'rules.ts', 'store.ts'].map(
    (name) => `login/${name}`,
  ),
  'prices/agree': [],
  'prices/sources': ['prices/agree'],
  'rail-kit/interface': [],
  'rail-kit/sandbox': ['rail-kit/interface', 'rail-kit/registry.ts', 'rail-kit/report.store.ts'],
  'rail-kit/settings': [],
  'rail-kit/testing': ['rail-kit/interface', 'rail-kit/registry.ts'],
  'rail-evm/settings': [],
  'rail-evm/node': ['rail-evm/settings'],
  'rail-evm/tokens': ['context.ts', 'settings', 'node'].map((name) => `rail-evm/${name}`),
  'rail-evm/address': [...['context.ts', 'settings', 'node'].map((name) => `rail-evm/${name}`)],
  'rail-evm/watch': [...['context.ts', 'settings', 'node', 'tokens', 'address'].map((name) => `rail-evm/${name}`)],
  'rail-evm/relay': [
    ...['context.ts', 'settings', 'node', 'address', 'relay/events', 'relay/turns'].map((name) => `rail-evm/${name}`),
  ],
  'rail-evm/relay/turns': [
    ...['node', 'relay/items.store.ts', 'relay/calls.ts', 'relay/signer.ts'].map((name) => `rail-evm/${name}`),
  ],
  'rail-evm/relay/events': [...['settings', 'node', 'address', 'relay'].map((name) => `rail-evm/${name}`)],
  'rail-utxo/chain': [],
  'rail-utxo/settings': ['rail-utxo/chain'],
  'rail-utxo/node': ['chain', 'settings'].map((name) => `rail-utxo/${name}`),
  'rail-utxo/address': [...['context.ts', 'chain', 'settings', 'node'].map((name) => `rail-utxo/${name}`)],
  'rail-utxo/watch': [...['context.ts', 'chain', 'settings', 'node', 'address'].map((name) => `rail-utxo/${name}`)],
  'rail-utxo/refund': [
    ...['context.ts', 'chain', 'settings', 'node', 'address', 'watch'].map((name) => `rail-utxo/${name}`),
  ],
  'rail-intents/settings': [],
  'rail-intents/client': ['settings', 'catalogue/ids.ts'].map((name) => `rail-intents/${name}`),
  'rail-intents/catalogue': [...['context.ts', 'client'].map((name) => `rail-intents/${name}`)],
  'rail-intents/address': [...['context.ts', 'settings', 'client', 'catalogue'].map((name) => `rail-intents/${name}`)],
  'rail-intents/node': [],
  'rail-intents/watch': [
    ...['context.ts', 'settings', 'client', 'catalogue/assets.ts', 'node'].map((name) => `rail-intents/${name}`),
  ],
  'checkout/choices': [],
  'checkout/door': [],
  'openapi/words': [],
  'reports/erase': [],
  'reports/standing': ['reports/late-webhooks.ts'],
  'reports/doctor': ['reports/golive.ts', 'reports/late-webhooks.ts', 'reports/standing/store.ts'],
  'reports/stats/sums': ['reports/stats/range.ts', 'reports/stats/store.ts'],
  'reports/stats': ['reports/stats/sums'],
  'selling/make': [],
  'selling/links': ['selling/make'],
  'selling/limits': [],
  'selling/invoices': ['selling/make', 'selling/limits'],
  'selling/start': ['selling/links', 'selling/invoices', 'selling/limits'],
  'selling/page': ['selling/links', 'selling/invoices', 'selling/start', 'selling/page/words'],
  'selling/page/words': [],
  'webhooks/send': [],
  'webhooks/queue': ['webhooks/send', 'webhooks/metrics.ts', 'webhooks/notify.ts', 'webhooks/rules.ts'],
  'webhooks/endpoints': ['webhooks/send', 'webhooks/late.store.ts', 'webhooks/rules.ts'],
  'webhooks/feed': ['webhooks/metrics.ts', 'webhooks/notify.ts'],
  'webhooks/log': [
    'webhooks/endpoints',
    'webhooks/queue/classes.ts',
    'webhooks/send',
    'webhooks/feed',
    'webhooks/notify.ts',
    'webhooks/rules.ts',
  ],
}

test('rooms of a feature import each other only along their arrows', () => {
  const broken: string[] = []
  const known = new Set<string>()
  for (const { path, imports } of server) {
    const room = dirname(path)
    if (!room.includes('/') || room.startsWith('platform/')) continue
    known.add(room)
    const [feature = ''] = room.split('/')
    for (const { target, isLocal } of imports) {
      const other = roomPath(target) ?? ''
      if (!isLocal || !other.startsWith(`${feature}/`) || dirname(other) === room) continue
      const arrows = rooms[room] ?? []
      if (!arrows.some((arrow) => other === arrow || other.startsWith(`${arrow.replace(/\/$/, '')}/`))) {
        broken.push(`${path} → ${other}`)
      }
    }
  }
  assert.deepEqual(broken, [])
  assert.deepEqual([...known].sort(), Object.keys(rooms).sort(), 'every room has its line')
})

test('the model of an order imports only its own files, what a rail reports, the names of accounts, and assertions', () => {
  const allowed =
    /^packages\/(order-model\/src\/|rail-kit\/src\/(account-ref\.ts$|interface\/)|platform\/src\/assert\.ts$)/
  for (const { file, imports } of server.filter(({ path }) => path.startsWith('order-model/'))) {
    for (const { target, isLocal } of imports) {
      assert.ok(
        isLocal ? allowed.test(target) : /^@florin\/(chains|protocol)$/.test(target),
        `${file} imports ${target}`,
      )
    }
  }
})
