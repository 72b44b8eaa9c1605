// Promises of `npm start`: it installs by itself and only when something changed, builds pages only when they are
// stale, and hands over so that arguments, signals and the exit code pass. Tried with real npm on a project without
// dependencies, which it installs without a network.
import assert from 'node:assert/strict'
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, type TestContext } from 'node:test'
import { promisify } from 'node:util'
import { slowTest, quickTest as test } from './sizes.ts'

const server = `
  const [what] = process.argv.slice(2)
  if (what === 'exit') process.exit(Number(process.argv[3]))
  process.on('SIGTERM', () => { console.log('drained'); process.exit(3) })
  process.on('SIGINT', () => console.log('interrupted'))
  if (what === 'wait') setInterval(() => {}, 1000)
  console.log(JSON.stringify({ args: process.argv.slice(2), shop: process.env.SHOP ?? null, node: process.execArgv }))`

/** Made once, as npm takes longer than all the rest of a test; `installed` had its first start. */
const templates = mkdtempSync(join(tmpdir(), 'florin-start-'))
after(() => rmSync(templates, { recursive: true, force: true }))

function project(t: TestContext, kind: 'fresh' | 'installed' = 'fresh'): string {
  const dir = mkdtempSync(join(tmpdir(), 'florin-start-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  cpSync(template(kind), dir, { recursive: true, verbatimSymlinks: true })
  return dir
}

function template(kind: 'fresh' | 'installed'): string {
  const dir = join(templates, kind)
  if (existsSync(dir)) return dir
  if (kind === 'installed') {
    cpSync(template('fresh'), dir, { recursive: true })
    execFileSync(process.execPath, [join(dir, 'scripts/start.mjs')], { cwd: dir, stdio: 'ignore' })
    return dir
  }
  cpSync(import.meta.dirname, join(dir, 'scripts'), { recursive: true, filter: (path) => !path.endsWith('.ts') })
  const workspaces = [
    'packages/server',
    'packages/console',
    'packages/checkout',
    'packages/checkout-core',
    'packages/protocol',
    'packages/chains',
    'packages/contracts',
    'packages/exit',
    'packages/docs',
  ]
  for (const workspace of workspaces) {
    mkdirSync(join(dir, workspace, 'src'), { recursive: true })
    manifest(dir, workspace, {})
  }
  mkdirSync(join(dir, 'packages/contracts/abi'))
  for (const folder of ['docs', 'examples/python', 'examples/php']) mkdirSync(join(dir, folder), { recursive: true })
  manifest(dir, '.', { private: true, type: 'module', workspaces })
  writeFileSync(join(dir, 'packages/server/src/main.ts'), server)
  writeFileSync(join(dir, 'scripts/demo.ts'), `console.log('demo', ...process.argv.slice(2))`)
  execFileSync('npm', ['install', '--package-lock-only', '--offline', '--no-audit'], { cwd: dir, stdio: 'ignore' })
  return dir
}

function manifest(dir: string, workspace: string, more: Record<string, unknown>): void {
  const name = workspace === '.' ? 'project' : `@project/${workspace.slice('packages/'.length)}`
  writeFileSync(join(dir, workspace, 'package.json'), JSON.stringify({ name, version: '1.0.0', ...more }))
}

interface Ended {
  code: number | null
  out: string
  said: string
}

function start(dir: string, args: string[], env: Record<string, string> = {}): ChildProcess {
  return spawn(process.execPath, [join(dir, 'scripts/start.mjs'), ...args], {
    cwd: dir,
    env: { ...process.env, ...env },
  })
}

async function run(dir: string, args: string[], env: Record<string, string> = {}): Promise<Ended> {
  const child = start(dir, args, env)
  const ended: Ended = { code: null, out: '', said: '' }
  child.stdout?.on('data', (chunk) => {
    ended.out += chunk
  })
  child.stderr?.on('data', (chunk) => {
    ended.said += chunk
  })
  const [code] = await once(child, 'close')
  return { ...ended, code }
}

// As if the machine had no npm, so that whoever asks it fails.
const withoutNpm = { npm_execpath: '', PATH: '/nonexistent' }

test('the first start installs and says how long it took; the next ones need no npm', async (t) => {
  const dir = project(t)
  const first = await run(dir, ['--loud', 'a b'])
  assert.match(first.said, /^installing what Florin needs to run …\ninstalled in \d+\.\d s\n$/)
  assert.deepEqual(JSON.parse(first.out), {
    ...{ args: ['--loud', 'a b'], shop: null },
    node: ['--max-semi-space-size=16', '--no-parallel-scavenge'],
  })
  assert.equal(first.code, 0)
  const second = await run(dir, [], withoutNpm)
  assert.deepEqual([second.said, second.code], ['', 0])
})

slowTest('a changed lock file is installed beside what runs; after an interruption all is made anew', async (t) => {
  const dir = project(t)
  await run(dir, [])
  const bystander = join(dir, 'node_modules/.in-use')
  const lock = join(dir, 'package-lock.json')
  writeFileSync(bystander, '')
  writeFileSync(lock, `${readFileSync(lock, 'utf8')}\n`)
  assert.match((await run(dir, [])).said, /installed in/)
  assert.equal(existsSync(bystander), true)

  writeFileSync(join(dir, 'node_modules/.florin-installing'), '')
  writeFileSync(lock, `${readFileSync(lock, 'utf8')}\n`)
  assert.match((await run(dir, [])).said, /installed in/)
  assert.equal(existsSync(bystander), false)
  assert.equal((await run(dir, [], withoutNpm)).said, '')
})

test('a failing npm is quoted, and the next start tries again', async (t) => {
  const dir = project(t)
  manifest(dir, 'packages/server', { dependencies: { 'left-out-of-the-lock': '1.0.0' } })
  const failed = await run(dir, [])
  assert.equal(failed.code, 1)
  assert.match(failed.said, /left-out-of-the-lock[\s\S]{1,4000}npm ci could not install what Florin needs to run/)
  manifest(dir, 'packages/server', {})
  assert.match((await run(dir, [])).said, /installed in/)
})

slowTest('without npm, and with something to install, the sentence says so', async (t) => {
  const failed = await run(project(t), [], withoutNpm)
  assert.equal(failed.code, 1)
  assert.match(failed.said, /npm ci could not install.*npm ENOENT/)
})

slowTest('pages are built when their sources or the shared packages changed, and only then', async (t) => {
  const dir = project(t, 'installed')
  const build = `mkdir -p dist && node -e "require('fs').writeFileSync('dist/node', process.version)"`
  manifest(dir, 'packages/checkout', { scripts: { build } })
  writeFileSync(join(dir, 'packages/checkout/src/page.ts'), 'one')
  const builds = async (): Promise<boolean> => /built packages\/checkout in/.test((await run(dir, [])).said)
  assert.equal(await builds(), true)
  assert.equal(readFileSync(join(dir, 'packages/checkout/dist/node'), 'utf8'), process.version)
  assert.equal(await builds(), false)
  writeFileSync(join(dir, 'packages/checkout/src/page.ts'), 'two')
  assert.equal(await builds(), true)
  writeFileSync(join(dir, 'packages/protocol/src/order.ts'), 'changed')
  assert.equal(await builds(), true)
  rmSync(join(dir, 'packages/checkout/dist'), { recursive: true })
  assert.equal(await builds(), true)
  assert.equal(await builds(), false)

  writeFileSync(join(dir, 'packages/checkout/src/page.ts'), 'three')
  const both = await Promise.all([builds(), builds()])
  assert.deepEqual(both.sort(), [false, true], 'of two starts at once one builds and the other waits for it')

  manifest(dir, 'packages/checkout', { scripts: { build: 'echo broken tag >&2; exit 4' } })
  const failed = await run(dir, [])
  assert.equal(failed.code, 1)
  assert.match(failed.said, /broken tag\n[\s\S]{1,200}packages\/checkout could not be built/)
})

test('--demo runs the demo, a .env file gives settings, the environment wins over it', async (t) => {
  const dir = project(t, 'installed')
  assert.equal((await run(dir, ['--demo', '--fast'])).out, 'demo --fast\n')
  writeFileSync(join(dir, '.env'), 'SHOP=from the file\n')
  assert.equal(JSON.parse((await run(dir, [])).out).shop, 'from the file')
  assert.equal(JSON.parse((await run(dir, [], { SHOP: 'from outside' })).out).shop, 'from outside')
})

test('what an operator runs beside the service has its settings, and installs nothing more', async (t) => {
  const dir = project(t, 'installed')
  writeFileSync(join(dir, '.env'), 'SHOP=from the file\n')
  const operate = join(dir, 'scripts/operate.mjs')
  const asked = promisify(execFile)(process.execPath, [operate, 'packages/server/src/main.ts', '--loud', 'a b'], {
    cwd: dir,
    env: { ...process.env, ...withoutNpm },
  })
  const { args, shop } = JSON.parse((await asked).stdout)
  assert.deepEqual([args, shop], [['--loud', 'a b'], 'from the file'])
  const { scripts } = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'))
  for (const [name, text] of Object.entries<string>(scripts))
    if (text.includes('packages/server/src/')) assert.match(text, /^node scripts\/operate\.mjs /, name)
})

test('the exit code is the program’s', async (t) => {
  assert.equal((await run(project(t, 'installed'), ['exit', '7'])).code, 7)
})

test('SIGTERM is passed on and the drain is waited for', async (t) => {
  const child = start(project(t, 'installed'), ['wait'])
  const lines = createInterface({ input: child.stdout ?? process.stdin })[Symbol.asyncIterator]()
  await lines.next()
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  assert.equal((await lines.next()).value, 'drained')
  assert.deepEqual(await gone, [3, null])
})

slowTest('the end of npm is the program’s signal to drain, though npm tells only the shell between them', async (t) => {
  const dir = project(t, 'installed')
  const scripts = { start: 'node scripts/start.mjs wait' }
  const workspaces: string[] = JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8')).workspaces
  manifest(dir, '.', { private: true, type: 'module', workspaces, scripts })
  // The `node` of the script is this one: there is no pinned Node in a project without dependencies.
  const env = { ...process.env, PATH: [dirname(process.execPath), process.env.PATH].join(delimiter) }
  const child = spawn('npm', ['start'], { cwd: dir, env, stdio: ['ignore', 'pipe', 'ignore'] })
  const lines = createInterface({ input: child.stdout })
  const printed: string[] = []
  const closed = once(lines, 'close')
  for await (const line of lines) {
    printed.push(line)
    if (line.startsWith('{')) child.kill('SIGTERM')
  }
  await closed
  assert.ok(printed.includes('drained'), printed.join('\n'))
})

slowTest('a second interrupt ends a program that does not come to its end', async (t) => {
  const child = start(project(t, 'installed'), ['wait'])
  const lines = createInterface({ input: child.stdout ?? process.stdin })[Symbol.asyncIterator]()
  await lines.next()
  const gone = once(child, 'exit')
  child.kill('SIGINT')
  assert.equal((await lines.next()).value, 'interrupted')
  child.kill('SIGINT')
  assert.deepEqual(await gone, [137, null])
})
