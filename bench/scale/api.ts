// An API process of its own over the benchmark's database, so that its memory is nobody else's: `node api.ts URL`. It prints
// its address, and lives until its standard input ends.
import { pino } from 'pino'
import { buildApp } from '../../packages/server/src/app.ts'
import { openDeps } from '../../packages/server/src/deps.ts'
import { testConfig } from '../../packages/server/test/harness.ts'

const [databaseUrl = ''] = process.argv.slice(2)
const config = testConfig({ mode: 'api', rateLimits: false })
const { deps, close } = await openDeps({ config, log: pino({ level: 'warn' }), databaseUrl })
const app = await buildApp(deps)
process.stdout.write(`${await app.listen({ port: 0, host: '127.0.0.1' })}\n`)
process.stdin.resume()
process.stdin.once('end', async () => {
  await app.close()
  await close()
})
