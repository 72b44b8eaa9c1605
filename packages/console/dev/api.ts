// The playground's answers to the console's calls, as contract.md 1 to 5 describe them, over invented data in memory.

import { chains } from '@florin/chains'
import { accounts, emailChange } from './accounts.ts'
import { addresses } from './addresses.ts'
import { type Answer, type Call, found, ok, pageOf, Refusal, text } from './answer.ts'
import { brand } from './brand.ts'
import { feesOwed } from './coin.ts'
import { currencyCalls } from './currencies.ts'
import { endpoints, mails, merchantRefunds } from './endpoints.ts'
import { changeKey, createKey, rotateKey } from './keys.ts'
import { advance, createOrder, deliveries, driveOrder, orders } from './orders-api.ts'
import { invoices, paymentLinks, sellOrder } from './selling.ts'
import type { World } from './state.ts'
import { series, summary } from './stats.ts'

/** The console's own calls. Undefined: no such call. */
export function answer(world: World, call: Call): Answer | undefined {
  const [noun = '', id = '', act = '', more = ''] = call.path
  const { method, query, body } = call
  const live = query.get('livemode') === 'true'
  switch (noun) {
    case 'merchant':
      if ('default_settle_chain' in body && !world.isFresh) throw new Refusal('confirmation_required')
      if (method === 'PATCH') Object.assign(world.merchant, body)
      return ok(world.merchant)
    case 'confirmation':
      return confirmation(world, call, id)
    case 'email':
      return emailChange(world, call)
    case 'merchants':
      return accounts(world, call, id, more === '' ? act : `${act}/${more}`)
    case 'sessions':
      if (method === 'GET') return ok(pageOf(world.sessions, query))
      world.sessions = id === '' ? [] : world.sessions.filter((session) => session.id !== id)
      return ok({ revoked: 1 })
    case 'appkeys':
      return appkeys(world, call, id, act, more)
    case 'third-party':
      return thirdParty(world, call)
    case 'addresses':
      return addresses(world, call, id, act)
    case 'orders':
      if (act === 'merchant_refunds') return merchantRefunds(world, call, id, more, call.path[4] ?? '')
      return id === '' && method === 'POST' ? sellOrder(world, call) : orders(world, call, id, act)
    case 'payment_links':
      return paymentLinks(world, call, id)
    case 'invoices':
      return invoices(world, call, id, act)
    case 'test':
      return act === '' ? createOrder(world, call) : driveOrder(world, act, body)
    case 'webhook_endpoints':
      return endpoints(world, call, id, act)
    case 'mails':
      return mails(call)
    case 'deliveries':
      return deliveries(world, call, id, act)
    case 'replays':
      return ok(advance(found(world.replays.get(id), 'replay_not_found')))
    case 'attention':
      if (method === 'GET') {
        const isOpen = query.get('status') !== 'resolved'
        return ok(
          pageOf(
            world.attention.filter(
              (item) =>
                item.livemode === live &&
                (item.resolved_at === null) === isOpen &&
                (!query.has('order_no') || item.order_no === query.get('order_no')),
            ),
            query,
          ),
        )
      }
      Object.assign(
        found(
          world.attention.find((item) => item.id === id),
          'attention_not_found',
        ),
        {
          resolved_at: new Date().toISOString(),
          resolved_by: world.merchant.email,
          resolution: act,
        },
      )
      return ok(world.attention.find((item) => item.id === id))
    case 'reconciliation': {
      const differences = pageOf(world.differences, query)
      return ok({ compared_since: new Date(Date.now() - 240_000).toISOString(), waiting: 0, differences })
    }
    case 'fees-owed':
      return ok({ month: query.get('month') ?? new Date().toISOString().slice(0, 7), data: feesOwed })
    case 'currencies':
      return currencyCalls(call)
    case 'brand':
      return brand(world, call, id)
    case 'audit':
      return ok(pageOf(world.audit, query))
    case 'stats': {
      const asked = { live, from: query.get('from') ?? '', to: query.get('to') ?? '' }
      return ok(id === 'series' ? series(world, asked, query) : summary(world, asked))
    }
    default:
      return undefined
  }
}

function appkeys(world: World, { method, query, body }: Call, id: string, act: string, more: string): Answer {
  if (id === '') {
    if (method === 'POST') return ok(createKey(world, body))
    const mode = query.get('livemode') === 'true' ? 'live' : 'test'
    return ok(
      pageOf(
        world.appkeys.filter((key) => key.mode === mode),
        query,
      ),
    )
  }
  const key = found(
    world.appkeys.find((each) => each.id === id),
    'api_key_not_found',
  )
  if (method === 'GET') return ok(key)
  if (method === 'DELETE') return ok(Object.assign(key, { revoked_at: new Date().toISOString() }))
  if (method === 'PATCH') return ok(changeKey(key, body))
  if (act === 'test-event') {
    const headers = { 'X-Service-Event': text(body.event), 'X-Service-Signature': `t=1790000000,v1=${'5a'.repeat(32)}` }
    const sent = { url: text(body.url), headers, body: JSON.stringify({ id: 'evt_0', event: body.event }) }
    const isGood = text(body.url).startsWith('https://shop.example')
    if (!URL.canParse(text(body.url))) throw new Refusal('invalid_webhook_url', undefined, { param: 'url' })
    return ok(
      isGood
        ? {
            ok: true,
            http_status: 200,
            latency_ms: 143,
            error: null,
            message: 'The receiver took it.',
            response_excerpt: 'ok',
            sent,
          }
        : {
            ok: false,
            http_status: null,
            latency_ms: 9,
            error: 'connect_refused',
            message: 'Nothing listens at this address and port.',
            response_excerpt: null,
            sent,
          },
    )
  }
  return ok(rotateKey(world, key, act === 'webhook-secret' ? more : act, body))
}

const CODE = '123456'

function confirmation(world: World, { method, body }: Call, id: string): Answer {
  if (method === 'GET')
    return ok({
      ...{ is_fresh: world.isFresh, fresh_until: new Date().toISOString() },
      ...{ is_known_browser: true, is_operator: world.isOperator },
    })
  if (id === 'code') return ok({ sent: true, expires_in: 600, resend_after: 60 })
  if (body.code !== CODE) throw new Refusal('invalid_confirmation')
  world.isFresh = true
  return ok({ is_fresh: true, fresh_until: new Date().toISOString() })
}

const live = new Set(['base', 'eth', 'arb', 'op', 'pol'])
const swapped = new Set(['base', 'eth', 'sol', 'near', 'btc', 'tron', 'xrp', 'stellar'])

/** As an install that takes real money on some EVM chains, and on some more through NEAR Intents. */
function railsOf(chain: string) {
  const carried = { custody: 'none', pay: ['USDC', 'USDT'], settle: ['USDC', 'USDT'], health: { ok: true, notes: [] } }
  const sandbox = { rail: 'sandbox', livemode: false, ...carried }
  const through = { rail: 'intents', livemode: true, ...carried, custody: 'third-party' }
  const forwarder = { rail: 'forwarder', livemode: true, ...carried }
  return [...(live.has(chain) ? [forwarder] : []), ...(swapped.has(chain) ? [through] : []), sandbox]
}

const settlesOf = (chain: string): string => (live.has(chain) ? 'direct' : swapped.has(chain) ? 'third-party' : 'none')

/** Where NEAR Intents may hold the money for some minutes. */
function thirdParty(world: World, { method, query, body }: Call): Answer {
  const livemode = method === 'GET' ? query.get('livemode') === 'true' : body.livemode === true
  const on = livemode ? world.throughLive : world.throughTest
  const rowOf = (chain: string) => ({
    chain,
    livemode,
    on: on.has(chain),
    takes_unproven: false,
    waiting: null,
    updated_at: null,
  })
  if (method === 'GET') return ok({ data: [...swapped].map(rowOf), has_more: false, next_cursor: null })
  const chain = text(body.chain)
  if (body.on === true) on.add(chain)
  else on.delete(chain)
  return ok(rowOf(chain))
}

/** GET /api/v1/chains */
export function catalogue(): Answer {
  const data = chains.map((chain) => ({
    ...{ id: chain.id, name: chain.name, aliases: chain.aliases, family: chain.family, caip2: chain.caip2 },
    ...{ assets: chain.assets, explorer: chain.explorer, rails: railsOf(chain.id), settles: settlesOf(chain.id) },
    memo: chain.memo === null ? null : { name: chain.memo.name, in_address: chain.memo.inAddress },
  }))
  return ok({ data, has_more: false, next_cursor: null })
}
