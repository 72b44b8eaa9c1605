// Bugs in which transfer pays for which swap: what a lying provider could have paid twice, or by nothing. Chosen by an outsider
// who had seen neither code nor tests.
import { plant } from '../../plant.ts'

const rail = 'packages/rail-intents/src'
const once = [`${rail}/watch/once.test.ts`]
const quotes = [`${rail}/quotes.test.ts`]

const trust = [`${rail}/address/trust.test.ts`]

export const intentsOnceMutants = [
  ...plant({ file: `${rail}/catalogue/store.ts`, tests: trust }, [
    {
      name: 'intents: a quote that is under way when another one lies is taken',
      find: 'return (await findDistrust(tx, now)) === null',
      put: 'return (await findDistrust(tx, now)) !== undefined',
      breaks: 'A payer is shown an address by somebody who is known to lie.',
    },
  ]),
  ...plant({ file: `${rail}/address/open.ts`, tests: trust }, [
    {
      name: 'intents: who has lied is asked for addresses at once',
      find: 'if (out !== null) throw outUntil(parts, out)',
      put: 'if (out !== null && out < request.now) throw outUntil(parts, out)',
      breaks: 'Every payer waits for a quote that is not taken.',
    },
  ]),
  ...plant({ file: `${rail}/watch/poll.ts`, tests: once }, [
    {
      name: 'intents: the merchant’s word counts for nothing where another order was believed',
      find: ' && !current.isVouched',
      put: '',
      breaks: 'An order that was paid out stays unproven, and its swap is asked about every second.',
    },
    {
      name: 'intents: a transaction that nobody can look into is believed for all that are asked about at once',
      find: "unseen !== undefined && proof.kind === 'nobody' && !current.isVouched",
      put: "unseen !== undefined && proof.kind !== 'nobody' && !current.isVouched",
      breaks: 'One transfer, or none, makes any number of orders a success.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${rail}/client/echo.ts`, tests: quotes }, [
    {
      name: 'intents: a quote may send the money on',
      find: 'if ([echo, quote].some((part) => isSaid(part[name])))',
      put: 'if ([quote].some((part) => isSaid(part[name])))',
      breaks: 'The provider may have the payout, or what goes back, reach somebody else.',
      unseen: true,
    },
  ]),
  ...plant(
    {
      file: 'packages/server/src/orders/own-refunds/watch.ts',
      tests: ['packages/server/src/orders/own-refunds/own-refunds.test.ts'],
    },
    [
      {
        name: 'refunds: a payout that comes from an own address is found as a refund',
        find: 'const free = await withoutPayouts(deps, row, seen)',
        put: 'const free = await withoutPayouts(deps, row, []).then(() => seen)',
        breaks: 'Whoever sets the wallet that swaps are paid from takes every payout as his refund.',
        unseen: true,
      },
    ],
  ),
  ...plant({ file: 'packages/server/src/orders/own-refunds/judge.ts', tests: once }, [
    {
      name: 'intents: a payout that is on its way is somebody’s refund',
      find: 'const free = await withoutPayouts(deps, row, untaken)',
      put: 'const free = await withoutPayouts(deps, row, []).then(() => untaken)',
      breaks: 'A merchant records another’s payout as his refund, and the other’s order stays open.',
    },
  ]),
  ...plant({ file: `${rail}/watch/nodes.ts`, tests: [`${rail}/watch/proof.test.ts`] }, [
    {
      name: 'intents: a node may answer about another transaction',
      find: 'if (told !== asked) throw',
      put: 'if (told === null) throw',
      breaks: 'One transfer under several names proves several payouts.',
      unseen: true,
    },
  ]),
  ...plant({ file: 'packages/server/src/orders/own-refunds/store.ts', tests: once }, [
    {
      name: 'intents: a payout that proved a swap is a refund as well',
      find: 'or exists (select from intents_legs i where i.proof_key = t.key)',
      put: '',
      breaks: 'One transfer settles an order and is booked as money sent back.',
      unseen: true,
    },
  ]),
  ...plant(
    {
      file: 'packages/server/src/orders/own-refunds/store.ts',
      tests: ['packages/rail-utxo/src/watch/held.test.ts'],
    },
    [
      {
        name: 'intents: an output that fulfilled a refund proves a swap as well',
        find: "where r.chain = split_part(t.key, ':', 1) and",
        put: 'where false and',
        breaks: 'One output is booked as money sent back and settles an order.',
        unseen: true,
      },
    ],
  ),
  ...plant({ file: 'packages/server/src/orders/own-refunds/payouts.store.ts', tests: once }, [
    {
      name: 'refunds: what a swap was believed to have brought is a refund as well',
      find: "and i.settle ->> 'asset' = ${a.row.asset} and starts_with(",
      put: 'and false and starts_with(',
      breaks: 'A transaction that one merchant took for his payout is another’s refund.',
      unseen: true,
    },
    {
      name: 'refunds: a swap that is said to have failed awaits nothing',
      find: "      and stage in ('waiting', 'paid', 'claimed', 'failed')\n      and (stage",
      put: "      and stage in ('waiting', 'paid', 'claimed')\n      and (stage",
      breaks: 'A payout that comes after FAILED is named as somebody’s refund.',
      unseen: true,
    },
    {
      name: 'refunds: a payout of a little less is nobody’s',
      find: 'between amount_out * 0.9 and',
      put: 'between amount_out and',
      breaks: 'A payout that its merchant takes though it is less is a refund as well.',
      unseen: true,
    },
    {
      name: 'refunds: a swap that was made after a transfer holds it up',
      find: 'and created_at <= coalesce(',
      put: 'and created_at is distinct from coalesce(',
      breaks: 'A stranger holds up any refund by opening orders.',
      unseen: true,
    },
    {
      name: 'refunds: an order that nobody paid holds up refunds for days',
      find: "(stage <> 'waiting' or returns_from >",
      put: '(stage = stage or returns_from >',
      breaks: 'A merchant waits for days until his refund is recorded.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${rail}/watch/judged.ts`, tests: once }, [
    {
      name: 'intents: a transaction that is spelled otherwise is another',
      find: 'canonicalTransactionId(swap.settle.chain, hash) ?? []',
      put: 'hash || canonicalTransactionId(swap.settle.chain, hash) || []',
      breaks: 'One transfer makes any number of orders a success.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${rail}/watch/proof.ts`, tests: once }, [
    {
      name: 'intents: what was believed counts for nothing where a rail reads the chain',
      find: 'believed-- > 0',
      put: 'believed < 0',
      breaks: 'A payout that the merchant vouched for pays another order as well.',
      unseen: true,
    },
    {
      name: 'intents: a transaction that nobody saw is believed again',
      find: 'return (await isClaimed(sql, swap, payout)) ? OF_ANOTHER : NOBODY',
      put: 'return (await isClaimed(sql, swap, payout)) ? NOBODY : NOBODY',
      breaks: 'The provider pays once and is believed for every order.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${rail}/watch/poll.ts`, tests: once }, [
    {
      name: 'intents: what was believed takes no part of its transaction',
      find: 'unseen === undefined ? next.proofKey : await claimUnseen(tx, current, unseen)',
      put: 'unseen === undefined ? next.proofKey : (await claimUnseen(tx, current, unseen), null)',
      breaks: 'A payout that the merchant vouched for proves another order.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${rail}/watch/nodes.ts`, tests: once }, [
    {
      name: 'intents: what leaves the address again is a payout',
      find: 'kept: sumOf(came) - sumOf(left)',
      put: 'kept: sumOf(came)',
      breaks: 'A merchant who moves money of his own is told that he was paid.',
      unseen: true,
    },
    {
      name: 'intents: what a balance grew by is as many payouts as the instructions say',
      find: 'sum(sent) === grew ? sent : [grew]',
      put: 'sent.length > 0 ? sent : [grew]',
      breaks: 'A program that nobody knows takes the money back, and the order is a success.',
      tests: [`${rail}/watch/proof.test.ts`],
      unseen: true,
    },
  ]),
  ...plant(
    {
      file: 'packages/rail-evm/src/outside.ts',
      tests: ['packages/server/src/orders/own-refunds/own-refunds.test.ts'],
    },
    [
      {
        name: 'outside: what a wallet sends itself stays with it',
        find: 'from?.toLowerCase() === topicOf(a.to)',
        put: 'from === a.to',
        breaks: 'A merchant who moves money of his own is told that he was paid.',
        unseen: true,
      },
    ],
  ),
  ...plant({ file: `${rail}/address/legs.store.ts`, tests: quotes }, [
    {
      name: 'intents: a deposit address that is spelled otherwise is another',
      find: 'where place = ${a.place} and',
      put: 'where address = ${opened.address} and',
      breaks: 'One payment is booked for two orders.',
      unseen: true,
    },
  ]),
]
