// Promises: what is published is small, complete, made the same way each time, and works where it is installed: with import and
// require, on the oldest Node there is, with types for both.
import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { VERSION } from '../src/version.ts'
import { build, type Installed, installedSdk, oldestNode, packageRoot, repositoryRoot, run } from './installed.ts'

const BUDGET_GZ_BYTES = 20_000
let installed: Installed
before(async () => {
  installed = await installedSdk()
})
after(() => installed.remove())

const distribution = () => join(installed.folder, 'node_modules', '@florin', 'sdk', 'dist')

test(`the JavaScript stays below ${BUDGET_GZ_BYTES} bytes, compressed`, async (t) => {
  for (const file of ['index.js', 'index.cjs']) {
    const size = gzipSync(await readFile(join(distribution(), file)), { level: 9 }).length
    t.diagnostic(`${file}: ${size} bytes compressed`)
    assert.ok(size <= BUDGET_GZ_BYTES, `${file} has ${size} bytes`)
  }
})

test('the archive holds the library and nothing else, and needs nothing', async () => {
  assert.deepEqual(
    installed.packed.filter(
      (file) => !/^(package\.json|README\.md|LICENSE|dist\/.*\.(js|cjs|d\.ts|d\.cts))$/.test(file),
    ),
    [],
  )
  assert.deepEqual(await readdir(join(installed.folder, 'node_modules', '@florin')), ['sdk'])
  for (const file of await readdir(distribution(), { recursive: true, withFileTypes: true })) {
    if (!file.isFile()) continue
    const text = await readFile(join(file.parentPath, file.name), 'utf8')
    assert.doesNotMatch(text, /@florin\/protocol['"]|\.ts['"]/, file.name)
    assert.ok(!text.includes(repositoryRoot), `${file.name} names a folder of this machine`)
  }
  assert.equal(VERSION, JSON.parse(await readFile(join(packageRoot, 'package.json'), 'utf8')).version)
})

test('two builds give the same bytes', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'florin-sdk-'))
  t.after(() => rm(folder, { recursive: true }))
  await build(folder)
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((file) => file.isFile())
  assert.ok(files.length > 4)
  for (const file of files) {
    const path = join(file.parentPath, file.name)
    assert.deepEqual(await readFile(path), await readFile(path.replace(folder, distribution())))
  }
})

const usage = `
const secret = 'whsec_0123456789ABCDEFGHIJKLMNOPQRSTUV'
const { rawBody, headers, event } = signTestWebhook({ secret, order: { title: 'Crème brûlée' } })
const found = verifyWebhook({ rawBody: Buffer.from(rawBody), headers, secret })
if (found.id !== event.id) throw new Error('not the event')
try {
  verifyWebhook({ rawBody: rawBody + ' ', headers, secret })
} catch (error) {
  console.log(process.version, found.event, error instanceof WebhookVerificationError, error.reason)
}
new Florin({ apiKey: 'florin_test_x', baseUrl: 'https://pay.shop.example' })
`

for (const [way, file, opening] of [
  [
    'import',
    'use.mjs',
    "import { Florin, signTestWebhook, verifyWebhook, WebhookVerificationError } from '@florin/sdk'",
  ],
  [
    'require',
    'use.cjs',
    "const { Florin, signTestWebhook, verifyWebhook, WebhookVerificationError } = require('@florin/sdk')",
  ],
] as const) {
  test(`it verifies a webhook on the oldest Node here, by ${way}`, async (t) => {
    const node = await oldestNode()
    t.diagnostic(`with Node ${node.version}`)
    await writeFile(join(installed.folder, file), opening + usage)
    const printed = await run(node.path, [file], { cwd: installed.folder })
    assert.equal(printed.trim(), `${node.version} order.success true mismatch`)
  })
}

const typedUsage = `
export async function shop(apiKey: string, secret: string, rawBody: Uint8Array, headers: Headers): Promise<string> {
  const florin = new Florin({ apiKey, baseUrl: 'https://pay.shop.example', timeoutMs: 5_000 })
  const created: Order = await florin.orders.create({ amount_usd: '19.99', metadata: { cart: '7' } }, { idempotencyKey: 'cart-7' })
  for await (const order of florin.orders.list({ status: ['success', 'failed'] })) console.log(order.pay?.amount_due)
  for await (const event of florin.events.stream({ after: 'c1' })) console.log(event.order.status_detail)
  try {
    const event: FlorinEvent = verifyWebhook({ rawBody, headers, secret })
    // Only a success has certainly settled, so only there is amount_out a string.
    if (event.event === 'order.success') return formatUnits(event.order.amount_out, event.order.settle_decimals)
  } catch (error) {
    if (error instanceof WebhookVerificationError && error.reason === 'stale') return error.message
    if (error instanceof FlorinError && error.code === 'no_rail') return error.param ?? created.order_no
  }
  return ''
}
`
/** Each line below the first is a mistake that the types must notice. */
const wrongUsage = `import { Florin, formatUnits, verifyWebhook } from '@florin/sdk'
new Florin({ apiKey: 'florin_test_x' })
formatUnits(verifyWebhook({ rawBody: '', secret: '' }).order.amount_out, 6)
verifyWebhook({ rawBody: { order: 1 }, secret: '' })
`
const named = 'Florin, type FlorinEvent, FlorinError, formatUnits, type Order, verifyWebhook, WebhookVerificationError'
const strict = {
  strict: true,
  noEmit: true,
  skipLibCheck: false,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  module: 'nodenext',
  target: 'es2022',
}

/** What tsc says about a program of the shop; nothing where all is well. */
async function typeErrors(files: string[], environment: object): Promise<string> {
  const typescript = join(repositoryRoot, 'node_modules', 'typescript', 'bin', 'tsc')
  const config = { compilerOptions: { ...strict, ...environment }, files }
  await writeFile(join(installed.folder, 'tsconfig.json'), JSON.stringify(config))
  try {
    return await run(process.execPath, [typescript, '-p', 'tsconfig.json'], { cwd: installed.folder })
  } catch (error) {
    const { stdout } = error as { stdout: string }
    if (stdout) return stdout
    throw error
  }
}

test('the declarations stand on their own, for import and require, with the types of Node and with those of the web', async () => {
  await symlink(join(repositoryRoot, 'node_modules', '@types'), join(installed.folder, 'node_modules', '@types'))
  const files = ['consumer.mts', 'consumer.cts']
  for (const file of files) {
    await writeFile(join(installed.folder, file), `import { ${named} } from '@florin/sdk'\n${typedUsage}`)
  }
  await writeFile(join(installed.folder, 'wrong.mts'), wrongUsage)
  const node = { lib: ['es2022'], types: ['node'] }
  // How programs are set up that were written before packages had "exports".
  const old = { ...node, module: 'commonjs', moduleResolution: 'bundler', resolvePackageJsonExports: false }
  const web = { lib: ['es2022', 'dom', 'dom.iterable', 'dom.asynciterable'], types: [] }
  assert.equal(await typeErrors(files, node), '')
  assert.equal(await typeErrors(files, web), '')
  assert.equal(await typeErrors(['consumer.cts'], old), '')
  const lines = [...(await typeErrors(['wrong.mts'], node)).matchAll(/^wrong\.mts\((\d+),/gm)].map(([, line]) =>
    Number(line),
  )
  assert.deepEqual(lines, [2, 3, 4])
})
