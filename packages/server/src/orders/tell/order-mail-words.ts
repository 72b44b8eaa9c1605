// Texts of the mails about paid orders, receipts and refunds. What a payer typed stands in none of them; what the merchant
// wrote stands as one line with nothing that becomes a link.
import { findChain } from '@florin/chains'
import { coinText } from '@florin/checkout-core'
import { amountOf, sum } from '@florin/order-model/ledger'
import { currentLeg, type OrderState, type RefundState, shownPayee } from '@florin/order-model/state'
import { composeMail } from '@florin/platform/mail/compose'
import type { PayerTongue } from '@florin/platform/mail/payer-words/index'
import { unlinked, unlinkedNumber } from '@florin/platform/strangers/unlinked'
import { minorText, momentText } from '@florin/protocol'
import type { Brand } from '../../brand/brand.ts'
import { brandedMail } from '../../brand/mail.ts'

type Mailed = ReturnType<typeof composeMail>
interface ToMerchant {
  baseUrl: string
  off: { label: string; url: string }
}
interface ToPayer {
  baseUrl: string
  brand: Brand
  /** false: the merchant reads it in the payer's place. */
  isPayers: boolean
  off: { label: string; url: string }
  tongue: PayerTongue
}

const markOf = (order: OrderState): string => (order.livemode ? '' : '[test] ')
/** With the digits of its currency, and the currency's code: `$` is the sign of two dozen. */
const moneyOf = ({ money }: OrderState): string => `${minorText(money.minor, money.exponent)} ${money.currency}`
const chainName = (id: string): string => findChain(id)?.name ?? id

function settledOf(order: OrderState): string | null {
  const { amountOut, settle } = order
  return amountOut === null
    ? null
    : `${coinText(String(amountOut), settle.decimals)} ${settle.asset} on ${chainName(settle.chain)}`
}

function paidWith(order: OrderState, { say, number }: PayerTongue): string | null {
  const leg = currentLeg(order)
  if (leg === null) return null
  const own = order.payments.filter(
    (row) => row.legId === leg.id && row.asset === leg.asset && row.status !== 'orphaned',
  )
  return own.length === 0
    ? null
    : say('on_chain', {
        amount: `${number(coinText(String(sum(own, amountOf)), leg.decimals))} ${leg.asset}`,
        chain: chainName(leg.chain),
      })
}

const consoleUrl = (baseUrl: string, order: OrderState): string => `${baseUrl}/console/orders/${order.orderNo}`
const text = (value: string | null): string | null => (value === null ? null : unlinked(value))
/** An order of an invoice is named after the invoice's number. */
const titleOf = ({ title, invoiceId, createdAt }: OrderState): string | null =>
  title === null || invoiceId === null ? text(title) : unlinkedNumber(title, createdAt.getUTCFullYear())

export function paidMail(order: OrderState, { baseUrl, off, zone }: ToMerchant & { zone: string }): Mailed {
  return composeMail({
    subject: `${markOf(order)}Paid: ${moneyOf(order)}`,
    from: 'Florin',
    paragraphs: ['An order was paid, and the money is on your receiving address.'],
    facts: [
      ['Amount', moneyOf(order)],
      ['Received', settledOf(order)],
      ['For', titleOf(order)],
      ['Reference', text(order.externalId)],
      ['Order', order.orderNo],
      ['Transaction', order.settleTxHash],
      ['Time', order.settledAt === null ? null : momentText(order.settledAt, { zone, locale: 'en' })],
    ],
    button: { label: 'Open the order', url: consoleUrl(baseUrl, order) },
    foot: [],
    off,
  })
}

/** Orders shown by line in a digest; the sums are over all. */
const SHOWN_MAX = 50

export function paidDigest(orders: readonly OrderState[], { baseUrl, off }: ToMerchant): Mailed {
  const totals = [...Map.groupBy(orders, (order) => `${markOf(order)}${order.money.currency}`)].map(([name, some]) => {
    const exponent = Math.max(...some.map((order) => order.money.exponent))
    const minor = sum(some, ({ money }) => money.minor * 10n ** BigInt(exponent - money.exponent))
    const [first] = some
    const currency = first?.money.currency ?? ''
    return [
      name.startsWith('[test]') ? `Test, ${currency}` : currency,
      `${minorText(minor, exponent)} in ${some.length === 1 ? '1 order' : `${some.length} orders`}`,
    ] as const
  })
  const shown = orders.slice(0, SHOWN_MAX)
  return composeMail({
    subject: orders.length === 1 ? 'An order was paid' : `${orders.length} orders were paid`,
    from: 'Florin',
    paragraphs: ['There were many within an hour, so these come in one mail.'],
    facts: [
      ...totals,
      ...shown.map((order) => [order.orderNo, `${markOf(order)}${moneyOf(order)}`] as const),
      ['More', orders.length > shown.length ? `${orders.length - shown.length}, in the console` : null],
    ],
    button: { label: 'Open the orders', url: `${baseUrl}/console/orders` },
    foot: [],
    off,
  })
}

const shopOf = ({ brand, tongue }: ToPayer): string =>
  brand.name === null ? tongue.say('the_shop') : unlinked(brand.name)

const payerFoot = ({ livemode }: OrderState, { isPayers, tongue: { say } }: ToPayer): string[] => [
  ...(livemode ? [] : [say('foot_test')]),
  say(isPayers ? 'foot_given' : 'foot_sandbox'),
]

const payUrl = (baseUrl: string, order: OrderState): string => `${baseUrl}/pay/${order.checkoutToken}`

export function receiptMail(order: OrderState, about: ToPayer): Mailed {
  const { tongue, baseUrl, brand, off } = about
  const { say, language } = tongue
  const shop = shopOf(about)
  const amount = tongue.number(moneyOf(order))
  return composeMail({
    language,
    subject: `${markOf(order)}${say('receipt_subject', { amount, shop })}`,
    from: brand.name === null ? say('sender_name') : shop,
    foreign: [shop],
    paragraphs: [say('receipt_text', { shop })],
    facts: [
      [say('amount'), amount],
      [say('paid_with'), paidWith(order, tongue)],
      [say('subject_line'), titleOf(order)],
      [say('order'), order.orderNo],
      [say('time'), order.settledAt === null ? null : tongue.time(order.settledAt, brand.timeZone)],
    ],
    button: { label: say('open_receipt'), url: payUrl(baseUrl, order) },
    foot: payerFoot(order, about),
    off,
    ...brandedMail(brand, say('contact')),
  })
}

type Sent = Pick<RefundState, 'amount' | 'decimals' | 'asset' | 'chain' | 'address' | 'txHash'> & {
  /** Of a refund that the merchant paid: the address it was sent from. */
  sender?: string | null
}

export function refundMail(order: OrderState, refund: Sent, about: ToPayer): Mailed {
  const { tongue, baseUrl, brand, off } = about
  const { say, language } = tongue
  const shop = shopOf(about)
  const amount = `${tongue.number(coinText(String(refund.amount), refund.decimals))} ${refund.asset}`
  return composeMail({
    language,
    subject: markOf(order) + say(brand.name === null ? 'refund_subject_unnamed' : 'refund_subject', { amount, shop }),
    from: brand.name === null ? say('sender_name') : shop,
    foreign: [shop],
    paragraphs: [say('refund_text', { amount, shop })],
    facts: [
      [say('amount'), say('on_chain', { amount, chain: chainName(refund.chain) })],
      [say('sender'), refund.sender ?? null],
      [say('recipient'), shownPayee(order, refund)],
      [say('transaction'), refund.txHash],
      [say('subject_line'), titleOf(order)],
      [say('order'), order.orderNo],
    ],
    button: { label: say('open_order'), url: payUrl(baseUrl, order) },
    foot: payerFoot(order, about),
    off,
    ...brandedMail(brand, say('contact')),
  })
}
