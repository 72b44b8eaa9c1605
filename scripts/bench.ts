// `npm run bench [-- names] [--options]`: the benchmarks one after another, each alone on the machine, on one throw-away PostgreSQL
// that waits for the disk as a shop's does. Options are for the benchmarks (`-- scale --orders 200000`). Its superuser URL stands in FLORIN_TEST_PG.
import { spawn } from 'node:child_process'
import { globSync } from 'node:fs'
import { basename, join } from 'node:path'
import { startEphemeral } from '../packages/embedded-postgres/src/index.ts'

const root = join(import.meta.dirname, '..')

function run(file: string, url: string, options: readonly string[]): Promise<number> {
  const env = { ...process.env, FLORIN_TEST_PG: url }
  const child = spawn(process.execPath, [join(root, file), ...options], { cwd: root, stdio: 'inherit', env })
  return new Promise((settle) => child.once('exit', (code) => settle(code ?? 1)))
}

async function main(): Promise<number> {
  const first = process.argv.findIndex((text) => text.startsWith('--'))
  const wanted = process.argv.slice(2, first === -1 ? undefined : first)
  const options = first === -1 ? [] : process.argv.slice(first)
  const files = globSync('bench/*.bench.ts', { cwd: root })
    .sort()
    .filter((file) => wanted.length === 0 || wanted.some((name) => basename(file).includes(name)))
  if (files.length === 0) {
    process.stderr.write(`no benchmark is named ${wanted.join(' ') || 'anything'}\n`)
    return 1
  }
  const log = { info: () => undefined, warn: (message: string) => process.stderr.write(`${message}\n`) }
  const database = await startEphemeral({ log, fsync: true })
  // The runs below end by the same Ctrl-C; the database is stopped after them.
  process.on('SIGINT', () => undefined)
  const failed: string[] = []
  try {
    for (const file of files) {
      process.stdout.write(`\n== ${file}\n`)
      if ((await run(file, database.url, options)) !== 0) failed.push(file)
    }
  } finally {
    await database.stop()
  }
  if (failed.length > 0) process.stderr.write(`\nfailed: ${failed.join(', ')}\n`)
  return failed.length === 0 ? 0 : 1
}

process.exitCode = await main()
