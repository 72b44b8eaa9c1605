// `npm run shots`: builds the console and runs e2e/pages/shots.ts on a throw-away PostgreSQL.
import { execFileSync, spawn } from 'node:child_process'
import { join } from 'node:path'
import { startEphemeral } from '../packages/embedded-postgres/src/index.ts'

const root = join(import.meta.dirname, '..')
execFileSync('npm', ['run', 'build', '-w', '@florin/console'], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
const log = { info: () => undefined, warn: (message: string) => process.stderr.write(`${message}\n`) }
const database = await startEphemeral({ log })
// The pictures end by the same Ctrl-C; the database is stopped after them.
process.on('SIGINT', () => undefined)
try {
  const child = spawn(process.execPath, [join(root, 'e2e/pages/shots.ts'), ...process.argv.slice(2)], {
    ...{ cwd: root, stdio: 'inherit', env: { ...process.env, FLORIN_TEST_PG: database.url } },
  })
  process.exitCode = await new Promise<number>((settle) => child.once('exit', (code) => settle(code ?? 1)))
} finally {
  await database.stop()
}
