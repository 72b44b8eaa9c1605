// Mails about paid orders, receipts and refunds: from a commit to a real SMTP conversation.
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { withTx } from '@florin/platform/db/tx'
import { type Mail, smtpMailer } from '@florin/platform/mail/mailer'
import { payerWords } from '@florin/platform/mail/payer-words/index'
import { admitPayerMail } from '@florin/platform/mail/payers'
import { sendDueMail } from '@florin/platform/mail/send'
import { HOUR_MS, type Order, PAYER_MAILS } from '@florin/protocol'
import PostalMime from 'postal-mime'
import { slowTest, quickTest as test } from '../../../../../scripts/sizes.ts'
import { aMerchant, anApiKey, aReceivingAddress, type TestMerchant } from '../../../test/factories.ts'
import { type TestApp, testApp } from '../../../test/harness.ts'
import { startSmtp } from '../../../test/smtp.ts'
import { brandOf } from '../../brand/brand.ts'
import { brandedMail } from '../../brand/mail.ts'
import { sendWeekly, weekToTell } from '../../reports/weekly.ts'
import { sendOrderMails } from './order-mails.ts'

const SPITE = 'Click https://evil.example'

async function aShop(t: TestContext) {
  const at = await testApp(t, { baseUrl: 'https://pay.shop.example' })
  const merchant = await aMerchant(at.deps)
  await aReceivingAddress(at.deps, merchant)
  await anApiKey(at.deps, merchant)
  return { at, merchant }
}

async function boss(at: TestApp, merchant: TestMerchant, method: string, path: string, payload?: object) {
  const reply = await at.app.inject({
    ...{ method: method as 'GET', url: `/api/v1/boss/${path}`, headers: merchant.headers },
    ...(payload === undefined ? {} : { payload }),
  })
  assert.ok(reply.statusCode < 300, `${path}: ${reply.payload}`)
  return reply.json().data
}

async function anOrder(at: TestApp, merchant: TestMerchant, more: object, steps: readonly string[]): Promise<Order> {
  const body = { amount_usd: 49.9, pay_chain: 'base', title: 'Two mugs', ...more }
  const order: Order = await boss(at, merchant, 'POST', 'orders?livemode=false', body)
  for (const action of steps) await boss(at, merchant, 'POST', `test/orders/${order.order_no}/simulate`, { action })
  return order
}

/** As if the sandbox's money were real: no rail of these tests carries live money. */
const asIfReal = (at: TestApp): Promise<unknown> => at.deps.sql`update orders set livemode = true`

async function mailed(at: TestApp): Promise<Mail[]> {
  at.mailbox.mails.length = 0
  return mailedOf(at)
}

async function mailedOf(at: TestApp): Promise<Mail[]> {
  while ((await sendOrderMails(at.deps)) > 0);
  while ((await sendDueMail(at.deps)) > 0);
  return [...at.mailbox.mails]
}

test('merchant and payer are mailed once each when the money is there, and over SMTP the mail can be switched off', async (t) => {
  const { at, merchant } = await aShop(t)
  await mailed(at)
  const payer = { payer_email: 'ann@buyer.example' }
  const order = await anOrder(at, merchant, payer, ['pay'])
  assert.deepEqual(await mailed(at), [], 'nothing before it is settled')
  await boss(at, merchant, 'POST', `test/orders/${order.order_no}/simulate`, { action: 'settle' })
  await asIfReal(at)
  const mails = await mailed(at)
  assert.deepEqual(
    mails.map((mail) => `${mail.to}: ${mail.subject}`).sort(),
    [`${merchant.email}: Paid: 49.90 USD`, 'ann@buyer.example: Receipt: 49.90 USD to the shop'].sort(),
  )
  const [paid, receipt] = [
    mails.find((one) => one.to === merchant.email),
    mails.find((one) => one.to !== merchant.email),
  ]
  assert.match(paid?.text ?? '', /Received: +49\.90 USDC on Base/)
  assert.match(receipt?.text ?? '', /Paid with: 49\.90 USDC on Base/)
  assert.match(receipt?.text ?? '', /https:\/\/pay\.shop\.example\/pay\//)
  assert.match(receipt?.off ?? '', /^https:\/\/pay\.shop\.example\/mail\/stop\/all\./)
  assert.deepEqual(await mailed(at), [], 'each once')

  const smtp = await startSmtp(t)
  assert.doesNotMatch(receipt?.html ?? '', /<img|<!--/, 'no logo, no place for one')
  const mailer = smtpMailer(`smtp://127.0.0.1:${smtp.port}`, 'Florin <pay@shop.example>')
  t.after(() => mailer.close())
  assert.ok(paid !== undefined)
  await mailer.send(paid)
  const [got] = smtp.received
  const parsed = await new PostalMime().parse(got?.raw ?? '')
  const header = (name: string) => parsed.headers.find((one) => one.key === name)?.value
  assert.equal(header('list-unsubscribe-post'), 'List-Unsubscribe=One-Click')
  assert.match(parsed.html ?? '', /<h1[^>]*>Paid: 49\.90 USD<\/h1>/)
  assert.match(parsed.text ?? '', /Two mugs/)
  const off = new URL(/^<(.+)>$/.exec(header('list-unsubscribe') ?? '')?.[1] ?? '').pathname
  const shown = await at.app.inject({ url: off })
  assert.match(shown.payload, /<form method="post">/)
  assert.deepEqual((await boss(at, merchant, 'GET', 'mails')).paid, true, 'looking switches nothing')
  const forged = await at.app.inject({ method: 'POST', url: off.replace(/mer_./, 'mer_x') })
  assert.equal(forged.statusCode, 404)
  const other = await at.app.inject({ method: 'POST', url: off.replace('/off/paid', '/off/weekly') })
  assert.equal(other.statusCode, 404, 'one kind alone')
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const done = await at.app.inject({ method: 'POST', url: off, headers, payload: 'List-Unsubscribe=One-Click' })
  assert.equal(done.statusCode, 200)
  assert.deepEqual(await boss(at, merchant, 'GET', 'mails'), {
    ...{ paid: false, webhooks: true, weekly: true, receipts: true },
  })
  const [told, ...more] = await mailed(at)
  assert.deepEqual([told?.to, told?.subject, more], [merchant.email, 'Mails to you were switched off', []])
  assert.match(told?.text ?? '', /- mails about paid orders\n/)
  await at.app.inject({ method: 'POST', url: off, headers, payload: 'List-Unsubscribe=One-Click' })
  assert.deepEqual(await mailed(at), [], 'once')
  await anOrder(at, merchant, payer, ['pay', 'settle'])
  await asIfReal(at)
  assert.deepEqual(
    (await mailed(at)).map((mail) => mail.to),
    ['ann@buyer.example'],
  )
  await boss(at, merchant, 'PATCH', 'mails', { paid: true, receipts: false })
  assert.deepEqual(
    (await mailed(at)).map((mail) => [mail.to, mail.subject]),
    [[merchant.email, 'Mails to you were switched off']],
  )
  await anOrder(at, merchant, payer, ['pay', 'settle'])
  await asIfReal(at)
  assert.deepEqual(
    (await mailed(at)).map((mail) => mail.to),
    [merchant.email],
  )
})

test('a payer hears of what went back, unpaid orders mail nobody, and nothing that becomes a link is in it', async (t) => {
  const { at, merchant } = await aShop(t)
  // A name from before such names were refused.
  await at.deps.sql`update merchants set name = 'Mugs www.evil.example, tel:+1900555000' where id = ${merchant.id}`
  await mailed(at)
  const payer = { payer_email: 'ann@buyer.example', title: SPITE }
  await anOrder(at, merchant, payer, ['expire'])
  assert.deepEqual(await mailed(at), [])
  await anOrder(at, merchant, payer, ['underpay', 'refund'])
  await asIfReal(at)
  const [refund, ...more] = await mailed(at)
  assert.deepEqual(more, [])
  assert.match(refund?.subject ?? '', /^Refund: 24\.95 USDC from Mugs www\[dot\]evil\[dot\]example, tel \[number\]$/)
  for (const text of [refund?.text ?? '', refund?.html ?? '']) {
    assert.ok(!text.includes('https://evil.example') && !text.includes('www.evil.example'), text)
  }
  assert.match(refund?.text ?? '', /Amount: +24\.95 USDC on Base/)
  const own = '<bdi>Mugs www[dot]evil[dot]example, tel [number]</bdi>'
  assert.equal(
    refund?.html?.split(own).length,
    3,
    'in the heading and in the text the name keeps its direction to itself',
  )
  const brand = await brandOf(at.deps.sql, merchant.id, 'https://pay.shop.example')
  const logo = { url: '', width: 10, height: 10 }
  assert.equal(
    brandedMail({ ...brand, logo, logoId: 'one' }, '').logo?.alt,
    'Mugs www[dot]evil[dot]example, tel [number]',
    'read where pictures are not shown',
  )
})

test('in the sandbox no payer is mailed, whoever named him: the merchant sees what would have gone', async (t) => {
  const { at, merchant } = await aShop(t)
  await mailed(at)
  const payer = { payer_email: 'victim@x.example', title: 'Call +1 900 555 now' }
  await anOrder(at, merchant, payer, ['pay', 'settle'])
  await anOrder(at, merchant, payer, ['underpay', 'refund'])
  const mails = await mailed(at)
  assert.deepEqual([...new Set(mails.map((mail) => mail.to))], [merchant.email])
  const [receipt] = mails.filter((mail) => mail.subject.startsWith('[test] Receipt:'))
  assert.match(receipt?.text ?? '', /in the sandbox comes to you, and to nobody else/)
  assert.ok(mails.some((mail) => mail.subject.startsWith('[test] Refund:')))
})

slowTest(
  'of test orders on a chain of the operator’s the payer is mailed, within a bound for all that a merchant tries',
  async (t) => {
    const { at, merchant } = await aShop(t)
    const onChain = () => at.deps.sql`update pay_legs set rail = 'forwarder'`
    const admit = (to: string) => {
      const now = at.clock.now()
      const ask = { to, merchantId: merchant.id, isInvoice: false, isTest: true, now }
      return withTx(at.deps.sql, (tx) => admitPayerMail(at.deps, tx, ask))
    }
    await mailed(at)
    await anOrder(at, merchant, { payer_email: 'ann@buyer.example' }, ['pay', 'settle'])
    await anOrder(at, merchant, { payer_email: 'ben@buyer.example' }, ['underpay', 'refund'])
    await onChain()
    const mails = (await mailed(at)).filter((mail) => mail.to !== merchant.email)
    assert.deepEqual(mails.map((mail) => `${mail.to}: ${mail.subject.split(':')[0]}`).sort(), [
      'ann@buyer.example: [test] Receipt',
      'ben@buyer.example: [test] Refund',
    ])
    for (const mail of mails) assert.match(mail.text, /is worth nothing\.\nYou get this mail because/)
    for (let n = 3; n < PAYER_MAILS.ofTestsPerDay; n++) assert.equal((await admit(`payer${n}@x.example`)).ok, true)
    await anOrder(at, merchant, { payer_email: 'last@buyer.example' }, ['pay', 'settle'])
    await anOrder(at, merchant, { payer_email: 'more@buyer.example' }, ['pay', 'settle'])
    await onChain()
    const strangers = (await mailed(at)).filter((mail) => mail.to !== merchant.email)
    assert.equal(strangers.length, 1)
    assert.equal((await admit('nobody@x.example')).ok, false)
    at.clock.advance(24 * HOUR_MS)
    assert.equal((await admit('nobody@x.example')).ok, true)
  },
)

slowTest(
  'a mailbox gets three mails an hour of a shop and ten a day of all, also side by side, and the rest is told to the shop',
  async (t) => {
    const { at, merchant } = await aShop(t)
    await mailed(at)
    const shops = [merchant]
    for (let n = 0; n < 3; n++) {
      const other = await aMerchant(at.deps)
      await aReceivingAddress(at.deps, other)
      await anApiKey(at.deps, other)
      shops.push(other)
    }
    const to = 'flood@x.example'
    // Other writings of a mailbox are the same mailbox, and are written to as they were given.
    const writings = [to, 'Flood@x.example', 'flood+2@x.example']
    const flood = async (shop: TestMerchant, count: number) => {
      for (let n = 0; n < count; n++) {
        await anOrder(at, shop, { payer_email: writings[n % 3]?.replace('x.', 'X.') ?? to }, ['pay', 'settle'])
      }
    }
    const got = async () => {
      await asIfReal(at)
      at.mailbox.mails.length = 0
      await Promise.all([sendOrderMails(at.deps), sendOrderMails(at.deps), sendOrderMails(at.deps)])
      return (await mailedOf(at)).filter((mail) => writings.includes(mail.to)).length
    }
    await flood(merchant, 5)
    assert.equal(await got(), 3)
    const audit = await boss(at, merchant, 'GET', 'audit')
    const left = audit.data.filter((entry: { action: string }) => entry.action === 'payer_mail.not_sent')
    assert.deepEqual(
      left.map((entry: { detail: unknown }) => entry.detail),
      Array.from({ length: 2 }, () => ({ kind: 'receipt', reason: 'too_many' })),
    )
    for (const shop of shops.slice(1)) await flood(shop, 3)
    assert.equal(await got(), 7, 'ten in all')
    at.clock.advance(HOUR_MS + 1)
    await flood(merchant, 1)
    assert.equal(await got(), 0, 'the day is not over')
    at.clock.advance(23 * HOUR_MS)
    await flood(merchant, 1)
    assert.equal(await got(), 1)
    // Connections that are open already: those who ask at once are judged at once.
    await Promise.all(Array.from({ length: 8 }, () => at.deps.sql`select 1`))
    const now = at.clock.now()
    const rush = Array.from({ length: 4 }, () => shops).flat()
    const admitted = await Promise.all(
      rush.map(({ id: merchantId }) =>
        withTx(at.deps.sql, (tx) =>
          admitPayerMail(at.deps, tx, { to: 'rush@x.example', merchantId, isInvoice: false, now }),
        ),
      ),
    )
    assert.equal(admitted.filter(({ ok }) => ok).length, 10)
    const rows = await at.deps.sql<{ mailbox: Uint8Array }[]>`select mailbox from payer_mails`
    assert.ok(rows.every(({ mailbox }) => mailbox.length === 32))
    assert.doesNotMatch(JSON.stringify(rows.map(({ mailbox }) => Buffer.from(mailbox).toString('latin1'))), /flood/i)
  },
)

test('one click ends the mails of all shops for a mailbox, or of one, or has them again, and for nobody else', async (t) => {
  const { at, merchant } = await aShop(t)
  const other = await aMerchant(at.deps)
  await aReceivingAddress(at.deps, other)
  await anApiKey(at.deps, other)
  await mailed(at)
  const receipts = async (email = 'ann@buyer.example') => {
    for (const shop of [merchant, other]) await anOrder(at, shop, { payer_email: email }, ['pay', 'settle'])
    await asIfReal(at)
    const mails = (await mailed(at)).filter((mail) => mail.to === email)
    at.clock.advance(HOUR_MS)
    return mails
  }
  const path = (mail: Mail | undefined) => new URL(mail?.off ?? '').pathname
  const click = async (url: string) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    return at.app.inject({ method: 'POST', url, headers, payload: 'List-Unsubscribe=One-Click' })
  }
  const first = await receipts()
  const own = first.find((mail) => mail.off?.includes(merchant.id))
  const shown = await at.app.inject({ url: path(own) })
  assert.match(shown.payload, /<form method="post">[\s\S]*Stop one shop/)
  assert.equal((await receipts()).length, 2, 'looking stops nothing')
  const shopLink = /href="(\/mail\/stop\/shop\.[^"]+)"/.exec(shown.payload)?.[1] ?? ''
  assert.equal((await click(shopLink)).statusCode, 200)
  const [theirs, ...none] = await receipts()
  assert.deepEqual([theirs?.off?.includes(other.id), none], [true, []], 'of the other shop alone')
  for (const forged of [
    path(own).replace(merchant.id, other.id),
    shopLink.replace('/shop.', '/all.'),
    '/mail/stop/all.a.b',
  ]) {
    assert.equal((await click(forged)).statusCode, 404)
  }
  const done = await click(path(own))
  assert.deepEqual([done.statusCode, (await click(path(own))).statusCode], [200, 200])
  assert.deepEqual(await receipts(), [])
  assert.equal((await receipts('bob@buyer.example')).length, 2)
  const again = /href="(\/mail\/stop\/again\.[^"]+)"/.exec(done.payload)?.[1] ?? ''
  assert.equal((await click(again)).statusCode, 200)
  assert.equal((await receipts()).length, 2)
})

slowTest('under load ten come one by one, the rest in one mail after an hour, with sums by currency', async (t) => {
  const { at, merchant } = await aShop(t)
  await mailed(at)
  for (let n = 0; n < 13; n++) await anOrder(at, merchant, { amount_usd: n + 1 }, ['pay', 'settle'])
  const first = await mailed(at)
  assert.equal(first.length, 10)
  assert.deepEqual(await mailed(at), [])
  at.clock.advance(HOUR_MS)
  await anOrder(at, merchant, { amount_usd: 100 }, ['pay', 'settle'])
  const [digest, ...more] = await mailed(at)
  assert.deepEqual(more, [])
  assert.equal(digest?.subject, '4 orders were paid')
  const left = first.map((mail) => Number(/Paid: ([\d.]+) USD/.exec(mail.subject)?.[1])).reduce((a, b) => a + b, 0)
  assert.match(digest?.text ?? '', new RegExp(`Test, USD: +${(191 - left).toFixed(2)} in 4 orders`))
  const rows = await at.deps.sql`select 1 from tasks where kind = 'order-mails' and run_at is not null`
  assert.equal(rows.length, 0)
})

test('a week is told once, on its Monday, to whoever wants it', async (t) => {
  const monday = Date.UTC(2026, 5, 1)
  assert.equal(weekToTell(new Date(monday + 5 * HOUR_MS), 'UTC'), null)
  assert.equal(weekToTell(new Date(monday + 6 * HOUR_MS), 'UTC')?.week, '2026-05-25')
  assert.equal(weekToTell(new Date(monday + 2.9 * 24 * HOUR_MS), 'UTC')?.week, '2026-05-25')
  assert.equal(weekToTell(new Date(monday + 3 * 24 * HOUR_MS), 'UTC'), null)
  // On a Monday in Tokyo it is Sunday in UTC for nine hours more.
  const tokyo = weekToTell(new Date(monday - 3 * HOUR_MS), 'Asia/Tokyo')
  assert.deepEqual([tokyo?.week, tokyo?.to.toISOString()], ['2026-05-25', '2026-05-31T15:00:00.000Z'])
  assert.equal(weekToTell(new Date(monday - 4 * HOUR_MS), 'Asia/Tokyo'), null)
  const { at, merchant } = await aShop(t)
  const [silent, stranger] = [await aMerchant(at.deps), await aMerchant(at.deps)]
  await aReceivingAddress(at.deps, silent)
  await anApiKey(at.deps, silent)
  await boss(at, silent, 'PATCH', 'mails', { weekly: false })
  for (const who of [merchant, silent]) await anOrder(at, who, {}, ['pay', 'settle'])
  await mailed(at)
  await asIfReal(at)
  const now = at.clock.now()
  const days = (8 - ((now.getUTCDay() + 6) % 7) - 1) % 7 || 7
  const next = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + days, 7)
  at.clock.advance(next - now.getTime())
  while ((await sendWeekly(at.deps)) > 0);
  const mails = await mailed(at)
  assert.deepEqual(
    mails.map((mail) => mail.to),
    [merchant.email],
    `${stranger.email} sold nothing`,
  )
  assert.equal(mails[0]?.subject, 'Your week: 1 order was paid')
  assert.match(mails[0]?.text ?? '', /Settled, USD: +49\.90 in 1 order\b/)
  while ((await sendWeekly(at.deps)) > 0);
  assert.deepEqual(await mailed(at), [])
})

test('mails to a payer: named locale or browser language → text, numbers and dates of that language', async (t) => {
  const { at, merchant } = await aShop(t)
  await mailed(at)
  const to = { payer_email: 'ann@buyer.example' }
  await anOrder(at, merchant, { ...to, payer_locale: 'de-AT' }, ['pay', 'settle'])
  const chosen = await anOrder(at, merchant, { ...to, pay_chain: undefined }, [])
  assert.equal(chosen.payer_locale, null)
  const [, token] = chosen.checkout_url.split('/pay/')
  const headers = { 'accept-language': 'nl, pt-BR;q=0.9, en;q=0.5' }
  const pay = { method: 'POST' as const, url: `/checkout/${token}/pay`, headers }
  const reply = await at.app.inject({ ...pay, payload: { chain: 'base', asset: 'USDC' } })
  assert.equal(reply.statusCode, 200, reply.payload)
  const after: Order = await boss(at, merchant, 'GET', `orders/${chosen.order_no}`)
  assert.equal(after.payer_locale, 'pt-br')
  for (const action of ['underpay', 'refund']) {
    await boss(at, merchant, 'POST', `test/orders/${chosen.order_no}/simulate`, { action })
  }
  await anOrder(at, merchant, { ...to, payer_locale: 'nl' }, ['pay', 'settle'])
  await asIfReal(at)
  const mails = (await mailed(at)).filter((mail) => mail.to === to.payer_email)
  assert.deepEqual(mails.map((mail) => mail.subject).sort(), [
    'Beleg: 49,90 USD an den Shop',
    'Receipt: 49.90 USD to the shop',
    'Reembolso: 24,95 USDC da loja',
  ])
  const german = mails.find((mail) => mail.subject.startsWith('Beleg'))
  assert.match(german?.html ?? '', /<html lang="de">/)
  assert.match(german?.text ?? '', /Bezahlt mit: 49,90 USDC auf Base/)
  assert.match(german?.text ?? '', /Datum: +\d+\. \w+ \d{4} um \d\d:\d\d UTC/)
  const page = await at.app.inject({ url: new URL(german?.off ?? '').pathname, headers: { 'accept-language': 'fr' } })
  assert.match(page.payload, /<html lang="fr">[\s\S]*Ne plus recevoir d’e-mails/)

  const odd = await at.app.inject({
    ...{ method: 'POST', url: '/api/v1/boss/orders?livemode=false', headers: merchant.headers },
    payload: { amount_usd: 1, payer_locale: 'de_DE.UTF-8' },
  })
  assert.deepEqual([odd.statusCode, odd.json().error?.param ?? odd.json().param], [422, 'payer_locale'])
})

test('words of payer mails: every language → the same words and fields as English', () => {
  const fieldsOf = (text: string): string[] => [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name).sort()
  for (const [language, words] of Object.entries(payerWords)) {
    assert.deepEqual(Object.keys(words).sort(), Object.keys(payerWords.en).sort(), language)
    for (const [word, text] of Object.entries(words)) {
      const inEnglish = payerWords.en[word as keyof typeof words]
      assert.deepEqual(fieldsOf(text), fieldsOf(inEnglish), `${language}: ${word}`)
    }
  }
})
