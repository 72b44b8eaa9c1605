// Promises: the exit page is handed out as a file and never run on the service's origin; its own policy lets nothing run but
// what was built into it and lets that ask nobody for anything.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { buildPage } from '@florin/exit/page'
import { machineClock } from '@florin/platform/clock'
import { makeServer } from '@florin/platform/http/server'
import { pino } from 'pino'
import { exitPage } from './page.routes.ts'

async function answerOf(file: string) {
  const app = await makeServer({
    ...{ log: pino({ level: 'silent' }), clock: machineClock, trustProxy: [], rateLimits: false },
    ...{ isHttps: false, isLoopbackInstall: false },
  })
  exitPage(app, file)
  const answer = await app.inject({ method: 'GET', url: '/exit.html' })
  await app.close()
  return answer
}

test('it is a download, without rights here; where it is not built the answer says so', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'florin-exit-'))
  t.after(() => rm(folder, { recursive: true }))
  const html = await buildPage()
  await writeFile(join(folder, 'exit.html'), html)
  const answer = await answerOf(join(folder, 'exit.html'))
  assert.deepEqual([answer.statusCode, answer.body], [200, html])
  assert.equal(answer.headers['content-disposition'], 'attachment; filename="florin-exit.html"')
  assert.equal(answer.headers['content-security-policy'], "default-src 'none'; sandbox")
  const missing = await answerOf(join(folder, 'none.html'))
  assert.equal(missing.statusCode, 503)
  assert.match(missing.body, /not built/)
})

test('the page is one small file whose policy names its own script and style and no address', async () => {
  const html = await buildPage()
  assert.equal(html, await buildPage(), 'the same bytes each time')
  assert.ok(Buffer.byteLength(html) < 80_000, `${Buffer.byteLength(html)} bytes`)
  const policy = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(html)?.[1] ?? ''
  const inside = (name: string): string => new RegExp(`<${name}>([\\s\\S]*?)</${name}>`).exec(html)?.[1] ?? ''
  const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
  assert.deepEqual(policy.split('; '), [
    "default-src 'none'",
    `script-src ${hashOf(inside('script'))}`,
    `style-src ${hashOf(inside('style'))}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ])
  assert.doesNotMatch(html, /(?:src|href)="(?!data:)|\bfetch\(|XMLHttpRequest|WebSocket/)
})
