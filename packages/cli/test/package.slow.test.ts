// Promises: what is published is one small program that needs nothing, runs on the oldest supported Node, and is made the
// same way each time.
import assert from 'node:assert/strict'
import { cp, mkdir, mkdtemp, readFile, realpath, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { oldestNode, run } from '../../sdk/test/installed.ts'
import { packageRoot, repositoryRoot } from './program.ts'

/** What a start has to read and compile. */
const PROGRAM_BUDGET_BYTES = 490_000
let base = ''
let packed: string[] = []
let buildMs = 0

/** Built, packed and installed from the archive into an empty folder, without a network. */
before(async () => {
  base = await mkdtemp(join(await realpath(tmpdir()), 'florin-cli-'))
  const stage = join(base, 'stage')
  await mkdir(stage)
  for (const file of ['package.json', 'README.md', 'LICENSE', 'bin']) {
    await cp(join(packageRoot, file), join(stage, file), { recursive: true })
  }
  const startedAt = performance.now()
  await run(process.execPath, [join(packageRoot, 'script', 'build.mjs'), join(stage, 'dist', 'florin.js')])
  buildMs = performance.now() - startedAt
  const [archive] = JSON.parse(await run('npm', ['pack', '--json', '--ignore-scripts'], { cwd: stage }))
  packed = archive.files.map((file: { path: string }) => file.path)
  const shop = join(base, 'shop')
  await mkdir(shop)
  await writeFile(join(shop, 'package.json'), '{ "name": "shop", "private": true }')
  const cache = join(base, 'cache')
  await run('npm', ['install', '--offline', '--cache', cache, join(stage, archive.filename)], { cwd: shop })
})
after(() => rm(base, { recursive: true }))

test('the archive holds the program and nothing else, and needs nothing', async () => {
  assert.deepEqual(packed.sort(), ['LICENSE', 'README.md', 'bin/florin.mjs', 'dist/florin.js', 'package.json'])
  const manifest = JSON.parse(await readFile(join(packageRoot, 'package.json'), 'utf8'))
  assert.equal(manifest.dependencies, undefined)
  const text = await readFile(join(base, 'stage', 'dist', 'florin.js'), 'utf8')
  assert.ok(!text.includes(repositoryRoot), 'it names a folder of this machine')
  for (const [, name] of text.matchAll(/^import .* from "([^"]+)"/gm)) assert.match(name ?? '', /^node:/)
})

test('installed, it runs by its name on the oldest Node here', async (t) => {
  const node = await oldestNode()
  t.diagnostic(`with Node ${node.version}`)
  const program = await realpath(join(base, 'shop', 'node_modules', '.bin', 'florin'))
  const { version } = JSON.parse(await readFile(join(packageRoot, 'package.json'), 'utf8'))
  assert.equal((await run(node.path, [program, '--version'])).trim(), `florin ${version}`)
  assert.match(await run(join(base, 'shop', 'node_modules', '.bin', 'florin'), ['--help']), /^florin: the command line/)
})

test('where it is not built and cannot be built, it says what to do', async () => {
  const checkout = join(base, 'stage', 'bin', 'florin.mjs')
  const away = join(base, 'away')
  await rename(join(base, 'stage', 'dist'), away)
  await assert.rejects(
    run(process.execPath, [checkout, '--version']),
    /florin is not built yet\. In the repository, run: npm ci/,
  )
  await rename(away, join(base, 'stage', 'dist'))
})

test('in a checkout it is built anew where a source is newer than what was built, as after an update', async () => {
  const stage = join(base, 'stage')
  const source = join(stage, 'src', 'main.ts')
  await mkdir(join(stage, 'src'))
  await writeFile(source, '')
  const { mtime } = await stat(join(stage, 'dist', 'florin.js'))
  const start = () => run(process.execPath, [join(stage, 'bin', 'florin.mjs'), '--version'])
  await utimes(source, mtime, new Date(mtime.getTime() - 1_000))
  await start()
  await utimes(source, mtime, new Date(mtime.getTime() + 1_000))
  // The stage has nothing to build it with.
  await assert.rejects(start(), /npm run build -w packages\/cli/)
  await rm(join(stage, 'src'), { recursive: true })
})

test('two builds give the same bytes', async () => {
  const again = join(base, 'again.js')
  await run(process.execPath, [join(packageRoot, 'script', 'build.mjs'), again])
  assert.deepEqual(await readFile(again), await readFile(join(base, 'stage', 'dist', 'florin.js')))
})

test(`the program is one file of at most ${PROGRAM_BUDGET_BYTES} bytes that loads nothing but Node's own modules`, async (t) => {
  const program = join(base, 'stage', 'bin', 'florin.mjs')
  const bare = await fastest(['-e', '0'])
  const ours = await fastest([program, '--version'])
  t.diagnostic(
    `built in ${Math.round(buildMs)} ms; starts in ${Math.round(ours)} ms, Node alone in ${Math.round(bare)} ms`,
  )
  const text = await readFile(join(base, 'stage', 'dist', 'florin.js'), 'utf8')
  assert.ok(Buffer.byteLength(text) <= PROGRAM_BUDGET_BYTES, `${Buffer.byteLength(text)} bytes`)
  const loaded = [...text.matchAll(/^import .*?["']([^"'\n]+)["'];?$/gm)].map((match) => match[1] ?? '')
  assert.ok(loaded.length > 0)
  assert.deepEqual(
    loaded.filter((name) => !name.startsWith('node:')),
    [],
  )
})

/** The least of several runs: what the program costs, not what else the machine does. */
async function fastest(args: string[]): Promise<number> {
  const times: number[] = []
  for (let n = 0; n < 5; n++) {
    const startedAt = performance.now()
    await run(process.execPath, args)
    times.push(performance.now() - startedAt)
  }
  return Math.min(...times)
}
