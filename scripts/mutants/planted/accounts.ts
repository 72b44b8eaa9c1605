// Bugs in which address of a wallet's account an order gets.
import { type Mutant, plant } from '../plant.ts'

const room = 'packages/server/src/addresses/accounts'

export const accountMutants: readonly Mutant[] = [
  ...plant({ file: `${room}/assign.ts`, tests: [`${room}/assign.test.ts`] }, [
    {
      name: 'accounts: an order that asks twice gets two addresses',
      find: 'if (first !== null) return first',
      put: 'if (first !== null && first.index < 0n) return first',
      breaks: 'A payer who looks twice pays an address that the order does not know.',
    },
    {
      name: 'accounts: no cap',
      find: 'if (byStranger ? hasRoomForStrangers(account) : hasRoom(account)) {',
      put: 'if (byStranger ? hasRoomForStrangers(account) : account.nextIndex >= 0n) {',
      breaks: 'Strangers push payments behind what the wallet looks at.',
      unseen: true,
    },
    {
      name: 'accounts: addresses are given out again unasked',
      find: 'if (a.takesReused !== true) throw full()',
      put: 'if (a.takesReused === false) throw full()',
      breaks: 'A late payer pays the order of a stranger.',
      unseen: true,
    },
    {
      name: 'accounts: the counter is used before the chain was asked',
      find: 'if (!isReady(account)) throw notExamined()',
      put: 'if (!isReady(account) && account.nextIndex < 0n) throw notExamined()',
      breaks: 'The first orders get addresses that were paid before.',
    },
  ]),
  ...plant({ file: `${room}/store.ts`, tests: [`${room}/assign.test.ts`, `${room}/accounts.test.ts`] }, [
    {
      name: 'accounts: the row is not locked',
      find: 'from receiving_accounts r where r.id = ${id} for no key update`',
      put: 'from receiving_accounts r where r.id = ${id}`',
      breaks: 'Two orders get one address.',
    },
  ]),
  ...plant({ file: `${room}/counter.store.ts`, tests: [`${room}/assign.test.ts`, `${room}/accounts.test.ts`] }, [
    {
      name: 'accounts: a start that is said ends the row of unpaid addresses',
      find: 'where unpaid.index = told.below - unpaid.n)',
      put: 'where false)',
      breaks: 'Payers are shown addresses that the wallet does not look at.',
      unseen: true,
    },
    {
      name: 'accounts: a payment behind the counter does not move it',
      find: 'next_index = greatest(r.next_index, (\n',
      put: 'next_index = least(r.next_index, (\n',
      breaks: 'An order gets an address that another wallet gave out and that was paid.',
      unseen: true,
    },
    {
      name: 'accounts: a payment that the wallet does not see counts as seen',
      find: 'd.index < w.below + w.wallet_limit',
      put: 'd.index < w.below + 100000',
      breaks: 'Who knows the key pays a few satoshi far ahead, and orders are paid where the owner does not see it.',
      unseen: true,
    },
    {
      name: 'accounts: what blocks showed used does not move the counter',
      find: 'set next_index = greatest(next_index, found_below) where id',
      put: 'set next_index = next_index where id',
      breaks: 'Who pays an old invoice pays the order of a stranger.',
    },
    {
      name: 'accounts: what was given out is given out again',
      find: 'r.next_index where not exists (',
      put: 'r.next_index where 1 = 1 or not exists (',
      breaks: 'Two orders get one address.',
    },
  ]),
  ...plant({ file: 'packages/server/src/addresses/take-over.ts', tests: [`${room}/ownership.test.ts`] }, [
    {
      name: 'accounts: any signature takes an account over',
      find: 'if (isSignedBy(account, text, signature.trim())) return',
      put: 'if (signature.trim() !== text) return',
      breaks: 'Who knows the key of another’s wallet takes its account away, and its orders lose their way to be paid.',
    },
    {
      name: 'accounts: a signature counts again after the account changed hands',
      find: 'const turns = a.held.map(({ id, turn }) => `${id} ${turn}`).sort()',
      put: 'const turns = a.held.map(({ id }) => id).sort()',
      breaks: 'A former owner takes the account back with an old signature, again and again.',
    },
    {
      name: 'accounts: a key below takes what stands above it',
      find: "if (related.some(({ overlap }) => overlap === 'above'))",
      put: "if (related.some(({ overlap }) => overlap === 'claimed'))",
      breaks: 'Who was given the key of one chain of a wallet takes the whole account.',
    },
  ]),
  ...plant({ file: `${room}/rules.ts`, tests: ['packages/rail-utxo/src/watch/reuse.test.ts'] }, [
    {
      name: 'accounts: payers who start by themselves fill the whole row',
      find: 'unpaidCap(window) / 2n',
      put: 'unpaidCap(window)',
      breaks: 'A stranger with a payment link turns the coin off for the shop’s own orders.',
      unseen: true,
    },
    {
      name: 'accounts: an address comes free as soon as its order lapsed',
      find: 'export const CLOSED_AFTER_MS = LATE_WINDOW_MS',
      put: 'export const CLOSED_AFTER_MS = 0',
      breaks: 'Who pays a little late pays an address that has a new order.',
      unseen: true,
    },
  ]),
  ...plant(
    {
      file: 'packages/server/src/addresses/account-settings.ts',
      tests: ['packages/server/test/console-acts.test.ts'],
    },
    [
      {
        name: 'accounts: another counter or limit is mailed to nobody',
        find: "await tell(deps, tx, by, { weight: 'addresses', ...mail.words(news) }, now)",
        put: 'void news',
        breaks: 'A thief of a session sends payments to where the owner does not look, and no mail reports it.',
      },
    ],
  ),
  ...plant(
    {
      file: 'packages/server/src/addresses/third-party.rules.ts',
      tests: ['packages/server/src/addresses/third-party.test.ts'],
    },
    [
      {
        name: 'third party: live money is handed over at once',
        find: 'const waits = !a.atOnce && !isSame(meanwhile, wish)',
        put: 'const waits = false && !isSame(meanwhile, wish)',
        breaks: 'A thief of a session and a code gives real money to a third party before the owner reads the mail.',
      },
    ],
  ),
  ...plant({ file: `${room}/strangers.store.ts`, tests: ['packages/rail-utxo/src/watch/reuse.test.ts'] }, [
    {
      name: 'accounts: one client takes all places of payers',
      find: 'and s.client = ${a.client}',
      put: 'and s.client <> ${a.client}',
      breaks: 'One stranger keeps all other payers from the coin.',
    },
  ]),
  ...plant(
    {
      file: 'packages/rail-utxo/src/address/open.ts',
      tests: ['packages/rail-utxo/src/watch/reuse.test.ts'],
    },
    [
      {
        name: 'accounts: two orders at one address ask for the same',
        find: 'while (others.has(amountDue)) amountDue++',
        put: 'while (others.has(amountDue) && amountDue < 0n) amountDue++',
        breaks: 'Of a payment link’s fixed price nobody can tell whose payment it is.',
        unseen: true,
      },
    ],
  ),
  ...plant(
    {
      file: 'packages/rail-utxo/src/node/history.ts',
      tests: ['packages/rail-utxo/src/node/history.test.ts'],
    },
    [
      {
        name: 'accounts: blocks that were pruned are called read',
        find: "if (isUnreadable(error)) return done(downTo === null ? 'none' : 'part')",
        put: "if (isUnreadable(error)) return done('whole')",
        breaks: 'The console says that every used address is known, and none is.',
        unseen: true,
      },
    ],
  ),
  ...plant({ file: `${room}/store.ts`, tests: [`${room}/assign.test.ts`] }, [
    {
      name: 'accounts: a payment that a reorg took away still counts for the row',
      find: 'update account_addresses set is_paid = false',
      put: 'update account_addresses set is_paid = true',
      breaks: 'A reorg lets strangers push payments behind what the wallet looks at.',
      unseen: true,
    },
  ]),
  ...plant(
    {
      file: 'packages/rail-utxo/src/watch/pool.ts',
      tests: ['packages/rail-utxo/src/watch/watch.test.ts'],
    },
    [
      {
        name: 'accounts: an announcement moves what the wallet looks at',
        find: '    const fresh = await insertAnnounced(tx, chain.id, rows)',
        put: '    for (const { account, index } of legs) if (account !== null && index !== null) await parts.addresses.seen?.(tx, [{ account, index }], now)\n    const fresh = await insertAnnounced(tx, chain.id, rows)',
        breaks: 'A stranger announces and replaces, and payments come where the wallet does not look.',
        unseen: true,
      },
    ],
  ),
  ...plant(
    {
      file: 'packages/rail-utxo/src/watch/record.ts',
      tests: ['packages/rail-utxo/src/watch/watch.test.ts'],
    },
    [
      {
        name: 'accounts: a payment is not told to its account',
        find: '  await tellAccounts(tx, parts, { legs, scripts }, now)',
        put: '  await tellAccounts(tx, parts, { legs: [], scripts: [] }, now)',
        breaks: 'After fifteen paid orders the shop offers the coin no more.',
      },
    ],
  ),
  ...plant(
    {
      file: 'packages/rail-utxo/src/watch/owners.ts',
      tests: ['packages/rail-utxo/src/watch/owners.test.ts'],
    },
    [
      {
        name: 'accounts: a doubtful payment counts for the newer order',
        find: 'return { leg: legAt(first.orderRef), doubt: last }',
        put: 'return { leg: last, doubt: null }',
        breaks: 'A late payer pays the order of a stranger, who gets the goods.',
      },
      {
        name: 'accounts: an amount that two orders ask for decides',
        find: 'one !== undefined && exact.every((leg) => leg.orderRef === one.orderRef)',
        put: 'one !== undefined',
        breaks: 'Of two orders over the same amount the wrong one is paid.',
        unseen: true,
      },
    ],
  ),
  ...plant({ file: `${room}/store.ts`, tests: [`${room}/assign.test.ts`] }, [
    {
      name: 'accounts: an address that was announced is given out again',
      find: 'where d.account_id = ${a.id} and d.seen_at is null and d.order_ref is not null',
      put: 'where d.account_id = ${a.id} and not d.is_paid and d.order_ref is not null',
      breaks: 'A payer whose payment comes late pays the order of a stranger.',
      unseen: true,
    },
  ]),
]
