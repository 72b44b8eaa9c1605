// `npm run demo` as a newcomer runs it: it ends with an order settled on its own chain, and leaves nothing behind.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { test } from 'node:test'
import { freePort, until } from './florin.ts'

test('the demo settles an order on a chain of its own, and Ctrl-C ends all that it started', async () => {
  const port = await freePort()
  const demo = spawn(process.execPath, [join(import.meta.dirname, '../scripts/demo.ts')], {
    env: { PATH: process.env.PATH ?? '', PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let out = ''
  for (const stream of [demo.stdout, demo.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      out += chunk.toString()
    })
  }
  try {
    await until(() => /Press Ctrl-C to stop|could not go on/.test(out) || demo.exitCode !== null, 'its end')
    assert.match(out, /settlement {5}0x[0-9a-f]{64}/, out)
    assert.match(out, /settled {8}order is now success/)
    assert.equal(out.match(/✓ webhook order\.(processing|success) signature verified/g)?.length, 2)
  } finally {
    // The whole group, as a terminal does it.
    if (demo.pid !== undefined && demo.exitCode === null) process.kill(-demo.pid, 'SIGINT')
    if (demo.exitCode === null) await once(demo, 'exit')
  }
  assert.equal(demo.exitCode, 0)
  assert.doesNotMatch(out, /stopping at once/)
  assert.equal(await fetch(`http://localhost:${port}/readyz`).catch(() => null), null)
})
