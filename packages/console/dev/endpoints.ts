// Invented webhook endpoints, mail switches and refunds of the merchant's own, in memory.
import { eventKinds, type MerchantRefund, type WebhookEndpoint, type WebhookKind } from '@florin/protocol'
import { type Answer, type Call, found, ok, pageOf, Refusal, text } from './answer.ts'
import type { World } from './state.ts'

const made = new WeakMap<World, WebhookEndpoint[]>()
const refunds = new Map<string, MerchantRefund[]>()
const switches = { paid: true, webhooks: true, weekly: false, receipts: true }

const endpoint = (world: World, a: Partial<WebhookEndpoint>): WebhookEndpoint => ({
  id: `whe_${world.random.text(26)}`,
  mode: 'live',
  url: 'https://shop.example/webhooks/florin',
  description: 'Shop server',
  events: [...eventKinds],
  status: 'enabled',
  disabled_by: null,
  disabled_at: null,
  created_at: new Date(Date.now() - 9e8).toISOString(),
  updated_at: new Date(Date.now() - 9e8).toISOString(),
  health: {
    last_success_at: new Date(Date.now() - 240_000).toISOString(),
    ...{ last_failure_at: null, failing_since: null, retrying: 0, dead: 0, late: 0 },
  },
  ...a,
})

function endpointsOf(world: World): WebhookEndpoint[] {
  const known = made.get(world)
  if (known !== undefined) return known
  const since = new Date(Date.now() - 4e8).toISOString()
  const list =
    world.orders.length === 0
      ? []
      : [
          endpoint(world, {}),
          endpoint(world, {
            url: 'https://books.example/hooks/a-rather-long-path-that-does-not-end-where-it-should/florin',
            description: 'Bookkeeping of the accountants, who have a receiver of their own',
            status: 'disabled',
            disabled_by: 'failures',
            disabled_at: since,
            health: {
              ...{ last_success_at: null, last_failure_at: since, failing_since: since },
              ...{ retrying: 2, dead: 14, late: 0 },
            },
          }),
        ]
  made.set(world, list)
  return list
}

export function endpoints(world: World, { method, query, body }: Call, id: string, act: string): Answer {
  const list = endpointsOf(world)
  if (id === '' && method === 'GET') {
    const mode = query.get('livemode') === 'true' ? 'live' : 'test'
    return ok(
      pageOf(
        list.filter((one) => one.mode === mode),
        query,
      ),
    )
  }
  const secret = `whsec_${world.random.text(32)}`
  if (id === '') {
    if (!text(body.url).startsWith('http'))
      throw new Refusal(
        'invalid_webhook_url',
        'A webhook URL is a full address such as https://shop.example/florin/webhook.',
      )
    const one = endpoint(world, {
      ...{ mode: body.mode === 'live' ? 'live' : 'test', url: text(body.url), events: body.events as WebhookKind[] },
      description: text(body.description) || null,
    })
    list.unshift(one)
    return ok({ ...one, secret })
  }
  const one = found(
    list.find((each) => each.id === id),
    'endpoint_not_found',
  )
  if (method === 'DELETE') list.splice(list.indexOf(one), 1)
  if (act === 'secret') return ok({ ...one, secret, old_secret_ends_at: new Date().toISOString() })
  if (act === 'test')
    return ok({ ok: true, http_status: 200, latency_ms: 80, error: null, message: 'The receiver took it.' })
  const { enabled, ...rest } = body as { enabled?: boolean }
  Object.assign(
    one,
    rest,
    enabled === undefined ? {} : { status: enabled ? 'enabled' : 'disabled', disabled_by: enabled ? null : 'merchant' },
  )
  return ok(one)
}

export const mails = ({ method, body }: Call): Answer =>
  ok(method === 'PATCH' ? Object.assign(switches, body) : switches)

export function merchantRefunds(
  world: World,
  { method, body }: Call,
  orderNo: string,
  id: string,
  act: string,
): Answer {
  const list = refunds.get(orderNo) ?? []
  refunds.set(orderNo, list)
  if (id === '' && method === 'GET') return ok({ data: list, has_more: false, next_cursor: null })
  if (id !== '') {
    const row = found(
      list.find((each) => each.id === id),
      'refund_not_found',
    )
    if (act === 'cancel') row.status = 'canceled'
    else Object.assign(row, { tx_hash: body.tx_hash, failure: null })
    return ok(row)
  }
  const address = text(body.address) || '0x27b1fdb04752bbc536007a920d24acb045561c26'
  const amount = text(body.amount) || '20000000'
  const row: MerchantRefund = {
    ...{
      id: `mrf_${world.random.text(26)}`,
      order_no: orderNo,
      status: 'requested',
      amount,
      asset: 'USDC',
      chain: 'base',
    },
    ...{
      contract: null,
      decimals: 6,
      address,
      reason: null,
      tx_hash: null,
      sender: null,
      sent_from: null,
      failure: null,
      recorded_at: null,
    },
    uri: `ethereum:0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913@8453/transfer?address=${address}&uint256=${amount}`,
    transaction: { chain_id: 8453, to: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', data: '0x', value: '0x0' },
    created_at: new Date().toISOString(),
  }
  list.push(row)
  return ok(row)
}
