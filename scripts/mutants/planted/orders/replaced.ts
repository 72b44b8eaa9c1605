// Bugs in what a reorg does to payments and to refunds of them.
import { plant } from '../../plant.ts'

const model = 'packages/order-model/src'
const rail = 'packages/rail-utxo/src'
const tests = [`${rail}/watch/replaced.test.ts`]

export const replacedMutants = [
  ...plant({ file: `${model}/payments.ts`, tests }, [
    {
      name: 'reorgs: what replaces a payment that was passed on is booked beside it',
      find: 'if (addsUp(next)) made = next',
      put: 'if (addsUp(next) && made.payments.length === 0) made = next',
      breaks: 'The payer bumps his fee in a reorg and is sent the whole price back.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${model}/refunds/refundable.ts`, tests }, [
    {
      name: 'reorgs: money that left is free to go back',
      find: 'if (payment.leftAt === null) refundable.free += payment.amount',
      put: 'refundable.free += payment.amount',
      breaks: 'The merchant is asked to send back what is not there.',
      unseen: true,
    },
    {
      name: 'reorgs: a refund of the merchant’s wallet is to be sent again without its payment',
      find: '(row.leftAt !== null && !isByWallet(order, row))',
      put: 'row.leftAt !== null',
      breaks: 'The merchant pays for goods that nobody paid.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${model}/refunds/refundable.ts`, tests }, [
    {
      name: 'reorgs: a refund that another one made needless keeps its money',
      find: 'row.failure === LEFT_UNPAID || row.failure === RETURNED_UNPAID)',
      put: 'row.failure === LEFT_UNPAID)',
      breaks: 'What comes later is held, and the payer waits for it.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${model}/refunds/returned.ts`, tests }, [
    {
      name: 'reorgs: a refund that was mined before its payment came back is forgotten',
      find: 'for (const row of order.refunds.filter(isPaidEarly)) {',
      put: 'for (const row of order.refunds.filter(() => false)) {',
      breaks: 'The merchant is asked for it again.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${rail}/watch/settle.ts`, tests }, [
    {
      name: 'reorgs: what went back settles as well',
      find: 'const free = there - returned',
      put: 'const free = there - returned * 0n',
      breaks: 'The rail calls an order settled that is not, and never settles it once the rest came.',
    },
  ]),
  ...plant({ file: `${rail}/watch/refunds.ts`, tests }, [
    {
      name: 'reorgs: a refund in a block of an old height is none',
      find: 'return at === undefined ? one.height >= row.askedFrom : at >= row.createdAt',
      put: 'return one.height >= row.askedFrom && (at === undefined || at >= row.createdAt)',
      breaks: 'The merchant sends it twice.',
    },
  ]),
]
