// Promises: README, start.md and going-live.md work as they stand from a fresh clone with nothing installed, in bash with Node 24
// and in zsh with Node 20, the oldest one supported. An installation takes minutes on a busy machine, so each Node installs once: with
// Node 20 `npm start` does it, with Node 24 the first command of going-live.md, and the other page follows in the same clone. Both go
// on at a time. zsh is Debian's, Node 20 comes from npm, and Node 24 is the one that runs this.
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, delimiter, dirname, join } from 'node:path'
import { after, before, describe, it, type TestContext } from 'node:test'
import { promisify } from 'node:util'
import { needsDebian } from '../../packages/server/test/debian.ts'
import { freePort, INSTALL_WITHIN_MS, until } from '../florin.ts'
import { walkGoingLive } from './going-live.ts'
import { firstWebhook, printedCode } from './newcomer.ts'
import { blocksOf, quickNpm, Shell, type ShellName } from './shell.ts'

const root = join(import.meta.dirname, '../..')
/** Files and folders that a fresh clone lacks. */
const made = new Set(['node_modules', 'dist', 'data', '.git', '.env', 'shots'])
/** Files and folders that the page before left in the clone. */
const leavings = ['.env', 'rails.json', 'secrets', 'data', 'disk-2', 'disk-3']

let base = ''
before(async () => {
  await needsDebian('zsh', 'curl')
  base = await mkdtemp(join(tmpdir(), 'florin-fresh-'))
  const node20 = `node-${process.platform}-${process.arch}@20`
  await writeFile(join(base, 'package.json'), '{ "private": true }')
  await promisify(execFile)('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', node20], { cwd: base })
})
after(() => rm(base, { recursive: true, force: true, maxRetries: 5 }))

interface Way {
  shell: ShellName
  node: 20 | 24
}

/** The programs of this machine, with this Node before all others. */
async function pathWith(node: Way['node']): Promise<string> {
  const of20 = join(base, `node_modules/node-${process.platform}-${process.arch}/bin`)
  const path = [node === 20 ? of20 : dirname(process.execPath), process.env.PATH ?? ''].join(delimiter)
  const version = await promisify(execFile)('node', ['--version'], { env: { PATH: path } })
  assert.match(version.stdout, new RegExp(`^v${node}\\.`))
  return path
}

/** The clone that this shell works in; nothing is installed in a new one. */
async function cloneFor(shell: ShellName): Promise<string> {
  const clone = join(base, shell)
  if (!existsSync(clone)) await cp(root, clone, { recursive: true, filter: (path) => !made.has(basename(path)) })
  return clone
}

const tidyUp = (clone: string): Promise<unknown> =>
  Promise.all(leavings.map((name) => rm(join(clone, name), { recursive: true, force: true })))

/** `npm start`, as a person runs it in a terminal. */
async function started(t: TestContext, shell: ShellName, cwd: string, path: string) {
  const start = (await blocksOf('start.md')).find(({ kind }) => kind === 'start')?.text
  assert.equal(start, 'npm start\n')
  const port = await freePort()
  // A person does not ask for two codes within a minute.
  const env = { PATH: path, HOME: process.env.HOME ?? '', ...quickNpm, PORT: String(port), RATE_LIMITS: 'off' }
  const running = spawn(shell, ['-c', start], { cwd, env, detached: true })
  let text = ''
  for (const stream of [running.stdout, running.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      text += chunk.toString()
    })
  }
  t.after(async () => {
    if (running.exitCode !== null || running.pid === undefined) return
    process.kill(-running.pid, 'SIGTERM')
    await once(running, 'exit')
  })
  const url = `http://localhost:${port}`
  const isReady = async (): Promise<boolean> => {
    assert.equal(running.exitCode, null, text)
    return (await fetch(`${url}/readyz`).catch(() => null))?.ok === true
  }
  await until(isReady, 'a Florin that is ready', undefined, INSTALL_WITHIN_MS)
  return { url, output: () => text }
}

async function walkStart(t: TestContext, { shell, node }: Way): Promise<void> {
  const clone = await cloneFor(shell)
  const path = await pathWith(node)
  const florin = await started(t, shell, clone, path)
  const desk = join(base, `desk-${shell}`)
  await mkdir(desk)

  const readme = await readFile(join(clone, 'README.md'), 'utf8')
  const walk = /```sh\n(FLORIN=[\s\S]*?)```/.exec(readme)?.[1] ?? ''
  const terminal = new Shell(desk, { PATH: path, HOME: process.env.HOME ?? '', FLORIN: florin.url }, shell)
  t.after(() => terminal.close())
  assert.match(await terminal.runTyping(walk, () => printedCode(florin)), /processing\s+success\s/)

  await firstWebhook(t, { florin, folder: desk, language: 'node', shell, path })
  const { stdout } = await promisify(execFile)(join(clone, 'florin'), ['--version'], { cwd: desk, env: { PATH: path } })
  assert.match(stdout, /^florin \d/)
}

/** Before the first page. */
async function assertNothingIsInstalled({ shell }: Way): Promise<void> {
  assert.equal(existsSync(join(await cloneFor(shell), 'node_modules')), false)
}

describe('a fresh clone', { concurrency: 2 }, () => {
  describe('zsh, Node 20', { concurrency: 1 }, () => {
    const way: Way = { shell: 'zsh', node: 20 }

    it('README and start.md, with nothing installed', async (t) => {
      await assertNothingIsInstalled(way)
      await walkStart(t, way)
    })

    it('then every block of going-live.md', async (t) => {
      const dir = await cloneFor('zsh')
      await tidyUp(dir)
      await walkGoingLive(t, { dir, shell: 'zsh', path: await pathWith(20), isRun: false })
    })
  })

  describe('bash, Node 24', { concurrency: 1 }, () => {
    const way: Way = { shell: 'bash', node: 24 }

    it('going-live.md to a settled order, with nothing installed', async (t) => {
      await assertNothingIsInstalled(way)
      const dir = await cloneFor('bash')
      await walkGoingLive(t, { dir, shell: 'bash', path: await pathWith(24), isRun: true })
    })

    it('then README and start.md', async (t) => {
      await tidyUp(await cloneFor('bash'))
      await walkStart(t, way)
    })

    it('the Node that the units of systemd start was installed too', async () => {
      const node = join(await cloneFor('bash'), 'node_modules/.bin/node')
      assert.match((await promisify(execFile)(node, ['--version'])).stdout, /^v24\./)
    })
  })
})
