// Mails that an order's own course asks for: to the merchant that it was paid, to the payer a receipt and what went back.
// A change writes rows in its commit; this job turns each row into at most one mail, in the transaction that ends the row.
import type { OrderState } from '@florin/order-model/state'
import type { Clock } from '@florin/platform/clock'
import { recordAudit } from '@florin/platform/db/audit'
import type { Sql } from '@florin/platform/db/pool'
import { type Tx, withTx } from '@florin/platform/db/tx'
import { enqueueMail, NOTICE_KEPT_MS } from '@florin/platform/mail/enqueue'
import { tongueOf } from '@florin/platform/mail/payer-words/index'
import { admitPayerMail, bySeat, payerOff } from '@florin/platform/mail/payers'
import { lockTests } from '@florin/platform/mail/payers.store'
import { offOf } from '@florin/platform/mail/switches'
import { isWanted } from '@florin/platform/mail/switches.store'
import { findMerchantEmail, findZone } from '@florin/platform/merchants.store'
import type { Secrets } from '@florin/platform/secrets'
import type { Job } from '@florin/platform/worker/job'
import { HOUR_MS, SECOND_MS } from '@florin/protocol'
import { isSandboxRail } from '@florin/rail-kit/interface/leg'
import { brandOf } from '../../brand/brand.ts'
import type { Config } from '../../settings.ts'
import type { Wakes } from '../../wakes.ts'
import type { OrderEffect } from '../effects.ts'
import { getOrder } from '../store.ts'
import { paidDigest, paidMail, receiptMail, refundMail } from './order-mail-words.ts'
import * as store from './order-mails.store.ts'

type MailDeps = { sql: Sql; clock: Clock; secrets: Secrets; config: Config; wake: Wakes }

/** Mails about paid orders that a merchant gets one by one in an hour; the rest comes in one mail an hour. */
const ONE_BY_ONE_AN_HOUR = 10
const DIGEST_MAX = 500
const BATCH = 50

/** What a change of an order asks to be mailed. Pure. The email is the payer's; nothing is sent before money came. */
function mailsOf(before: OrderState, after: OrderState): Omit<store.OrderMail, 'createdAt'>[] {
  const { orderNo, merchantId } = after
  const row = (kind: store.OrderMailKind, about = '') => ({ orderNo, merchantId, kind, about })
  const isPaid = after.status === 'success' && before.status !== 'success'
  const sent = new Set(before.refunds.filter((refund) => refund.status === 'succeeded').map((refund) => refund.id))
  const refunds = after.refunds.filter((refund) => refund.status === 'succeeded' && !sent.has(refund.id))
  const known = new Set(before.ownRefunds.filter((refund) => refund.status === 'recorded').map((refund) => refund.id))
  const own = after.ownRefunds.filter((refund) => refund.status === 'recorded' && !known.has(refund.id))
  const payer = after.payerEmail !== null
  return [
    ...(isPaid ? [row('paid'), ...(payer ? [row('receipt')] : [])] : []),
    ...(payer ? [...refunds, ...own].map((refund) => row('refund', refund.id)) : []),
  ]
}

export const mailEffect: OrderEffect = (_deps, { tx, before, after, now }) => [
  () => store.insertOrderMails(tx, mailsOf(before, after), now),
]

export function orderMailJob(deps: MailDeps): Job {
  return { name: 'order-mails', everyMs: 2 * SECOND_MS, run: () => sendOrderMails(deps) }
}

/** @returns how many rows it ended or put off. */
export async function sendOrderMails(deps: MailDeps): Promise<number> {
  const now = deps.clock.now()
  const done = await withTx(deps.sql, async (tx) => {
    const rows = await store.claimOrderMails(tx, { now, limit: BATCH })
    const [paid, others] = [rows.filter(isAboutPaid), rows.filter((row) => !isAboutPaid(row))]
    for (const [merchantId, own] of Map.groupBy(paid, (row) => row.merchantId)) {
      await tellPaid(deps, tx, merchantId, own, now)
    }
    const addressed: Addressed[] = []
    for (const row of others) addressed.push(await addressedOf(tx, row))
    const testers = addressed.filter(({ order, isPayers }) => isPayers && !order.livemode)
    for (const id of [...new Set(testers.map(({ row }) => row.merchantId))].sort()) await lockTests(tx, id)
    for (const one of addressed.sort((a, b) => bySeat(a.to ?? '', b.to ?? ''))) await tellPayer(deps, tx, one, now)
    return rows.length
  })
  if (done > 0) deps.wake.mail.fire()
  return done
}

const isAboutPaid = (row: store.OrderMail): boolean => row.kind === 'paid'
const keptFrom = (now: Date) => ({ now, dropAfter: new Date(now.getTime() + NOTICE_KEPT_MS) })

async function tellPaid(deps: MailDeps, tx: Tx, merchantId: string, rows: store.OrderMail[], now: Date): Promise<void> {
  const to = await findMerchantEmail(tx, merchantId)
  if (to === null || !(await isWanted(tx, merchantId, 'paid'))) {
    await store.finishOrderMails(tx, rows, null, now)
    return
  }
  const about = { baseUrl: deps.config.baseUrl, off: offOf(deps, merchantId, 'paid') }
  const since = new Date(now.getTime() - HOUR_MS)
  const room = ONE_BY_ONE_AN_HOUR - (await store.countAlone(tx, { merchantId, since, max: ONE_BY_ONE_AN_HOUR }))
  // What waited for its hour goes into the digest, with whatever else came meanwhile.
  const isRipe = rows.some((row) => row.createdAt <= since)
  if (isRipe) {
    const all = await store.claimWaitingPaid(tx, { merchantId, limit: DIGEST_MAX })
    const orders = await ordersOf(tx, all)
    await enqueueMail(tx, deps.secrets, { to, ...paidDigest(orders, about) }, keptFrom(now))
    await store.finishOrderMails(tx, all, false, now)
    return
  }
  const alone = rows.slice(0, Math.max(0, room))
  const zone = await findZone(tx, merchantId)
  for (const order of await ordersOf(tx, alone)) {
    await enqueueMail(tx, deps.secrets, { to, ...paidMail(order, { ...about, zone }) }, keptFrom(now))
  }
  if (alone.length > 0) await store.finishOrderMails(tx, alone, true, now)
  const rest = rows.slice(alone.length)
  if (rest.length > 0) await store.postponeOrderMails(tx, rest, new Date(now.getTime() + HOUR_MS))
}

async function ordersOf(tx: Tx, rows: readonly store.OrderMail[]): Promise<OrderState[]> {
  const orders: OrderState[] = []
  for (const row of rows) orders.push(await getOrder(tx, row.orderNo))
  return orders
}

interface Addressed {
  row: store.OrderMail
  order: OrderState
  to: string | null
  /** It goes to the payer, not to the merchant in the payer's place. */
  isPayers: boolean
}

/** In the sandbox no money comes, and anybody can say that it did: what its payer would get goes to the merchant. */
async function addressedOf(tx: Tx, row: store.OrderMail): Promise<Addressed> {
  const order = await getOrder(tx, row.orderNo)
  const isPayers = order.payerEmail === null || order.livemode || wasPaidOnChain(order)
  return { row, order, isPayers, to: isPayers ? order.payerEmail : await findMerchantEmail(tx, row.merchantId) }
}

/** On a chain that the operator named: a test network asks for a transaction for each mail, the sandbox for nothing. */
const wasPaidOnChain = ({ legs }: OrderState): boolean =>
  legs.length > 0 && legs.every((leg) => !isSandboxRail(leg.rail))

async function tellPayer(deps: MailDeps, tx: Tx, one: Addressed, now: Date): Promise<void> {
  const { row, order, to, isPayers } = one
  const { merchantId } = row
  const refund = [...order.refunds, ...order.ownRefunds].find(({ id }) => id === row.about)
  const isWhole = row.kind === 'receipt' || refund !== undefined
  if (to === null || !isWhole || !(await isWanted(tx, merchantId, 'receipts'))) {
    await store.finishOrderMails(tx, [row], null, now)
    return
  }
  const admitted = await admitPayerMail(deps, tx, {
    ...{ to, merchantId, isInvoice: false, now },
    isTest: isPayers && !order.livemode,
  })
  if (!admitted.ok) {
    // The page of the order says the same, and stays. Who sold reads here why the mail did not go.
    const detail = { kind: row.kind, reason: admitted.reason }
    const entry = { merchantId, actor: 'system', action: 'payer_mail.not_sent', subject: row.orderNo, detail }
    await recordAudit(tx, entry, now)
    await store.finishOrderMails(tx, [row], null, now)
    return
  }
  const { baseUrl } = deps.config
  const tongue = tongueOf(order.payerLocale)
  const about = {
    baseUrl,
    brand: await brandOf(tx, merchantId, baseUrl),
    isPayers,
    off: payerOff(deps, { to, merchantId, label: tongue.say('stop_label') }),
    tongue,
  }
  const mail = refund === undefined ? receiptMail(order, about) : refundMail(order, refund, about)
  await enqueueMail(tx, deps.secrets, { to, ...mail }, keptFrom(now))
  await store.finishOrderMails(tx, [row], true, now)
}
