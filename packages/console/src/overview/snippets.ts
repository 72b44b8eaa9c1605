// The code of the set-up guide, filled in with the merchant's own values. Secrets are never among them: they stand as
// variables, because after their one showing the console does not know them. Pure.

export interface SnippetValues {
  baseUrl: string
  /** Id of the chain to settle on. */
  chain: string | null
  address: string | null
  webhookUrl: string | null
}

/** What a shell takes as one word, whatever is in it. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
const json = (value: object): string => JSON.stringify(value, null, 2)
const EXAMPLE_URL = 'https://shop.example/webhooks/florin'

export function createKeyCurl({ baseUrl }: SnippetValues): string {
  return [
    `curl ${baseUrl}/api/v1/boss/appkeys \\`,
    '  -H "Authorization: Bearer $FLORIN_CONSOLE_TOKEN" \\',
    "  -H 'Content-Type: application/json' \\",
    `  -d ${quoted(JSON.stringify({ name: 'Shop server', mode: 'test' }))}`,
  ].join('\n')
}

export function setAddressCurl({ baseUrl, chain, address }: SnippetValues): string {
  const body = { chain: chain ?? 'base', address: address ?? '0x… an address of your own wallet' }
  return [
    `curl -X PUT ${baseUrl}/api/v1/boss/addresses \\`,
    '  -H "Authorization: Bearer $FLORIN_CONSOLE_TOKEN" \\',
    "  -H 'Content-Type: application/json' \\",
    `  -d ${quoted(JSON.stringify(body))}`,
  ].join('\n')
}

function order({ chain, webhookUrl }: SnippetValues) {
  return {
    amount_usd: 49.9,
    external_id: 'A-1001',
    ...(chain === null ? {} : { settle_chain: chain }),
    webhook_url: webhookUrl ?? EXAMPLE_URL,
  }
}

export function createOrderCurl(values: SnippetValues): string {
  return [
    `curl ${values.baseUrl}/v1/orders \\`,
    '  -H "X-API-Key: $FLORIN_API_KEY" \\',
    "  -H 'Content-Type: application/json' \\",
    "  -H 'Idempotency-Key: A-1001' \\",
    `  -d ${quoted(json(order(values)))}`,
  ].join('\n')
}

export function createOrderSdk(values: SnippetValues): string {
  const fields = Object.entries(order(values)).map(([name, value]) => `  ${name}: ${literal(value)},`)
  return [
    "import { Florin } from '@florin/sdk'",
    '',
    'const florin = new Florin({',
    '  apiKey: process.env.FLORIN_API_KEY,',
    `  baseUrl: ${literal(values.baseUrl)},`,
    '})',
    '',
    'const order = await florin.orders.create({',
    ...fields,
    '})',
    'console.log(order.checkout_url)',
  ].join('\n')
}

export function receiveCurl(values: SnippetValues, orderNo: string | null): string {
  return [
    '# Drive the order, and look at what was sent',
    `curl ${values.baseUrl}/v1/test/orders/${orderNo ?? '$ORDER_NO'}/simulate \\`,
    '  -H "X-API-Key: $FLORIN_API_KEY" \\',
    "  -H 'Content-Type: application/json' \\",
    `  -d ${quoted(JSON.stringify({ action: 'pay' }))}`,
    '',
    `curl ${quoted(`${values.baseUrl}/v1/deliveries?order_no=${orderNo ?? '$ORDER_NO'}`)} -H "X-API-Key: $FLORIN_API_KEY"`,
  ].join('\n')
}

export function receiveSdk(values: SnippetValues): string {
  const path = pathOf(values.webhookUrl ?? EXAMPLE_URL)
  return [
    "import { createServer } from 'node:http'",
    "import { verifyWebhook } from '@florin/sdk'",
    '',
    'createServer(async (request, response) => {',
    `  if (request.url !== ${literal(path)}) return response.writeHead(404).end()`,
    '  const chunks = []',
    '  for await (const chunk of request) chunks.push(chunk)',
    '  try {',
    '    const event = verifyWebhook({',
    '      rawBody: Buffer.concat(chunks),',
    '      headers: request.headers,',
    '      secret: process.env.FLORIN_WEBHOOK_SECRET,',
    '    })',
    '    console.log(event.event, event.order.order_no, event.order.status)',
    '    response.end()',
    '  } catch (error) {',
    '    response.writeHead(400).end(error.message)',
    '  }',
    '}).listen(4000)',
  ].join('\n')
}

function literal(value: string | number): string {
  return typeof value === 'number' ? String(value) : `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}

function pathOf(url: string): string {
  try {
    return new URL(url).pathname
  } catch {
    return '/'
  }
}
