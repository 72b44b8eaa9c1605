// Promises: one trace leads from the request that made an order to the webhook that its receiver takes, through whatever
// process; the log tells the story of an order with its request and trace; neither says anything secret.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { buildApp } from '../../../server/src/app.ts'
import { readConfig } from '../../../server/src/config.ts'
import { webhookJobs } from '../../../server/src/webhooks/jobs.ts'
import { capturedLog } from '../../../server/test/captured-log.ts'
import { deliveryStates, eventually } from '../../../server/test/deliveries.ts'
import { aMerchant, anApiKey, aReceivingAddress } from '../../../server/test/factories.ts'
import { testDeps } from '../../../server/test/harness.ts'
import { settleDue } from '../../../server/test/orders.ts'
import { receiver } from '../../../server/test/receiver.ts'
import { otlpTracer } from './otlp.ts'
import { parseTraceparent } from './scope.ts'
import { readOtlp } from './setting.ts'
import { useTracer } from './tracing.ts'

interface OtlpSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[]
}

/** A collector that takes spans as JSON over HTTP, as OTLP has it. */
async function collector(t: TestContext) {
  const spans: OtlpSpan[] = []
  const asked: { url: string | undefined; authorization: string | undefined }[] = []
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request.setEncoding('utf8')) text += String(chunk)
    asked.push({ url: request.url, authorization: request.headers.authorization })
    const body = JSON.parse(text) as { resourceSpans: { scopeSpans: { spans: OtlpSpan[] }[] }[] }
    spans.push(...body.resourceSpans.flatMap((one) => one.scopeSpans.flatMap((scope) => scope.spans)))
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  return { spans, asked, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

test('one trace from the request that makes an order to its webhook, and a log that tells the same story', async (t) => {
  const to = await collector(t)
  const settings = readOtlp({ url: to.origin, headers: ['authorization=Bearer of-the-collector'], service: null }, [])
  assert.ok(settings)
  const end = useTracer(await otlpTracer({ ...settings, version: '1', instance: 'here' }))
  const { deps: quiet, clock } = await testDeps(t, { webhookAllowPrivate: true, accessLog: true })
  const captured = capturedLog()
  const deps = { ...quiet, log: captured.log }
  const app = await buildApp(deps)
  t.after(() => app.close())
  const merchant = await aMerchant(deps)
  const key = await anApiKey(deps, merchant)
  await aReceivingAddress(deps, merchant)
  const shop = await receiver(t)
  const trace = 'ab'.repeat(16)
  const traceparent = `00-${trace}-${'12'.repeat(8)}-01`
  const made = await app.inject({
    ...{ method: 'POST', url: '/v1/orders', headers: { ...key.headers, traceparent } },
    payload: { amount_usd: 5, pay_chain: 'base', webhook_url: shop.url, payer_email: 'payer@mail.example' },
  })
  assert.equal(made.statusCode, 201, made.body)
  const { order_no: no, checkout_url: page } = made.json()
  for (const action of ['pay', 'confirm', 'settle']) {
    const url = `/v1/test/orders/${no}/simulate`
    const done = await app.inject({ method: 'POST', url, headers: key.headers, payload: { action } })
    assert.equal(done.statusCode, 200, done.body)
  }
  while ((await settleDue(deps)) > 0);
  clock.advance(1_000)
  const [worker] = webhookJobs(deps)
  assert.ok(worker)
  const signal = new AbortController().signal
  await eventually(
    async () => {
      await worker.run(signal)
      return deliveryStates(deps.sql)
    },
    (rows) => rows.length > 0 && rows.every((row) => row.status === 'succeeded'),
  )
  await worker.end?.()
  await end()

  assert.ok(
    to.asked.every(({ url, authorization }) => url === '/v1/traces' && authorization === 'Bearer of-the-collector'),
  )
  const ours = to.spans.filter((span) => span.traceId === trace)
  const [first] = ours.filter((span) => span.name === 'POST /v1/orders')
  assert.equal(first?.parentSpanId, '12'.repeat(8))
  const sent = ours.filter((span) => span.name === 'webhook')
  assert.ok(ours.some(({ name }) => name === 'advance order' || name === 'apply facts'))
  assert.equal(sent.length, shop.requests.length)
  assert.ok(sent.length > 0)
  for (const span of sent) assert.equal(span.parentSpanId, first?.spanId)
  assert.deepEqual(
    shop.requests.map(({ headers }) => parseTraceparent(headers.traceparent)?.slice(36, 52)).sort(),
    sent.map(({ spanId }) => spanId).sort(),
    'the receiver can go on with it',
  )

  const lines = captured
    .text()
    .trim()
    .split('\n')
    .map((line): Record<string, unknown> => JSON.parse(line))
  const story = lines.filter((line) => line.order === no)
  for (const msg of ['order made', 'order success', 'payment confirmed', 'settlement final', 'delivery succeeded'])
    assert.ok(
      story.some((line) => line.msg === msg),
      `"${msg}" is missing of ${story.map((line) => line.msg).join(', ')}`,
    )
  for (const line of story) {
    assert.equal(line.merchant, merchant.id)
    assert.match(String(line.instance), /:\d+$/)
    assert.equal(line.trace_id, trace, String(line.msg))
  }
  const access = lines.find((line) => line.msg === 'answered' && line.status === 201)
  assert.equal(access?.request_id, story.find((line) => line.msg === 'order made')?.request_id)
  assert.deepEqual(access?.req, { method: 'POST', route: '/v1/orders' })
  assert.deepEqual([access?.key, access?.merchant], [key.id, merchant.id])
  const told = captured.text() + JSON.stringify(to.spans)
  const secrets = [
    key.apiKey,
    key.webhookSecret,
    String(page).split('/').at(-1) ?? '',
    'payer@mail.example',
    'of-the-collector',
  ]
  for (const secret of secrets) assert.ok(!told.includes(secret), `${secret} is told`)
})

test('a traceparent is one or nothing, and the settings of traces are checked without saying a secret', () => {
  const fine = `00-${'a1'.repeat(16)}-${'b2'.repeat(8)}-00`
  assert.equal(parseTraceparent(fine), fine)
  for (const bad of [
    undefined,
    '',
    `${fine}\n`,
    fine.toUpperCase(),
    `00-${'0'.repeat(32)}-${'b2'.repeat(8)}-00`,
    `01${fine.slice(2)}x`,
  ])
    assert.equal(parseTraceparent(bad), null)
  const settings = (more: Record<string, string>) => readConfig({ FX_SOURCES: 'fixed', ...more }, []).otlp
  assert.equal(settings({}), null)
  assert.deepEqual(settings({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/base/', OTEL_SERVICE_NAME: 'pay' }), {
    ...{ url: 'http://collector:4318/base/v1/traces', headers: {}, service: 'pay' },
  })
  assert.throws(() => settings({ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }), /OTEL_EXPORTER_OTLP_ENDPOINT takes/)
  assert.throws(
    () => settings({ OTEL_EXPORTER_OTLP_HEADERS: 'hunter2hunter2' }),
    (error: Error) => /takes name=value/.test(error.message) && !error.message.includes('hunter2'),
  )
})
