// Promises: an approval releases the one refund that it showed: its asset, its amount, what its payers sent. Other
// money of the order waits for an answer of its own, and where nothing waits there is nothing to ask for or approve.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mailJob } from '@florin/platform/mail/send'
import type { AttentionItem } from '@florin/protocol'
import type { AssetRef } from '@florin/rail-kit/interface/asset'
import { anApiKey } from '../../test/factories.ts'
import { aShop, type Shop } from './payer.fixture.ts'

const OWN = '0x8617E340B3D01FA5F11F306F4090FD50E238070D'
const THIEF = '0x27b1fdb04752bbc536007a920d24acb045561c26'
const DUE = 50_000_000n
const onBase = { chain: 'base', asset: 'USDC' }
const usdt: AssetRef = {
  ...{ chain: 'base', asset: 'USDT', decimals: 6 },
  contract: '0xfde4C96c8593536E31F229EA8f37b2ADa2699bb2',
}

const open = async (shop: Shop, reason: string): Promise<AttentionItem[]> =>
  (await shop.get<{ data: AttentionItem[] }>('attention?livemode=false&status=open')).data.data.filter(
    (item) => item.reason === reason,
  )

const act = (shop: Shop, item: AttentionItem | undefined, action: string, body?: object) =>
  shop.post<AttentionItem>(`attention/${item?.id}/${action}`, body)

async function refund(shop: Shop): Promise<void> {
  const key = await anApiKey(shop.deps, shop.merchant, { scopes: ['refunds:write'] })
  const url = `/v1/orders/${shop.orderNo}/refund`
  const reply = await shop.app.inject({ method: 'POST', url, headers: key.headers, payload: {} })
  assert.equal(reply.statusCode, 200, reply.payload)
}

const refundsOf = async (shop: Shop) =>
  (await shop.read()).refunds
    .map(({ amount, asset, status, address }) => [amount, asset, status, address?.toLowerCase() ?? null])
    .sort()

/** An order that a payer is shown the address of, to which the thief has sent a cent of another coin. */
async function dusted(t: Parameters<typeof aShop>[0]): Promise<{ shop: Shop; legId: string }> {
  const shop = await aShop(t)
  const legId = (await shop.browser().post('/pay', onBase)).body.pay?.id ?? ''
  await shop.pay(legId, 10_000n, THIEF, usdt)
  return { shop, legId }
}

test('the approval of a thief’s cent releases the cent, not what the payer sent', async (t) => {
  const { shop, legId } = await dusted(t)
  const thief = shop.browser()
  const early = await thief.post('/refund-address', { address: THIEF })
  await shop.pay(legId, 5_000_000n, OWN)
  for (const item of await open(shop, 'refund_approval')) await act(shop, item, 'approve')
  await refund(shop)
  assert.deepEqual(await refundsOf(shop), [
    [10_000n, 'USDT', 'waiting', null],
    [5_000_000n, 'USDC', 'waiting', null],
  ])
  assert.deepEqual([early.status, early.body.error?.code], [409, 'leg_not_changeable'])

  assert.equal((await thief.post('/refund-address', { address: THIEF })).status, 200)
  const items = await open(shop, 'refund_approval')
  assert.deepEqual(items.map(({ evidence }) => [evidence.amount, evidence.asset, evidence.from]).sort(), [
    ['10000', 'USDT', THIEF],
    ['5000000', 'USDC', OWN],
  ])
  const cent = items.find(({ evidence }) => evidence.asset === 'USDT')
  assert.equal((await act(shop, cent, 'approve')).status, 200)
  await mailJob(shop.deps).run(new AbortController().signal)
  const mail = shop.mailbox.mails.findLast(({ subject }) => subject.includes('A refund address was named'))
  assert.match(mail?.text ?? '', /Amount: {2}0\.01 USDT on Base\nPaid by: 0x27b1/)
  assert.deepEqual(
    (await open(shop, 'refund_approval')).map(({ evidence }) => evidence.asset),
    ['USDC'],
  )
  shop.clock.advance(1)
  await shop.pay(legId, 2_000_000n, OWN)
  await refund(shop)
  assert.deepEqual(await refundsOf(shop), [
    [10_000n, 'USDT', 'sending', THIEF],
    [2_000_000n, 'USDC', 'waiting', null],
    [5_000_000n, 'USDC', 'waiting', null],
  ])
  assert.equal((await open(shop, 'refund_address_needed')).length, 2)
  assert.equal((await thief.get()).body.refund_address_state, 'wanted', 'what came later was not asked about')
})

test('an address that the merchant names is for the refund of that item alone, dismissed or not', async (t) => {
  const { shop, legId } = await dusted(t)
  await shop.pay(legId, 5_000_000n, OWN)
  await refund(shop)
  await shop.browser().post('/refund-address', { address: THIEF })
  const items = await open(shop, 'refund_address_needed')
  const cent = items.find(({ evidence }) => evidence.asset === 'USDT')
  await act(shop, cent, 'dismiss')
  assert.equal((await act(shop, cent, 'refund-to', { address: THIEF })).status, 200)
  assert.deepEqual(await refundsOf(shop), [
    [10_000n, 'USDT', 'sending', THIEF],
    [5_000_000n, 'USDC', 'waiting', null],
  ])
  const again = await act(shop, cent, 'refund-to', { address: THIEF })
  assert.deepEqual([again.status, again.error?.code], [409, 'action_not_possible'])
  const approvals = await open(shop, 'refund_approval')
  assert.deepEqual(
    approvals.map(({ evidence }) => evidence.asset),
    ['USDC'],
    'the other request was about the cent',
  )
  const rest = items.find(({ evidence }) => evidence.asset === 'USDC')
  assert.equal((await act(shop, rest, 'refund-to', { address: OWN })).status, 200)
  assert.deepEqual(await open(shop, 'refund_approval'), [])
  const late = await act(shop, approvals[0], 'approve')
  assert.deepEqual([late.status, late.error?.code], [409, 'action_not_possible'])
  const asked = await shop.browser().post('/refund-address', { address: THIEF })
  assert.deepEqual([asked.status, asked.body.error?.code], [409, 'refund_address_taken'])
})

test('nobody asks for what a payer bound: not before its refund, not while it is on its way', async (t) => {
  const shop = await aShop(t)
  const payer = shop.browser()
  const bound = await payer.post('/pay', { ...onBase, refund_address: OWN })
  await shop.pay(bound.body.pay?.id ?? '', DUE + 5_000_000n, OWN)
  const ask = async () => {
    const asked = await shop.browser().post('/refund-address', { address: THIEF })
    assert.deepEqual([asked.status, asked.body.error?.code], [409, 'refund_address_taken'])
    assert.deepEqual(await open(shop, 'refund_approval'), [])
  }
  await ask()
  await shop.post(`test/orders/${shop.orderNo}/simulate`, { action: 'settle' })
  assert.deepEqual(await refundsOf(shop), [[5_000_000n, 'USDC', 'sending', OWN.toLowerCase()]])
  await ask()
})

test('mails about approvals: an old link or an old choice that ended them ends nothing', async (t) => {
  const { shop, legId } = await dusted(t)
  const { id } = shop.merchant
  const read = () => shop.get<Record<string, boolean>>('mails')
  const before = (await read()).data
  // The token under each such mail of an earlier release.
  const signed = Buffer.from(shop.deps.secrets.keyedHash('mail switch', `${id} attention`)).toString('base64url')
  const url = `/mail/off/attention.${id}.${signed}`
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const done = await shop.app.inject({ method: 'POST', url, headers, payload: 'List-Unsubscribe=One-Click' })
  assert.equal(done.statusCode, 404)
  assert.match(done.payload, /these mails cannot be ended/)
  const payload = { attention: false }
  const asked = { method: 'PATCH' as const, url: '/api/v1/boss/mails', headers: shop.merchant.headers, payload }
  assert.equal((await shop.app.inject(asked)).statusCode, 422)
  await shop.deps.sql`insert into mail_switches (merchant_id, kind, off_at) values (${id}, 'attention', now())`
  assert.deepEqual((await read()).data, before)

  await shop.pay(legId, 5_000_000n, OWN)
  await refund(shop)
  const payer = shop.browser()
  assert.equal((await payer.post('/refund-address', { address: THIEF })).status, 200)
  assert.ok((await open(shop, 'refund_approval')).length > 0)
  await mailJob(shop.deps).run(new AbortController().signal)
  const mail = shop.mailbox.mails.find(({ to, text }) => to === shop.merchant.email && text.includes(THIEF))
  assert.ok(mail, 'the merchant is mailed about the approval')
  assert.equal(mail.off, undefined, 'no link ends such mails')
})
