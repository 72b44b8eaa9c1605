// Promises: README, start.md and going-live.md work as they stand from a fresh clone with nothing installed, in bash with Node 24
// and in zsh with Node 20, the oldest one supported. zsh is Debian's; the two Nodes come from npm.
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, delimiter, join } from 'node:path'
import { after, before, type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { needsDebian } from '../../packages/server/test/debian.ts'
import { freePort, INSTALL_WITHIN_MS, until } from '../florin.ts'
import { walkGoingLive } from './going-live.ts'
import { firstWebhook, printedCode } from './newcomer.ts'
import { blocksOf, Shell, type ShellName } from './shell.ts'

const root = join(import.meta.dirname, '../..')
/** Files and folders that a fresh clone lacks. */
const made = new Set(['node_modules', 'dist', 'data', '.git', '.env', 'shots'])
const ways: readonly (readonly [shell: ShellName, node: number])[] = [
  ['zsh', 20],
  ['bash', 24],
]

let base = ''
before(async () => {
  await needsDebian('zsh', 'curl')
  base = await mkdtemp(join(tmpdir(), 'florin-fresh-'))
  const nodes = ways.map(([, node]) => `node-${node}@npm:node-${process.platform}-${process.arch}@${node}`)
  await writeFile(join(base, 'package.json'), '{ "private": true }')
  await promisify(execFile)('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...nodes], { cwd: base })
})
after(() => rm(base, { recursive: true, force: true }))

/** The programs of this machine, with this Node before all others. */
const pathWith = (node: number): string =>
  [join(base, `node_modules/node-${node}/bin`), process.env.PATH ?? ''].join(delimiter)

async function aClone(name: string): Promise<string> {
  const clone = join(base, name)
  await cp(root, clone, { recursive: true, filter: (path) => !made.has(basename(path)) })
  return clone
}

/** `npm start`, as a person runs it in a terminal. */
async function started(t: TestContext, shell: ShellName, cwd: string, path: string) {
  const start = (await blocksOf('start.md')).find(({ kind }) => kind === 'start')?.text
  assert.equal(start, 'npm start\n')
  const port = await freePort()
  // A person does not ask for two codes within a minute.
  const env = { PATH: path, HOME: process.env.HOME ?? '', PORT: String(port), RATE_LIMITS: 'off' }
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
  const isInstalled = (): boolean => /^installed in /m.test(text) || running.exitCode !== null
  await until(isInstalled, 'an installation', undefined, INSTALL_WITHIN_MS)
  await until(async () => {
    assert.equal(running.exitCode, null, text)
    return (await fetch(`${url}/readyz`).catch(() => null))?.ok === true
  }, 'a Florin that is ready')
  return { url, output: () => text }
}

for (const [shell, node] of ways) {
  test(`${shell}, Node ${node}: README and start.md from a fresh clone`, async (t) => {
    const clone = await aClone(`start-${shell}`)
    const path = pathWith(node)
    const version = await promisify(execFile)('node', ['--version'], { env: { PATH: path } })
    assert.match(version.stdout, new RegExp(`^v${node}\\.`))
    const florin = await started(t, shell, clone, path)
    const desk = join(base, `desk-${shell}`)
    await mkdir(desk)

    const readme = await readFile(join(clone, 'README.md'), 'utf8')
    const walk = /```sh\n(FLORIN=[\s\S]*?)```/.exec(readme)?.[1] ?? ''
    const terminal = new Shell(desk, { PATH: path, HOME: process.env.HOME ?? '', FLORIN: florin.url }, shell)
    t.after(() => terminal.close())
    assert.match(await terminal.runTyping(walk, () => printedCode(florin)), /processing\s+success\s/)

    await firstWebhook(t, { florin, folder: desk, language: 'node', shell, path })
    const { stdout } = await promisify(execFile)(join(clone, 'florin'), ['--version'], {
      cwd: desk,
      env: { PATH: path },
    })
    assert.match(stdout, /^florin \d/)
  })

  test(`${shell}, Node ${node}: going-live.md from a fresh clone`, async (t) =>
    walkGoingLive(t, { dir: await aClone(`live-${shell}`), shell, path: pathWith(node) }))
}
