// Promises: an event of the service reaches a receiver on this machine as a real webhook would; restarts of either lose none;
// Ctrl-C ends it in order; the secret is kept to the user.
import assert from 'node:assert/strict'
import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { verifyWebhook } from '../../sdk/src/index.ts'
import { localServer } from '../../sdk/test/local-server.ts'
import { aPlace, secret } from './program.ts'
import { aService } from './service.ts'

test('an event arrives with the bytes, headers and signature of a real webhook', async (t) => {
  const service = await aService(t)
  const receiver = await localServer(t, (_, response) => response.writeHead(200).end('ok'))
  const place = await aPlace(t, service.baseUrl)
  const own = (await place.run(['listen', '--print-secret'])).stdout
  assert.match(own, /^whsec_[0-9A-Za-z]{32}$/)
  const listening = place.start(['listen', '--forward-to', `${receiver.baseUrl}/hook?shop=1`])
  await listening.line(/^Connected/)
  const sent = service.emit('order.success', { external_id: 'Crème 🧁', order_no: 'ord_1' })
  const line = await listening.line(/order\.success/)
  assert.match(line, /^\d\d:\d\d:\d\d {2}order\.success {5}ord_1 +200 +\d+ ms$/)

  const [got] = receiver.received
  assert.ok(got)
  assert.equal(`${got.method} ${got.path}?${got.query}`, 'POST /hook?shop=1')
  assert.equal(got.headers['content-type'], 'application/json')
  assert.equal(got.headers['user-agent'], 'Florin-Webhooks/1')
  assert.equal(got.headers['x-service-event'], 'order.success')
  assert.equal(got.headers['x-service-attempt'], '1')
  assert.match(String(got.headers['x-service-delivery']), /^dlv_[0-9a-z]{26}$/)
  assert.match(String(got.headers['x-service-signature']), /^t=\d{10},v1=[0-9a-f]{64}$/)
  assert.deepEqual(verifyWebhook({ rawBody: got.body, headers: got.headers, secret: own }), sent)

  listening.child.kill('SIGINT')
  const { code, stderr } = await listening.ended
  assert.equal(code, 0)
  assert.match(stderr, /1 event\. To go on from here: --from c1$/)
})

test('nothing is lost when the service restarts, and --from goes on where an earlier run stopped', async (t) => {
  const service = await aService(t)
  const receiver = await localServer(t, (_, response) => response.writeHead(204).end())
  const place = await aPlace(t, service.baseUrl)
  const args = ['listen', '--forward-to', receiver.baseUrl]
  const first = place.start(args)
  await first.line(/^Connected/)
  service.emit('order.processing', { order_no: 'ord_1' })
  await first.line(/ord_1 /)
  await service.stop()
  await first.line(/connection to Florin is gone/)
  service.emit('order.success', { order_no: 'ord_2' })
  await service.start()
  await first.line(/ord_2 /)
  await first.line(/^Connected again\.$/)
  first.child.kill('SIGTERM')
  assert.equal((await first.ended).code, 0)

  service.emit('order.failed', { order_no: 'ord_3' })
  const second = place.start([...args, '--from', 'c2'])
  await second.line(/ord_3 /)
  second.child.kill('SIGINT')
  await second.ended
  const orders = receiver.received.map(({ body }) => JSON.parse(body).order.order_no)
  assert.deepEqual(orders, ['ord_1', 'ord_2', 'ord_3'])
})

test('it says so when it cannot know what happened while the connection was gone', async (t) => {
  const service = await aService(t)
  const listening = (await aPlace(t, service.baseUrl)).start(['listen'])
  await listening.line(/^Connected\./)
  service.cut()
  await listening.line(/^Connected again\. What happened meanwhile is not shown\.$/)
})

test('an event whose receiver has not answered is not behind the cursor', async (t) => {
  const service = await aService(t)
  const hanging = await localServer(t, (_, response, n) => {
    if (n === 1) response.writeHead(200).end()
  })
  const place = await aPlace(t, service.baseUrl)
  const listening = place.start(['listen', '--forward-to', hanging.baseUrl])
  await listening.line(/^Connected/)
  service.emit('order.processing', { order_no: 'ord_1' })
  await listening.line(/ord_1 /)
  service.emit('order.success', { order_no: 'ord_2' })
  for (const endsAt = Date.now() + 120_000; hanging.received.length < 2 && Date.now() < endsAt; ) {
    await new Promise(setImmediate)
  }
  listening.child.kill('SIGINT')
  const { code, stderr } = await listening.ended
  assert.equal(code, 0)
  assert.match(stderr, /1 event\. To go on from here: --from c1$/)
})

test('what a receiver refuses is told with its words, once with the way to give it the secret', async (t) => {
  const service = await aService(t)
  const receiver = await localServer(t, (_, response, n) => {
    if (n < 3) response.writeHead(400).end('bad\u001b[2J signature')
    else if (n === 3) response.writeHead(301, { location: 'http://localhost:1/elsewhere' }).end()
    else response.destroy()
  })
  const place = await aPlace(t, service.baseUrl)
  const listening = place.start(['listen', '--forward-to', receiver.baseUrl])
  await listening.line(/^Connected/)
  for (const n of [1, 2, 3, 4]) service.emit('order.success', { order_no: `ord_${n}` })
  assert.match(await listening.line(/ord_1 /), / 400 +\d+ ms$/)
  assert.match(await listening.line(/ord_3 /), / 301 +\d+ ms$/)
  assert.match(await listening.line(/ord_4 /), / ECONNRESET +\d+ ms$/)
  listening.child.kill('SIGINT')
  const { stderr } = await listening.ended
  assert.equal(stderr.match(/listen --print-secret/g)?.length, 2, 'at the start, and at the first refusal')
  assert.match(stderr, /bad.\[2J signature/)
  assert.ok(!stderr.includes('\u001b'), 'the words of a receiver cannot move the cursor')
  assert.match(stderr, /redirect to http:\/\/localhost:1\/elsewhere, and redirects are not followed/)
  assert.match(stderr, /4 events, 4 not accepted\./)
  // The fifth is the one silent try on a new connection, because a kept one may have been closed for being idle.
  assert.equal(receiver.received.length, 5, 'a redirect is not followed and a refusal is not repeated')
})

test('--events chooses, --json prints lines for programs, --secret signs', async (t) => {
  const service = await aService(t)
  const receiver = await localServer(t, (_, response) => response.writeHead(200).end())
  const place = await aPlace(t, service.baseUrl)
  const args = [
    'listen',
    '--forward-to',
    receiver.baseUrl,
    '--events',
    'success,order.refunded',
    '--secret',
    secret,
    '--json',
  ]
  const listening = place.start(args)
  await listening.line(/^Connected/)
  service.emit('order.processing')
  const wanted = service.emit('order.refunded', { order_no: 'ord_7' })
  await listening.line(/^\{/)
  listening.child.kill('SIGINT')
  const { stdout } = await listening.ended
  const [event, summary] = stdout.split('\n').map((line) => JSON.parse(line))
  assert.deepEqual(
    { ...event, at: '', latency_ms: 0 },
    { at: '', id: wanted.id, event: 'order.refunded', order_no: 'ord_7', http_status: 200, latency_ms: 0, error: null },
  )
  assert.deepEqual(summary, { events: 1, refused: 0, cursor: 'c2' })
  const [got] = receiver.received
  assert.ok(got)
  verifyWebhook({ rawBody: got.body, headers: got.headers, secret })
})

test('without a receiver the events are shown', async (t) => {
  const service = await aService(t)
  const listening = (await aPlace(t, service.baseUrl)).start(['listen'])
  await listening.line(/^Connected/)
  service.emit('order.expired', { order_no: 'ord_1' })
  assert.match(await listening.line(/order\.expired/), /^\d\d:\d\d:\d\d {2}order\.expired {5}ord_1$/)
})

test('the secret is made once, for this user alone, and a lost mode is mended', async (t) => {
  const place = await aPlace(t)
  const [one, two] = await Promise.all([
    place.start(['listen', '--print-secret']).ended,
    place.start(['listen', '--print-secret']).ended,
  ])
  assert.equal(one.stdout, two.stdout)
  const path = join(place.home, '.config', 'florin', 'listen.secret')
  assert.equal((await stat(path)).mode & 0o777, 0o600)
  assert.equal((await stat(join(path, '..'))).mode & 0o777, 0o700)
  await chmod(path, 0o644)
  assert.equal((await place.run(['listen', '--print-secret'])).stdout, one.stdout)
  assert.equal((await stat(path)).mode & 0o777, 0o600)
  assert.equal((await readFile(path, 'utf8')).trim(), one.stdout)

  const elsewhere = join(place.home, 'settings')
  await mkdir(join(elsewhere, 'florin'), { recursive: true })
  await writeFile(join(elsewhere, 'florin', 'listen.secret'), 'rubbish')
  const spoiled = await place.run(['listen', '--print-secret'], { XDG_CONFIG_HOME: elsewhere })
  assert.equal(spoiled.code, 1)
  assert.match(spoiled.stderr, /does not hold a webhook secret/)
})

test('it warns when the receiver of this shell holds another secret, and does not when it holds this one', async (t) => {
  const service = await aService(t)
  const place = await aPlace(t, service.baseUrl)
  const own = (await place.run(['listen', '--print-secret'])).stdout
  for (const [held, warned] of [
    [secret, true],
    [own, false],
  ] as const) {
    const listening = place.start(['listen', '--forward-to', '4000/hook'], { FLORIN_WEBHOOK_SECRET: held })
    await listening.line(/^Connected/)
    listening.child.kill('SIGINT')
    const { stderr } = await listening.ended
    assert.match(stderr, /forwarding to http:\/\/localhost:4000\/hook/)
    assert.equal(/is not the secret that these webhooks are signed with/.test(stderr), warned)
    assert.ok(!stderr.includes(held))
  }
})

test('a revoked key and a service that is not there end it with a sentence', async (t) => {
  const service = await aService(t)
  const place = await aPlace(t, service.baseUrl)
  const revoked = await place.run(['listen'], { FLORIN_API_KEY: `florin_test_${'x'.repeat(38)}` })
  assert.equal(revoked.code, 1)
  assert.match(revoked.stderr, /florin: No valid API key was given.*make one in the console/)
  await service.stop()
  const gone = await place.run(['listen', '--forward-to', '4000'])
  assert.equal(gone.code, 1)
  assert.match(gone.stderr, /florin: The connection to .* failed: .*Is Florin running there\?/)
})
