// Bugs in how orders are stored, advanced, and told to the merchant.
import { type Mutant, plant } from '../plant.ts'

const orders = 'packages/server/src/orders'

export const orderMutants: readonly Mutant[] = [
  ...plant({ file: `${orders}/store.ts`, tests: [`${orders}/advance.test.ts`] }, [
    {
      name: 'orders: no lock',
      find: 'for update`',
      put: '`',
      breaks: 'Two processes that learn the same fact at once make two changes.',
    },
  ]),
  ...plant({ file: `${orders}/advance.ts`, tests: [`${orders}/advance.test.ts`] }, [
    {
      name: 'orders: time runs backwards',
      find: 'clock < before.updatedAt ? before.updatedAt : clock',
      put: 'clock',
      breaks: 'Changes of an order are told in the wrong order.',
    },
  ]),
  ...plant({ file: `${orders}/create/create.store.ts`, tests: [`${orders}/create/create.test.ts`] }, [
    {
      name: 'idempotency: another merchant’s answer',
      find: 'from idempotency_keys where api_key_id = ${a.owner} and key = ${key}`',
      put: 'from idempotency_keys where key = ${key}`',
      breaks: 'A replay answers with the order of another merchant, or refuses because of it.',
    },
    {
      name: 'idempotency: a lapsed lease takes another body',
      find: ' and k.body_hash = excluded.body_hash',
      put: '',
      breaks: 'The same key makes an order of another amount.',
    },
    {
      name: 'idempotency: a lease that holds is taken over',
      find: 'k.leased_until < ${a.now} and',
      put: '',
      breaks: 'Two requests with one key open two legs at once.',
      tests: [`${orders}/advance.test.ts`],
    },
    {
      name: 'idempotency: a key is forgotten at once',
      find: 'created_at < ${oldest} order by created_at limit',
      put: 'created_at > ${oldest} order by created_at limit',
      breaks: 'A request that is sent again within the day makes a second order.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${orders}/create/leg.ts`, tests: [`${orders}/create/create.test.ts`] }, [
    {
      name: 'legs: a leg is the same whatever address it settles to',
      find: 'legRefOf({ ...request, n, holder }, route)',
      put: "legRefOf({ ...request, n, holder }, { ...route, settleAddress: '' })",
      breaks: 'A retry after a change of address reuses the leg that is bound to the old one.',
    },
    {
      name: 'legs: the refund address is not bound',
      find: 'boundRefundAddress: request.refundAddress',
      put: 'boundRefundAddress: null',
      breaks: 'A refund that could go at once has to be announced for a day.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${orders}/rail-outbox.store.ts`, tests: [`${orders}/rail-traffic.test.ts`] }, [
    {
      name: 'handover: refunds that failed are handed over again',
      find: " and r.status = 'sending'",
      put: '',
      breaks: 'A refund that ended is sent a second time.',
    },
  ]),
  ...plant({ file: `${orders}/inbox/store.ts`, tests: [`${orders}/inbox/workers.test.ts`] }, [
    {
      name: 'facts: a worker waits for an order that another worker has',
      find: 'limit 1 for update skip locked',
      put: 'limit 1 for update',
      breaks: 'Payments are applied slower with every worker that is added.',
      only: '4 workers',
    },
  ]),
  ...plant({ file: 'packages/rail-kit/src/facts.store.ts', tests: [`${orders}/rail-traffic.test.ts`] }, [
    {
      name: 'facts: what was applied stays',
      find: 'delete from rail_facts where id = any(',
      put: 'delete from rail_facts where false and id = any(',
      breaks: 'Facts are applied for ever, and those behind them never.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${orders}/save.store.ts`, tests: [`${orders}/rail-traffic.test.ts`] }, [
    {
      name: 'orders: what a payment counts for is not stored',
      find: 'set status = excluded.status, use = excluded.use, amount',
      put: 'set status = excluded.status, amount',
      breaks: 'The database says something else than the webhook did.',
      unseen: true,
    },
  ]),
]
