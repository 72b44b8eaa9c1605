// Promise: a test run that is interrupted, or killed, leaves no process behind, whoever was told to end.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { root } from './run-tests/files.ts'
import { processesOf } from './run-tests/leftovers.ts'
import { sized } from './sizes.ts'

interface Case {
  who: 'all at the terminal' | 'npm' | 'runner'
  signal: 'SIGINT' | 'SIGTERM' | 'SIGKILL'
}

// A SIGINT to npm alone is none: npm hands it to a shell that goes on waiting, as the shells of Linux do.
const cases: Case[] = [
  { who: 'all at the terminal', signal: 'SIGINT' },
  { who: 'runner', signal: 'SIGTERM' },
  { who: 'npm', signal: 'SIGTERM' },
  { who: 'runner', signal: 'SIGINT' },
  { who: 'runner', signal: 'SIGKILL' },
]

for (const { who, signal } of cases.slice(0, sized({ short: 1, full: cases.length }))) {
  test(`${signal} to ${who} ends all that the run has started`, {
    skip: process.platform !== 'linux',
    timeout: 240_000,
  }, async (t) => {
    const at = mkdtempSync(join(tmpdir(), 'florin-interrupt-'))
    t.after(() => rmSync(at, { recursive: true, force: true }))
    const said = join(at, 'said.json')
    // Told by whoever runs us, and not for the run inside.
    const { NODE_TEST_CONTEXT: _, ...env } = process.env
    const npm = spawn('npm', ['test', '--', 'scripts/hangs.fixture.ts', '--no-check'], {
      cwd: root,
      env: { ...env, FLORIN_HANGS: said },
      stdio: ['ignore', 'pipe', 'pipe'],
      // Its own group, as a shell gives it: nobody else is told.
      detached: true,
    })
    let out = ''
    for (const stream of [npm.stdout, npm.stderr]) stream.on('data', (chunk: Buffer) => (out += chunk.toString()))
    const gone = once(npm, 'exit', { signal: t.signal })
    while (!existsSync(said)) {
      assert.equal(npm.exitCode, null, out)
      await wait(50, undefined, { signal: t.signal })
    }
    await wait(50)
    const { folder, runner } = JSON.parse(readFileSync(said, 'utf8')) as { folder: string; runner: number }
    assert.ok(processesOf(folder).length >= 4, 'the runner’s file, a Florin, two PostgreSQL and more')

    const pid = npm.pid ?? 0
    process.kill(who === 'runner' ? runner : who === 'npm' ? pid : -pid, signal)
    await gone
    while (existsSync(folder) || processesOf(folder).length > 0) await wait(50, undefined, { signal: t.signal })
  })
}
