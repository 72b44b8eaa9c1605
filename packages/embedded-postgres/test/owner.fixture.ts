// A process that owns an embedded PostgreSQL, for tests that kill it: `node owner.fixture.ts <data folder>`.
// Prints one JSON line when ready; at SIGINT or SIGTERM it asks the database once more, stops it, prints `drained`.
import assert from 'node:assert/strict'
import { EmbeddedRefused, startEmbedded } from '../src/index.ts'
import { answers } from '../src/probe.ts'

const dataDir = process.argv[2] ?? ''
const log = { info: (message: string) => console.error(message), warn: (message: string) => console.error(message) }
try {
  const running = await startEmbedded({ dataDir, log })
  const drain = async (): Promise<void> => {
    const user = new URL(running.url).username
    assert.ok(await answers({ port: running.port, user, withinMs: 10_000 }), 'its database outlives the signal')
    await running.stop()
    process.stdout.write('drained\n')
    process.exit(0)
  }
  // A database alone keeps nobody alive.
  setInterval(() => undefined, 60_000)
  process.once('SIGINT', () => void drain())
  process.once('SIGTERM', () => void drain())
  process.stdout.write(`${JSON.stringify({ owner: process.pid, user: process.getuid?.(), ...running })}\n`)
} catch (error) {
  if (!(error instanceof EmbeddedRefused)) throw error
  process.stdout.write(`${JSON.stringify({ refused: error.message })}\n`)
  process.exit(1)
}
