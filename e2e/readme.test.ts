// The README's curl walk is run as it stands, by bash, against the running program.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { startFlorin, until } from './florin.ts'

test('the curl walk of the README ends with a settled order', async (t) => {
  const readme = await readFile(join(import.meta.dirname, '../README.md'), 'utf8')
  const walk = /```sh\n(FLORIN=[\s\S]*?)```/.exec(readme)?.[1]
  assert.ok(walk, 'the walk stands in the README')
  // No SMTP_URL: the code is printed, as the README says.
  const florin = await startFlorin()
  t.after(() => florin.close())
  const bash = spawn('bash', ['-eu', '-c', walk], { env: { ...process.env, FLORIN: florin.url } })
  let out = ''
  for (const stream of [bash.stdout, bash.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      out += chunk.toString()
    })
  }
  const code = (): string | undefined => /│ (\d{6})\s/.exec(florin.output())?.[1]
  await until(() => code() !== undefined, `a printed code; bash said: ${out}`)
  bash.stdin.write(`${code()}\n`)
  const ended = await new Promise<number | null>((resolve) => bash.once('exit', resolve))
  assert.equal(ended, 0, out)
  assert.match(out, /processing\s+success\s*$/)
})
