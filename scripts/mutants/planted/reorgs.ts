// Bugs in what happens when something final leaves the chain, and in what counts as a settlement.
import { plant } from '../plant.ts'

const model = 'packages/order-model/src'
const relay = 'packages/rail-evm/src/relay'
const watch = 'packages/rail-evm/src/watch'
const reconcile = 'packages/server/src/orders/reconcile'
const pure = [`${model}/left-chain.test.ts`, `${model}/rules.model.test.ts`]
const byCount = [`${relay}/relay.test.ts`]
const onChain = [`${relay}/deep-reorg.test.ts`]

export const reorgMutants = [
  ...plant({ file: `${model}/payments.ts`, tests: [`${model}/payments.test.ts`] }, [
    {
      name: 'reorgs: small transfers that left the chain are forgotten',
      find: 'const key = sumKey(transfer.fold, transfer.status)\n    const {',
      put: "if (transfer.status === 'orphaned') return\n    const key = sumKey(transfer.fold, transfer.status)\n    const {",
      breaks: 'An order says of fewer transfers than there were, and nobody finds those that a reorg took.',
    },
  ]),
  ...plant({ file: `${model}/refunds/refundable.ts`, tests: pure }, [
    {
      name: 'reorgs: an excess that came back is not asked for anew',
      find: 'row.failure === LEFT_UNPAID ||',
      put: 'row.failure === null ||',
      breaks: 'The payer never gets back what he paid too much, and nobody hears of it.',
    },
  ]),
  ...plant({ file: `${model}/attention/opens.ts`, tests: pure }, [
    {
      name: 'reorgs: a refund that is owed again is told to nobody',
      find: "if (row.status === 'failed' && !wasSaid && isOwed",
      put: "if (row.status === 'failed' && was !== 'failed' && isOwed",
      breaks: 'Money is held for ever that is a payer’s.',
    },
  ]),
  ...plant({ file: `${model}/left-chain.ts`, tests: pure }, [
    {
      name: 'reorgs: an order without success asks again for what a third party had settled',
      find: "order.status === 'success'\n      ? {",
      put: "order.status !== 'refunded'\n      ? {",
      breaks: 'Money of an order that is not paid in full is pushed to the merchant.',
    },
  ]),
  ...plant({ file: `${model}/ledger.ts`, tests: pure }, [
    {
      name: 'reorgs: what left the chain is free to go back',
      find: "row.status !== 'failed' || row.leftAt !== null",
      put: "row.status !== 'failed'",
      breaks: 'The merchant has shipped, and the money goes back to the payer.',
    },
  ]),
  ...plant({ file: `${model}/refunds/refundable.ts`, tests: pure }, [
    {
      name: 'reorgs: a refund that is offered again is given up with its payment',
      find: 'if (!isDue || (row.leftAt !== null && !isByWallet(order, row)) ||',
      put: 'if (!isDue ||',
      breaks: 'A refund that left the chain with its payment is said to have failed.',
    },
  ]),
  ...plant({ file: `${model}/balance.ts`, tests: pure }, [
    {
      name: 'reorgs: what left the chain still counts as settled',
      find: "settlement.status !== 'final' || leg === undefined",
      put: "(settlement.status !== 'final' && settlement.leftAt === null) || leg === undefined",
      breaks: 'A payment that left with its settlement is kept, and counts twice when it comes back.',
    },
  ]),
  ...plant({ file: `${model}/detail.ts`, tests: pure }, [
    {
      name: 'reorgs: a success does not say that its settlement left',
      find: 'if (left.length > 0) return left',
      put: 'if (left.length > 99) return left',
      breaks: 'The merchant reads "paid" and has nothing.',
    },
  ]),
  ...plant({ file: `${watch}/record.ts`, tests: onChain }, [
    {
      name: 'reorgs: payments are undone before what they were passed on to',
      find: '[...left, ...orphaned]',
      put: '[...orphaned, ...left]',
      breaks: 'The payment is kept as received; when it comes back it is refunded as a second one.',
    },
    {
      name: 'reorgs: orders are not told what left the chain',
      find: '[...left, ...orphaned]',
      put: 'orphaned',
      breaks: 'An order says that it is settled, and the money is not there.',
    },
  ]),
  ...plant({ file: `${relay}/reconcile.ts`, tests: byCount, only: 'a done transaction' }, [
    {
      name: 'reorgs: what is done is done',
      find: 'if (attempts.length === 0) return 0',
      put: 'return 0',
      breaks: 'A transaction that was reopened is taken for offered, and waits until its fee is raised.',
    },
  ]),
  ...plant({ file: `${relay}/outbox.store.ts`, tests: onChain }, [
    {
      name: 'reorgs: a nonce stays empty',
      find: "and state in ('done', 'lost')",
      put: "and state = 'lost'",
      breaks: 'No later settlement of the chain is ever mined.',
      tests: byCount,
      only: 'a done transaction',
    },
    {
      name: 'reorgs: a node that lags behind reopens all there ever was',
      find: '>= ${(a.height - a.reach).toString()}',
      put: '>= 0',
      breaks: 'One false count, and years of transactions are offered again.',
      tests: [`${relay}/relay.test.ts`],
      only: 'reach of a reorg',
    },
  ]),
  ...plant({ file: `${relay}/events/logs.ts`, tests: onChain }, [
    {
      name: 'reorgs: an item that left stays done',
      find: "await reopenItem(tx, { id: item.id, state: own === null ? 'waiting' : 'sent', now })",
      put: '',
      breaks: 'A settlement whose transaction fails the second time is never tried again.',
    },
  ]),
  ...plant({ file: `${relay}/overdue.ts`, tests: [`${relay}/relay.test.ts`], only: 'no block takes' }, [
    {
      name: 'reorgs: nobody hears of a transaction that waits',
      find: '>= BigInt(signer.alarmAfterBlocks)',
      put: '>= 1_000_000n',
      breaks: 'Every settlement of a chain waits, and nobody knows.',
    },
    {
      name: 'reorgs: the alarm of a transaction never ends',
      find: 'await report(tx, row, over, now)',
      put: 'await report(tx, row, raised, now)',
      breaks: 'The alarm stays after it is over, until nobody looks at alarms.',
    },
  ]),
  ...plant(
    { file: `${relay}/events/bound.ts`, tests: [`${relay}/events/bound.test.ts`, `${relay}/events/logs.test.ts`] },
    [
      {
        name: 'settled: any token counts',
        find: 'token !== (leg.token ?? zeroAddress)',
        put: "token === ''",
        breaks: 'A relayer key and a token of no worth give success without money.',
      },
      {
        name: 'settled: any receiver counts',
        find: 'merchant !== leg.route.merchant.toLowerCase()',
        put: "merchant === ''",
        breaks: 'Money that went elsewhere gives success.',
      },
      {
        name: 'settled: nothing is enough',
        find: 'BigInt(amountOut ?? 0) <= 0n',
        put: 'BigInt(amountOut ?? 0) < 0n',
        breaks: 'A token that delivers nothing gives success.',
      },
    ],
  ),
  ...plant({ file: `${reconcile}/compare.ts`, tests: [`${reconcile}/compare.test.ts`] }, [
    {
      name: 'reconcile: one look is enough',
      find: "if (known === null) return 'note'",
      put: "if (known === null) return 'tell'",
      breaks: 'Whatever is under way between two tables is an alarm, until nobody looks at alarms.',
      tests: [`${reconcile}/compare.test.ts`, `${reconcile}/reconcile.test.ts`],
    },
    {
      name: 'reconcile: the same block twice is two looks',
      find: 'line.height > known.height',
      put: 'line.height >= known.height',
      breaks: 'A difference is told of by one block.',
    },
    {
      name: 'reconcile: what nobody booked is not looked at',
      find: 'booked: line?.booked ?? 0n, found, height }]',
      put: 'booked: line?.booked ?? found, found, height }]',
      breaks: 'Money that lies on an address and that no order knows of is never found.',
    },
    {
      name: 'reconcile: a contract in capitals is another one',
      find: '(a.contract?.toLowerCase() ?? null) === (b.contract?.toLowerCase() ?? null)',
      put: 'a.contract === b.contract',
      breaks: 'Every order of a token differs by all of its money, and the true differences are lost among them.',
      unseen: true,
    },
    {
      name: 'reconcile: a difference that moves is told',
      find: "if (known.found - known.booked !== gap) return 'change'",
      put: "if (known.found === -1n) return 'change'",
      breaks: 'People are called for money that is only under way.',
      unseen: true,
    },
    {
      name: 'reconcile: an open difference waits for its turn',
      find: "if (order.differs !== 'no') return later(order.differs === 'new' ? AGAIN_MS : 5 * MINUTE_MS)",
      put: '',
      breaks: 'A difference that is gone stays open for hours.',
      unseen: true,
    },
    {
      name: 'reconcile: closed orders are forgotten',
      find: 'COMPARED_FOR_MS = 90 * DAY_MS',
      put: 'COMPARED_FOR_MS = DAY_MS',
      breaks: 'Money that left or came after a day is never noticed.',
      tests: [`${reconcile}/reconcile.test.ts`],
    },
  ]),
  ...plant({ file: `${reconcile}/soon.ts`, tests: [`${reconcile}/reconcile.test.ts`] }, [
    {
      name: 'reconcile: an order that closes is left to the rounds',
      find: 'after !== before && isClosed(after)',
      put: 'after === before && isClosed(after)',
      breaks: 'A merchant ships on a success whose money is not there, and hears of it a day later.',
    },
  ]),
  ...plant({ file: `${reconcile}/rounds.ts`, tests: [`${reconcile}/reconcile.test.ts`] }, [
    {
      name: 'reconcile: a round passes over what it could not read',
      find: 'if (isUnread && unreadSince === null) {',
      put: 'if (isUnread && part === null) {',
      breaks: 'While a provider is away, whatever differs is found a day later or never.',
    },
  ]),
  ...plant({ file: `${reconcile}/store.ts`, tests: [`${reconcile}/reconcile.test.ts`] }, [
    {
      name: 'reconcile: settlements are not in the books',
      find: "where s.order_no = any(${numbers}) and s.status = 'final'",
      put: "where s.order_no = any(${numbers}) and s.status = 'none'",
      breaks: 'Every settled order differs from the chain.',
    },
    {
      name: 'reconcile: payments that left the chain stay in the books',
      find: "where order_no = any(${numbers}) and status in ('detected', 'confirmed')",
      put: 'where order_no = any(${numbers})',
      breaks: 'Every reorg is a difference that never ends.',
    },
  ]),
]
