// Promises: whoever has nothing but a copy of the source and start.md has a first verified webhook within five minutes of the
// installation, by the page's own commands. The seconds are printed.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import { freePort, until } from '../florin.ts'
import { firstWebhook } from './newcomer.ts'
import { blocksOf } from './shell.ts'

const root = join(import.meta.dirname, '../..')
/** What no copy of the source has. */
const made = new Set(['node_modules', 'dist', 'data', '.git', 'shots'])
const FIVE_MINUTES_MS = 300_000

test('from a copy of the source to a verified webhook', async (t) => {
  const base = await mkdtemp(join(tmpdir(), 'florin-fresh-'))
  t.after(() => rm(base, { recursive: true, force: true }))
  const checkout = join(base, 'florin')
  await cp(root, checkout, { recursive: true, filter: (path) => !made.has(basename(path)) })
  const start = (await blocksOf('start.md')).find(({ kind }) => kind === 'start')?.text
  assert.equal(start, 'npm start\n')

  // The page's port, 3000, may be taken here; its commands read FLORIN.
  const port = await freePort()
  const { PATH = '', HOME = '' } = process.env
  const env = { PATH, HOME, PORT: String(port) }
  const began = performance.now()
  let text = ''
  const running = spawn('bash', ['-c', start], { cwd: checkout, env, detached: true })
  t.after(async () => {
    if (running.exitCode !== null || running.pid === undefined) return
    process.kill(-running.pid, 'SIGTERM')
    await once(running, 'exit')
  })
  const installation = Promise.withResolvers<number>()
  running.once('exit', () => installation.reject(new Error(`it ended: ${text}`)))
  for (const stream of [running.stdout, running.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      if (/^installed in /m.test(text)) installation.resolve(performance.now())
    })
  }
  // npm takes as long as it takes.
  const installed = await installation.promise
  const url = `http://localhost:${port}`
  await until(async () => {
    assert.equal(running.exitCode, null, text)
    return (await fetch(`${url}/readyz`).catch(() => null))?.ok === true
  }, 'a Florin that is ready')
  const ready = performance.now()

  const folder = join(base, 'desk')
  await mkdir(folder)
  await firstWebhook(t, { florin: { url, output: () => text }, folder, language: 'node' })
  const done = performance.now()
  const s = (ms: number): string => (ms / 1000).toFixed(1)
  t.diagnostic(
    `installed in ${s(installed - began)} s; from there ${s(ready - installed)} s to a Florin that is ready, ${s(done - installed)} s to the first verified webhook`,
  )
  assert.ok(done - installed < FIVE_MINUTES_MS, `${s(done - installed)} s`)
})
