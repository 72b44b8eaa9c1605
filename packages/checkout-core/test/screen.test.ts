// Promises: for every state a payer is told what happens with the money, and never asked for money that could be lost.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Checkout, orderStatuses, statusDetails } from '@florin/protocol'
import { type Screen, screenOf } from '../src/screen.ts'
import { en } from '../src/words/en.ts'
import { fill } from '../src/words/index.ts'
import { aPayment, at, btcLeg, usdcLeg } from './parts.ts'
import { aCheckout, type StateName, stateNames, states } from './states.ts'

const screen = (checkout: Checkout): Screen => screenOf(checkout, Date.parse(checkout.server_time))
const said = ({ headline, notes }: Pick<Screen, 'headline' | 'notes'>): string[] =>
  [headline, ...notes].map((phrase) => fill(en, phrase))

const expected: Readonly<
  Record<StateName, [panel: Screen['panel'], headline: string, refundForm?: Screen['refundForm']]>
> = {
  choose: ['choose', 'Choose how to pay'],
  choose_few: ['choose', 'Choose how to pay'],
  choose_refund_first: ['choose', 'Choose how to pay'],
  choose_many: ['choose', 'Choose how to pay'],
  choose_none: ['end', 'This order cannot be paid right now'],
  pay: ['pay', 'Pay with USDC on Base', 'offered'],
  long_words: ['pay', 'Pay with USDC on Base'],
  pay_rate: ['pay', 'Pay with BTC on Bitcoin'],
  pay_fx: ['pay', 'Pay with USDC on Base'],
  pay_memo: ['pay', 'Pay with XRP on XRP Ledger'],
  pay_through: ['pay', 'Pay with XLM on Stellar'],
  pay_short: ['pay', 'Pay with USDC on Base'],
  pay_test: ['pay', 'Pay with USDC on Base', 'offered'],
  partial: ['pay', 'Part of the amount has arrived', 'offered'],
  partial_lapsed: ['end', 'Part of the amount has arrived', 'offered'],
  quote_expired: ['requote', 'The rate has to be refreshed'],
  wrong_asset: ['pay', 'Pay with USDC on Base'],
  overdue: ['end', 'Time is up'],
  confirming: ['progress', 'Payment seen'],
  settling: ['progress', 'Payment confirmed'],
  reorged: ['progress', 'The network has dropped your payment for now'],
  paid: ['end', 'Paid'],
  announced: ['progress', 'Payment seen, not yet in a block'],
  paid_by_miner: ['end', 'Paid'],
  paid_long_ago: ['end', 'Paid'],
  paid_late: ['end', 'Paid'],
  overpaid: ['end', 'Paid'],
  paid_in_two_coins: ['end', 'Paid'],
  overpaid_wanted: ['end', 'Paid', 'wanted'],
  overpaid_refunding: ['end', 'Paid'],
  overpaid_stuck: ['end', 'Paid'],
  expired: ['end', 'The time to pay is over'],
  expired_refund_policy: ['end', 'The time to pay is over'],
  expired_unchosen: ['end', 'The time to pay is over'],
  underpaid: ['end', 'The time to pay is over', 'wanted'],
  late: ['end', 'Your payment came too late'],
  canceled: ['end', 'This order was canceled'],
  refund_wanted: ['end', 'Where should your money go back to?', 'wanted'],
  refunding: ['end', 'Your money is on its way back'],
  refunded: ['end', 'Your money was returned'],
  refund_failed: ['end', 'The return did not go through'],
  failed: ['end', 'The payment could not be passed on'],
  failed_through: ['end', 'The payment could not be passed on'],
  failed_reorged: ['end', 'Your payment did not stay on the network'],
  attention: ['end', 'A person is looking at your payment'],
}

for (const name of stateNames) {
  test(`${name} is told as it is`, () => {
    const checkout: Checkout = states[name]
    const shown = screen(checkout)
    const [panel, headline, refundForm = 'none'] = expected[name]
    assert.equal(shown.panel, panel)
    assert.equal(said(shown)[0], headline)
    assert.equal(shown.refundForm, refundForm)
    for (const sentence of said(shown)) assert.ok(!/[{}]|undefined|null/.test(sentence), sentence)
    const isClosed = shown.panel === 'end' || shown.panel === 'progress'
    if (isClosed) assert.ok(shown.notes.length > 0, 'a closed order says what happens with the money')
    if (isClosed) assert.equal(shown.deadline, null)
  })
}

test('what the shop cannot spend yet is said with its blocks, in either case', () => {
  const told = (maturing: Checkout['maturing']) => said(screen({ ...states.paid_by_miner, maturing })).at(-1) ?? ''
  assert.match(told({ source: 'coinbase', blocks: 99 }), /miner’s reward.* 99 blocks/)
  assert.match(told({ source: 'mweb', blocks: 6 }), /MWEB.* 6 blocks/)
  assert.doesNotMatch(told(null), /blocks/)
})

test('every status with every detail has its words', () => {
  for (const status of orderStatuses) {
    for (const status_detail of statusDetails) {
      for (const pay of [null, usdcLeg]) {
        const checkout = aCheckout({ status, status_detail, pay, payments: pay ? [aPayment()] : [] })
        for (const sentence of said(screen(checkout))) assert.ok(sentence.length > 0)
      }
    }
  }
})

test('nobody is asked to send once the deadline or the quote is over, even before the server says so', () => {
  const open = states.pay
  assert.equal(screenOf(open, Date.parse(open.expires_at) - 1).panel, 'pay')
  assert.equal(screenOf(open, Date.parse(open.expires_at)).panel, 'end')
  const held = states.pay_rate
  assert.deepEqual(screen(held).deadline, { at: btcLeg.rate_expires_at, of: 'rate' })
  assert.equal(screenOf(held, Date.parse(btcLeg.rate_expires_at)).panel, 'requote')
})

test('the rest of a part payment is asked for only while its quote holds', () => {
  const pay = { ...btcLeg, amount_received: '100000', amount_remaining: '23977' }
  const partial = aCheckout({ status_detail: 'partially_paid', pay, choices: [] })
  assert.deepEqual(screen(partial).deadline, { at: btcLeg.rate_expires_at, of: 'order' })
  assert.equal(screenOf(partial, Date.parse(btcLeg.rate_expires_at)).panel, 'end')
})

test('money that came after its quote lapsed is said to go back, and no new quote is offered for it', () => {
  const late = aCheckout({
    status_detail: 'quote_expired',
    pay: { ...btcLeg, rate_expires_at: at(1) },
    choices: [],
    payments: [aPayment({ use: 'late' })],
  })
  assert.equal(said(screen(late))[0], 'Your payment came too late')
})

test('another way to pay is offered only while the server offers one', () => {
  assert.equal(screen(states.pay).canChange, true)
  assert.equal(screen(states.wrong_asset).canChange, false)
  assert.equal(screen(states.partial).canChange, false)
})

test('a stray coin is told with its amount, beside whatever else is told', () => {
  assert.ok(
    said(screen(states.wrong_asset)).some((text) =>
      text.startsWith('You sent 120.50 USDT, which this order does not take.'),
    ),
  )
  // The right coin on a wrong network is no coin that the order refuses.
  const [payment] = states.wrong_asset.payments
  assert.ok(payment)
  const elsewhere = {
    ...states.wrong_asset,
    payments: [{ ...payment, asset: 'USDC', chain: 'eth', use: 'wrong_chain' as const }],
  }
  const notes = said(screen(elsewhere)).filter((text) => text.startsWith('You sent'))
  assert.deepEqual(notes, [
    'You sent 120.50 USDC on a different network than this order expects. It does not count towards the amount and goes back to you.',
  ])
})
