// Bugs that a flood of small payments would profit from.
import { type Mutant, plant } from './plant.ts'

const orders = 'packages/server/src/orders'
const model = `${orders}/model`

const folds = plant({ file: `${model}/payments.ts`, tests: [`${model}/payments.test.ts`] }, [
  {
    name: 'floods: every transfer keeps a row of its own',
    find: 'if (group.size <= SINGLES_MAX) return',
    put: 'return',
    breaks: 'Ten thousand transfers of nothing make an order so large that each change of it takes seconds.',
  },
  {
    name: 'floods: the largest payment is folded',
    find: 'row.amount < least.amount',
    put: 'row.amount > least.amount',
    breaks: 'Fifty transfers of dust take the row of the payer, with sender and transaction.',
  },
  {
    name: 'floods: a folded transfer that leaves the chain stays in the sum',
    find: 'amount: sum.amount - amount, transfers',
    put: 'amount: sum.amount, transfers',
    breaks: 'The order believes in money that is not there.',
  },
  {
    name: 'floods: late money is folded with money in time',
    find: ':${timeOf(order, leg, seenAt)}`',
    put: '`',
    breaks: 'Dust after the deadline makes money in time late, or late money pays.',
  },
  {
    name: 'floods: a folded transfer that comes back is forgotten',
    find: "return rows.move(fact.key, (status) => (status === 'orphaned' ? 'detected' : null))",
    put: "return 'it is known'",
    breaks: 'Money on the chain is missing in the order after a reorg.',
    unseen: true,
  },
  {
    name: 'floods: what was passed on may leave the chain',
    find: 'if (addsUp(after)) {',
    put: 'if (after !== known) {',
    breaks: 'A merchant is never told that a settlement has lost its cover.',
    unseen: true,
  },
])

const turns = plant({ file: `${orders}/fact-turns.ts`, tests: [`${orders}/fact-turns.test.ts`] }, [
  {
    name: 'floods: a merchant’s orders come all at once',
    find: 'sort((a, b) => a.place - b.place)',
    put: 'sort((a, b) => a.order.merchantNo - b.order.merchantNo)',
    breaks: 'One merchant’s thousand dusted orders delay the payments of all others.',
  },
  {
    name: 'floods: each round begins with the first merchant',
    find: '(taken.at(-1)?.merchantNo ?? -1)',
    put: '-1',
    breaks: 'While the first merchants are flooded, the last ones’ payments are never applied.',
    unseen: true,
  },
  {
    name: 'floods: each round begins with a merchant’s first orders',
    find: 'if (isMore && ref !== undefined) after.set(merchantNo, ref)',
    put: 'if (isMore && ref === undefined) after.set(merchantNo, "")',
    breaks: 'The orders behind a merchant’s first hundred wait until the flood is over.',
    unseen: true,
  },
])

const reorgs = plant({ file: `${model}/rules.ts`, tests: [`${model}/rules.money.test.ts`] }, [
  {
    name: 'orders: what comes back after a reorg is not waited for',
    find: 'if (isAllReturned(order) && !mayComeBack(order))',
    put: 'if (isAllReturned(order))',
    breaks: 'A stray coin that went back ends an order whose payment is mined again, settled and owed to the payer.',
  },
])

export const dustMutants: readonly Mutant[] = [...folds, ...turns, ...reorgs]
