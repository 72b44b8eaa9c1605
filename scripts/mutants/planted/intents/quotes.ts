// Bugs in what NEAR Intents is asked for and how often: whose address payers are shown, and on whose leave.
import { plant } from '../../plant.ts'

const rail = 'packages/rail-intents/src'
const quotes = [`${rail}/quotes.test.ts`]
const flows = [`${rail}/flows.test.ts`]

export const intentsQuoteMutants = [
  ...plant({ file: `${rail}/watch/schedule.ts`, tests: [`${rail}/watch/schedule.test.ts`] }, [
    {
      name: 'intents: payouts that nobody proves are asked about before open pages for ever',
      find: 'sinceMs < CLAIMED_FIRST_MS ? 1 : 2)',
      put: 'sinceMs < CLAIMED_FIRST_MS ? 1 : 1)',
      breaks: 'In a busy shop nothing is left for payers who wait at a checkout.',
    },
  ]),
  ...plant({ file: `${rail}/client/echo.ts`, tests: quotes }, [
    {
      name: 'intents: an address may go cold before the quote ends',
      find: 'Math.min(watchUntil, coldFrom ?? 0)',
      put: 'Math.max(watchUntil, coldFrom ?? 0)',
      breaks: 'A payer pays in time, and the provider looks hours later.',
      unseen: true,
    },
    {
      name: 'intents: less than the amount may reach the merchant',
      find: '(unitsOf(quote.minAmountOut) ?? 0n) < BigInt(sent.amount)',
      put: '(unitsOf(quote.minAmountOut) ?? 0n) < 0n',
      breaks: 'A quote that promises nothing is offered as one that does.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${rail}/watch/look.ts`, tests: [`${rail}/watch/hints.test.ts`] }, [
    {
      name: 'intents: a list that says nothing lets orders end',
      find: 'rank !== 0 && dueAt !== null && now.getTime() - dueAt.getTime() >= LISTED_FOR_MS',
      put: 'rank !== 0',
      breaks: 'An order that is paid expires, and its merchant hears that nobody paid.',
    },
    {
      name: 'intents: no order ends while there are more than questions',
      find: '>= LISTED_FOR_MS',
      put: '>= LISTED_FOR_MS * 1_000',
      breaks: 'Orders of a busy shop end hours late.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${rail}/address/dear.ts`, tests: quotes }, [
    {
      name: 'intents: a quote may ask for any price',
      find: 'amountDue * 10_000n <= usual.amountDue * (10_000n + DEARER_BPS)',
      put: 'usual.amountDue > 0n',
      breaks: 'A payer pays a thousand times what the order is worth.',
    },
    {
      name: 'intents: a quote may keep any part for moves of the price',
      find: 'if ((amountDue - 1n) * 10_000n > least * kept)',
      put: 'if (least > amountDue * kept)',
      breaks: 'What is not needed goes back less the cost of the way, and the payer is out of it for the time.',
    },
    {
      name: 'intents: what a quote says that the payout costs explains any price',
      find: 'if (withdrawFee > most) return',
      put: 'if (withdrawFee < 0n) return',
      breaks: 'A payer pays a thousand times what the order is worth.',
    },
    {
      name: 'intents: a way back may cost all of it',
      find: 'if (refundFee * REFUND_PART > amountDue) return',
      put: 'if (refundFee < 0n) return',
      breaks: 'A payer who pays late has nothing back.',
      unseen: true,
    },
    {
      name: 'intents: a quote is compared with no price',
      find: 'const usual = estimate(',
      put: 'const usual = amountDue > 0n ? null : estimate(',
      breaks: 'A payer pays a thousand times what the order is worth.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${rail}/address/open.ts`, tests: quotes }, [
    {
      name: 'intents: a quote need not be signed',
      find: 'const quote = isSignedBy(settings.signer, reply)',
      put: 'const quote = reply.signature !== settings.signer',
      breaks: 'Whoever stands between changes the address that payers pay.',
    },
  ]),
  ...plant({ file: `${rail}/address/open.ts`, tests: quotes }, [
    {
      name: 'intents: a leg is worth the order and not what is paid for it',
      find: 'price: ratePrice(a.pay) ?? impliedPrice(request, amountDue, decimals)',
      put: 'price: impliedPrice(request, amountDue, decimals)',
      breaks: 'A payer is told a price, and pays more.',
    },
  ]),
  ...plant(
    { file: 'packages/server/src/orders/create/refund-address.ts', tests: [`${rail}/address/nobodys.test.ts`] },
    [
      {
        name: 'refunds: contracts that a rail knows take refunds',
        find: 'if (await rails.isNobodysWallet({ chain: a.chain, address: verdict.canonical })) {',
        put: 'if (rails.all.length < 0) {',
        breaks: 'A payer’s money goes back to the contract of a token.',
      },
    ],
  ),
  ...plant({ file: 'packages/chains/src/check.ts', tests: ['packages/chains/test/nobodys.test.ts'] }, [
    {
      name: 'addresses: coins may go to the contract of a token',
      find: 'const lost = verdict.valid ? nobodysWallet(getChain(chain), verdict.canonical) : null',
      put: 'const lost = verdict.valid ? null : nobodysWallet(getChain(chain), String(text))',
      breaks: 'Coins are sent where nobody can spend them.',
    },
  ]),
  ...plant({ file: `${rail}/watch/schedule.ts`, tests: [`${rail}/watch/schedule.test.ts`] }, [
    {
      name: 'intents: hints are asked about beside the budget',
      find: 'puts = [...live(nowMs), ...Array.from({ length: count }, () => nowMs)]',
      put: 'puts = [...live(nowMs), ...Array.from({ length: Math.ceil(count / 2) }, () => nowMs)]',
      breaks: 'The provider refuses to answer at all.',
    },
  ]),
  ...plant({ file: `${rail}/client/echo.ts`, tests: quotes }, [
    {
      name: 'intents: the echo is not compared',
      find: 'for (const name of compared) if (echo[name] !== sent[name])',
      put: 'for (const name of compared) if (!(name in echo))',
      breaks: 'A quote for another recipient is shown to payers.',
    },
    {
      name: 'intents: the deadline of the echo is not compared',
      find: 'if (timeOf(echo.deadline) !== Date.parse(sent.deadline))',
      put: 'if (timeOf(echo.deadline) === null)',
      breaks: 'The provider keeps short payments for years.',
      unseen: true,
    },
    {
      name: 'intents: fees are not bounded',
      find: 'if (total > askedBps + providerFeeMaxBps)',
      put: 'if (total > 10_000 + providerFeeMaxBps)',
      breaks: 'The provider takes what it likes.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${rail}/address/request.ts`, tests: flows }, [
    {
      name: 'intents: late money is swapped that has to go back',
      find: "const returnsFrom = a.latePolicy === 'refund' ? Math.min(payUntil + margin, ends) : payUntil + margin",
      put: 'const returnsFrom = payUntil + margin',
      breaks: 'An order whose goods were given to somebody else becomes a success.',
    },
  ]),
  ...plant({ file: `${rail}/catalogue/payout-costs.ts`, tests: quotes }, [
    {
      name: 'intents: any cost of a payout is believed',
      find: 'if (cost === null || amountOut === null || cost >= amountOut) return',
      put: 'if (cost === null || amountOut === null) return',
      breaks: 'One unsigned number makes a coin the dearest of all, and nobody is offered it.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${rail}/watch/swaps.store.ts`, tests: [`${rail}/watch/hints.test.ts`] }, [
    {
      name: 'intents: what anybody says comes before what the provider told',
      find: 'set rank = least(rank, 1), due_at = least(due_at, ${a.now}),',
      put: 'set rank = 0, due_at = least(due_at, ${a.now}),',
      breaks: 'Who opens orders and names transactions has all paid orders wait.',
    },
    {
      name: 'intents: one order may name any number of transactions',
      find: 'cardinality(hinted) >= ${a.max} then hint else',
      put: 'cardinality(hinted) < 0 then hint else',
      breaks: 'A stranger spends the questions of a whole shop.',
      unseen: true,
    },
  ]),
  ...plant({ file: 'packages/rail-kit/src/registry.ts', tests: ['packages/rail-kit/src/registry.test.ts'] }, [
    {
      name: 'intents: a third party is used without the merchant’s leave',
      find: "capabilities.custody === 'none' || thirdParty",
      put: "capabilities.custody === 'none' || !thirdParty || thirdParty",
      breaks: 'Money goes through hands that its merchant did not allow.',
    },
  ]),
  ...plant(
    {
      file: 'packages/server/src/addresses/third-party.store.ts',
      tests: ['packages/rail-kit/src/registry.test.ts'],
    },
    [
      {
        name: 'intents: third parties are on in live mode by default',
        find: 'wished: { isOn: !livemode, takesUnproven: !livemode }',
        put: 'wished: { isOn: true, takesUnproven: !livemode }',
        breaks: 'A merchant who never heard of it has custody with somebody else.',
        unseen: true,
      },
    ],
  ),
  ...plant(
    {
      file: 'packages/rail-intents/src/settings/config.ts',
      tests: ['packages/rail-intents/src/list.test.ts'],
    },
    [
      {
        name: 'intents: the rail starts without the list of swaps',
        find: "if (!fields.has('feedKeyEnv'))",
        put: "if (fields.has('feedKeyEnv') && !fields.has('feedKeyEnv'))",
        breaks: 'Deposits are found late, since nothing reports them.',
      },
    ],
  ),
]
