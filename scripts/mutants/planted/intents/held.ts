// Of outputs that may be a swap's payout and a refund of the rail for Bitcoin and Litecoin, and of addresses that both would use.
import { plant } from '../../plant.ts'

const rail = 'packages/rail-utxo/src'
const held = [`${rail}/watch/held.test.ts`]

export const intentsHeldMutants = [
  ...plant({ file: `${rail}/watch/held.ts`, tests: held }, [
    {
      name: 'utxo: the payout of a swap fulfils a refund',
      find: "if (await elsewhere.isAwaitedBySwap(tx, { row, ...one, now })) return 'awaited'",
      put: '',
      breaks: 'A merchant who owes another shop a refund buys there for as much, and is rid of it.',
      unseen: true,
    },
    {
      name: 'utxo: what proved a swap fulfils the refund that waited',
      find: "if ((await elsewhere.listCounted(tx, [transfer])).size > 0) return 'counts'",
      put: '',
      breaks: 'One output settles an order and is booked as money sent back.',
      unseen: true,
    },
    {
      name: 'utxo: what is held for a refund outlives its block',
      find: 'await letGoAbove(tx, asking.chain.id, fork)',
      put: '',
      breaks: 'A refund is called done by what left the chain.',
      unseen: true,
    },
    {
      name: 'utxo: what a swap was believed to have brought fulfils a refund',
      find: "if ((await elsewhere.listBelieved(tx, { row, transfers: [transfer] })).size > 0) return 'counts'",
      put: '',
      breaks: 'A payer’s refund is called done by what paid his shop.',
      unseen: true,
    },
    {
      name: 'utxo: an output that was held pays one of two refunds',
      find: 'rest -= row.amount',
      put: 'rest = 0n',
      breaks: 'A merchant pays the second refund twice.',
      unseen: true,
    },
    {
      name: 'utxo: what is held for one swap keeps all others waiting',
      find: 'await noteLook(tx, asking.chain.id, held, asking.now)',
      put: '',
      breaks: 'A swap that never ends keeps refunds of others from being booked.',
      unseen: true,
    },
    {
      name: 'utxo: a swap that was made after an output holds it',
      find: 'announcedAt ?? new Date(',
      put: 'new Date(',
      breaks: 'Who sees a refund in the mempool holds it up for hours by opening an order.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${rail}/address/open.ts`, tests: held }, [
    {
      name: 'utxo: an order is given the address that a swap pays',
      find: 'isOther: (db, script) =>',
      put: 'isOther: async (db, script) => false &&',
      breaks: 'One payout settles two orders.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${rail}/watch/refunds.ts`, tests: held }, [
    {
      name: 'utxo: every output to the address of a refund is asked about',
      find: 'const paying = outputs.filter(pays).sort(',
      put: 'const paying = outputs.filter((one) => pays(one) || (isFor(one, row) && stateOfOne(one) === null)).sort(',
      breaks: 'For some dollars of dust a payer stops a chain for all merchants.',
      unseen: true,
    },
  ]),
  ...plant({ file: 'packages/server/src/addresses/accounts/assign.ts', tests: held }, [
    {
      name: 'accounts: an address that is passed over takes the next beyond what the wallet sees',
      find: 'index === nextIndex || hasRoom({ ...account, nextIndex: index })',
      put: 'index < nextIndex + 100n',
      breaks: 'A payer pays to where the merchant’s wallet never looks.',
      unseen: true,
    },
    {
      name: 'accounts: an address that a swap pays is given out again',
      find: 'while (await a.isOther?.(tx, reused.script))',
      put: 'while (false)',
      breaks: 'One payout settles two orders.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${rail}/watch/watch.store.ts`, tests: held }, [
    {
      name: 'utxo: a block with thousands of outputs to an order stops the chain',
      find: 'for (const some of chunksOf(written)) {',
      put: 'for (const some of [written]) {',
      breaks: 'For some dollars of dust a payer stops a chain for all merchants.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${rail}/watch/pool.ts`, tests: held }, [
    {
      name: 'utxo: a transaction is kept with each of its outputs',
      find: 'const raw = kept.has(one.txid) ? null : one.raw',
      put: 'const { raw } = one',
      breaks: 'One announced transaction of thousands of outputs fills the memory.',
      unseen: true,
    },
    {
      name: 'utxo: all of thousands of announced outputs are kept',
      find: '[...outputs, ...pegged].slice(0, OUTPUTS_MOST)',
      put: '[...outputs, ...pegged]',
      breaks: 'As above.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${rail}/watch/held.store.ts`, tests: held }, [
    {
      name: 'utxo: what is held for a refund goes as soon as that is fulfilled',
      find: "r.state = 'done' and r.height < ${below}::bigint",
      put: "r.state = 'done' and r.height > ${below}::bigint",
      breaks: 'A refund that leaves the chain is never done, though the merchant has sent it twice.',
    },
  ]),
  ...plant({ file: `${rail}/watch/record.ts`, tests: held }, [
    {
      name: 'utxo: of many announced outputs those that are not kept come late',
      find: 'earlier?.firstSeen ?? firstSeen.get(output.txid)\n',
      put: 'earlier?.firstSeen\n',
      breaks: 'An order that was paid in time, in many small outputs, expires.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${rail}/refund/outside.ts`, tests: held }, [
    {
      name: 'utxo: what a refund took since the look counts for another',
      find: 'return partOf === undefined ? taken.byRail === 0 : taken.amount <= partOf',
      put: 'return partOf === undefined || taken.amount >= 0n',
      breaks: 'One output of 150 is booked as a refund of 100 before the settlement and as one of 100 after it.',
    },
  ]),
  ...plant({ file: 'packages/server/src/orders/own-refunds/judge.ts', tests: held }, [
    {
      name: 'own refunds: a part of what a swap may bring is a refund',
      find: 'const amount = one.partOf ?? one.amount',
      put: 'const amount = one.amount',
      breaks: 'The payout of a swap is booked as a refund, and the swap is proved by nothing.',
    },
  ]),
]
