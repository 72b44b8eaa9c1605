// Promises: the receivers in examples/ pass every check of the doctor, with nothing left unseen, and their copies of shop.mjs are one.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { build } from 'esbuild'
import fc from 'fast-check'
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

interface Told {
  id: string
  event: string
  order: { order_no: string; version: number; status: string }
}

/** All that endpoints with every update are told of an order that is paid: an update has the version of the change beside it. */
const toldOf = (order_no: string): Told[] =>
  (
    [
      ['order.updated.payment_seen', 2, 'processing'],
      ['order.processing', 2, 'processing'],
      ['order.success', 3, 'success'],
      ['order.updated.refund_recorded', 4, 'success'],
    ] as const
  ).map(([event, version, status]) => ({ id: `${order_no} ${event}`, event, order: { order_no, version, status } }))

test('shop.mjs: events in any order, repeated → each order is shipped once, and none goes back', async (t) => {
  t.mock.method(console, 'log', () => undefined)
  const shop = join(folder, 'examples', 'receiver-node-http', 'shop.mjs')
  const { take, shipped }: { take(event: Told): string; shipped: Set<string> } = await import(shop)
  let made = 0
  const someEvents = fc.shuffledSubarray([0, 1, 2, 3, 0, 1, 2, 3], { minLength: 1 })
  fc.assert(
    fc.property(someEvents, (picks) => {
      const order_no = `ord_${++made}`
      const all = toldOf(order_no)
      let version = 0
      const seen = new Set<number>()
      for (const pick of picks) {
        const event = all[pick]
        assert.ok(event)
        const wanted = seen.has(pick) ? 'duplicate' : event.order.version < version ? 'outdated' : 'applied'
        assert.equal(take(event), wanted, `${event.event} after version ${version}`)
        seen.add(pick)
        version = Math.max(version, event.order.version)
        assert.equal(shipped.has(order_no), version >= 3, 'shipped as soon as its newest state is success')
      }
    }),
  )
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
    const { code, stdout } = await place.run(['verify', url], { FLORIN_WEBHOOK_SECRET: secret })
    assert.equal(code, 0, stdout)
    assert.match(stdout, /^22 checks with \d\d webhooks: 22 good\.$/m)
  })
}
