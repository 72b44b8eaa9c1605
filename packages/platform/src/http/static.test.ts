// Promises: built files are cached for ever and sent compressed, pages never cached and under the strict policy with a
// nonce of their own; nothing outside the build can be read, and a page that was not built is no crash.
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { pino } from 'pino'
import { machineClock } from '../clock.ts'
import { type App, makeServer } from './server.ts'
import { pagePolicy, readBuiltEntry, sendPage, serveBuiltFiles, serveSinglePage } from './static.ts'

const script = 'console.log("a page")'
const manifest = {
  'src/main.tsx': { file: 'assets/main-AbCdEf12.js', css: ['assets/main-98765432.css'], imports: ['_shared.js'] },
  'src/words/de.ts': { file: 'assets/de-AbCdEf12.js', imports: ['_shared.js'] },
  '_shared.js': { file: 'assets/shared-AbCdEf12.js' },
}

function aBuild(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'florin-static-'))
  t.after(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'assets'))
  writeFileSync(join(folder, 'assets/main-AbCdEf12.js'), script)
  writeFileSync(join(folder, 'assets/main-AbCdEf12.js.gz'), gzipSync(script))
  writeFileSync(join(folder, 'favicon.svg'), '<svg/>')
  writeFileSync(
    join(folder, 'index.html'),
    '<meta name="csp-nonce" content="__CSP_NONCE__"><script nonce="__CSP_NONCE__">',
  )
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest))
  return folder
}

async function anApp(t: TestContext): Promise<App> {
  const app = await makeServer({
    log: pino({ level: 'silent' }),
    clock: machineClock,
    trustProxy: [],
    rateLimits: false,
    isHttps: false,
    isLoopbackInstall: true,
  })
  t.after(() => app.close())
  return app
}

test('a hashed file is cached for ever and sent as it was compressed at the build', async (t) => {
  const app = await anApp(t)
  await serveBuiltFiles(app, aBuild(t), '/pay/')
  const answer = await app.inject({ url: '/pay/assets/main-AbCdEf12.js', headers: { 'accept-encoding': 'gzip' } })
  assert.equal(answer.statusCode, 200)
  assert.match(String(answer.headers['content-type']), /javascript/)
  assert.equal(answer.headers['cache-control'], 'public, max-age=31536000, immutable')
  assert.equal(answer.headers['content-encoding'], 'gzip')
  assert.equal(gunzipSync(answer.rawPayload).toString(), script)
  const plain = await app.inject('/pay/assets/main-AbCdEf12.js')
  assert.equal(plain.headers['content-encoding'], undefined)
  assert.equal(plain.body, script)
  assert.equal((await app.inject('/pay/favicon.svg')).headers['cache-control'], 'no-cache')
})

test('only files of the build are served: no page, no manifest, no compressed twin, nothing outside', async (t) => {
  const app = await anApp(t)
  await serveBuiltFiles(app, aBuild(t), '/pay/')
  for (const path of [
    '/pay/index.html',
    '/pay/manifest.json',
    '/pay/assets/main-AbCdEf12.js.gz',
    '/pay/assets/none-AbCdEf12.js',
    '/pay/../package.json',
    '/pay/%2e%2e/package.json',
    '/pay/assets/..%2findex.html',
    '/pay/assets/',
  ]) {
    assert.equal((await app.inject(path)).statusCode, 404, path)
  }
})

test('an app of one page is shown at every path below its prefix, each time with another nonce', async (t) => {
  const app = await anApp(t)
  await serveSinglePage(app, aBuild(t), '/console')
  const nonces = new Set<string>()
  for (const path of ['/console', '/console/', '/console/orders/ord_1?tab=raw']) {
    const answer = await app.inject(path)
    assert.equal(answer.statusCode, 200, path)
    assert.equal(answer.headers['content-type'], 'text/html; charset=utf-8')
    assert.equal(answer.headers['cache-control'], 'no-store')
    const nonce = /content="([\w-]{22})"/.exec(answer.body)?.[1] ?? ''
    assert.equal(answer.headers['content-security-policy'], pagePolicy({ nonce }))
    assert.ok(answer.body.includes(`nonce="${nonce}"`))
    nonces.add(nonce)
  }
  assert.equal(nonces.size, 3)
  assert.equal((await app.inject('/console/favicon.svg')).body, '<svg/>')
  for (const path of ['/console/assets/old-AbCdEf12.js', '/console/missing.png']) {
    const answer = await app.inject(path)
    assert.equal(answer.statusCode, 404, path)
    assert.equal(answer.json().error.code, 'not_found')
  }
})

test('a page that was not built says so, and the server runs', async (t) => {
  const app = await anApp(t)
  await serveSinglePage(app, '/nowhere/dist', '/console')
  assert.equal(readBuiltEntry('/nowhere/dist', 'src/main.tsx', ''), null)
  assert.equal((await app.inject('/console')).statusCode, 503)
})

test('a manifest names script, style and what is asked for at once', (t) => {
  const entry = readBuiltEntry(aBuild(t), 'src/main.tsx', '/x/')
  assert.equal(entry?.script, '/x/assets/main-AbCdEf12.js')
  assert.equal(entry?.style, '/x/assets/main-98765432.css')
  assert.deepEqual(entry?.preload('src/words/de.ts', 'src/words/none.ts'), [
    '/x/assets/shared-AbCdEf12.js',
    '/x/assets/de-AbCdEf12.js',
  ])
})

test('a page is compressed for who can read it, and never cached', async (t) => {
  const app = await anApp(t)
  app.get('/page', (request, reply) => sendPage(request, reply, { html: '<p>ü', policy: pagePolicy(), status: 422 }))
  for (const [accepts, isSmall] of [
    ['gzip, br', true],
    ['br;q=1, gzip;q=0.5', true],
    ['gzip;q=0', false],
    ['identity', false],
  ] as const) {
    const answer = await app.inject({ url: '/page', headers: { 'accept-encoding': accepts } })
    assert.equal(answer.statusCode, 422)
    assert.equal(answer.headers['content-encoding'], isSmall ? 'gzip' : undefined, accepts)
    const bytes = isSmall ? gunzipSync(answer.rawPayload) : answer.rawPayload
    assert.equal(bytes.toString(), '<p>ü')
    assert.equal(answer.headers['cache-control'], 'no-store')
    assert.match(String(answer.headers['content-security-policy']), /default-src 'none'; script-src 'self';/)
  }
})
