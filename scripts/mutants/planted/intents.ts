// Bugs in the rail of NEAR Intents: what a lying or failing provider could take from a merchant or a payer.
import { plant } from '../plant.ts'

const rail = 'packages/server/src/rails/intents'
const quotes = [`${rail}/quotes.test.ts`]
const flows = [`${rail}/flows.test.ts`]
const proof = [`${rail}/watch/proof.test.ts`]
const sight = [`${rail}/sight/sight.test.ts`]
const sightChains = [`${rail}/sight/chains.test.ts`]
const model = 'packages/server/src/orders/model'

export const intentsMutants = [
  ...plant({ file: `${rail}/watch/schedule.ts`, tests: [`${rail}/watch/schedule.test.ts`] }, [
    {
      name: 'intents: payouts that nobody proves are asked about before open pages for ever',
      find: 'sinceMs < CLAIMED_FIRST_MS ? 1 : 2)',
      put: 'sinceMs < CLAIMED_FIRST_MS ? 1 : 1)',
      breaks: 'In a busy shop nothing is left for payers who wait at a checkout.',
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
        find: 'if (await isNobodysWallet(rails, { chain: a.chain, address: verdict.canonical })) {',
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
  ...plant({ file: `${model}/returned.ts`, tests: [`${rail}/legs.test.ts`] }, [
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
  ...plant({ file: `${rail}/address/open.ts`, tests: flows }, [
    {
      name: 'intents: the provider is believed where the merchant never said so',
      find: 'feeBps, takesUnproven },',
      put: 'feeBps, takesUnproven: true },',
      breaks: 'A merchant ships for a payout that never was.',
    },
  ]),
  ...plant({ file: 'packages/server/src/attention/acts.ts', tests: flows }, [
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
      name: 'intents: one transfer proves any number of orders',
      find: '&& !(await isProofTaken(sql, { key, ref: swap.ref })))',
      put: '&& swap.ref !== "")',
      breaks: 'The provider pays one order and names it for all.',
    },
    {
      name: 'intents: what Florin settled proves a swap',
      find: 'if (!taken.has(key) && ',
      put: 'if (',
      breaks: 'The provider names the settlement of another order, and keeps the money.',
    },
    {
      name: 'intents: a transaction proves more payouts than it brought',
      find: 'if (before.amount + payout.amount > found) return OF_ANOTHER',
      put: 'if (payout.amount > found) return OF_ANOTHER',
      breaks: 'The provider pays one order and names it for all.',
    },
    {
      name: 'intents: a payment from minutes before the swap proves it',
      find: 'usual: 5 * SECOND_MS',
      put: 'usual: 10 * MINUTE_MS',
      breaks: 'Whatever the merchant just earned proves the next swap.',
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
  ...plant({ file: `${rail}/watch/nodes.ts`, tests: proof }, [
    {
      name: 'intents: any token’s transfer proves a payout',
      find: 'String(log.address).toLowerCase() === asset.contract?.toLowerCase() &&',
      put: 'String(log.address) !== asset.asset &&',
      breaks: 'A worthless token counts as dollars.',
      unseen: true,
    },
  ]),
  ...plant({ file: 'packages/server/src/rails/registry.ts', tests: ['packages/server/src/rails/registry.test.ts'] }, [
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
      tests: ['packages/server/src/rails/registry.test.ts'],
    },
    [
      {
        name: 'intents: third parties are on in live mode by default',
        find: '...{ chain, isOn: !livemode, takesUnproven: !livemode, updatedAt: null },',
        put: '...{ chain, isOn: true, takesUnproven: !livemode, updatedAt: null },',
        breaks: 'A merchant who never heard of it has custody with somebody else.',
        unseen: true,
      },
    ],
  ),
  ...plant({ file: `${model}/ledger.ts`, tests: flows }, [
    {
      name: 'intents: a leg is settled whatever the merchant got',
      find: 'return rows.length > 0 && sum(rows, (row) => row.amountOut ?? 0n) >= leg.amountOut',
      put: 'return rows.length > 0 && settledOn(order, leg) >= leg.amountDue',
      breaks: 'Orders that were paid out stay processing for ever.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${rail}/watch/poll.ts`, tests: sight }, [
    {
      name: 'intents sight: what nodes tell of takes all questions',
      find: 'const own = seen.slice(0, ofSeen(limit))',
      put: 'const own = seen.slice(0, limit + ofSeen(limit))',
      breaks:
        'A node that says of every address that it was paid keeps payers with an open page waiting for half an hour.',
    },
    {
      name: 'intents sight: swaps are left to a node that went away',
      find: 'await takeBack(sql, { ...a, stretch })',
      put: 'await takeBack(sql, { ...a, stretch, looked: [...chains] })',
      breaks: 'While a node is away nobody looks for what is paid on its chain.',
    },
  ]),
  ...plant({ file: `${rail}/watch/swaps.store.ts`, tests: [`${rail}/sight/sights.store.test.ts`] }, [
    {
      name: 'intents sight: chains do not take turns',
      find: 'order by is_crowded, s.turn, s.seen_due_at limit',
      put: 'order by s.seen_due_at limit',
      breaks: 'A node that lies holds up what the nodes of all other chains see.',
    },
  ]),
  ...plant({ file: `${rail}/sight/rules.ts`, tests: sight }, [
    {
      name: 'intents sight: a chain counts as looked at long after its node went away',
      find: 'const FRESH_MS = 90 * SECOND_MS',
      put: 'const FRESH_MS = 9_000 * SECOND_MS',
      breaks: 'What is paid while a node is away is found after half an hour.',
    },
    {
      name: 'intents sight: what was seen is asked about once',
      find: 'sinceMs >= (isSlow(pay.chain) ? FOLLOWED_MS.slow : FOLLOWED_MS.usual)',
      put: 'sinceMs >= (isSlow(pay.chain) ? 0 : 0)',
      breaks: 'The provider waits for confirmations, is asked too early, and then not for half an hour.',
    },
  ]),
  ...plant({ file: `${rail}/sight/sights.store.ts`, tests: sight }, [
    {
      name: 'intents sight: the same transaction is a new hint each time',
      find: 'join intents_legs o on o.ref = t.ref and not t.key = any(o.seen)',
      put: 'join intents_legs o on o.ref = t.ref',
      breaks: 'A lie is asked about for ever.',
    },
    {
      name: 'intents sight: one swap may be seen without end',
      find: 'and cardinality(l.seen) < ${a.max}',
      put: 'and cardinality(l.seen) < ${a.max} + 1_000_000',
      breaks: 'A node that invents transactions has its swaps asked about for ever, and left to it.',
    },
  ]),
  ...plant({ file: `${rail}/sight/evm.ts`, tests: sight }, [
    {
      name: 'intents sight: blocks are not read from where the last look ended',
      find: 'cursor === null ? newest + 1n : smaller(cursor, newest) + 1n',
      put: 'newest + 1n',
      breaks: 'What was paid while no process ran is found late.',
    },
    {
      name: 'intents sight: any token is a hint',
      find: 'lower(asset.contract) === lower(address))',
      put: 'lower(asset.contract) !== lower(null))',
      breaks: 'Worthless tokens have swaps asked about.',
    },
  ]),
  ...plant({ file: `${rail}/sight/sight.ts`, tests: sight }, [
    {
      name: 'intents sight: a node that leaves something out counts as one that saw all',
      find: 'lookedAt: gap === null ? began : null',
      put: 'lookedAt: began',
      breaks: 'Payers of coins whose balance the node does not tell are left to it.',
      unseen: true,
    },
    {
      name: 'intents sight: a node that does not answer ends the round',
      find: 'if (away === null) return 0',
      put: 'return 0',
      breaks: 'Beside a node that is away the other one is asked half as often.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${rail}/sight/rules.ts`, tests: sight }, [
    {
      name: 'intents sight: what the provider knows of is followed on',
      find: "if (stage !== 'waiting' || status !== 'PENDING_DEPOSIT' || seenAt === null) return null",
      put: "if (stage === 'failed' || status === '' || seenAt === null) return null",
      breaks: 'Each paid swap takes twice the questions, and others wait.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${rail}/sight/evm.ts`, tests: sight }, [
    {
      name: 'intents sight: the newest blocks are read once',
      find: 'largest(0n, smaller(read.upTo, newest))',
      put: 'largest(0n, read.upTo)',
      breaks: 'What a node tells of a block only after a moment is missed.',
      unseen: true,
    },
    {
      name: 'intents sight: what the chain took back is a hint',
      find: 'place === undefined || removed === true',
      put: 'place === undefined',
      breaks: 'A transaction that is gone uses up what a swap may be seen by.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${rail}/watch/swaps.store.ts`, tests: sight }, [
    {
      name: 'intents sight: while the provider is away it is forgotten what was seen',
      find: 'seen_due_at = case when seen_due_at is not null then ${a.dueAt}::timestamptz end',
      put: 'seen_due_at = null',
      breaks: 'A payment that was seen is found half an hour after the provider is back.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${rail}/sight/sights.store.ts`, tests: sight }, [
    {
      name: 'intents sight: what a node tells takes the place of what a payer named',
      find: 'then s.hash else l.hint end',
      put: 'then s.hash else coalesce(s.hash, l.hint) end',
      breaks: 'A node that lies keeps the payer’s own transaction from the provider.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${rail}/sight/blocks.ts`, tests: sightChains }, [
    {
      name: 'intents sight: a block that was replaced is not read again',
      find: 'read.has(at) && (await asked(source.hashAt(at))) !== read.get(at)',
      put: 'read.has(at) && (await asked(source.hashAt(at))) === null',
      breaks: 'What was paid in the other block is found half an hour late.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${rail}/sight/solana.ts`, tests: sightChains }, [
    {
      name: 'intents sight: rent is taken for money',
      find: 'const amount = asset.contract === null ? coinsOf(value) : tokensOf(value)',
      put: 'const amount = coinsOf(value)',
      breaks: 'An account that somebody opened for a swap has it asked about for nothing.',
      unseen: true,
    },
  ]),
  ...plant({ file: 'packages/chains/src/token-account.ts', tests: sightChains }, [
    {
      name: 'intents sight: the account of a token is worked out otherwise than on the chain',
      find: '...wallet, ...program, ...token, bump',
      put: '...wallet, ...token, ...program, bump',
      breaks: 'No token that is paid on Solana is seen.',
      unseen: true,
    },
  ]),
]
