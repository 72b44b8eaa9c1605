// A process that owns an embedded PostgreSQL, for tests that kill it: `node embedded-owner.fixture.ts <data folder>`.
// Prints one JSON line when ready; at SIGINT or SIGTERM it asks the database once more, stops it, prints `drained`.
import { driver } from './driver.ts'
import { EmbeddedRefused, startEmbedded } from './embedded.ts'

const dataDir = process.argv[2] ?? ''
const log = { info: (message: string) => console.error(message), warn: (message: string) => console.error(message) }
try {
  const running = await startEmbedded({ dataDir, log })
  const sql = driver(running.url, { max: 1, onnotice: () => undefined })
  await sql`select 1`
  const drain = async (): Promise<void> => {
    await sql`select 1`
    await sql.end()
    await running.stop()
    process.stdout.write('drained\n')
    process.exit(0)
  }
  process.once('SIGINT', () => void drain())
  process.once('SIGTERM', () => void drain())
  process.stdout.write(`${JSON.stringify({ owner: process.pid, user: process.getuid?.(), ...running })}\n`)
} catch (error) {
  if (!(error instanceof EmbeddedRefused)) throw error
  process.stdout.write(`${JSON.stringify({ refused: error.message })}\n`)
  process.exit(1)
}
