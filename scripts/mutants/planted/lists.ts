// Bugs in lists, searches, statistics and exports: what is left out, shown twice or shown to strangers.
import { type Mutant, plant } from '../plant.ts'

const list = 'packages/server/src/orders/list'
const stats = 'packages/server/src/reports/stats'
const sums = `${stats}/sums`
const tests = [`${list}/list.test.ts`]

export const listMutants: readonly Mutant[] = [
  ...plant({ file: `${list}/list.ts`, tests }, [
    {
      name: 'lists: what lies behind the end of one source is skipped',
      find: 'last < cut : last > cut',
      put: 'last > cut : last < cut',
      breaks: 'Of several states or words, orders are left out between two pages.',
      unseen: true,
    },
    {
      name: 'lists: a page that looked at enough says that it is the last',
      find: 'if (walk.budget <= 0) return cut',
      put: 'if (walk.budget <= 0) return null',
      breaks: 'A merchant believes that no older order fits.',
    },
  ]),
  ...plant({ file: `${list}/store.ts`, tests }, [
    {
      name: 'lists: orders of all merchants',
      find: 'select order_no from orders where merchant_id = ${f.merchantId} and livemode = ${f.livemode}`',
      put: 'select order_no from orders where livemode = ${f.livemode}`',
      breaks: 'Lists are cut short by the orders of others, and exports say how many they have.',
      unseen: true,
    },
    {
      name: 'lists: words of all merchants',
      find: 'select order_no from order_lookup where merchant_no = ${f.merchantNo} and livemode = ${f.livemode}`',
      put: 'select order_no from order_lookup where livemode = ${f.livemode}`',
      breaks: 'A search says that somebody else sells the word.',
      unseen: true,
    },
    {
      name: 'api: the filter of metadata asks for the first key alone',
      find: 'and metadata::jsonb @> ${JSON.stringify(f.metadata)}::text::jsonb',
      put: '',
      breaks: 'A shop books another cart’s payment.',
    },
  ]),
  ...plant({ file: 'packages/server/src/orders/filter.ts', tests }, [
    {
      name: 'lists: a range of amounts needs no dates',
      find: '<= AMOUNT_RANGE_DAYS * DAY_MS) return',
      put: '<= Number.POSITIVE_INFINITY) return',
      breaks: 'A list reads an order after the other of all years.',
    },
  ]),
  ...plant({ file: `${list}/sources.ts`, tests }, [
    {
      name: 'lists: orders whose number is older than they are',
      find: "sources: [{ kind: 'key' as const, value: EARLY_KEY }],",
      put: 'sources: [],',
      breaks: 'A list from a moment on lacks orders that were made after it under a number that was taken over.',
      unseen: true,
    },
    {
      name: 'lists: an order beside the end of a range',
      find: "sources, unchecked: [...unchecked, 'dates' as const] }]",
      put: 'sources, unchecked }]',
      breaks: 'A day contains an order of the next.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${sums}/store.ts`, tests: [`${stats}/stats.test.ts`] }, [
    {
      name: 'statistics: the check overlooks sums that have no order',
      find: 'coalesce(n, 0), coalesce(micros, 0), coalesce(minor, 0)\n      from differing',
      put: 'coalesce(n, 0), coalesce(micros, 0), coalesce(minor, 0)\n      from differing where n > 0 and micros > 0 and false',
      breaks: 'Wrong figures stay.',
    },
  ]),
  ...plant({ file: `${sums}/figures.store.ts`, tests: [`${stats}/stats.test.ts`] }, [
    {
      name: 'statistics: what was not added up yet is not counted',
      find: '${spansAs(sql, [...spans.hours, ...spans.days])}',
      put: '${spansAs(sql, [])}',
      breaks: 'The figures of the last seconds, or of as long as no worker runs, are missing.',
    },
    {
      name: 'statistics: times to pay of the running day are not counted',
      find: "{ width: 'hour' as const, spans: spans.hours },",
      put: '',
      breaks: 'The time to pay of a day is that of all days but the first and the last.',
    },
  ]),
  ...plant({ file: `${sums}/spans.ts`, tests: [`${stats}/stats.test.ts`] }, [
    {
      name: 'statistics: the orders at the end of a range',
      find: '...span(lastHour, to)]',
      put: ']',
      breaks: 'The running hour is missing from every figure.',
    },
  ]),
]
