// Promises: what `npm pack` makes of the library and the command line is whole, the service hands it out, and a merchant
// installs it from there into an empty folder without any registry.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { machineClock } from '@florin/platform/clock'
import { makeServer } from '@florin/platform/http/server'
import { pino } from 'pino'
import { packageRoutes } from './packages.ts'

const root = join(import.meta.dirname, '../../..')
const run = async (file: string, args: string[], cwd: string): Promise<string> =>
  (await promisify(execFile)(file, args, { cwd })).stdout

interface Listed {
  name: string
  version: string
  file: string
  bytes: number
}

test('packed by npm, handed out below /docs/packages, installed from there, used by import, by require and by name', async (t) => {
  const base = await mkdtemp(join(await realpath(tmpdir()), 'florin-packed-'))
  t.after(() => rm(base, { recursive: true }))
  const packed = join(base, 'packed')
  await run(process.execPath, [join(root, 'scripts/pack.mjs'), packed], root)
  const { packages } = JSON.parse(await readFile(join(packed, 'index.json'), 'utf8')) as { packages: Listed[] }
  assert.deepEqual(
    packages.map(({ name }) => name),
    ['@florin/sdk', '@florin/cli'],
  )

  const app = await makeServer({
    ...{ log: pino({ level: 'silent' }), clock: machineClock, trustProxy: [] },
    ...{ rateLimits: false, isHttps: false, isLoopbackInstall: true },
  })
  t.after(() => app.close())
  await packageRoutes(app, packed)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/docs/packages`

  for (const { name, file, bytes } of packages) {
    const answer = await fetch(`${url}/${file}`)
    assert.equal((await answer.arrayBuffer()).byteLength, bytes)
    assert.equal(answer.headers.get('cache-control'), 'no-cache')
    assert.ok(answer.headers.get('etag'))
    const latest = await fetch(`${url}/${name.replace('@', '').replace('/', '-')}.tgz`, { redirect: 'manual' })
    assert.equal(latest.headers.get('location'), `/docs/packages/${file}`)
    assert.ok(bytes < 200_000, `${name} has ${bytes} bytes`)
    t.diagnostic(`${file}: ${(bytes / 1000).toFixed(0)} kB`)
  }

  const shop = join(base, 'shop')
  await mkdir(shop)
  await writeFile(join(shop, 'package.json'), '{ "name": "shop", "private": true }')
  const [sdk, cli] = packages
  const from = [`${url}/florin-sdk.tgz`, `${url}/${cli?.file}`]
  // The registry is one that nobody answers at: nothing may be looked for there.
  const options = ['--cache', join(base, 'cache'), '--registry', 'http://127.0.0.1:9', '--no-audit', '--no-fund']
  await run('npm', ['install', ...from, ...options], shop)
  const use = `const { rawBody, headers } = signTestWebhook({ secret: 'whsec_${'s'.repeat(32)}' })
    console.log(verifyWebhook({ rawBody, headers, secret: 'whsec_${'s'.repeat(32)}' }).event)`
  await writeFile(join(shop, 'use.mjs'), `import { signTestWebhook, verifyWebhook } from '@florin/sdk'\n${use}`)
  await writeFile(join(shop, 'use.cjs'), `const { signTestWebhook, verifyWebhook } = require('@florin/sdk')\n${use}`)
  for (const file of ['use.mjs', 'use.cjs'])
    assert.equal((await run(process.execPath, [file], shop)).trim(), 'order.success')
  assert.ok((await readFile(join(shop, 'node_modules/@florin/sdk/dist/index.d.ts'), 'utf8')).includes('verifyWebhook'))

  // An example alone: its manifest names a Florin on this machine, here the one of this test.
  const example = join(base, 'example')
  await cp(join(root, 'examples/receiver-node-http'), example, { recursive: true })
  const manifest = await readFile(join(example, 'package.json'), 'utf8')
  await writeFile(join(example, 'package.json'), manifest.replace('http://localhost:3000/docs/packages', url))
  await run('npm', ['install', ...options], example)
  const asked = `process.env.PORT = '0'; import('./server.mjs').then(() => import('@florin/sdk')).then(({ Florin }) => process.exit(Florin ? 0 : 1))`
  await run(process.execPath, ['-e', asked], example)

  const florin = await run(join(shop, 'node_modules/.bin/florin'), ['--version'], shop)
  assert.equal(florin.trim(), `florin ${cli?.version}`)
  assert.equal(
    JSON.parse(await readFile(join(shop, 'node_modules/@florin/sdk/package.json'), 'utf8')).version,
    sdk?.version,
  )
})
