// Bugs in refunds that a merchant pays from an own wallet: how much, and whose a transfer is.
import { type Mutant, plant } from '../plant.ts'

const room = 'packages/server/src/addresses/accounts'

export const ownRefundMutants: readonly Mutant[] = [
  ...plant(
    {
      file: 'packages/server/src/orders/own-refunds/watch.ts',
      tests: ['packages/server/src/orders/own-refunds/own-refunds.test.ts'],
    },
    [
      {
        name: 'own refunds: what paid a canceled request is in no books',
        find: "row.status === 'recorded' || outside === undefined",
        put: "row.status !== 'requested' || outside === undefined",
        breaks: 'A refund that was paid is asked for whole again, and is paid twice.',
      },
      {
        name: 'own refunds: a canceled request takes what the next one was paid with',
        find: "if (verdict.kind === 'found' && verdict.transfers.some((one) => one.key === seen.key)) return other",
        put: "if (verdict.kind === 'other') return other",
        breaks: 'The next request waits for ever, or the merchant pays it again.',
      },
    ],
  ),
  ...plant(
    {
      file: 'packages/order-model/src/own-refunds.ts',
      tests: ['packages/server/src/orders/own-refunds/own-refunds.test.ts'],
      only: 'full or in parts',
    },
    [
      {
        name: 'own refunds: over has no end',
        find: 'export const OWN_REFUNDS_OVER_TIMES = 2n',
        put: 'export const OWN_REFUNDS_OVER_TIMES = 2_000_000_000_000_000n',
        breaks: 'A slip of a digit asks a merchant’s wallet for ten times the money.',
        unseen: true,
      },
    ],
  ),
  ...plant(
    {
      file: 'packages/order-model/src/own-refunds.ts',
      tests: ['packages/order-model/src/left-chain.test.ts'],
    },
    [
      {
        name: 'own refunds: of a payment that was taken back',
        find: 'order.settlements.filter((row) => row.leftAt !== null),',
        put: 'order.settlements.filter(() => false),',
        breaks: 'A payer spends his coins elsewhere and has the shop refund what it never got.',
      },
      {
        name: 'own refunds: one that was asked for before the payment was taken back is still to be paid',
        find: "row.status === 'requested' && gone(order) > 0n && refundableByMerchant(order) < 0n",
        put: 'row.status === order.status',
        breaks: 'A payer asks for his money back, then spends it elsewhere, and the shop pays him.',
      },
    ],
  ),
  ...plant(
    {
      file: 'packages/server/src/orders/own-refunds/acts.ts',
      tests: ['packages/server/src/orders/own-refunds/own-refunds.test.ts'],
      only: 'one Idempotency-Key',
    },
    [
      {
        name: 'own refunds: a key takes another body',
        find: "requireSameBody({ body: row.onceBody ?? '' }, once)",
        put: '',
        breaks: 'A shop that mixed up two refunds is told that both were asked for.',
      },
    ],
  ),
  ...plant({ file: 'packages/server/src/orders/acts.ts', tests: ['packages/rail-utxo/src/refund/sign.test.ts'] }, [
    {
      name: 'accounts: a refund that the books gave up is drawn up',
      find: "if (row.status === 'failed') return nothing",
      put: 'if (false) return nothing',
      breaks: 'Who took back a payment by paying twice is paid a refund of it out of other orders’ coins.',
    },
  ]),
  ...plant({ file: `${room}/wallets.store.ts`, tests: ['packages/rail-utxo/src/refund/change.test.ts'] }, [
    {
      name: 'accounts: whoever sets an account makes its coins his',
      find: 'where p.account_id = r.id and p.order_ref is not null and p.is_paid)',
      put: 'where true)',
      breaks:
        'A stranger who knows the key of a wallet keeps all refunds that are paid from there from being recorded.',
    },
    {
      name: 'accounts: change of the own wallet is nobody’s',
      find: 'from account_change where script = any(${some}::text[])) m',
      put: 'from account_change where false) m',
      breaks: 'A refund that a merchant pays from his change is booked as another’s, and he pays twice.',
    },
  ]),
  ...plant(
    {
      file: 'packages/rail-utxo/src/address/spenders.ts',
      tests: ['packages/rail-utxo/src/refund/change.test.ts'],
    },
    [
      {
        name: 'accounts: a coin that paid an order stays its merchant’s after another took the account over',
        find: '[...owners, ...others].map',
        put: '[...owners, ...paid].map',
        breaks: 'Who lost a wallet takes the refunds that its owner pays from there.',
      },
    ],
  ),
  ...plant(
    {
      file: 'packages/rail-utxo/src/watch/refunds.ts',
      tests: ['packages/rail-utxo/src/refund/change.test.ts'],
    },
    [
      {
        name: 'accounts: coins of two merchants are each one’s own',
        find: "merchants.length === 1 ? 'own' : 'shared'",
        put: "'own'",
        breaks: 'Any transfer of more fulfils the refund of who set another’s wallet.',
      },
    ],
  ),
  ...plant(
    {
      file: 'packages/server/src/orders/own-refunds/judge.ts',
      tests: [
        'packages/rail-utxo/src/refund/outside.test.ts',
        'packages/rail-utxo/src/refund/change.test.ts',
        'packages/server/src/orders/own-refunds/own-refunds.test.ts',
      ],
    },
    [
      {
        name: 'accounts: of coins of two merchants what is owed is enough',
        find: 'isOwn(order, one) && (one.merchants === undefined || one.merchants.length === 1)',
        put: 'isOwn(order, one)',
        breaks: 'Who set the wallet of another names its refund first, and the other pays twice.',
      },
      {
        name: 'accounts: a refund made of another merchant’s coins is taken by who names it first',
        find: 'if (one.merchants?.length === 0) return',
        put: 'if (one.merchants !== undefined) return',
        breaks: 'A merchant’s own refund is recorded for another, and he pays twice.',
      },
      {
        name: 'accounts: a part of a stranger’s transfer counts',
        find: 'one.partOf === undefined || isOwnAlone(order, one)',
        put: 'one.amount > 0n',
        breaks: 'A merchant takes what another sent to the payer of both.',
      },
    ],
  ),
  ...plant(
    {
      file: 'packages/server/src/orders/own-refunds/apart.ts',
      tests: ['packages/server/src/orders/own-refunds/two-merchants.test.ts'],
    },
    [
      {
        name: 'own refunds: two merchants wait for the same transfer',
        find: 'if (!taken.has(amount)) return',
        put: 'return',
        breaks: 'A merchant’s own refund is recorded for another who has set the address, and it is paid twice.',
      },
    ],
  ),
  ...plant(
    {
      file: 'packages/server/src/orders/own-refunds/store.ts',
      tests: ['packages/server/src/orders/own-refunds/two-merchants.test.ts'],
    },
    [
      {
        name: 'own refunds: a canceled request of a stranger takes my transfer',
        find: "where r.status <> 'recorded' and r.chain = ${a.asset.chain}",
        put: "where r.status = 'requested' and r.chain = ${a.asset.chain}",
        breaks: 'As above, and nobody waits for it any more.',
      },
    ],
  ),
]
