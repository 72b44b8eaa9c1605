// Bugs in what is believed of NEAR Intents: what a lying or failing provider could take from a merchant or a payer.
import { plant } from '../../plant.ts'

const rail = 'packages/rail-intents/src'
const flows = [`${rail}/flows.test.ts`]
const proof = [`${rail}/watch/proof.test.ts`]
const model = 'packages/order-model/src'

export const intentsPayoutMutants = [
  ...plant({ file: 'packages/rail-kit/src/interface/outside.ts', tests: proof }, [
    {
      name: 'intents: a payment from minutes before the swap proves it',
      find: 'usual: 5 * SECOND_MS',
      put: 'usual: 10 * MINUTE_MS',
      breaks: 'Whatever the merchant just earned proves the next swap.',
    },
  ]),
  ...plant({ file: `${rail}/watch/nodes.ts`, tests: proof }, [
    {
      name: 'intents: tokens to anybody are told as the shop’s',
      find: '!accounts.has(String(info.destination))) return []',
      put: 'accounts.has(String(info.nobody))) return []',
      breaks: 'What a transaction moves elsewhere hides what it brought.',
      unseen: true,
    },
    {
      name: 'intents: every output of a transaction has one name',
      find: '[{ key: keyOf(asset, txHash.toLowerCase(), n), amount: BigInt(value as number), from: null }]',
      put: '[{ key: keyOf(asset, txHash.toLowerCase(), n * 0), amount: BigInt(value as number), from: null }]',
      breaks: 'Two payouts of one transaction count as one, and an order stays open for ever.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${rail}/watch/poll.ts`, tests: proof }, [
    {
      name: 'intents: of several transactions the first alone proves',
      find: '  for (const payout of asked) {',
      put: '  for (const payout of asked.slice(0, 1)) {',
      breaks: 'An order that was paid out stays open until a person looks.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${model}/refunds/returned.ts`, tests: [`${rail}/legs.test.ts`] }, [
    {
      name: 'intents: what one swap returned is taken for all',
      find: 'order.legs.filter((leg) => fact.legRef === undefined || leg.ref === fact.legRef)',
      put: 'order.legs.filter((leg) => fact.legRef === undefined || leg.ref !== null)',
      breaks: 'Money that another swap still holds is booked as gone.',
    },
  ]),
  ...plant({ file: 'packages/server/src/orders/tell/owed-item.ts', tests: [`${rail}/legs.test.ts`] }, [
    {
      name: 'owed: what is owed is over before all of it is back',
      find: 'sum + row.amount, 0n) >= amount',
      put: 'sum + row.amount, 0n) >= amount / 2n',
      breaks: 'A payer who paid twice gets half of it back.',
    },
  ]),
  ...plant({ file: `${rail}/address/open.ts`, tests: flows }, [
    {
      name: 'intents: the provider is believed where the merchant never said so',
      find: 'feeBps, takesUnproven },',
      put: 'feeBps, takesUnproven: true },',
      breaks: 'A merchant ships for a payout that never was.',
    },
  ]),
  ...plant({ file: 'packages/server/src/decisions/acts.ts', tests: flows }, [
    {
      name: 'intents: an old sign-in says that a payout is there',
      find: ' || action === TAKE_WORD) requireFresh(who)',
      put: ') requireFresh(who)',
      breaks: 'A copied session makes orders a success.',
    },
    {
      name: 'intents: operators say for merchants that a payout is there',
      find: 'SETTLE_NOW, TAKE_WORD])',
      put: 'SETTLE_NOW])',
      breaks: 'Somebody else decides what a merchant ships for.',
    },
  ]),
  ...plant({ file: `${rail}/watch/believed.ts`, tests: flows }, [
    {
      name: 'intents: more comes back than ever came',
      find: 'const refunded = upTo(reply.refunded, came ?? most)',
      put: 'const refunded = reply.refunded',
      breaks: 'The books have a billion that nobody paid.',
    },
  ]),
  ...plant({ file: `${rail}/watch/verdict.ts`, tests: [...flows, ...proof] }, [
    {
      name: 'intents: a payout of what went back is a success',
      find: 'if (back > 0n && (held.next.deposited - back) * 2n < swap.least)',
      put: 'if (back < 0n)',
      breaks: 'A merchant ships for money that the payer has again.',
    },
    {
      name: 'intents: less than was promised is a success',
      find: 'if (payout.amount < swap.amountOut) {',
      put: 'if (payout.amount < 0n) {',
      breaks: 'A merchant ships for a cent.',
    },
    {
      name: 'intents: what is put back twice is not counted once',
      find: 'const amount = sum - swap.deposited',
      put: 'const amount = sum',
      breaks: 'A second look books the money again.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${rail}/watch/alarms.ts`, tests: [...flows, ...proof] }, [
    {
      name: 'intents: what the provider keeps is told to nobody',
      find: "const isOpen = stage === 'waiting' || stage === 'paid'",
      put: "const isOpen = stage === 'waiting'",
      breaks: 'A payer waits for ever for an order that nobody asks about.',
    },
  ]),
  ...plant({ file: `${rail}/watch/nodes.ts`, tests: proof }, [
    {
      name: 'intents: a payout in the newest block counts',
      find: 'heightOf(head) - heightOf(at) + 1 >= depth',
      put: 'heightOf(head) - heightOf(at) + 1 >= 1',
      breaks: 'The chain takes the payout back, and the merchant has shipped.',
    },
    {
      name: 'intents: a payout in the newest block of a block host counts',
      find: '+ 1 >= depth)) return',
      put: '+ 1 >= 1)) return',
      breaks: 'The chain takes the payout back, and the merchant has shipped.',
    },
    {
      name: 'intents: a payment from before the swap proves it',
      find: "return s * 1000 < notBefore.getTime() ? 'too_old' : null",
      put: "return s * 1000 < notBefore.getTime() - 86_400_000 ? 'too_old' : null",
      breaks: 'The provider names an old payment to the merchant, and keeps the money.',
    },
  ]),
  ...plant({ file: `${rail}/watch/proof.ts`, tests: proof }, [
    {
      name: 'intents: the larger of two transfers pays the smaller order',
      find: 'seen.transfers.toSorted((a, b) => (a.amount < b.amount ? -1 : 1))',
      put: 'seen.transfers',
      breaks: 'Of two orders that one transaction pays one waits for a person.',
      unseen: true,
    },
    {
      name: 'intents: what Florin settled proves a swap',
      find: 'if (taken.has(key) || ',
      put: 'if (',
      breaks:
        'The provider names one payout, or the settlement of another order, for any number of orders, and keeps the money.',
    },
    {
      name: 'intents: a larger transfer proves a payout',
      find: 'one.amount >= amount && one.amount <= atMost',
      put: 'one.amount >= amount && atMost > 0n',
      breaks: 'Whatever the merchant was paid by others proves what the provider never paid.',
    },
    {
      name: 'intents: the provider says how large a payout has to be',
      find: 'wanted({ promised: swap.amountOut, told: amount })',
      put: 'wanted({ promised: amount, told: amount })',
      breaks: 'It names any transfer to the merchant, with its amount, for an order that it never paid.',
    },
  ]),
  ...plant({ file: `${rail}/watch/nodes.ts`, tests: proof }, [
    {
      name: 'intents: any token’s transfer proves a payout',
      find: 'String(log.address).toLowerCase() !== asset.contract?.toLowerCase() ||',
      put: 'String(log.address) === asset.asset ||',
      breaks: 'A worthless token counts as dollars.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${model}/ledger.ts`, tests: flows }, [
    {
      name: 'intents: a leg is settled whatever the merchant got',
      find: 'return rows.length > 0 && sum(rows, (row) => row.amountOut ?? 0n) >= leg.amountOut',
      put: 'return rows.length > 0 && settledOn(order, leg) >= leg.amountDue',
      breaks: 'Orders that were paid out stay processing for ever.',
      unseen: true,
    },
  ]),
]
