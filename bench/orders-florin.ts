// The measured side: the real server with all that a request passes, without background jobs.
import { makeLog } from '../packages/platform/src/log.ts'
import { buildApp } from '../packages/server/src/app.ts'
import { readConfig } from '../packages/server/src/config.ts'
import { openDeps } from '../packages/server/src/deps.ts'

const databaseUrl = process.env.BENCH_DATABASE ?? ''
const config = readConfig(
  {
    MODE: 'api',
    MASTER_KEY: process.env.BENCH_MASTER_KEY,
    DATABASE_URL: databaseUrl,
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'warn',
  },
  [],
)
const { deps, close } = await openDeps({ config, log: makeLog('warn'), databaseUrl })
const app = await buildApp(deps)
const origin = await app.listen({ port: 0, host: '127.0.0.1' })
process.send?.({ origin })
process.once(
  'SIGTERM',
  () =>
    void app
      .close()
      .then(close)
      .then(() => process.exit(0)),
)
