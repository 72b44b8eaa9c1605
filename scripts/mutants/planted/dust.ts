// Bugs that a flood of small payments would profit from.
import { type Mutant, plant } from '../plant.ts'

const orders = 'packages/server/src/orders'
const model = 'packages/order-model/src'

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
    find: "const refusal = rows.move(fact.key, (status) => (isOnChain({ status }) ? null : 'detected'))",
    put: "const refusal = 'it is known'",
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

const turns = plant({ file: `${orders}/inbox/turns.ts`, tests: [`${orders}/inbox/turns.test.ts`] }, [
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

const costs = [
  ...plant({ file: `${model}/rules.ts`, tests: [`${model}/rules.oracle.test.ts`, `${model}/rules.money.test.ts`] }, [
    {
      name: 'dust: what costs more to send than it is worth is sent',
      file: `${model}/refunds/due.ts`,
      find: 'amount > refundable.cost',
      put: 'amount > 0n',
      breaks: 'The operator pays gas for every cent that a stranger sends.',
    },
    {
      name: 'dust: every piece has a refund of its own',
      file: `${model}/refunds/due.ts`,
      find: ' && !isGathered(refundable, amount)',
      put: '',
      breaks: 'Twelve transfers are twelve refunds.',
    },
  ]),
  ...plant(
    {
      file: `${model}/refunds/refundable.ts`,
      tests: [`${model}/rules.oracle.test.ts`, `${model}/rules.money.test.ts`],
    },
    [
      {
        name: 'dust: what is held for its cost keeps an order from being refunded',
        find: 'line.held - line.heldBelowCost <= 0n',
        put: 'line.held <= 0n',
        breaks: 'A stranger’s cent leaves every refunded order expired.',
      },
      {
        name: 'dust: a cent that waits holds up the payer’s money',
        find: 'open.length >= REFUNDS_OPEN_MAX && amount',
        put: 'open.length > 0 && amount',
        tests: [`${model}/refunds/refund-to.test.ts`],
        breaks: 'A payer’s refund waits until somebody claims a stranger’s cent.',
      },
      {
        name: 'dust: any money keeps an order from being canceled',
        find: 'line.received > costOf(order, leg.id, line)',
        put: 'line.received > 0n',
        tests: [`${model}/apply.test.ts`, 'packages/server/src/checkout/legs.test.ts'],
        breaks: 'One unit from a stranger, and neither merchant nor payer can change anything.',
        unseen: true,
      },
    ],
  ),
  ...plant({ file: `${model}/ledger.ts`, tests: [`${model}/apply.test.ts`] }, [
    {
      name: 'dust: what an order shows follows a stranger’s unit',
      find: 'sum(eligibleOn(order, leg), amountOf) > costOf(order, leg.id, leg)',
      put: 'sum(eligibleOn(order, leg), amountOf) > 0n',
      breaks: 'One unit on an address that was left makes it the one that everybody is shown.',
      unseen: true,
    },
  ]),
]

const closedShops = plant(
  {
    file: 'packages/server/src/orders/payer.ts',
    tests: ['packages/server/src/checkout/legs.test.ts'],
    only: 'no further pay',
  },
  [
    {
      name: 'legs: payers of a suspended shop are given pay addresses',
      find: '  await requireOpenShop(deps, order)',
      put: '',
      breaks: 'A shop that the operator suspended for fraud goes on taking money.',
    },
  ],
)

const legs = plant({ file: `${model}/commands.ts`, tests: ['packages/server/src/checkout/legs.test.ts'] }, [
  {
    name: 'legs: one browser’s room is everybody’s',
    find: 'order.legs.filter((leg) => leg.holder === holder)',
    put: 'order.legs',
    breaks: 'A stranger uses up the ways to pay, and the payer cannot change coin.',
  },
  {
    name: 'legs: any number of browsers binds addresses',
    find: 'browsers.size < BROWSERS_MAX',
    put: 'true',
    breaks: 'One link makes the watcher watch any number of addresses.',
    unseen: true,
  },
])

const strays = plant(
  {
    file: 'packages/rail-evm/src/watch/wrong-chain.store.ts',
    tests: ['packages/rail-evm/src/rail.test.ts'],
    only: 'found',
  },
  [
    {
      name: 'strays: coins on a token order of the same chain are not looked for',
      find: '(chain <> ${a.chain} or contract is not null or hot_until < ${a.now})',
      put: 'chain <> ${a.chain}',
      breaks: 'Who sends ETH to an address that asked for USDC never sees it again.',
      unseen: true,
    },
  ],
)

const pegs = [
  ...plant(
    {
      file: 'packages/rail-kit/src/prices.ts',
      tests: ['packages/rail-evm/src/address/prices.test.ts'],
    },
    [
      {
        name: 'pegs: a price that is not known for sure is a dollar',
        find: 'if (price !== null && price >= PEG_MICROS.from',
        put: 'if (price === null || price >= PEG_MICROS.from',
        breaks: 'While the sources are silent or contradict each other, a fallen coin is taken for a dollar.',
      },
      {
        name: 'pegs: what is not quoted is not settled',
        find: 'price !== null && price < HELD_BELOW_MICROS ? price : null',
        put: 'price !== null && price < PEG_MICROS.from ? price : null',
        breaks: 'A dip of half a percent keeps the merchants’ money.',
      },
      {
        name: 'prices: the beginning of a number is a number',
        find: 'const text = decimalOf(value)',
        put: 'const text = /^\\d+(?:\\.\\d+)?/.exec(String(value))?.[0] ?? null',
        breaks: 'A price of 9.79e-1 is read as 9.79.',
        unseen: true,
      },
    ],
  ),
  ...plant({ file: `${orders}/holds.ts`, tests: [`${orders}/holds.test.ts`] }, [
    {
      name: 'holds: the merchant’s word is asked about again',
      find: 'rows.filter((row) => !row.isReleased)',
      put: 'rows',
      breaks: 'The merchant has the coin settled, and it is held for ever.',
    },
    {
      name: 'holds: what is held is handed over',
      find: "kind: 'settlement_held', settlementId, hold }])",
      put: "kind: 'settlement_held', settlementId, hold }])\n      free.push(row)",
      breaks: 'The inbox says that a settlement waits that has been sent.',
      unseen: true,
    },
  ]),
]

export const dustMutants: readonly Mutant[] = [
  ...pegs,
  ...folds,
  ...turns,
  ...reorgs,
  ...costs,
  ...legs,
  ...closedShops,
  ...strays,
  ...plant(
    {
      file: 'packages/rail-evm/src/relay/send.ts',
      tests: ['packages/rail-evm/src/relay/over.test.ts'],
    },
    [
      {
        name: 'relay: what is over for its order is sent',
        find: 'return items.filter(({ id }) => !ended.has(id))',
        put: 'return [...items]',
        breaks: "After a restore a settlement takes the payer's later money, and a fee of it.",
      },
    ],
  ),
  ...plant(
    {
      file: 'packages/rail-evm/src/relay/send.ts',
      tests: ['packages/rail-evm/src/relay/events/restored.test.ts'],
    },
    [
      {
        name: 'relay: after a restore it sends before the chain is read',
        find: 'readTo < signer.firstHeadAt',
        put: 'readTo === signer.firstHeadAt',
        breaks: 'As above, in the minutes after the start.',
      },
    ],
  ),
  ...plant({ file: `${model}/refunds/returned.ts`, tests: [`${model}/refunds/returned.test.ts`] }, [
    {
      name: 'refunds: what nobody was owed goes back without an alarm',
      find: 'if (isExplained || fact.isOpen) return done',
      put: 'return done',
      breaks: "A stolen refunder key returns the merchants' money, and nobody looks for it.",
    },
  ]),
  ...plant({ file: `${model}/refunds/refundable.ts`, tests: [`${model}/refunds/returned.test.ts`] }, [
    {
      name: 'refunds: one whose money another returned keeps later money back',
      find: '(row.failure === RETURNED_EARLIER ||',
      put: '(row.failure === LEFT_THE_CHAIN ||',
      breaks: 'After a restore what a payer sends too much stays with the service.',
    },
    {
      name: 'refunds: one that left with its payment waits although less came',
      find: 'return left > costOf(order, row.legId, row) && left < row.amount',
      put: 'return left > row.amount && left < row.amount',
      breaks: 'After a deep reorg what the payer sends again stays with the service for ever.',
    },
  ]),
]
