// Promises: the commands do against the real service, with its worker and its database, what they do against the stand-in.
import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import type { Delivery, Order, Scope } from '@florin/protocol'
import { slowTest, quickTest as test } from '../../../scripts/sizes.ts'
import { databaseClock } from '../../platform/src/clock.ts'
import type { Sql } from '../../platform/src/db/pool.ts'
import { startJobs } from '../../platform/src/worker/loop.ts'
import { verifyWebhook } from '../../sdk/src/index.ts'
import { localServer } from '../../sdk/test/local-server.ts'
import { buildApp } from '../../server/src/app.ts'
import { listJobs } from '../../server/src/jobs.ts'
import { aMerchant, anApiKey } from '../../server/test/factories.ts'
import { testDeps } from '../../server/test/harness.ts'
import { aPlace, type Place } from './program.ts'

interface Shop extends Place {
  webhookSecret: string
  sql: Sql
  /** Stops the service and starts it again on the same port. */
  restart(): Promise<void>
}

/** A merchant with a test key and a receiving address, on a service that listens, works, and lives in real time. */
async function aShop(t: TestContext, more: { scopes?: Scope[] } = {}): Promise<Shop> {
  // Waits of a few milliseconds, so that five attempts take a second and not three hours.
  const made = await testDeps(t, { webhookRetryWaitsMs: [5, 5, 5, 5] })
  const deps = { ...made.deps, clock: await databaseClock(made.deps.sql) }
  const merchant = await aMerchant(deps)
  const { apiKey, webhookSecret } = await anApiKey(deps, merchant, more)
  let app = await buildApp(deps)
  const chosen = await app.inject({
    method: 'PUT',
    url: '/api/v1/boss/addresses',
    headers: merchant.headers,
    payload: { chain: 'base', address: '0x52908400098527886E0F7030069857D2E4169EE7' },
  })
  assert.equal(chosen.statusCode, 200, chosen.body)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const jobs = startJobs(listJobs(deps), deps)
  t.after(async () => {
    await jobs.stop()
    await app.close()
  })
  const place = await aPlace(t, `http://127.0.0.1:${port}`)
  const start: Place['start'] = (args, environment) => place.start(args, { FLORIN_API_KEY: apiKey, ...environment })
  return {
    ...place,
    ...{ webhookSecret, sql: deps.sql },
    start,
    run: (args, environment) => place.run(args, { FLORIN_API_KEY: apiKey, ...environment }),
    async restart() {
      await app.close()
      app = await buildApp(deps)
      await app.listen({ port, host: '127.0.0.1' })
    },
  }
}

test('an order is made, listed, shown with its timeline and canceled', async (t) => {
  const shop = await aShop(t)
  const made = await shop.run(['orders', 'create', '--amount', '12.50', '--external-id', 'A-1', '--json'])
  assert.equal(made.code, 0, made.stderr)
  const { order_no: orderNo }: Order = JSON.parse(made.stdout)
  const listed = await shop.run(['orders', 'list', '--from', '1h', '--external-id', 'A-1', '--status', 'pending'])
  assert.match(listed.stdout, new RegExp(`${orderNo} +pending +awaiting_payment +\\$12\\.5 +A-1$`))
  const canceled = await shop.run(['orders', 'cancel', orderNo])
  assert.equal(canceled.code, 0, canceled.stderr)
  const shown = await shop.run(['orders', 'get', orderNo])
  assert.match(shown.stdout, /^status +expired, canceled \(version 2\)$/m)
  assert.match(shown.stdout, /timeline\n(.*\n)* {2}\S+ +v2 +expired +canceled +order\.expired$/)
  assert.match((await shop.run(['third-party'])).stderr, /No rail of a third party runs here/)
  await shop.sql`
    insert into third_party_chains (merchant_id, chain, livemode, is_on, takes_unproven, updated_at)
    select id, 'base', false, false, true, '2026-01-31T10:00:00Z' from merchants`
  assert.match((await shop.run(['third-party'])).stdout, /^base +off +since 2026-01-31T10:00:00\.000Z$/m)
})

slowTest('links, invoices, endpoints and refunds from an own wallet are made, shown and taken back', async (t) => {
  const shop = await aShop(t, {
    scopes: ['orders:read', 'orders:write', 'webhooks:read', 'webhooks:write', 'refunds:write'],
  })
  const does = async (...args: string[]) => {
    const ran = await shop.run(args)
    assert.equal(ran.code, 0, `${args.join(' ')}: ${ran.stderr}`)
    return ran.stdout
  }
  const link = JSON.parse(await does('links', 'create', '--title', 'Workshop', '--amount', '12', '--json'))
  assert.match(await does('links', 'get', link.id), /title +Workshop/)

  const lines = ['--line', 'Work = 7.5 x 80', '--line', 'A = B = 20', '--tax', 'VAT = 19%', '--due', '2999-12-31']
  const key = ['--idempotency-key', 'november']
  const invoice = JSON.parse(await does('invoices', 'create', ...lines, '--to', 'ann@client.example', ...key, '--json'))
  assert.equal(invoice.total, '737.80')
  assert.equal(
    JSON.parse(await does('invoices', 'create', ...lines, '--to', 'ann@client.example', ...key, '--json')).id,
    invoice.id,
  )
  const slip = await shop.run(['invoices', 'create', '--line', 'Work = much', '--due', '2999-12-31'])
  assert.deepEqual([slip.code, /--line takes "Consulting/.test(slip.stderr)], [2, true])

  const receiver = await localServer(t, (_, response) => response.writeHead(204).end())
  const made = await does('endpoints', 'create', `${receiver.baseUrl}/hook`, '--event', 'order.success')
  const [id = ''] = /whe_\w+/.exec(made) ?? []
  assert.match(made, /secret +whsec_/)
  assert.doesNotMatch(await does('endpoints', 'get', id), /whsec_/)
  assert.match(await does('endpoints', 'test', id), /./)
  assert.match(await does('endpoints', 'rotate', id, '--overlap', '60'), /secret +whsec_/)
  assert.match(await does('endpoints', 'change', id, '--disable'), /status +disabled by merchant/)
  assert.match(await does('endpoints', 'list'), new RegExp(id))
  await does('endpoints', 'delete', id, '--yes')
  assert.equal((await shop.run(['endpoints', 'get', id])).code, 1)

  const ran = JSON.parse(await does('trigger', 'success', '--amount', '20', '--json'))
  const orderNo: string = ran.order.order_no
  const address = '0x8617E340B3D01FA5F11F306F4090FD50E238070D'
  await shop.sql`update pay_legs set refund_address = ${address} where order_no = ${orderNo}`
  const asked = await does('refunds', 'ask', orderNo, '--amount', '12.5')
  assert.match(asked, new RegExp(`amount +12\\.5 USDC on base\\n +to +${address}\\n +pay it with`))
  const [refund = ''] = /mrf_\w+/.exec(asked) ?? []
  assert.match(await does('refunds', 'paid', orderNo, refund, `0x${'5e'.repeat(32)}`), /transaction +0x5e/)
  const second = /mrf_\w+/.exec(await does('refunds', 'ask', orderNo))?.[0] ?? ''
  assert.match(await does('refunds', 'cancel', orderNo, second), /status +canceled/)
  assert.match(await does('refunds', 'list', orderNo), new RegExp(`${refund}[^]*${second} +canceled`))
})

slowTest('trigger leads a test order to each event, or says in the words of the service why it cannot', async (t) => {
  const shop = await aShop(t)
  for (const event of ['processing', 'success', 'failed', 'refunded', 'expired']) {
    const ran = await shop.run(['trigger', event, '--amount', '20', '--json'])
    assert.equal(ran.code, 0, ran.stderr)
    const { order } = JSON.parse(ran.stdout) as { order: Order }
    assert.deepEqual([order.status, order.amount_usd, order.livemode], [event, 20, false])
    if (event !== 'expired') continue
    const late = await shop.run(['trigger', 'success', '--order', order.order_no])
    // The payer was never shown an address, so nothing can have been paid late.
    assert.equal(late.code, 1)
    assert.match(
      late.stderr,
      /"pay_late" does not apply: the payer was never shown an address\. \(simulation_not_applicable/,
    )
  }
})

test('what listen forwards is byte for byte the webhook that the service sends, also after a restart', async (t) => {
  const shop = await aShop(t)
  const direct = await localServer(t, (_, response) => response.writeHead(200).end('ok'))
  const local = await localServer(t, (_, response) => response.writeHead(200).end('ok'))
  const secret = (await shop.run(['listen', '--print-secret'])).stdout
  const listening = shop.start(['listen', '--forward-to', `${local.baseUrl}/hook`])
  await listening.line(/^Connected\./)
  const trigger = ['trigger', 'success', '--url', `${direct.baseUrl}/hook`]
  const first = await shop.run(trigger)
  assert.equal(first.code, 0, first.stderr)
  assert.match(first.stdout, /^webhook {3}order\.success {5}succeeded, 200 in \d+ ms {2}dlv_/m)
  await listening.lines(/ord_\w+ +200/, 2)
  await shop.restart()
  await listening.line(/^Connected again/)
  assert.equal((await shop.run(trigger)).code, 0)
  await listening.lines(/ord_\w+ +200/, 4)
  listening.child.kill('SIGINT')
  assert.equal((await listening.ended).code, 0)

  assert.equal(direct.received.length, 4)
  const byBody = new Map(direct.received.map((request) => [request.body, request]))
  for (const { body, headers } of local.received) {
    const sent = byBody.get(body)
    assert.ok(sent, 'the body is one that the service sent')
    assert.deepEqual(Object.keys(headers).sort(), Object.keys(sent.headers).sort())
    const same = [
      'content-type',
      'user-agent',
      'accept-encoding',
      'x-service-event',
      'x-service-attempt',
      'content-length',
    ]
    for (const name of same) assert.equal(headers[name], sent.headers[name])
    verifyWebhook({ rawBody: body, headers, secret })
    verifyWebhook({ rawBody: sent.body, headers: sent.headers, secret: shop.webhookSecret })
  }
})

slowTest('what died while a receiver was down is sent again once, by hand or as a range', async (t) => {
  const shop = await aShop(t)
  let isDown = true
  const receiver = await localServer(t, (_, response) =>
    response.writeHead(isDown ? 503 : 200).end(isDown ? 'down' : 'ok'),
  )
  const list = async (...args: string[]): Promise<Delivery[]> =>
    JSON.parse((await shop.run(['deliveries', 'list', '--json', ...args])).stdout).data
  const ended = async (status: string, count: number) => {
    for (const endsAt = Date.now() + 120_000; Date.now() < endsAt; ) {
      const found = await list('--status', status)
      if (found.length >= count) return found
    }
    throw new Error(`there are not ${count} deliveries that are ${status}`)
  }
  const ran = await shop.run(['trigger', 'success', '--url', `${receiver.baseUrl}/hook`])
  assert.match(ran.stdout, /^webhook {3}order\.success .*http_503/m)
  const dead = await ended('dead', 2)
  const [one, other] = dead
  assert.ok(one && other)
  assert.deepEqual(
    one.attempts.map(({ n, error }) => [n, error]),
    [1, 2, 3, 4, 5].map((n) => [n, 'http_503']),
  )
  const shown = await shop.run(['deliveries', 'get', one.id])
  assert.match(shown.stdout, /^ {2}5 {2}\S+ {2}503 {2}\d+ ms +down$/m)

  isDown = false
  const byHand = await shop.run(['deliveries', 'resend', one.id])
  assert.equal(byHand.code, 0, byHand.stderr)
  await ended('succeeded', 1)
  const range = ['deliveries', 'replay', '--from', '1h', '--yes']
  const replayed = await shop.run(range)
  assert.equal(replayed.code, 0, replayed.stderr)
  assert.equal(replayed.stderr, '1 delivery on the way again.')
  const succeeded = await ended('succeeded', 2)
  assert.deepEqual(new Set(succeeded.map(({ resent_from }) => resent_from)), new Set([one.id, other.id]))
  assert.equal((await shop.run(range)).stderr, 'Nothing to send again.')
})
