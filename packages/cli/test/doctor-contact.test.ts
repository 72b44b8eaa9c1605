// Promises: what keeps a webhook from arriving at all, or late, is told as what it is: redirects, slowness, connections, certificates.
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer as createTcpServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { slowTest, quickTest as test } from '../../../scripts/sizes.ts'
import { localServer } from '../../sdk/test/local-server.ts'
import { anAuthority } from '../../server/test/certificate.ts'
import { examine } from './examination.ts'
import { aReceiver } from './receivers.ts'

test('a redirect is a failure, is not followed, and its target is named', async (t) => {
  const url = await aReceiver(t, { always: { status: 308, headers: { location: '/webhooks/florin/' } } })
  const { found, about } = await examine(t, url)
  assert.deepEqual(found, { redirect: 'mend' })
  assert.match(about('redirect').did, /answered 308, to \/webhooks\/florin\/$/)
  assert.equal(about('genuine').verdict, 'skipped')
})

slowTest('a slow receiver is warned of, one that never answers fails after the time that Florin waits', async (t) => {
  // Of the time allowed three tenths are too slow: no busy machine is, sixteen answers at once or not.
  const slow = await examine(t, await aReceiver(t, { delayMs: 2_200, isSlowOnce: true }), ['--timeout', '6'])
  assert.deepEqual(slow.found, { pace: 'warn' })
  const serial = await examine(t, await aReceiver(t, { delayMs: 150, isSerial: true }), ['--timeout', '6'])
  assert.deepEqual(serial.found, { crowd: 'warn', pace: 'warn' })
  assert.match(serial.about('crowd').mend ?? '', /one after the other/)
  const hanging = await examine(t, await aReceiver(t, { hangs: true }), ['--timeout', '1'])
  assert.deepEqual(hanging.found, { genuine: 'mend', pace: 'mend' })
  assert.match(hanging.about('genuine').did, /did not answer within [\d.]+ s/)
})

test('a receiver that closes each connection is right, and told what it costs', async (t) => {
  const { found, about } = await examine(t, await aReceiver(t, { closes: true }))
  assert.deepEqual(found, {})
  assert.match(about('reuse').did, /closes the connection after each answer/)
  const kept = await examine(t, await aReceiver(t))
  assert.match(kept.about('reuse').did, /three on one connection/)
})

test('nothing there, and something that is no HTTP', async (t) => {
  const gone = await localServer(t, () => {})
  const port = Number(new URL(gone.baseUrl).port)
  const refused = await examine(t, 'http://127.0.0.1:1025/hook')
  assert.deepEqual(refused.found, { connection: 'mend' })
  assert.match(refused.about('connection').did, /ECONNREFUSED/)

  const chatter = createTcpServer((socket) => socket.end('220 mail.example ESMTP\r\n'))
  await new Promise<void>((resolve) => chatter.listen(0, '127.0.0.1', resolve))
  t.after(() => chatter.close())
  const { port: chatterPort } = chatter.address() as { port: number }
  const noHttp = await examine(t, `http://127.0.0.1:${chatterPort}/hook`)
  assert.match(noHttp.about('connection').mend ?? '', /does not speak HTTP/)

  const noTls = await examine(t, `https://127.0.0.1:${port}/hook`)
  assert.match(noTls.about('connection').mend ?? '', /does not speak TLS/)
})

test('an address that Florin would refuse is told before anything is sent to it', async (t) => {
  const url = new URL(await aReceiver(t))
  url.username = 'shop'
  url.hash = 'top'
  const { found, about } = await examine(t, url.href)
  assert.equal(found.address, 'mend')
  assert.match(about('address').did, /credentials in it, and it has a fragment/)
})

test('over https a certificate of an authority is wanted, and with one every check passes', async (t) => {
  const authority = anAuthority()
  const url = await aReceiver(t, {}, authority.issue(['127.0.0.1']))
  const unknown = await examine(t, url)
  assert.deepEqual(unknown.found, { connection: 'mend' })
  assert.match(unknown.about('connection').mend ?? '', /certificate of a public authority/)
  const roots = join(await mkdtemp(join(tmpdir(), 'florin-cli-')), 'root.pem')
  t.after(() => rm(dirname(roots), { recursive: true }))
  await writeFile(roots, authority.cert)
  const known = await examine(t, url, [], { NODE_EXTRA_CA_CERTS: roots })
  assert.deepEqual([known.found, known.counts.skipped], [{}, 0])
  assert.match(known.about('reuse').did, /three on one connection/)

  const otherName = await aReceiver(t, {}, authority.issue(['shop.example']))
  const wrong = await examine(t, otherName, [], { NODE_EXTRA_CA_CERTS: roots })
  assert.match(wrong.about('connection').did, /ERR_TLS_CERT_ALTNAME_INVALID/)
})
