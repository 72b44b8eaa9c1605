// Promises: what README and documentation tell a newcomer to paste works as it stands, from nothing to a verified webhook;
// no block of code in docs/ is without a test that runs or reads it;
// and every call of the API reference has an example that runs, with curl and in TypeScript. Python and PHP: docs.system.test.ts.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test as everyTime } from 'node:test'
import { builtProgram } from '../../packages/cli/test/program.ts'
import { examples } from '../../packages/docs/src/examples/calls.ts'
import { callsOf, type OpenApi } from '../../packages/docs/src/reference/openapi.ts'
import { slowTest, quickTest as test } from '../../scripts/sizes.ts'
import { type Florin, startFlorin, until } from '../florin.ts'
import { type Receiver, startReceiver } from '../receiver.ts'
import { judgeExamples, runExamples } from './examples.ts'
import { firstWebhook, signUpPrinted } from './newcomer.ts'
import { walkExample } from './receivers.ts'
import { blocksOf } from './shell.ts'
import { checkClaims, orderOfCurrencies, readRailsFiles, runLibraries, runSelling, runWebhooks } from './snippets.ts'

const root = join(import.meta.dirname, '../..')
const readDocument = async () => JSON.parse(await readFile(join(root, 'docs/openapi.json'), 'utf8')) as OpenApi

let florin: Florin
let receiver: Receiver
/** The newcomer's own, where the first library was installed. */
let folder: string

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'florin-newcomer-'))
  receiver = await startReceiver()
  // No SMTP_URL: the code is printed, as the pages say.
  florin = await startFlorin()
})
after(async () => {
  await florin?.close()
  await receiver?.close()
  await rm(folder, { recursive: true, force: true })
})

test('the pictures of the README are here, small, and load nothing from elsewhere', async () => {
  const readme = await readFile(join(root, 'README.md'), 'utf8')
  const pictures = [...readme.matchAll(/!\[([^\]]+)\]\(([^)]+)\)/g)].map(([, , path = '']) => path)
  assert.ok(pictures.includes('docs/pictures/checkout-movie.svg'))
  for (const path of pictures) {
    const bytes = await readFile(join(root, path))
    assert.ok(bytes.length < 300_000, `${path} has ${bytes.length} bytes`)
    if (!path.endsWith('.svg')) continue
    const text = bytes.toString('utf8')
    assert.match(text, /prefers-reduced-motion/)
    assert.doesNotMatch(text, /<script|<foreignObject|@import|\bon\w+=/)
    const named = [...text.matchAll(/(?:href=["']|url\(["']?)([^"')]+)/g)].map(([, address = '']) => address)
    assert.deepEqual(
      named.filter((address) => !/^(#|data:image\/webp;base64,)/.test(address)),
      [],
    )
  }
})

test('the curl walk of the README ends with a settled order', async () => {
  const readme = await readFile(join(root, 'README.md'), 'utf8')
  const walk = /```sh\n(FLORIN=[\s\S]*?)```/.exec(readme)?.[1]
  assert.ok(walk, 'the walk stands in the README')
  const bash = spawn('bash', ['-eu', '-c', walk], { env: { ...process.env, FLORIN: florin.url } })
  let out = ''
  for (const stream of [bash.stdout, bash.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      out += chunk.toString()
    })
  }
  const code = (): string | undefined => /│ (\d{6})\s/.exec(florin.output())?.[1]
  await until(() => code() !== undefined, `a printed code; bash said: ${out}`)
  bash.stdin.write(`${code()}\n`)
  const ended = await new Promise<number | null>((resolve) => bash.once('exit', resolve))
  assert.equal(ended, 0, out)
  assert.match(out, /processing\s+success\s*$/)
})

// The examples below stand in the folder that this leaves.
everyTime(
  'start.md leads from nothing to a verified webhook, and what other pages say to paste goes on from there',
  async (t) => {
    const shell = await firstWebhook(t, { florin, folder, language: 'node' })
    for (const page of ['test-mode.md', 'idempotency.md', 'conventions.md']) {
      const blocks = (await blocksOf(page)).filter(({ kind }) => kind === 'run')
      assert.ok(blocks.length > 0, `${page} has something to run`)
      for (const { text } of blocks) {
        const out = await shell.run(text)
        const expected = (await blocksOf(page)).find(({ language }) => language === 'text')
        if (expected !== undefined) assert.ok(out.includes(expected.text), `${page}: ${out}`)
      }
    }
    await runSelling(shell, await builtProgram())
    await orderOfCurrencies(shell)
    await runLibraries(shell)
    await runWebhooks(shell, Object.keys((await readDocument()).components?.schemas?.Order?.properties ?? {}))
  },
)

slowTest('a receiver of examples/ works alone in an empty folder', async (t) => {
  const merchant = await signUpPrinted(florin, 'example@shop.example')
  const own = join(folder, 'example')
  await walkExample(t, { florin, folder: own, name: 'receiver-node-http', script: 'start', merchant })
})

test('every example of every page is run by a test that is named, and the rails files are read', async () => {
  await checkClaims()
  await readRailsFiles()
})

slowTest('each call of /v1 has an example that answers with curl and in TypeScript', async () => {
  const api = await readDocument()
  const calls = callsOf(api).filter(({ path }) => path.startsWith('/v1/'))
  assert.deepEqual(
    examples.map(({ call }) => call).toSorted(),
    calls.map(({ method, path }) => `${method} ${path}`).toSorted(),
  )
  for (const language of ['sh', 'ts'] as const) {
    const merchant = await signUpPrinted(florin, `${language}@shop.example`)
    const at = { url: florin.url, folder: join(folder, 'first-shop'), merchant, receiver }
    judgeExamples(await runExamples(at, language), language)
  }
})
