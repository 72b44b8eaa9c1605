// Promises: the library has a method for each call of /v1 and no other, and what its methods take is what the document says.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { Florin } from '../src/index.ts'
import { packageRoot, repositoryRoot } from './installed.ts'

interface Schema {
  properties?: Record<string, unknown>
}
interface Operation {
  operationId: string
  parameters?: { name?: string; in?: string; required?: boolean }[]
  requestBody?: { content: { 'application/json': { schema: Schema } } }
}
const { paths } = JSON.parse(await readFile(join(repositoryRoot, 'docs/openapi.json'), 'utf8')) as {
  paths: Record<string, Record<string, Operation>>
}
const calls = Object.entries(paths)
  .filter(([path]) => path.startsWith('/v1/'))
  .flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
const byId = new Map(calls.map(({ operation }) => [operation.operationId, operation]))

test('each call of the document has its method, and each method its call', async () => {
  const asked: string[] = []
  const florin = new Florin({
    apiKey: 'florin_test_x',
    baseUrl: 'https://pay.shop.example',
    async fetch(url, init) {
      asked.push(`${init?.method} ${new URL(String(url)).pathname}`)
      return Response.json({ data: [], has_more: false, next_cursor: null })
    },
  })
  const { orders, webhookEndpoints: hooks, paymentLinks: links, invoices, deliveries } = florin
  await orders.create({ amount_usd: 1 })
  await orders.list().page()
  await orders.get('a')
  await orders.cancel('a')
  await orders.refund('a')
  await orders.lookAgain('a')
  await orders.onChain('a')
  await orders.refundToSign('a', 'b')
  await orders.events('a').page()
  await orders.createMerchantRefund('a')
  await orders.merchantRefunds('a').page()
  await orders.merchantRefund('a', 'b')
  await orders.nameRefundTransaction('a', 'b', 'c')
  await orders.cancelMerchantRefund('a', 'b')
  await florin.events.list().page()
  await deliveries.list().page()
  await deliveries.get('a')
  await deliveries.resend('a')
  await hooks.create({ url: 'https://shop.example/' })
  await hooks.list().page()
  await hooks.get('a')
  await hooks.update('a', {})
  await hooks.delete('a')
  await hooks.rotateSecret('a')
  await hooks.test('a')
  await florin.chains.list().page()
  await florin.chains.thirdParty().page()
  await links.create({ title: 'a' })
  await links.list().page()
  await links.get('a')
  await links.change('a', {})
  await invoices.create({ lines: [], due_date: '2030-01-31' })
  await invoices.list().page()
  await invoices.get('a')
  await invoices.send('a')
  await invoices.void('a')
  await florin.reconciliation()
  await florin.test.simulate('a', { action: 'pay' })
  // Its stream is followed in stream.test.ts.
  const covered = new Set(['streamEvents'])
  for (const one of asked) {
    const found = calls.find(({ method, path }) =>
      new RegExp(`^${method} ${path.replace(/\{\w+\}/g, '[abc]')}$`).test(one),
    )
    assert.ok(found, `${one} is no call of the document`)
    covered.add(found.operation.operationId)
  }
  assert.deepEqual(
    [...byId.keys()].filter((id) => !covered.has(id)),
    [],
    'calls without a method of the library',
  )
})

/** Which type of the library is the body or the query of which call. */
const shapes: Record<string, readonly string[]> = {
  createOrder: ['OrderAmount', 'CreateOrderFields'],
  listOrders: ['ListOrdersParams'],
  listEvents: ['ListEventsParams'],
  listDeliveries: ['ListDeliveriesParams'],
  getReconciliation: ['ReconciliationParams'],
  simulateOrder: ['SimulateParams'],
  createMerchantRefund: ['CreateMerchantRefundParams'],
  createWebhookEndpoint: ['CreateWebhookEndpointParams'],
  createPaymentLink: ['ChangeableLink', 'CreatePaymentLinkParams'],
  updatePaymentLink: ['ChangeableLink', 'ChangePaymentLinkParams'],
  createInvoice: ['CreateInvoiceParams'],
}
/** Not of a key: a key's own mode is the mode, and it names no address. */
const notOfKeys: Record<string, readonly string[]> = {
  createMerchantRefund: ['address'],
  createWebhookEndpoint: ['mode'],
}

test('what the methods take is what the document says, field by field', async () => {
  const texts = await Promise.all(
    ['types.ts', 'selling.ts'].map((file) => readFile(join(packageRoot, 'src', file), 'utf8')),
  )
  const source = texts.join('\n')
  const fieldsOf = (name: string): string[] => {
    const [, body = ''] =
      new RegExp(`(?:interface|type) ${name}\\b[^{]*\\{([\\s\\S]*?)\\n(?:\\}|\\n)`).exec(source) ?? []
    assert.notEqual(body, '', `there is no ${name}`)
    return [...body.matchAll(/^ {2,6}(\w+)\??: /gm)].map(([, field = '']) => field)
  }
  for (const [id, names] of Object.entries(shapes)) {
    const operation = byId.get(id)
    const said = [
      ...Object.keys(operation?.requestBody?.content['application/json'].schema.properties ?? {}),
      ...(operation?.parameters ?? []).flatMap((one) => (one.in === 'query' ? [one.name ?? ''] : [])),
    ].filter((field) => !(notOfKeys[id] ?? []).includes(field))
    assert.deepEqual([...new Set(names.flatMap(fieldsOf))].sort(), said.sort(), id)
  }
})
