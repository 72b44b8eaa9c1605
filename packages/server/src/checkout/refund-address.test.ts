// Promises: whoever holds the checkout link or a key names no refund address. What a browser bound is its own and is
// shown nowhere else; what a link alone asks for waits for the merchant, is mailed at once, and lapses after a day.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mailJob } from '@florin/platform/mail/send'
import { type AttentionItem, DAY_MS, MINUTE_MS } from '@florin/protocol'
import { anApiKey } from '../../test/factories.ts'
import { attentionJob } from '../attention/lapse.ts'
import { expireDue } from '../orders/expire.ts'
import { takeSignedAddress } from '../orders/payer.ts'
import { aShop, type Browser, type Shop } from './payer.fixture.ts'

const OWN = '0x8617E340B3D01FA5F11F306F4090FD50E238070D'
const NEXT = '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB'
const THIEF = '0x27b1fdb04752bbc536007a920d24acb045561c26'
const DUE = 50_000_000n
const onBase = { chain: 'base', asset: 'USDC' }

const inbox = async (shop: Shop): Promise<AttentionItem[]> =>
  (await shop.get<{ data: AttentionItem[] }>('attention?livemode=false&status=open')).data.data

const approvals = async (shop: Shop) => (await inbox(shop)).filter((item) => item.reason === 'refund_approval')

const sendMail = (shop: Shop) => mailJob(shop.deps).run(new AbortController().signal)

const legOf = async (browser: Browser): Promise<string> => (await browser.get()).body.pay?.id ?? 'none'

/** Nothing went or goes to the thief, whatever the rows are called. */
async function assertNothingForThief(shop: Shop): Promise<void> {
  const { refunds } = await shop.read()
  for (const row of refunds) assert.notEqual(row.address?.toLowerCase(), THIEF, JSON.stringify(refunds, String))
}

const text = JSON.stringify

test('a thief with the link binds first and cancels: the payer never sees that address, and gets the money back', async (t) => {
  const shop = await aShop(t)
  const thief = shop.browser()
  const bound = await thief.post('/pay', { ...onBase, refund_address: THIEF })
  assert.equal(bound.status, 200, bound.text)
  const trap = bound.body.pay
  assert.ok(trap)

  const payer = shop.browser()
  const seen = await payer.get()
  assert.deepEqual([seen.body.pay, seen.body.refund_address, seen.body.browser], [null, null, 'other'])
  const chosen = await payer.post('/pay', onBase)
  assert.notEqual(chosen.body.pay?.address, trap.address)
  assert.equal((await shop.api()).pay?.address, chosen.body.pay?.address)
  for (const answer of [seen, chosen, await payer.get()]) {
    assert.ok(!answer.text.includes(trap.address) && !answer.text.toLowerCase().includes(THIEF), answer.text)
  }
  await shop.app.inject({ method: 'POST', url: `/v1/orders/${shop.orderNo}/cancel`, headers: shop.key.headers })
  await shop.pay(chosen.body.pay?.id ?? '', DUE, OWN)
  const after = await shop.read()
  assert.deepEqual(
    after.refunds.map((row) => [row.status, row.address, row.amount]),
    [['waiting', null, DUE]],
  )
  await assertNothingForThief(shop)
})

test('what a browser binds is shown to it alone, stands through other choices, and may be given anew until money comes', async (t) => {
  const shop = await aShop(t)
  const payer = shop.browser()
  const open = await payer.post('/pay', onBase)
  assert.deepEqual([open.cookies, open.body.browser, open.body.refund_address_way], [[], 'any', 'bind'])
  const bound = await payer.post('/refund-address', { address: OWN.toLowerCase() })
  assert.equal(bound.status, 200, bound.text)
  assert.notEqual(bound.body.pay?.address, open.body.pay?.address, 'a new leg')
  assert.deepEqual([bound.body.refund_address, bound.body.browser], [OWN, 'holder'])
  assert.equal(bound.cookies.length, 1)
  const [set = '', ...attributes] = bound.cookies[0]?.split('; ') ?? []
  assert.match(set, /^florin_payer_[0-9a-f]{10}=[\w-]{22}\.[\w-]{22}$/)
  assert.deepEqual(attributes, ['Path=/', 'Max-Age=7776000', 'HttpOnly', 'SameSite=Strict'])
  const secret = payer.cookie.split('=')[1] ?? ''
  const rows = await shop.deps.sql<{ all: string }[]>`select to_jsonb(l)::text as all from pay_legs l`
  assert.ok(
    rows.every(({ all }) => !all.includes(secret)),
    'the hash alone',
  )

  // The thief chooses something else: the payer's browser keeps its own, the API shows the open ones.
  const thief = shop.browser()
  const other = await thief.post('/pay', { chain: 'eth', asset: 'USDC' })
  assert.equal(await legOf(payer), bound.body.pay?.id)
  const api = await shop.api()
  assert.deepEqual([api.pay?.id, api.refund_address], [other.body.pay?.id, null])
  assert.ok(!text(api).includes(bound.body.pay?.address ?? '-') && !text(api).includes(OWN))
  const anew = await payer.post('/refund-address', { address: NEXT })
  assert.equal(anew.body.refund_address, NEXT)
  const same = await payer.post('/refund-address', { address: NEXT })
  assert.equal(same.body.pay?.id, anew.body.pay?.id)
  // Another coin on a chain that the address fits takes it along.
  const moved = await payer.post('/pay', { chain: 'arb', asset: 'USDC' })
  assert.deepEqual([moved.body.pay?.chain, moved.body.refund_address], ['arb', NEXT])

  await shop.pay(moved.body.pay?.id ?? '', DUE + 25_000_000n, OWN)
  const paid = await shop.api()
  assert.deepEqual([paid.status, paid.pay?.id, paid.refund_address], ['processing', moved.body.pay?.id, NEXT])
  await shop.post(`test/orders/${shop.orderNo}/simulate`, { action: 'settle' })
  const { refunds } = await shop.read()
  assert.deepEqual(
    refunds.map((row) => [row.status, row.address, row.amount]),
    [['sending', NEXT, 25_000_000n]],
  )
  const late = await payer.post('/refund-address', { address: OWN })
  assert.equal((await shop.read()).refunds[0]?.address, NEXT, late.text)
})

test('three cents on a thief’s own leg reveal it to nobody and keeps nobody from paying', async (t) => {
  const shop = await aShop(t)
  const thief = shop.browser()
  const trap = (await thief.post('/pay', { ...onBase, refund_address: THIEF })).body.pay
  await shop.pay(trap?.id ?? '', 30_000n, THIEF)
  assert.equal((await shop.api()).pay, null)
  const payer = shop.browser()
  const seen = (await payer.get()).body
  assert.deepEqual([seen.pay, seen.status_detail, seen.choices.length > 0], [null, 'awaiting_payment', true])
  const bound = await payer.post('/pay', { ...onBase, refund_address: OWN })
  assert.equal(bound.status, 200, bound.text)
  await shop.pay(bound.body.pay?.id ?? '', DUE * 2n, OWN)
  const paid = await shop.api()
  assert.deepEqual([paid.status, paid.pay?.id], ['processing', bound.body.pay?.id])
  await shop.post(`test/orders/${shop.orderNo}/simulate`, { action: 'settle' })
  assert.deepEqual(
    (await shop.read()).refunds.map((row) => [row.address, row.amount]).sort(),
    // The thief's own cent goes back where the thief bound it.
    [
      [OWN, DUE],
      [THIEF, 30_000n],
    ].sort(),
  )
})

/** Money waits that came on an open leg: $25 too much. */
async function overpaid(t: Parameters<typeof aShop>[0], body: Record<string, unknown> = {}): Promise<Shop> {
  const shop = await aShop(t, body)
  const chosen = await shop.browser().post('/pay', onBase)
  await shop.pay(chosen.body.pay?.id ?? '', DUE + 25_000_000n, OWN)
  await shop.post(`test/orders/${shop.orderNo}/simulate`, { action: 'settle' })
  assert.equal((await shop.read()).detail, 'refund_address_needed')
  return shop
}

test('two wallets paid too much: each signs for what it sent itself, as the database keeps it', async (t) => {
  const shop = await overpaid(t)
  const [leg] = (await shop.read()).legs
  await shop.pay(leg?.id ?? '', 1_000_000n, NEXT)
  const rows = async () => (await shop.read()).refunds.map((row) => [row.status, row.address, row.amount])
  const waits = ['waiting', null, 25_000_000n]
  assert.deepEqual(await rows(), [waits, ['waiting', null, 1_000_000n]])
  const sign = async (from: string) =>
    takeSignedAddress(shop.deps, await shop.read(), { legId: leg?.id ?? '', from, address: NEXT })
  await assert.rejects(sign(THIEF), /nothing waits that came from this wallet/)
  await sign(NEXT)
  assert.deepEqual(await rows(), [waits, ['sending', NEXT, 1_000_000n]])
  await assert.rejects(sign(NEXT), /nothing waits that came from this wallet/)
  // The item names the wallet that sent the money of this refund, and no other.
  const [item] = (await inbox(shop)).filter(({ reason }) => reason === 'refund_address_needed')
  assert.deepEqual([item?.evidence.from, item?.evidence.amount], [OWN, '25000000'])
})

test('an address that comes with the link after the payment waits, is mailed within a minute, and lapses', async (t) => {
  const shop = await overpaid(t)
  await sendMail(shop)
  assert.ok(shop.mailbox.mails.some((mail) => /A refund waits for an address/.test(mail.subject)))
  const thief = shop.browser()
  const before = await thief.get()
  assert.deepEqual([before.body.refund_address_state, before.body.refund_address_way], ['wanted', 'ask'])
  const asked = await thief.post('/refund-address', { address: THIEF })
  assert.equal(asked.status, 200, asked.text)
  assert.deepEqual([asked.body.refund_address_state, asked.body.refund_address], ['asked', null])
  await sendMail(shop)
  const mail = shop.mailbox.mails.at(-1)
  assert.equal(mail?.to, shop.merchant.email)
  assert.match(mail?.subject ?? '', /A refund address waits for your approval/)
  for (const part of [
    shop.orderNo,
    THIEF,
    OWN,
    '25 USDC on Base',
    'no money moves before you approve',
    '/console/attention',
  ]) {
    assert.ok(mail?.text.toLowerCase().includes(part.toLowerCase()), `${part} in ${mail?.text}`)
  }
  const [item] = await approvals(shop)
  assert.deepEqual(item?.actions, ['approve', 'refuse'])
  assert.deepEqual(
    [item?.evidence.to?.toLowerCase(), item?.evidence.amount, item?.evidence.from],
    [THIEF, '25000000', OWN],
  )
  await expireDue(shop.deps)
  await assertNothingForThief(shop)

  shop.clock.advance(DAY_MS)
  // Also before the job has run: an approval that comes too late approves nothing.
  const late = await shop.post(`attention/${item?.id}/approve`)
  assert.deepEqual([late.status, late.error?.code], [409, 'action_not_possible'])
  await attentionJob(shop.deps).run(new AbortController().signal)
  assert.deepEqual(await approvals(shop), [])
  const [lapsed] = (await shop.get<{ data: AttentionItem[] }>('attention?livemode=false&status=resolved')).data.data
  assert.deepEqual([lapsed?.resolution, lapsed?.resolved_by], ['lapsed', 'system'])
  assert.equal((await thief.get()).body.refund_address_state, 'wanted')
  await assertNothingForThief(shop)
})

test('the merchant approves one address, and the others are void; refusing sends nothing', async (t) => {
  const shop = await overpaid(t)
  await shop.browser().post('/refund-address', { address: THIEF })
  await shop.browser().post('/refund-address', { address: OWN })
  const items = await approvals(shop)
  const of = (address: string) => items.find((item) => item.evidence.to?.toLowerCase() === address.toLowerCase())?.id
  const operator = await shop.another('operator@florin.example')
  const theirs = await operator.post(`attention/${of(OWN)}/approve`)
  assert.deepEqual([theirs.status, theirs.error?.code], [409, 'action_not_possible'])
  assert.equal((await shop.post(`attention/${of(OWN)}/approve`, { address: THIEF })).error?.code, 'unknown_field')

  const refused = await shop.post<AttentionItem>(`attention/${of(THIEF)}/refuse`)
  assert.deepEqual([refused.status, refused.data.resolution], [200, 'refuse'])
  assert.equal((await shop.read()).refunds[0]?.status, 'waiting')
  const approved = await shop.post<AttentionItem>(`attention/${of(OWN)}/approve`)
  assert.deepEqual([approved.status, approved.data.resolution], [200, 'approve'])
  const { refunds } = await shop.read()
  assert.deepEqual(
    refunds.map((row) => [row.status, row.address, row.amount]),
    [['sending', OWN, 25_000_000n]],
  )
  const audit = await shop.deps.sql<{ action: string; actor: string }[]>`
    select action, actor from audit_log where subject = ${shop.orderNo} order by id`
  assert.deepEqual(
    [...audit],
    [
      { action: 'order.refund_address_refused', actor: shop.merchant.email },
      { action: 'order.refund_address_given', actor: shop.merchant.email },
    ],
  )
  assert.deepEqual(await approvals(shop), [])
})

test('a link asks ten times for an order and no more', async (t) => {
  const shop = await overpaid(t)
  const statuses: number[] = []
  for (let n = 0; n < 12; n++) {
    const address = `0x${String(n + 1).padStart(40, '1')}`
    statuses.push((await shop.browser().post('/refund-address', { address })).status)
  }
  assert.deepEqual(statuses, [...Array<number>(10).fill(200), 409, 409])
  assert.equal((await approvals(shop)).length, 10)
})

test('a key of any scope names no refund address: not on create, not by a refund, not through the link it reads', async (t) => {
  const shop = await aShop(t)
  const key = await anApiKey(shop.deps, shop.merchant, {
    scopes: ['orders:read', 'orders:write', 'refunds:write', 'webhooks:read', 'webhooks:write'],
  })
  const v1 = (method: 'GET' | 'POST', url: string, payload?: object) =>
    shop.app.inject({ method, url: `/v1/${url}`, headers: key.headers, ...(payload === undefined ? {} : { payload }) })
  const made = (
    await v1('POST', 'orders', { amount_usd: 50, settle_chain: 'base', pay_chain: 'base', refund_address: THIEF })
  ).json()
  assert.deepEqual([made.refund_address, made.refund_address_proposed.toLowerCase()], [null, THIEF])
  assert.ok(made.pay, 'create shows an open leg')
  for (const action of ['underpay', 'confirm']) {
    await v1('POST', `test/orders/${made.order_no}/simulate`, { action })
  }
  const refund = (await v1('POST', `orders/${made.order_no}/refund`, {})).json()
  if (refund.error === undefined) assert.equal(refund.refunds[0]?.address, null)
  await v1('POST', `test/orders/${made.order_no}/simulate`, { action: 'expire' })
  shop.clock.advance(DAY_MS + 31 * MINUTE_MS)
  await expireDue(shop.deps)
  const later = (await v1('GET', `orders/${made.order_no}`)).json()
  assert.equal(later.status_detail, 'refund_address_needed', JSON.stringify(later))
  const token = made.checkout_url.split('/').at(-1)
  const url = `/checkout/${token}/refund-address`
  const asked = await shop.app.inject({ method: 'POST', url, payload: { address: THIEF } })
  assert.equal(asked.json().refund_address_state, 'asked')
  const again = (await v1('POST', `orders/${made.order_no}/refund`, {})).json()
  for (const row of [...later.refunds, ...(again.refunds ?? [])]) assert.equal(row.address, null)
})

test('what came with the order is confirmed by the payer', async (t) => {
  const shop = await aShop(t, { pay_chain: undefined })
  const { order_no: orderNo, checkout_url: url } = (
    await shop.app.inject({
      method: 'POST',
      url: '/v1/orders',
      headers: shop.key.headers,
      payload: { amount_usd: 50, settle_chain: 'base', pay_chain: 'base', refund_address: OWN },
    })
  ).json()
  const token = url.split('/').at(-1)
  const seen = (await shop.app.inject(`/checkout/${token}`)).json()
  assert.deepEqual([seen.refund_address, seen.refund_address_proposed], [null, OWN])
  const confirmed = await shop.app.inject({
    ...{ method: 'POST', url: `/checkout/${token}/refund-address` },
    payload: { address: seen.refund_address_proposed },
  })
  assert.deepEqual([confirmed.json().refund_address, confirmed.json().browser], [OWN, 'holder'])
  const api = (await shop.app.inject({ url: `/v1/orders/${orderNo}`, headers: shop.key.headers })).json()
  assert.equal(api.pay.id, seen.pay.id, 'the API still shows the open leg')
})

test('a browser whose address does not fit the chain keeps its leg to itself, and names one after it paid', async (t) => {
  const shop = await aShop(t)
  const payer = shop.browser()
  await payer.post('/pay', { ...onBase, refund_address: OWN })
  const onBitcoin = (await payer.post('/pay', { chain: 'btc', asset: 'BTC' })).body
  assert.deepEqual([onBitcoin.pay?.chain, onBitcoin.refund_address, onBitcoin.browser], ['btc', null, 'holder'])
  assert.equal((await shop.api()).pay, null)
  await shop.pay(onBitcoin.pay?.id ?? '', 40_000n)
  await payer.post('/simulate', { action: 'expire' })
  shop.clock.advance(DAY_MS)
  await expireDue(shop.deps)
  assert.equal((await shop.read()).detail, 'refund_address_needed')
  const mine = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
  const theirs = await shop
    .browser()
    .post('/refund-address', { address: 'bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3' })
  assert.equal(theirs.body.refund_address_state, 'asked')
  assert.equal((await payer.get()).body.refund_address_way, 'name')
  const named = await payer.post('/refund-address', { address: mine })
  assert.equal(named.status, 200, named.text)
  assert.deepEqual(
    (await shop.read()).refunds.map((row) => [row.status, row.address]),
    [['sending', mine]],
  )
})

test('a page of another site makes no browser bind an address', async (t) => {
  const shop = await aShop(t)
  for (const headers of [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://thief.example' },
    { origin: 'null' },
  ]) {
    const victim = shop.browser()
    for (const [path, body] of [
      ['/pay', { ...onBase, refund_address: THIEF }],
      ['/refund-address', { address: THIEF }],
    ] as const) {
      const refused = await victim.post(path, body, headers as Record<string, string>)
      assert.deepEqual([refused.status, refused.body.error?.code, refused.cookies], [403, 'foreign_page', []])
    }
  }
  assert.equal((await shop.read()).legs.length, 0)
})

test('choices and addresses of two browsers at the same moment never meet in one leg', async (t) => {
  const shop = await aShop(t)
  const [payer, thief] = [shop.browser(), shop.browser()]
  await payer.post('/pay', { ...onBase, refund_address: OWN })
  await thief.post('/pay', { ...onBase, refund_address: THIEF })
  await Promise.all([
    payer.post('/pay', { chain: 'eth', asset: 'USDC' }),
    thief.post('/refund-address', { address: THIEF }),
    payer.post('/refund-address', { address: NEXT }),
    thief.post('/pay', { chain: 'arb', asset: 'USDC' }),
  ])
  const { legs } = await shop.read()
  const holders = new Map<string, Set<string>>()
  for (const { holder, boundRefundAddress: to } of legs) {
    assert.ok(holder !== null && to !== null)
    holders.set(holder, (holders.get(holder) ?? new Set()).add(to))
  }
  assert.deepEqual(
    [...holders.values()].map((set) => [...set].some((to) => to.toLowerCase() === THIEF) && set.size > 1),
    [false, false],
  )
  assert.equal((await payer.get()).text.toLowerCase().includes(THIEF), false)
})
