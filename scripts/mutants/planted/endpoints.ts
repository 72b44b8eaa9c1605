// Planted bugs of the account's webhook endpoints and of mails: who is told, signed with what, and who stays out.
import { type Mutant, plant } from '../plant.ts'

const webhooks = 'packages/server/src/webhooks'
const tests = [`${webhooks}/endpoints/endpoints.test.ts`]

const refundTests = ['packages/server/src/orders/own-refunds/own-refunds.test.ts']
const mailTests = ['packages/server/src/orders/tell/order-mails.test.ts']

export const endpointMutants: readonly Mutant[] = [
  ...plant({ file: `${webhooks}/queue/enqueue.ts`, tests }, [
    {
      name: 'endpoints: a test order is told to the live endpoint',
      find: 'and w.livemode = ${e.livemode}::boolean',
      put: '',
      breaks: 'A shop ships for test money.',
    },
    {
      name: 'endpoints: everybody is told of everything',
      find: ' and ${e.event}::text = any(w.events)`',
      put: '`',
      breaks: 'A receiver that handles five events is sent others that it never chose.',
      unseen: true,
    },
    {
      name: 'endpoints: a disabled endpoint is told',
      find: 'and w.deleted_at is null and w.disabled_at is null and',
      put: 'and w.deleted_at is null and',
      breaks: 'Deliveries pile up for a receiver that the merchant switched off.',
    },
    {
      name: 'endpoints: another account is told',
      find: 'where w.merchant_no = ${e.merchantNo} and',
      put: 'where',
      breaks: 'Orders of one merchant are sent to another.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${webhooks}/queue/deliver.ts`, tests }, [
    {
      name: 'endpoints: what waited goes on after it is disabled',
      find: 'current.get(row.signer)?.isClosed === true',
      put: 'false',
      breaks: 'A receiver that was switched off is asked for hours.',
      unseen: true,
    },
    {
      name: 'endpoints: what waits goes to where it was',
      find: 'to.isClosed || to.url === row.url',
      put: 'to.isClosed || true',
      breaks: 'Who moves off a host in wrong hands goes on sending whole orders there.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${webhooks}/endpoints/sample.ts`, tests }, [
    {
      name: 'endpoints: test events without end',
      find: '        await admit(deps, merchantId)\n',
      put: '',
      breaks: "A fresh account fires at somebody else's host through this service.",
    },
  ]),
  ...plant({ file: `${webhooks}/endpoints/store.ts`, tests }, [
    {
      name: 'endpoints: found by whoever knows the id',
      find: 'merchant_id = ${merchantId} and deleted_at is null and',
      put: 'deleted_at is null and',
      breaks: "A stranger rotates the secret of another's endpoint and signs what the shop believes.",
      unseen: true,
    },
    {
      name: 'endpoints: counted without a lock',
      find: 'where id = ${a.merchantId} for no key update`',
      put: 'where id = ${a.merchantId}`',
      breaks: 'The limit of endpoints does not hold for calls at once.',
    },
  ]),
  ...plant({ file: `${webhooks}/endpoints/deaths.ts`, tests }, [
    {
      name: 'endpoints: disabled after three days',
      find: '< ENDPOINT_DISABLED_AFTER_MS) return 0',
      put: '< ENDPOINT_DISABLED_AFTER_MS / 2) return 0',
      breaks: 'A shop whose receiver is down over a weekend hears of nothing on Monday.',
      unseen: true,
    },
    {
      name: 'endpoints: each death is mailed',
      find: 'if (isNew) await mail(',
      put: 'if (isNew || true) await mail(',
      breaks: 'A receiver that is down fills the mailbox of its merchant.',
    },
  ]),
  ...plant({ file: 'packages/server/src/orders/tell/order-mails.ts', tests: mailTests }, [
    {
      name: 'mails: a receipt before the money is there',
      find: "after.status === 'success' && before.status !== 'success'",
      put: "after.status === 'processing' && before.status !== 'processing'",
      breaks: 'A payer holds a receipt for money that never settled.',
      unseen: true,
    },
    {
      name: 'mails: a paid order is mailed again',
      find: 'if (alone.length > 0) await store.finishOrderMails(tx, alone, true, now)',
      put: '',
      breaks: 'A merchant is mailed of one order every two seconds.',
    },
    {
      name: 'mails: under load all come one by one',
      find: 'const alone = rows.slice(0, Math.max(0, room))',
      put: 'const alone = rows.slice(0, Math.max(50, room))',
      breaks: 'A good day fills the mailbox, and the provider blocks the sender.',
      unseen: true,
    },
  ]),
  ...plant({ file: 'packages/server/src/orders/tell/order-mails.ts', tests: mailTests }, [
    {
      name: 'payer mails: the sandbox mails whoever is named',
      find: 'legs.length > 0 && legs.every((leg) => !isSandboxRail(leg.rail))',
      put: 'legs.length > 0',
      breaks: 'Whoever can sign up mails strangers through the operator’s sender, for nothing.',
      unseen: true,
    },
    {
      name: 'payer mails: tests are not bounded for a merchant',
      find: 'isTest: isPayers && !order.livemode',
      put: 'isTest: isPayers && order.livemode',
      breaks: 'Coins of a test network, which are free, mail a thousand strangers a day.',
    },
  ]),
  ...plant({ file: 'packages/platform/src/mail/payers.store.ts', tests: mailTests }, [
    {
      name: 'payer mails: counted side by side',
      find: "holdLock(tx, 'payer mailbox', Buffer.from(mailbox).toString('hex'))",
      put: "holdLock(tx, 'payer mailbox', `${Math.random()}`)",
      breaks: 'Requests at the same moment each find room in a mailbox that is full.',
      unseen: true,
    },
    {
      name: 'payer mails: who refused all shops hears of them',
      find: "merchant_id in ('', ${a.merchantId}) limit 1",
      put: 'merchant_id in (${a.merchantId}) limit 1',
      breaks: 'Somebody who wants no more mail from here gets it from the next shop.',
    },
  ]),
  ...plant({ file: 'packages/platform/src/mail/switches.ts', tests: mailTests }, [
    {
      name: 'mails: a link for one kind ends another',
      find: '`${merchantId} ${kind}`',
      put: 'merchantId',
      breaks: 'Who is forwarded a weekly summary switches off the mails about webhooks.',
      unseen: true,
    },
  ]),
  ...plant(
    {
      file: 'packages/platform/src/strangers/phones.ts',
      tests: ['packages/platform/src/strangers/unlinked.test.ts'],
    },
    [
      {
        name: 'mails: digits in circles are no digits',
        find: "if (digits !== '') return digits\n",
        put: "if (digits !== '') return /\\d/.test(own) ? digits : ''\n",
        breaks: 'A title tells payers to call a thief, under the name of the service.',
      },
      {
        name: 'mails: letters among digits are read only right between two',
        find: 'const loose = runsOf(glyphs, isReadLoosely)',
        put: 'const loose = runsOf(glyphs, isRead)',
        breaks: 'A title tells payers to call 800-SSS-OI99, under the name of the service.',
      },
    ],
  ),
  ...plant(
    {
      file: 'packages/server/src/webhooks/log/replay.store.ts',
      tests: ['packages/server/src/webhooks/log/routes.test.ts'],
      only: 'a replay sends what died',
    },
    [
      {
        name: 'webhooks: a replay sends earlier replays again',
        find: 'and d.resent_from is null\n      limit',
        put: 'limit',
        breaks: 'Each replay of a range doubles the next one, until the receiver drowns.',
      },
    ],
  ),
  ...plant(
    {
      file: 'packages/server/src/webhooks/log/replay.ts',
      tests: ['packages/server/src/webhooks/log/routes.test.ts'],
      only: 'a replay sends what died',
    },
    [
      {
        name: 'webhooks: replays that are asked for at once run side by side',
        find: "    await holdLock(tx, 'replays of a merchant', String(owner.merchantNo))\n",
        put: '',
        breaks: 'A merchant has thousands of deliveries sent to a stranger again and again.',
      },
    ],
  ),
  ...plant({ file: 'packages/server/src/orders/tell/order-mail-words.ts', tests: mailTests }, [
    {
      name: 'mails: a title becomes a link',
      find: 'value === null ? null : unlinked(value)',
      put: 'value',
      breaks: 'A title sends payers to a thief, under the name of the service.',
      unseen: true,
    },
  ]),
  ...plant({ file: 'packages/rail-evm/src/outside.ts', tests: refundTests }, [
    {
      name: 'own refunds: any amount will do',
      find: 'const wanted = all.filter((one) => isAsked(a, one.amount))',
      put: 'const wanted = all',
      breaks: 'A merchant who sent a cent has the whole refund in the books.',
      unseen: true,
    },
    {
      name: 'own refunds: any token will do',
      find: 'log.address.toLowerCase() === token && log.transactionHash',
      put: 'log.transactionHash',
      breaks: 'Worthless tokens that anybody can make count as a refund in dollars.',
      unseen: true,
    },
    {
      name: 'own refunds: recorded before it is final',
      find: "if (height > (await finalHeight(rpc))) return { kind: 'waiting' }",
      put: '',
      breaks: 'A refund that a reorg took back stays in the books.',
    },
  ]),
  ...plant({ file: 'packages/server/src/orders/own-refunds/store.ts', tests: refundTests }, [
    {
      name: 'own refunds: a transfer counts twice',
      find: 'where exists (select from merchant_refunds r where r.transfer_key = t.key)',
      put: 'where false',
      breaks: 'One payment stands for two refunds, and the second payer waits for ever.',
    },
    {
      name: "own refunds: another merchant's transfer counts",
      find: ' and r.merchant_id <> ${a.merchantId} and lower(r.address) = t.sender',
      put: ' and false and lower(r.address) = t.sender',
      breaks: 'Who names the transfer first has it, and the merchant who paid it is asked to pay once more.',
      unseen: true,
    },
    {
      name: 'own refunds: whoever sets an address makes its transfers his',
      find: 'and o.settle_chain = r.chain and lower(o.settle_address) = t.sender and o.rail <> ${SANDBOX_RAIL}',
      put: '',
      breaks: 'A stranger sets the wallet of an exchange, and refunds from there are recorded for nobody.',
    },
    {
      name: "own refunds: Florin's own payments count",
      find: 'or exists (select from pay_legs l where lower(l.address) = t.sender)',
      put: '',
      breaks: 'The excess that Florin returned counts as what the merchant owed.',
      unseen: true,
    },
  ]),
  ...plant({ file: 'packages/server/src/orders/own-refunds/acts.ts', tests: refundTests }, [
    {
      name: 'own refunds: an old session names the address',
      find: '    requireFresh(caller)\n',
      put: '',
      breaks: 'A thief with a copied session has the merchant pay him.',
      unseen: true,
    },
  ]),
  ...plant({ file: 'packages/order-model/src/own-refunds.ts', tests: refundTests }, [
    {
      name: "own refunds: the payer's own money counts",
      find: 'order.payments.some((payment) => is(payment.from)) ||',
      put: '',
      breaks: "A shop closes a refund, and has the payer told so, with the payer's money.",
      unseen: true,
    },
    {
      name: 'own refunds: what a payer sends to himself counts',
      find: 'if (is(row.address)) return false',
      put: '',
      breaks: 'A transfer that moved nothing stands for a refund.',
    },
    {
      name: 'own refunds: twice what came in',
      find: '!fact.mayExceed && fact.amount > refundableByMerchant(order)',
      put: 'false',
      breaks: 'A second click refunds an order twice.',
    },
  ]),
  ...plant({ file: `${webhooks}/endpoints/routes.ts`, tests }, [
    {
      name: 'endpoints: made by a key that may not read orders',
      find: "['webhooks:write', 'orders:read']",
      put: "['webhooks:write']",
      breaks: 'A key that may not read orders has all of them sent to where it says.',
    },
    {
      name: 'endpoints: the secret replaced by a key that may not read orders',
      find: "faces(writes, '/:id/secret/rotate')",
      put: "faces('webhooks:write', '/:id/secret/rotate')",
      breaks: 'Nothing that the shop receives verifies any more, and the thief signs what it believes.',
      unseen: true,
    },
  ]),
]
