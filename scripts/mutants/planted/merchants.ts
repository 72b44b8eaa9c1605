// Conditions on the merchant and the mode that are missing from a statement: what belongs to others is seen or changed.
import { type Mutant, plant } from '../plant.ts'

const server = 'packages/server/src'
const isolation = [`${server}/isolation.test.ts`]

export const merchantMutants: readonly Mutant[] = [
  ...plant({ file: `${server}/orders/store.ts`, tests: isolation }, [
    {
      name: 'merchants: one order of anybody',
      find: 'and o.merchant_id = ${a.merchantId}',
      put: '',
      breaks: 'Whoever knows an order number reads, cancels and refunds the order.',
      unseen: true,
    },
    {
      name: 'merchants: one order of the other mode',
      find: 'and o.livemode = ${a.livemode}',
      put: '',
      breaks: 'A test key reads and cancels live orders.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${server}/keys/store.ts`, tests: isolation }, [
    {
      name: 'merchants: one key of anybody',
      find: 'from api_keys where id = ${id} and merchant_id = ${merchantId}`',
      put: 'from api_keys where id = ${id}`',
      breaks: 'A merchant sees the keys of others.',
      unseen: true,
    },
    {
      name: 'merchants: keys of others can be changed',
      find: 'where id = ${id} and merchant_id = ${merchantId} for no key update',
      put: 'where id = ${id} for no key update',
      breaks: 'A merchant rotates the key of another, and has it.',
      unseen: true,
    },
    {
      name: 'merchants: all keys listed',
      find: 'where merchant_id = ${a.merchantId} and (${a.livemode}::boolean is null',
      put: 'where (${a.livemode}::boolean is null',
      breaks: 'A merchant sees the keys of others.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${server}/addresses/store.ts`, tests: isolation }, [
    {
      name: 'merchants: addresses of all',
      find: '(select * from receiving_addresses where merchant_id = ${merchantId}) r',
      put: '(select * from receiving_addresses) r',
      breaks: 'Orders settle to the address of another merchant.',
      unseen: true,
    },
    {
      name: 'merchants: addresses of others removed',
      find: 'delete from receiving_addresses where merchant_id = ${merchantId} and',
      put: 'delete from receiving_addresses where',
      breaks: 'One merchant stops the orders of all others.',
      unseen: true,
    },
    {
      name: 'merchants: histories of all',
      find: 'where merchant_id = ${a.merchantId} and (${a.chain}::text is null or chain',
      put: 'where (${a.chain}::text is null or chain',
      breaks: 'A merchant sees where others are paid.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${server}/webhooks/log/store.ts`, tests: isolation }, [
    {
      name: 'merchants: one delivery of anybody',
      find: 'where d.id = ${id} and d.merchant_no = ${owner.merchantNo}',
      put: 'where d.id = ${id}',
      breaks: 'Bodies and answers of other merchants are shown, and sent again.',
      unseen: true,
    },
    {
      name: 'merchants: all deliveries listed',
      find: 'where d.merchant_no = ${filter.merchantNo} and d.livemode = m.livemode::boolean',
      put: 'where d.livemode = m.livemode::boolean',
      breaks: 'The webhook addresses of other merchants are shown.',
      unseen: true,
    },
    {
      name: 'merchants: deliveries of anybody’s order listed',
      find: 'where d.order_no = ${orderNo} and d.merchant_no = ${filter.merchantNo} and',
      put: 'where d.order_no = ${orderNo} and',
      breaks: 'The webhook address of another merchant is shown.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${server}/webhooks/feed/feed.store.ts`, tests: isolation }, [
    {
      name: 'merchants: the events of all',
      find: 'where merchant_id = ${a.merchantId} and livemode = ${a.livemode} and event = any',
      put: 'where livemode = ${a.livemode} and event = any',
      breaks: 'A merchant reads the orders of others, event by event.',
      unseen: true,
    },
    {
      name: 'merchants: the events of both modes',
      find: 'where merchant_id = ${a.merchantId} and livemode = ${a.livemode} and event = any',
      put: 'where merchant_id = ${a.merchantId} and event = any',
      breaks: 'A test order is shipped.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${server}/webhooks/log/replay.store.ts`, tests: isolation }, [
    {
      name: 'merchants: one replay of anybody',
      find: 'from delivery_replays where id = ${id} and merchant_no = ${merchantNo}`',
      put: 'from delivery_replays where id = ${id}`',
      breaks: 'A merchant sees how many events others had sent again.',
      unseen: true,
    },
    {
      name: 'merchants: events of all are sent again',
      find: 'select ${deliveryColumns(db)} from deliveries d\n      where d.merchant_no = ${a.owner.merchantNo} and',
      put: 'select ${deliveryColumns(db)} from deliveries d\n      where',
      breaks: 'A merchant floods the receivers of all others.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${server}/attention/store.ts`, tests: isolation }, [
    {
      name: 'merchants: attention of all listed',
      find: 'db`and a.merchant_id = ${a.merchantId}`',
      put: 'db``',
      breaks: 'A merchant reads what others have to decide.',
      unseen: true,
    },
    {
      name: 'merchants: attention of anybody',
      find: 'db`and a.merchant_id = ${merchantId}`',
      put: 'db``',
      breaks: 'A merchant decides for others.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${server}/attention/store.ts`, tests: isolation }, [
    {
      name: 'merchants: attention of all counted',
      find: 'where merchant_id = ${a.merchantId} and livemode = ${a.livemode} and resolved_at is null',
      put: 'where livemode = ${a.livemode} and resolved_at is null',
      breaks: 'The summary counts what others have to decide.',
    },
  ]),
  ...plant({ file: `${server}/reports/stats/store.ts`, tests: isolation }, [
    {
      name: 'merchants: deliveries of all counted',
      find: "merchant_no = ${a.merchantNo} and livemode = ${a.livemode} and status in ('pending', 'retrying')",
      put: "livemode = ${a.livemode} and status in ('pending', 'retrying')",
      breaks: 'The summary counts the deliveries of others.',
      unseen: true,
    },
  ]),
  ...plant({ file: 'packages/platform/src/db/audit.ts', tests: isolation }, [
    {
      name: 'merchants: audit log of all',
      find: 'where merchant_id = ${a.merchantId} ${a.before',
      put: 'where true ${a.before',
      breaks: 'A merchant reads who did what at others.',
      unseen: true,
    },
  ]),
]
