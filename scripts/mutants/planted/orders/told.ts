// Bugs in what people are told of an order and of ways to pay: an item that is missing, stays, or sends them wrong.
import { plant } from '../../plant.ts'

const model = 'packages/order-model/src'
const pure = ['apply', 'left-chain', 'payments', 'rules', 'rules.model', 'rules.money', 'rules.oracle'].map(
  (name) => `${model}/${name}.test.ts`,
)
const told = [`${model}/attention/told.test.ts`]

export const toldMutants = [
  ...plant({ file: `${model}/balance.ts`, tests: pure }, [
    {
      name: 'books: what left the chain was received',
      find: 'if (isOnChain(payment)) lineOf',
      put: 'if (payment.amount > 0n) lineOf',
      breaks: 'A refund of money that is not there is promised.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${model}/ledger.ts`, tests: told }, [
    {
      name: 'orders: what was announced too late keeps an order open',
      find: "unconfirmedOn(order, leg).filter((payment) => standing(order, leg, payment) === 'on_time')",
      put: 'unconfirmedOn(order, leg)',
      breaks: 'Anybody keeps an order open for a day that was never paid.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${model}/attention/over.ts`, tests: told }, [
    {
      name: 'attention: what failed stays an item when the order goes on',
      tests: ['packages/server/src/decisions/attention.test.ts'],
      find: "if (before.status === 'failed' && after.status !== 'failed') {",
      put: "if (before.status === 'failed' && after.status === 'pending') {",
      breaks: 'A merchant settles by hand what is settled already.',
      unseen: true,
    },
    {
      name: 'attention: a refund that succeeded after all stays an item',
      find: "if (old.status === 'failed' && now === 'succeeded') {",
      put: "if (old.status === 'failed' && now === 'waiting') {",
      breaks: 'A merchant pays a payer back twice.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${model}/attention/item.ts`, tests: told }, [
    {
      name: 'attention: who paid after a refund was promised is named as its payer',
      find: 'one.detectedAt.getTime() <= row.createdAt.getTime()',
      put: 'one.detectedAt.getTime() >= 0',
      breaks: 'Who sends dust later is shown as the one to pay back.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${model}/attention/opens.ts`, tests: told }, [
    {
      name: 'attention: a stray that costs more to send back is offered to be sent',
      find: 'const isBelowCost = total(rows) <= costOf(',
      put: 'const isBelowCost = total(rows) < 0n * costOf(',
      breaks: 'A merchant is asked to send what is not worth its gas.',
      unseen: true,
    },
  ]),
  ...plant({ file: 'packages/rail-kit/src/condition.ts', tests: ['packages/rail-kit/src/condition.test.ts'] }, [
    {
      name: 'routes: a rail without whom it asks is offered on other chains',
      find: 'chain: crossChain ? null : chain',
      put: "chain: crossChain && chain === '' ? null : chain",
      breaks: 'Payers choose a way that gives out no address.',
      unseen: true,
    },
    {
      name: 'routes: what cannot be paid out is out for payers of it only',
      find: "(side !== 'settle' && isAt(way.pay)) || (side !== 'pay' && isAt(way.settle))",
      put: "side !== 'settle' && isAt(way.pay)",
      breaks: 'Payers choose a way that nobody carries to the merchant.',
      unseen: true,
    },
  ]),
  ...plant(
    {
      file: 'packages/rail-utxo/src/address/payees.ts',
      tests: ['packages/rail-utxo/src/refund/sign.test.ts', 'packages/rail-utxo/src/refund/change.test.ts'],
    },
    [
      {
        name: 'utxo: the script of an address is looked for in one network alone',
        find: "for (const name of ['main', 'regtest'] as const) {",
        put: "for (const name of ['main'] as const) {",
        breaks: 'A refund goes to an address that orders are paid at.',
        unseen: true,
      },
    ],
  ),
]
