// Bugs in what an order becomes: when, how much and why money is settled or returned.
import { type Mutant, plant } from '../plant.ts'

const model = 'packages/order-model/src'
const pure = [
  `${model}/rules.test.ts`,
  `${model}/rules.money.test.ts`,
  `${model}/apply.test.ts`,
  `${model}/rules.oracle.test.ts`,
]

const rules = plant({ file: `${model}/rules.ts`, tests: pure }, [
  {
    name: 'orders: failed refunds come back by themselves',
    file: `${model}/refunds/due.ts`,
    find: 'refundablesOf(order, true)',
    put: 'refundablesOf(order, false)',
    breaks: 'A refund that failed is tried again without anybody having asked.',
  },
  {
    name: 'orders: partial money goes back with the late',
    file: `${model}/refunds/due.ts`,
    find: 'refundable.free - waiting : 0n',
    put: 'refundable.free : 0n',
    breaks: 'Partial money is returned before the day is over in which the payer may complete it.',
  },
  {
    name: 'orders: late money of another leg is called an excess',
    file: `${model}/refunds/due.ts`,
    find: "!isSettling(order, refundable.leg) ? 'late'",
    put: "!isSettling(order, refundable.leg) ? 'excess'",
    breaks: 'The merchant is told a wrong reason for a refund.',
  },
  {
    name: 'orders: an order outlives its deadline by a moment',
    find: "return now >= order.expiresAt && !awaitsConfirmation(order, now) ? 'expired'",
    put: "return now > order.expiresAt && !awaitsConfirmation(order, now) ? 'expired'",
    breaks: 'The look at the deadline finds nothing to do, and nobody looks again.',
  },
  {
    name: 'orders: a canceled order goes on',
    find: "if (order.canceled) return 'expired'\n      return now",
    put: 'return now',
    breaks: 'The merchant cancels, and the payer still pays.',
    unseen: true,
  },
  {
    name: 'orders: a reorged order never fails',
    find: "now >= graceEndsAt(order) ? 'failed'",
    put: "now > graceEndsAt(order) ? 'failed'",
    breaks: 'The look at the end of grace finds nothing to do.',
    unseen: true,
  },
  {
    name: 'orders: partial money stays after the day of grace',
    file: `${model}/refunds/due.ts`,
    find: 'if (order.canceled || now >= graceEndsAt(order)) return',
    put: 'if (order.canceled || now > graceEndsAt(order)) return',
    breaks: 'The look at the end of grace returns nothing, and nobody looks again.',
    unseen: true,
  },
  {
    name: 'orders: a settlement goes on behind a failed order',
    find: 'return closeSettlements(order, LEFT_THE_CHAIN)',
    put: 'return order',
    breaks: 'A failed order is settled and refunded.',
    unseen: true,
  },
  {
    name: 'orders: a success has no time',
    find: 'closeSettlements({ ...order, settledAt: now }',
    put: 'closeSettlements({ ...order }',
    breaks: 'settled_at stays null; statistics and exports lose the order.',
    unseen: true,
  },
])

const tolerance = plant({ file: 'packages/rail-kit/src/interface/leg.ts', tests: pure }, [
  {
    name: 'ledger: the tolerance has no ceiling',
    find: 'byBps < byDollar ? byBps : byDollar',
    put: 'byBps',
    breaks: 'A large order is settled many dollars short.',
    unseen: true,
  },
])

const ledger = plant({ file: `${model}/ledger.ts`, tests: pure }, [
  {
    name: 'ledger: money at the deadline is late',
    find: 'if (seenAt <= deadlineOf(order, leg))',
    put: 'if (seenAt < deadlineOf(order, leg))',
    breaks: 'Money first seen by expires_at is on time, says the contract.',
  },
  {
    name: 'ledger: money at the end of grace is refused',
    find: 'return seenAt <= graceEndsAt(order)',
    put: 'return seenAt < graceEndsAt(order)',
    breaks: 'Late money within 24 hours is settled, says the contract.',
  },
  {
    name: 'ledger: late money that went back counts twice',
    find: 'sum(back, amountOf) - sum(late, amountOf)',
    put: 'sum(back, amountOf)',
    breaks: 'What the payer still has to send is too much.',
  },
  {
    name: 'ledger: dust goes back instead of to the merchant',
    find: 'confirmed - leg.amountDue > leg.dust',
    put: 'confirmed - leg.amountDue >= leg.dust',
    breaks: 'An excess that is exactly dust is kept from the merchant.',
    unseen: true,
  },
  {
    name: 'ledger: money is settled before it is confirmed',
    find: "filter((payment) => payment.status === 'confirmed'),",
    put: "filter((payment) => payment.status !== 'orphaned'),",
    breaks: 'A payment that a reorg takes away has been passed on.',
    unseen: true,
  },
  {
    name: 'ledger: volatile money is settled at the old rate',
    find: "order.latePolicy === 'settle' && leg.isStable &&",
    put: "order.latePolicy === 'settle' &&",
    breaks: 'Late money of a coin whose price moved is taken for the full amount.',
    unseen: true,
  },
  {
    name: 'ledger: a quote is judged at the deadline of the order',
    find: 'leg.rateExpiresAt < order.expiresAt ? leg.rateExpiresAt : order.expiresAt',
    put: 'order.expiresAt',
    breaks: 'A payer waits for a better price and pays at the old one.',
    unseen: true,
  },
  {
    name: 'ledger: money to return counts as paid',
    find: 'sum(eligibleOn(order, leg), amountOf) - returnedOn(order, leg) >= requiredOn(order, leg)',
    put: 'sum(eligibleOn(order, leg), amountOf) >= requiredOn(order, leg)',
    breaks: 'Money that is on its way back pays an order.',
    unseen: true,
  },
  {
    name: 'ledger: a part that came back is a whole refund',
    file: `${model}/refunds/refundable.ts`,
    find: 'lines.every((line) => line.settled',
    put: 'lines.some((line) => line.settled',
    breaks: 'An order is refunded while money of it is still held.',
    unseen: true,
  },
])

const apply = plant({ file: `${model}/apply.ts`, tests: pure }, [
  {
    name: 'facts: a promise outlives the money that a reorg took',
    file: `${model}/payments.ts`,
    find: 'withoutBrokenPromises(after, lost.legId, lost, LEFT_THE_CHAIN)',
    put: 'after',
    breaks: 'A refund is sent of money that left the chain, out of what others paid.',
  },
  {
    name: 'facts: one transaction settles one leg only',
    find: 'row.txHash === fact.txHash && row.legId === leg.id',
    put: 'row.txHash === fact.txHash',
    breaks: 'Of two legs settled in one batch one is never booked.',
  },
  {
    name: 'facts: a payment that left the chain is confirmed',
    file: `${model}/payments.ts`,
    find: "(status === 'detected' ? 'confirmed' : null)",
    put: "(status !== 'confirmed' ? 'confirmed' : null)",
    breaks: 'Money that is not there is settled.',
  },
  {
    name: 'facts: a transfer of nothing is a payment',
    file: `${model}/payments.ts`,
    find: 'if (fact.amount <= 0n)',
    put: 'if (fact.amount < 0n)',
    breaks: 'Anybody can fill an order with payments, and keep it from being canceled.',
  },
  {
    name: 'facts: a settlement of nothing is one',
    find: 'fact.gross <= 0n || !addsUp(next)',
    put: 'fact.gross < 0n || !addsUp(next)',
    breaks: 'A settlement that was asked for is taken as done though nothing was moved.',
  },
  {
    name: 'facts: a settled order can be returned as a whole',
    file: `${model}/refunds/returned.ts`,
    find: "if (order.settlements.some((row) => legs.has(row.legId) && wasFinal(row))) return ignored('the order is settled')",
    put: '',
    breaks: 'The promises of a settled order are written over by a late report.',
  },
  {
    name: 'facts: an empty settlement stays open',
    file: `${model}/refunds/returned.ts`,
    find: 'isOpen(row) && row.gross > held',
    put: 'isOpen(row) && row.gross < held',
    breaks: 'An order waits for ever for a settlement whose money was refunded.',
    unseen: true,
  },
  {
    name: 'facts: more can be settled than came in',
    find: '!addsUp(next)) {',
    put: 'false) {',
    breaks: 'The balance of an order goes below zero, and nobody is told.',
    unseen: true,
  },
  {
    name: 'facts: a refund that failed can still fail an open one',
    file: `${model}/refunds/returned.ts`,
    find: "if (row.status === 'succeeded') return ignored('the refund is succeeded')",
    put: "if (row.status !== 'sending') return ignored('the refund is succeeded')",
    breaks: 'A refund that was announced, or thought failed, and that the chain shows as paid is never booked.',
    unseen: true,
  },
])

const commands = plant({ file: `${model}/commands.ts`, tests: pure }, [
  {
    name: 'commands: an order being settled can be refunded',
    find: "if (order.status === 'processing') return",
    put: "if (order.status === 'refunded') return",
    breaks: 'The same money is promised to the merchant and to the payer.',
    unseen: true,
  },
  {
    name: 'commands: a new way to pay is chosen after money came',
    find: "return sawMoney(order, holder) ? 'money has been seen' : null",
    put: 'return null',
    breaks: 'A payer pays twice, on two legs.',
    unseen: true,
  },
])

const refunds = plant(
  { file: `${model}/refunds/refund-to.ts`, tests: [...pure, `${model}/refunds/refund-to.test.ts`] },
  [
    {
      name: 'refunds: to an address of another chain',
      find: 'address !== null && address !== undefined && isAddressOn(chain, address)',
      put: 'address !== null && address !== undefined',
      breaks: 'A refund is sent to nobody.',
      unseen: true,
    },
    {
      name: 'refunds: an approval of one refund sends them all',
      find: 'row === given ? {',
      put: "row.status === 'waiting' ? {",
      breaks: 'The approval of a cent sends the thief the payer’s refund.',
      unseen: true,
    },
    {
      name: 'refunds: any browser names the address',
      find: 'isHeldBy(leg, holder) &&',
      put: '',
      breaks: 'Whoever has the link redirects a refund.',
      unseen: true,
    },
    {
      name: 'refunds: a named address goes before the bound one',
      find: 'leg?.boundRefundAddress ?? leg?.refundAddress',
      put: 'leg?.refundAddress ?? leg?.boundRefundAddress',
      breaks: 'The address that the payer bound before paying does not hold.',
      unseen: true,
    },
    {
      name: 'refunds: a wallet takes what others sent',
      find: 'const amount = totalOf(own)',
      put: 'const amount = own.length > 0 ? row.amount : 0n',
      breaks: 'Who sent a cent takes the refund of everybody.',
      unseen: true,
    },
    {
      name: 'refunds: a wallet takes back what the merchant was paid',
      file: `${model}/refunds/parts.ts`,
      find: 'takeFrom(left, paying, settled)',
      put: '',
      breaks: 'Who paid the order takes what another wallet paid too much.',
    },
    {
      name: 'refunds: a share below its cost is sent',
      file: `${model}/refunds/parts.ts`,
      find: ' || amount > costOf(order, row.legId, row)',
      put: ' || amount > 0n',
      breaks: 'A stranger sends a unit each from twelve wallets, and the operator pays the gas of twelve refunds.',
    },
  ],
)

export const orderRuleMutants: readonly Mutant[] = [
  ...rules,
  ...tolerance,
  ...ledger,
  ...apply,
  ...commands,
  ...refunds,
]
