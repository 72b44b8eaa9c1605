// Promises: a payer is offered the way that goes as it is, and what has to be turned into something else only through whom the
// merchant let hold money and only where the payer was told; a way in trouble is gone for every process and comes back by
// itself; the leg says why its rail carries it.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fault, ok, warning } from '@florin/platform/check'
import { AppError } from '@florin/platform/errors'
import { makeServer } from '@florin/platform/http/server'
import { type Checkout, MINUTE_MS, type PayChoice, SECOND_MS } from '@florin/protocol'
import type { Rail, RailCheck } from '@florin/rail-kit/interface/rail'
import { makeRails } from '@florin/rail-kit/registry'
import { sandboxRail } from '@florin/rail-kit/sandbox/rail'
import { testConsole } from '../../../test/console.ts'
import { aReceivingAddress, aThirdParty } from '../../../test/factories.ts'
import { buildApp } from '../../app.ts'
import type { Deps } from '../../deps.ts'
import { changeMerchant } from '../../login/merchant.ts'
import { stuckJob } from '../../orders/stuck/stuck.ts'
import { tokenDoor } from '../door/token.ts'
import { checkoutPages } from '../page.routes.ts'

const PAYER = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq'

const well = ['base', 'arb', 'btc'].map(
  (chain): RailCheck => ({ ...ok(['chain', chain], `${chain} is read.`), chain, livemode: false, holdsUp: [] }),
)

/** The sandbox in the clothes of two rails: one that carries as it is, one that turns anything into anything. */
function twoRails(deps: Deps) {
  const sandbox = sandboxRail({ sql: deps.sql })
  const told = { direct: well, through: well, isOpen: true }
  const isSame: Rail['carries'] = ({ pay, settle }) => pay.chain === settle.chain && pay.asset === settle.asset
  const direct: Rail = {
    ...sandbox,
    capabilities: { ...sandbox.capabilities, kind: 'forwarder', isSandbox: false, crossChain: false },
    carries: (a) => isSame(a) && ['base', 'arb'].includes(a.pay.chain),
    estimate: () => ({ amountDue: null, amountOut: null, costUsdMicros: 0n, expectedS: 9 }),
    async open(request) {
      if (!told.isOpen) throw new AppError('rail_unavailable')
      return sandbox.open(request)
    },
    checks: async () => told.direct,
  }
  const through: Rail = {
    ...sandbox,
    capabilities: {
      ...sandbox.capabilities,
      kind: 'intents',
      isSandbox: false,
      custody: 'third-party',
      refundAddress: 'required',
    },
    carries: (a) => !isSame(a) && ['base', 'arb', 'btc'].includes(a.pay.chain),
    estimate: () => ({ amountDue: null, amountOut: null, costUsdMicros: 610_000n, expectedS: 120 }),
    checks: async () => told.through,
  }
  return { told, rails: makeRails([direct, through]) }
}

async function aShop(t: TestContext) {
  const at = await testConsole(t)
  const { told, rails } = twoRails(at.deps)
  const deps = { ...at.deps, rails }
  const [app, other] = [await buildApp(deps), await buildApp(deps)]
  t.after(() => Promise.all([app.close(), other.close()]))
  const order = async (): Promise<string> => {
    const reply = await app.inject({
      ...{ method: 'POST', url: '/v1/orders', headers: at.key.headers, payload: { amount_usd: 50 } },
    })
    assert.equal(reply.statusCode, 201, reply.body)
    return reply.json().checkout_url.split('/').at(-1)
  }
  const choices = async (token: string, q = '', from = app): Promise<PayChoice[]> =>
    (await from.inject(`/checkout/${token}/choices${q}`)).json().data
  const ways = async (token: string, from = app): Promise<string[]> =>
    (await choices(token, '', from)).map(({ chain, asset, rail }) => `${chain} ${asset} ${rail}`)
  const pay = (token: string, payload: object) => app.inject({ method: 'POST', url: `/checkout/${token}/pay`, payload })
  return {
    ...at,
    deps,
    app,
    other,
    told,
    order,
    choices,
    ways,
    pay,
    look: () => stuckJob(deps).run(new AbortController().signal),
  }
}

const isIn = (list: readonly string[], ...wanted: string[]): boolean => wanted.every((way) => list.includes(way))

test('a payer is offered what goes as it is, and the rest through a third party where the merchant lets it', async (t) => {
  const at = await aShop(t)
  const token = await at.order()
  const ways = await at.ways(token)
  assert.ok(isIn(ways, 'base USDC forwarder', 'btc BTC intents', 'arb ETH intents'), ways.join())
  const [btc] = await at.choices(token, '?q=bitcoin')
  assert.deepEqual(
    [btc?.custody, btc?.refund_address, btc?.total_usd, btc?.expected_s, btc?.name],
    ['third-party', 'required', '50.61', 120, 'Bitcoin'],
  )
  const byContract = await at.choices(token, '?q=0x833589fcd6edb6e08f4c')
  assert.deepEqual(
    byContract.map(({ chain, asset }) => [chain, asset]),
    [['base', 'USDC']],
  )
  // Without a refund address nothing is opened; with one, the leg says through whom and why.
  assert.equal((await at.pay(token, { chain: 'btc', custody: 'third-party' })).json().error.param, 'refund_address')
  const reply = await at.pay(token, { chain: 'btc', custody: 'third-party', refund_address: PAYER })
  const { pay } = reply.json<Checkout>()
  assert.deepEqual([pay?.rail, pay?.route?.custody, pay?.route?.reason], ['intents', 'third-party', 'only'])
  const direct = (await at.pay(await at.order(), { chain: 'base', custody: 'none' })).json<Checkout>()
  assert.deepEqual(direct.pay?.route, {
    ...{ custody: 'none', reason: 'direct', passed_over: [], total_usd: '50.00', expected_s: 9 },
  })

  const off = { livemode: false, chain: 'base', isOn: false, takesUnproven: false }
  await aThirdParty(at.deps, { merchantId: at.merchant.id, ...off })
  // What is switched counts for orders that are made after it.
  assert.ok(isIn(await at.ways(token), 'arb ETH intents'))
  const closed = await at.order()
  assert.ok((await at.ways(closed)).every((way) => way.endsWith('forwarder')))
  assert.equal((await at.pay(closed, { chain: 'btc', refund_address: PAYER })).json().error.code, 'no_rail')
})

test('a way in trouble is gone in every process, and comes back by itself', async (t) => {
  const at = await aShop(t)
  const token = await at.order()
  const since = new Date(at.clock.now().getTime() - 29 * SECOND_MS)
  const silent = { ...fault(['chain', 'base'], 'base: silent', 'wait'), chain: 'base', livemode: false, since }
  at.told.direct = [{ ...silent, holdsUp: ['payments'] }, ...well.slice(1)]
  await at.look()
  assert.ok(isIn(await at.ways(token, at.other), 'base USDC forwarder'), 'what passes sends nobody elsewhere')
  at.clock.advance(2 * SECOND_MS)
  await at.look()
  for (const from of [at.app, at.other]) {
    const ways = await at.ways(token, from)
    assert.ok(!ways.some((way) => way.startsWith('base USDC')) && isIn(ways, 'btc BTC intents'), ways.join())
  }
  assert.equal((await at.pay(token, { chain: 'base' })).json().error.code, 'rail_unavailable')
  at.told.direct = well
  await at.look()
  assert.ok(isIn(await at.ways(token, at.other), 'base USDC forwarder'))

  // One asset of the other rail; and nobody is there any more who could say that it is over.
  const dry = {
    ...warning(['route', 'BTC on btc'], 'no liquidity', 'wait'),
    chain: 'btc',
    livemode: false,
    holdsUp: [],
  }
  at.told.through = [...well, { ...dry, route: { asset: 'BTC', side: 'pay' } }]
  await at.look()
  const without = await at.ways(token, at.other)
  assert.ok(!without.includes('btc BTC intents') && isIn(without, 'arb ETH intents'))
  at.clock.advance(MINUTE_MS)
  assert.ok(isIn(await at.ways(token, at.other), 'btc BTC intents'))
})

test('an address that cannot be had opens another way, but never through a third party that nobody was shown', async (t) => {
  const at = await aShop(t)
  await aReceivingAddress(at.deps, at.merchant, 'arb', '0x8617E340B3D01FA5F11F306F4090FD50E238070D')
  await changeMerchant(at.deps, at.merchant, { name: undefined, defaultSettleChain: 'base' })
  const token = await at.order()
  assert.ok(isIn(await at.ways(token), 'arb USDC forwarder'))
  at.told.isOpen = false
  const own = { chain: 'arb', asset: 'USDC', refund_address: '0x52908400098527886E0F7030069857D2E4169EE7' }
  const refused = await at.pay(token, own)
  assert.equal(refused.json().error.code, 'rail_unavailable')
  assert.equal((await at.app.inject(`/checkout/${token}`)).json<Checkout>().pay, null)
  // From here on it is offered as what it is, to everybody.
  const [offered] = await at.choices(token, '?q=arb%20usdc', at.other)
  assert.deepEqual([offered?.rail, offered?.custody], ['intents', 'third-party'])
  const again = await at.pay(token, { ...own, custody: 'none' })
  assert.deepEqual([again.statusCode, again.json().error.param], [503, 'custody'])
  const { pay } = (await at.pay(token, { ...own, custody: 'third-party' })).json<Checkout>()
  assert.deepEqual(
    [pay?.route?.reason, pay?.route?.passed_over],
    ['others_out', [{ rail: 'forwarder', why: 'in_trouble' }]],
  )
  at.told.isOpen = true
  at.clock.advance(MINUTE_MS)
  assert.ok(isIn(await at.ways(token), 'arb USDC forwarder'))
  // Where there is no other way, it stays offered: the next try may work.
  at.told.isOpen = false
  assert.equal((await at.pay(token, { chain: 'base' })).statusCode, 503)
  assert.ok(isIn(await at.ways(token), 'base USDC forwarder'))
})

test('the page without JavaScript searches, asks for the refund address first and says through whom the money goes', async (t) => {
  const at = await aShop(t)
  const token = await at.order()
  const folder = mkdtempSync(join(tmpdir(), 'florin-page-'))
  t.after(() => rmSync(folder, { recursive: true }))
  writeFileSync(
    join(folder, 'manifest.json'),
    JSON.stringify({ 'src/main.tsx': { file: 'assets/m-1.js', css: ['assets/m-1.css'] } }),
  )
  const { log, clock } = at.deps
  const page = await makeServer({
    ...{ log, clock, trustProxy: [], rateLimits: false, isHttps: false, isLoopbackInstall: true },
  })
  t.after(() => page.close())
  await checkoutPages(page, at.deps, tokenDoor(at.deps), folder)
  const form = (payload: string) =>
    page.inject({
      ...{ method: 'POST', url: `/pay/${token}`, payload },
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' },
    })
  const found = (await page.inject({ url: `/pay/${token}?q=bitcoin`, headers: { accept: 'text/html' } })).body
  assert.match(found, /<option value="btc BTC">.*via NEAR Intents<\/option>/)
  assert.ok(!found.includes('<option value="base USDC"'))
  const asked = await form('choice=btc+BTC')
  assert.match(asked.body, /Passes through NEAR Intents for some minutes/)
  assert.match(asked.body, /name="choice" value="btc BTC"/)
  assert.match((await form('choice=btc+BTC&address=nonsense')).body, /role="alert"/)
  const chosen = await form(`choice=btc+BTC&address=${PAYER}`)
  assert.equal(chosen.statusCode, 303)
  const cookie = chosen.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  const paying = await page.inject({ url: `/pay/${token}`, headers: { accept: 'text/html', cookie } })
  assert.match(paying.body, /Pay with BTC on Bitcoin/)
  assert.match(paying.body, /Passes through NEAR Intents for some minutes/)
  assert.ok(!paying.body.includes('The money goes straight to the shop’s own address.'))
})
