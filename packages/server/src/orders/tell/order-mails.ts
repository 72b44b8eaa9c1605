// Mails that an order's own course asks for: to the merchant that it was paid, to the payer a receipt and what went back.
// A change adds tasks in its commit; this job turns each into at most one mail, in the transaction that ends the task.
import type { OrderState } from '@florin/order-model/state'
import type { Clock } from '@florin/platform/clock'
import { recordAudit } from '@florin/platform/db/audit'
import type { Sql } from '@florin/platform/db/pool'
import { type Tx, withTx } from '@florin/platform/db/tx'
import { countWithin } from '@florin/platform/limits/store'
import { enqueueMail, NOTICE_KEPT_MS } from '@florin/platform/mail/enqueue'
import { tongueOf } from '@florin/platform/mail/payer-words/index'
import { admitPayerMail, bySeat, payerOff } from '@florin/platform/mail/payers'
import { lockTests } from '@florin/platform/mail/payers.store'
import { offOf } from '@florin/platform/mail/switches'
import { isWanted } from '@florin/platform/mail/switches.store'
import { findMerchantEmail, findZone } from '@florin/platform/merchants.store'
import type { Secrets } from '@florin/platform/secrets'
import { addTasks, endTasks, keepTasks, postponeTasks, type Task, takeTasks } from '@florin/platform/tasks/store'
import type { Job } from '@florin/platform/worker/job'
import { HOUR_MS, SECOND_MS } from '@florin/protocol'
import { isSandboxRail } from '@florin/rail-kit/interface/leg'
import { brandOf } from '../../brand/brand.ts'
import type { Config } from '../../settings.ts'
import type { Wakes } from '../../wakes.ts'
import type { OrderEffect } from '../effects.ts'
import { getOrder } from '../store.ts'
import { paidDigest, paidMail, receiptMail, refundMail } from './order-mail-words.ts'

type MailDeps = { sql: Sql; clock: Clock; secrets: Secrets; config: Config; wake: Wakes }

/** Mails about paid orders that a merchant gets one by one in an hour; the rest comes in one mail an hour. */
const ONE_BY_ONE_AN_HOUR = 10
const DIGEST_MAX = 500
const BATCH = 50

/** A task for each mail. Those about paid orders belong to their merchant, who may get them as one. */
const KIND = 'order-mails'

interface OrderMail {
  task: Task
  orderNo: string
  /** `paid` to the merchant, `receipt` or `refund` to the payer. */
  about: string
  refundId: string | undefined
}

function mailOf(task: Task): OrderMail {
  const [about = '', orderNo = '', refundId] = task.subject.split(' ')
  return { task, about, orderNo, refundId }
}

/** What a change of an order asks to be mailed. Nothing is sent before money came, and an order is paid once. */
export const mailEffect: OrderEffect = (_deps, { tx, before, after, now }) => {
  const { orderNo, merchantId: owner } = after
  const isPaid = after.status === 'success' && before.status !== 'success'
  const sent = new Set(before.refunds.filter((refund) => refund.status === 'succeeded').map((refund) => refund.id))
  const refunds = after.refunds.filter((refund) => refund.status === 'succeeded' && !sent.has(refund.id))
  const known = new Set(before.ownRefunds.filter((refund) => refund.status === 'recorded').map((refund) => refund.id))
  const own = after.ownRefunds.filter((refund) => refund.status === 'recorded' && !known.has(refund.id))
  const toPayer = [
    ...(isPaid ? [`receipt ${orderNo}`] : []),
    ...[...refunds, ...own].map(({ id }) => `refund ${orderNo} ${id}`),
  ]
  const tasks = [
    ...(isPaid ? [{ owner, subject: `paid ${orderNo}`, runAt: now }] : []),
    ...(after.payerEmail === null ? [] : toPayer.map((subject) => ({ subject, runAt: now }))),
  ]
  return [() => addTasks(tx, KIND, tasks, now)]
}

export function orderMailJob(deps: MailDeps): Job {
  return { name: KIND, everyMs: 2 * SECOND_MS, run: () => sendOrderMails(deps) }
}

/** @returns how many rows it ended or put off. */
export async function sendOrderMails(deps: MailDeps): Promise<number> {
  const now = deps.clock.now()
  const done = await withTx(deps.sql, async (tx) => {
    const rows = await takeTasks(tx, KIND, { now, limit: BATCH })
    const [paid, others] = [rows.filter(isAboutPaid), rows.filter((row) => !isAboutPaid(row))]
    // In one sequence: of two workers, each of which counts for the merchants of the other, none waits for the other.
    const merchants = [...Map.groupBy(paid, (row) => row.owner)].sort(([a], [b]) => (a < b ? -1 : 1))
    for (const [merchantId, own] of merchants) {
      await tellPaid(deps, tx, merchantId, own, now)
    }
    const addressed: Addressed[] = []
    for (const row of others) addressed.push(await addressedOf(tx, mailOf(row)))
    const testers = addressed.filter(({ order, isPayers }) => isPayers && !order.livemode)
    for (const id of [...new Set(testers.map(({ order }) => order.merchantId))].sort()) await lockTests(tx, id)
    for (const one of addressed.sort((a, b) => bySeat(a.to ?? '', b.to ?? ''))) await tellPayer(deps, tx, one, now)
    return rows.length
  })
  if (done > 0) deps.wake.mail.fire()
  return done
}

const isAboutPaid = (row: Task): boolean => row.owner !== ''
const keptFrom = (now: Date) => ({ now, dropAfter: new Date(now.getTime() + NOTICE_KEPT_MS) })

async function tellPaid(deps: MailDeps, tx: Tx, merchantId: string, rows: Task[], now: Date): Promise<void> {
  const to = await findMerchantEmail(tx, merchantId)
  if (to === null || !(await isWanted(tx, merchantId, 'paid'))) {
    await endTasks(tx, rows)
    return
  }
  const about = { baseUrl: deps.config.baseUrl, off: offOf(deps, merchantId, 'paid') }
  const since = new Date(now.getTime() - HOUR_MS)
  // What waited for its hour goes into the digest, with whatever else came meanwhile.
  const isRipe = rows.some((row) => row.createdAt <= since)
  if (isRipe) {
    const all = await takeTasks(tx, KIND, { owner: merchantId, limit: DIGEST_MAX })
    const orders = await ordersOf(tx, all)
    await enqueueMail(tx, deps.secrets, { to, ...paidDigest(orders, about) }, keptFrom(now))
    await endTasks(tx, all)
    return
  }
  const limit = {
    scope: `paid mails ${merchantId}`,
    max: ONE_BY_ONE_AN_HOUR,
    windowMs: HOUR_MS,
    kind: 'sliding' as const,
  }
  const alone: Task[] = []
  for (const row of rows) {
    if ((await countWithin(tx, limit, now)) === null) break
    alone.push(row)
  }
  const zone = await findZone(tx, merchantId)
  for (const order of await ordersOf(tx, alone)) {
    await enqueueMail(tx, deps.secrets, { to, ...paidMail(order, { ...about, zone }) }, keptFrom(now))
  }
  await endTasks(tx, alone)
  const runAt = new Date(now.getTime() + HOUR_MS)
  await postponeTasks(
    tx,
    rows.slice(alone.length).map((row) => ({ ...row, runAt })),
  )
}

async function ordersOf(tx: Tx, tasks: readonly Task[]): Promise<OrderState[]> {
  const orders: OrderState[] = []
  for (const task of tasks) orders.push(await getOrder(tx, mailOf(task).orderNo))
  return orders
}

interface Addressed {
  row: OrderMail
  order: OrderState
  to: string | null
  /** It goes to the payer, not to the merchant in the payer's place. */
  isPayers: boolean
}

/** In the sandbox no money comes, and anybody can say that it did: what its payer would get goes to the merchant. */
async function addressedOf(tx: Tx, row: OrderMail): Promise<Addressed> {
  const order = await getOrder(tx, row.orderNo)
  const isPayers = order.payerEmail === null || order.livemode || wasPaidOnChain(order)
  return { row, order, isPayers, to: isPayers ? order.payerEmail : await findMerchantEmail(tx, order.merchantId) }
}

/** On a chain that the operator named: a test network asks for a transaction for each mail, the sandbox for nothing. */
const wasPaidOnChain = ({ legs }: OrderState): boolean =>
  legs.length > 0 && legs.every((leg) => !isSandboxRail(leg.rail))

async function tellPayer(deps: MailDeps, tx: Tx, one: Addressed, now: Date): Promise<void> {
  const { row, order, to, isPayers } = one
  const { merchantId } = order
  // A refund that left the chain and is there again is not mailed again.
  await (row.refundId === undefined ? endTasks(tx, [row.task]) : keepTasks(tx, [row.task]))
  const refund = [...order.refunds, ...order.ownRefunds].find(({ id }) => id === row.refundId)
  const isWhole = row.about === 'receipt' || refund !== undefined
  if (to === null || !isWhole || !(await isWanted(tx, merchantId, 'receipts'))) return
  const admitted = await admitPayerMail(deps, tx, {
    ...{ to, merchantId, isInvoice: false, now },
    isTest: isPayers && !order.livemode,
  })
  if (!admitted.ok) {
    // The page of the order says the same, and stays. Who sold reads here why the mail did not go.
    const detail = { kind: row.about, reason: admitted.reason }
    const entry = { merchantId, actor: 'system', action: 'payer_mail.not_sent', subject: row.orderNo, detail }
    await recordAudit(tx, entry, now)
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
}
