// Promises: the receivers in examples/ pass every check of the doctor, with nothing left unseen, and their copies of shop.mjs are one.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { build } from 'esbuild'
import { aPlace, Running, repositoryRoot, secret } from './program.ts'

let folder = ''

/** The examples beside the library, as they lie at a merchant's. */
before(async () => {
  folder = await mkdtemp(join(await realpath(tmpdir()), 'florin-examples-'))
  await cp(join(repositoryRoot, 'examples'), join(folder, 'examples'), { recursive: true })
  const library = join(folder, 'node_modules', '@florin', 'sdk')
  await mkdir(library, { recursive: true })
  await writeFile(join(library, 'package.json'), '{ "name": "@florin/sdk", "type": "module", "exports": "./index.js" }')
  await build({
    entryPoints: [join(repositoryRoot, 'packages', 'sdk', 'src', 'index.ts')],
    outfile: join(library, 'index.js'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'warning',
  })
  await symlink(join(repositoryRoot, 'node_modules', 'fastify'), join(folder, 'node_modules', 'fastify'))
})
after(() => rm(folder, { recursive: true }))

test('each receiver has the same shop.mjs, since each is copied alone', async () => {
  const receivers = (await readdir(join(repositoryRoot, 'examples'))).filter((name) => name.startsWith('receiver-'))
  assert.ok(receivers.length >= 5)
  const read = (name: string) => readFile(join(repositoryRoot, 'examples', name, 'shop.mjs'), 'utf8')
  const first = await read('receiver-node-http')
  for (const name of receivers)
    assert.equal(await read(name), first, `${name}/shop.mjs: copy it from receiver-node-http`)
})

for (const name of ['receiver-node-http', 'receiver-fastify']) {
  test(`${name} passes every check`, async (t) => {
    const place = await aPlace(t)
    const child = spawn(process.execPath, [join(folder, 'examples', name, 'server.mjs')], {
      env: { PATH: process.env.PATH, PORT: '0', FLORIN_WEBHOOK_SECRET: secret },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    t.after(() => child.kill())
    const line = await new Running(child).line(/^listening on port/)
    const url = `localhost:${line.split(' ').at(-1)}/webhooks/florin`
    const { code, stdout } = await place.run(['doctor', 'webhook', url], { FLORIN_WEBHOOK_SECRET: secret })
    assert.equal(code, 0, stdout)
    assert.match(stdout, /^22 checks with \d\d webhooks: 22 good\.$/m)
  })
}
