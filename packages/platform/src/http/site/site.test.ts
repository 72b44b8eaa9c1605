// Promises: a built site is handed out by its list alone, compressed for who can read it, with a tag that spares sending it
// again, under the strictest policy; nothing beside the list exists, whatever is asked for, and no list is no crash.
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { pino } from 'pino'
import { machineClock } from '../../clock.ts'
import { type App, makeServer } from '../server.ts'
import { pagePolicy } from '../static.ts'
import { serveSite } from './site.ts'

const html = '<h1>Concepts'
const INSTALL =
  '<code>npm install http://localhost:3000/docs/packages/florin-sdk.tgz</code> <b>FLORIN=</b><i>http://localhost:3000</i> and http://localhost:3000/console on your desk'

async function anApp(t: TestContext): Promise<App> {
  const folder = mkdtempSync(join(tmpdir(), 'florin-site-'))
  t.after(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'pages'))
  const file = 'pages/concepts.html'
  writeFileSync(join(folder, file), html)
  writeFileSync(join(folder, `${file}.gz`), gzipSync(html))
  writeFileSync(join(folder, `${file}.br`), brotliCompressSync(html))
  writeFileSync(join(folder, 'libraries.html'), INSTALL)
  writeFileSync(join(folder, 'photo.webp'), 'WEBP')
  writeFileSync(join(folder, 'secret.txt'), 'not in the list')
  const page = { url: '/docs/concepts', file, type: 'text/html; charset=utf-8', etag: '"abc"' }
  writeFileSync(
    join(folder, 'site.json'),
    JSON.stringify([
      { ...page, isForEver: false, isCompressed: true },
      { ...page, url: '/docs', isForEver: false, isCompressed: true },
      { ...page, url: '/docs/libraries', file: 'libraries.html', isForEver: false, isCompressed: false },
      {
        url: '/docs/photo-1.webp',
        file: 'photo.webp',
        type: 'image/webp',
        etag: '"p"',
        isForEver: true,
        isCompressed: false,
      },
    ]),
  )
  const app = await makeServer({
    ...{ log: pino({ level: 'silent' }), clock: machineClock, trustProxy: [] },
    ...{ rateLimits: false, isHttps: false, isLoopbackInstall: true },
  })
  t.after(() => app.close())
  serveSite(app, folder, '/docs', 'https://pay.shop.example')
  serveSite(app, join(folder, 'nothing'), '/unbuilt', 'https://pay.shop.example')
  return app
}

test('a page is sent compressed, tagged, revalidated and under the strict policy', async (t) => {
  const app = await anApp(t)
  for (const [accepts, open, name] of [
    ['gzip, br', (bytes: Buffer) => brotliDecompressSync(bytes), 'br'],
    ['gzip, br;q=0', (bytes: Buffer) => gunzipSync(bytes), 'gzip'],
    ['identity', (bytes: Buffer) => bytes, undefined],
  ] as const) {
    const answer = await app.inject({ url: '/docs/concepts?x=1', headers: { 'accept-encoding': accepts } })
    assert.deepEqual([answer.statusCode, open(answer.rawPayload).toString()], [200, html])
    assert.equal(answer.headers['content-encoding'], name)
    assert.equal(answer.headers['content-type'], 'text/html; charset=utf-8')
    assert.equal(answer.headers['content-security-policy'], pagePolicy())
    assert.deepEqual([answer.headers['cache-control'], answer.headers.vary], ['public, no-cache', 'Accept-Encoding'])
    const etag = String(answer.headers.etag)
    const again = await app.inject({
      url: '/docs/concepts',
      headers: { 'accept-encoding': accepts, 'if-none-match': `"old", W/${etag}` },
    })
    assert.deepEqual([again.statusCode, again.body, again.headers.etag], [304, '', etag])
  }
  const picture = await app.inject({ url: '/docs/photo-1.webp', headers: { 'accept-encoding': 'br' } })
  assert.deepEqual([picture.body, picture.headers['content-encoding']], ['WEBP', undefined])
  assert.match(String(picture.headers['cache-control']), /immutable/)
})

test('what is not in the list does not exist; a slash or an ending too much leads to the page', async (t) => {
  const app = await anApp(t)
  const paths = [
    '/docs/secret.txt',
    '/docs/site.json',
    '/docs/../package.json',
    '/docs/%2e%2e/package.json',
    '/docs/concepts.gz',
  ]
  for (const path of [...paths, '/docs/pages/concepts.html', '/docs/__proto__', '/docs//concepts'])
    assert.equal((await app.inject(path)).statusCode, 404, path)
  for (const [path, to] of [
    ['/docs/', '/docs'],
    ['/docs/concepts/', '/docs/concepts'],
    ['/docs/concepts.md', '/docs/concepts'],
    ['/docs/concepts.html', '/docs/concepts'],
  ] as const) {
    const answer = await app.inject(path)
    assert.deepEqual([answer.statusCode, answer.headers.location], [308, to])
  }
  const unbuilt = await app.inject('/unbuilt')
  assert.deepEqual([unbuilt.statusCode, unbuilt.json().error.code], [503, 'unavailable'])
})

test('site: a page that says what to install from this server names this server', async (t) => {
  const app = await anApp(t)
  const page = await app.inject({ url: '/docs/libraries' })
  assert.equal(
    page.body,
    '<code>npm install https://pay.shop.example/docs/packages/florin-sdk.tgz</code> <b>FLORIN=</b><i>https://pay.shop.example</i> and http://localhost:3000/console on your desk',
  )
  const packed = await app.inject({ url: '/docs/libraries', headers: { 'accept-encoding': 'br, gzip' } })
  assert.equal(gunzipSync(packed.rawPayload).toString(), page.body)
  assert.notEqual(packed.headers.etag, page.headers.etag)
  const again = { url: '/docs/libraries', headers: { 'if-none-match': String(page.headers.etag) } }
  assert.equal((await app.inject(again)).statusCode, 304)
  assert.equal(page.headers['content-security-policy'], pagePolicy())
})
