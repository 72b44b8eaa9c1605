// Bugs in amounts and in the rails that move them.
import { type Mutant, plant } from '../plant.ts'

const platform = 'packages/platform/src'
const forwarder = 'packages/rail-evm/src'

const arithmetic = plant({ file: `${platform}/money.ts`, tests: [`${platform}/money.test.ts`] }, [
  {
    name: 'money: fees round up',
    find: '(grossUnits * BigInt(feeBps)) / 10_000n',
    put: 'divCeil(grossUnits * BigInt(feeBps), 10_000n)',
    breaks: 'A merchant is charged a unit more than was agreed.',
  },
  {
    name: 'money: what is due rounds down',
    find: '(a + b - 1n) / b',
    put: 'a / b',
    breaks: 'A payer owes a unit less than the order is worth.',
    unseen: true,
  },
  {
    name: 'money: the spread is left out',
    find: 'BigInt(10_000 + a.spreadBps)',
    put: '10_000n',
    breaks: 'The merchant bears the move of the price.',
    unseen: true,
  },
  {
    name: 'money: more decimals than fit are cut off',
    find: 'if (fraction.length > decimals) return null',
    put: 'if (fraction.length > decimals) return BigInt((match[1] ?? "0") + fraction.slice(0, decimals))',
    breaks: 'An amount is taken that is not the one that was sent.',
    unseen: true,
  },
  {
    name: 'money: an amount of nothing is an amount',
    find: 'micros === null || micros <= 0n',
    put: 'micros === null || micros < 0n',
    breaks: 'Orders of zero dollars are made.',
    unseen: true,
  },
])

const quotes = [
  ...plant({ file: `${forwarder}/address/quote.ts`, tests: [`${forwarder}/address/quote.test.ts`] }, [
    {
      name: 'quotes: the merchant is told the gross',
      find: 'amountDue - feeUnits(amountDue, a.feeBps)',
      put: 'amountDue',
      breaks: 'amount_out_expected is more than will come.',
      unseen: true,
    },
    {
      name: 'quotes: dust is what one refund costs',
      find: '2n * a.refundCostMicros',
      put: 'a.refundCostMicros',
      breaks: 'Refunds are sent that cost half of what they return.',
      unseen: true,
    },
    {
      name: 'quotes: an amount beyond the contract’s range',
      find: 'amountDue >> 128n',
      put: 'amountDue >> 136n',
      breaks: 'An address is shown whose money cannot be settled.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${forwarder}/address/open.ts`, tests: [`${forwarder}/address/open.test.ts`] }, [
    {
      name: 'addresses: watched for a day',
      find: '90 * DAY_MS',
      put: '1 * DAY_MS',
      breaks: 'Money sent to the address of a closed order is not noticed.',
    },
    {
      name: 'addresses: bound to the whole quote',
      find: 'leastPaid({ ...request, amountDue: amounts.amountDue })',
      put: 'amounts.amountDue',
      breaks: 'Money that pays the order goes back to the payer once anybody may push it.',
    },
    {
      name: 'addresses: too small an order gets an address',
      find: 'request.amountUsdMicros < smallest',
      put: 'request.amountUsdMicros < 0n',
      breaks: 'Settling costs more than the order is worth.',
    },
    {
      name: 'addresses: money settles to a contract of ours',
      find: 'if (!taken.includes(merchant)) return merchant',
      put: 'return merchant',
      breaks: 'Money is sent to a contract that cannot pass it on.',
      unseen: true,
    },
  ]),
]

const receivers = [`${forwarder}/relay/receivers.test.ts`]

const relay = [
  ...plant({ file: `${forwarder}/relay/fees.ts`, tests: [`${forwarder}/relay/fees.test.ts`] }, [
    {
      name: 'gas: a bump is too small to replace',
      find: 'const BUMP_PERCENT = 15n',
      put: 'const BUMP_PERCENT = 9n',
      breaks: 'A transaction that is stuck stays so: nodes refuse what replaces it.',
      unseen: true,
    },
    {
      name: 'gas: more is offered than the operator allows',
      find: 'if (least > market.cap) return null',
      put: '',
      breaks: 'The operator pays more for gas than the cap that was set.',
      unseen: true,
    },
  ]),
  ...plant(
    { file: `${forwarder}/relay/send.ts`, tests: [`${forwarder}/relay/relay.test.ts`], only: 'two open transactions' },
    [
      {
        name: 'relay: the number comes from the node alone',
        find: 'Math.max(next, a.count)',
        put: 'a.count',
        breaks: 'A second transaction takes the number of the first, which is then lost.',
      },
    ],
  ),
  ...plant(
    {
      file: `${forwarder}/relay/batch.ts`,
      tests: [`${forwarder}/relay/relay.test.ts`],
      only: 'a part of the money',
    },
    [
      {
        name: 'relay: half of the money is enough to settle',
        find: 'gross * 100n < item.amount * 99n',
        put: 'gross * 100n < item.amount * 1n',
        breaks: 'A payment that a reorg took away is settled out of what is left.',
        unseen: true,
      },
    ],
  ),
  ...plant({ file: `${forwarder}/relay/batch.ts`, tests: receivers, only: 'burns its gas where gas has a price' }, [
    {
      name: 'batches: the gas limit is what a receiver used in the estimate',
      find: '(await estimateGas(context.client, call)) + more\n  } catch',
      put: 'await estimateGas(context.client, call)\n  } catch',
      breaks: 'Nine small orders of a contract have every batch reverted that they are in.',
    },
  ]),
  ...plant({ file: `${forwarder}/relay/reconcile.ts`, tests: receivers, only: 'a batch that is reverted' }, [
    {
      name: 'batches: a reverted one is the failure of all that it carried',
      find: 'row.itemIds.length > 1',
      put: 'row.itemIds.length > 99',
      breaks: 'The orders of every merchant in the batch fail for what one receiver did.',
    },
  ]),
  ...plant({ file: `${forwarder}/relay/turns/turns.ts`, tests: receivers, only: 'relay: one merchant' }, [
    {
      name: 'batches: each receiver of a merchant may burn gas anew',
      find: 'const BURNT_FREE = 4\n',
      put: 'const BURNT_FREE = 4_000\n',
      breaks: 'A merchant with a hundred addresses has the operator pay a hundred times for nothing.',
    },
  ]),
  ...plant({ file: `${forwarder}/relay/items.store.ts`, tests: receivers, only: 'receivers take turns' }, [
    {
      name: 'batches: settlements go first come, first served',
      find: 'order by turns.turn, i.created_at',
      put: 'order by i.created_at',
      breaks: 'Whoever has hundreds of orders waiting keeps everybody else waiting behind them.',
    },
  ]),
  ...plant(
    {
      file: `${forwarder}/relay/outbox.store.ts`,
      tests: [`${forwarder}/relay/relay.test.ts`],
      only: 'two open transactions',
    },
    [
      {
        name: 'relay: items of a sent transaction still wait',
        find: "update relay_items set state = 'sent', updated_at = ${now} where id = any(${row.itemIds}) and state = 'waiting' returning",
        put: "update relay_items set state = 'waiting', updated_at = ${now} where id = any(${row.itemIds}) and state = 'waiting' returning",
        breaks: 'The same settlement is sent in two transactions.',
        unseen: true,
      },
    ],
  ),
]

const watch = [
  ...plant({ file: `${forwarder}/watch/wrong-chain.ts`, tests: [`${forwarder}/watch/wrong-chain.test.ts`] }, [
    {
      name: 'wrong chain: coins of a block that is gone',
      find: '(await findBlock(tx, chain.id, block.height))?.hash !== block.hash',
      put: 'false',
      breaks: 'Coins are refunded that a reorg took away.',
      only: 'leaves the chain while',
    },
  ]),
  ...plant({ file: `${forwarder}/watch/record.ts`, tests: [`${forwarder}/watch/wrong-chain.test.ts`] }, [
    {
      name: 'wrong chain: large orders are confirmed early',
      find: 'large.has(row.legRef) ? extraDepth(chain) : 0n',
      put: '0n',
      breaks: 'The depth that was set for large orders does not hold.',
      only: 'large order',
    },
  ]),
  ...plant(
    {
      file: `${forwarder}/node/finality.ts`,
      tests: [`${forwarder}/watch/finality.test.ts`],
      only: 'what is final follows',
    },
    [
      {
        name: 'finality: a block early',
        find: 'head - BigInt(rule.depth - 1)',
        put: 'head - BigInt(rule.depth - 2)',
        breaks: 'An order succeeds one block before its settlement is final.',
        unseen: true,
      },
      {
        name: 'finality: large orders like small ones',
        find: 'chain.large === null ? normal : finalHeight(chain.large.finality',
        put: 'chain.large === null ? normal : finalHeight(chain.finality',
        breaks: 'The rule that was set for large orders does not hold.',
        unseen: true,
      },
    ],
  ),
  ...plant({ file: `${forwarder}/node/match.ts`, tests: [`${forwarder}/node/match.test.ts`] }, [
    {
      name: 'transfers: nothing is an amount',
      find: 'if (amount === 0n) continue',
      put: '',
      breaks: 'Anybody can write payments of nothing into an order.',
    },
    {
      name: 'transfers: a collectible is money',
      find: 'log.topics.length !== 3',
      put: 'log.topics.length < 3',
      breaks: 'The number of a collectible is read as an amount.',
      unseen: true,
    },
    {
      name: 'transfers: addresses are compared by their case',
      find: 'watched.get(`0x${to.slice(ADDRESS_AT).toLowerCase()}`)',
      put: 'watched.get(`0x${to.slice(ADDRESS_AT)}`)',
      breaks: 'A payment that a node reports in capitals is never seen.',
      unseen: true,
    },
  ]),
]

const owed = ['packages/server/src/orders/tell/owed-item.test.ts']

export const moneyMutants: readonly Mutant[] = [
  ...plant({ file: 'packages/server/src/orders/tell/owed-item.ts', tests: owed }, [
    {
      name: 'owed: a sale is told as a debt',
      find: "if (after.status === 'success' && before.status !== 'success') return []",
      put: '',
      breaks: 'A merchant gives back what was rightly paid.',
      unseen: true,
    },
    {
      name: 'owed: a refund that is only asked for ends it',
      find: "(row) => row.status === 'recorded' && row.chain === asset.chain",
      put: "(row) => row.status !== 'canceled' && row.chain === asset.chain",
      breaks: 'A payer is forgotten whose money the merchant has.',
    },
  ]),
  ...plant(
    { file: 'packages/server/src/orders/figures.store.ts', tests: ['packages/server/src/reports/stats/stats.test.ts'] },
    [
      {
        name: 'stats: what the chain took back is told of another range',
        find: 'and o.settled_at >= ${a.from} and o.settled_at < ${a.to}`\n  return row ?? { orders: 0',
        put: '`\n  return row ?? { orders: 0',
        breaks: 'A merchant looks for a loss in a month that had none.',
        unseen: true,
      },
    ],
  ),
  ...plant(
    { file: 'packages/server/src/orders/export.store.ts', tests: ['packages/server/src/reports/export.test.ts'] },
    [
      {
        name: 'export: the same coin on another leg is left out',
        find: '(pay_leg_id, chain, asset, contract) is distinct from (l.id, l.chain, l.asset, l.contract)',
        put: '(chain, asset, contract) is distinct from (l.chain, l.asset, l.contract)',
        breaks: 'An accountant adds up less than came in.',
      },
    ],
  ),
  ...arithmetic,
  ...quotes,
  ...relay,
  ...watch,
]
