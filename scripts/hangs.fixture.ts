// A test that never ends, with all that a test may start: a Florin with its PostgreSQL, and a program in a session of its
// own without our environment. It writes what it runs on into FLORIN_HANGS.
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
import { startFlorin } from '../e2e/florin.ts'

test('hangs', async () => {
  await startFlorin()
  spawn('sleep', ['3600'], { cwd: tmpdir(), env: {}, detached: true, stdio: 'ignore' }).unref()
  writeFileSync(process.env.FLORIN_HANGS ?? '', JSON.stringify({ folder: tmpdir(), runner: process.ppid }))
  await new Promise(() => setInterval(() => undefined, 1_000))
})
