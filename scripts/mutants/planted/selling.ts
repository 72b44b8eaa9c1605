// Bugs in payment links and invoices: what strangers may start, what is sold, what is owed.
import { type Mutant, plant } from '../plant.ts'

const selling = 'packages/server/src/selling'
const invoiceTests = [`${selling}/invoices/invoices.test.ts`]
const tests = [`${selling}/links/links.test.ts`]

export const sellingMutants: readonly Mutant[] = [
  ...plant({ file: `${selling}/links/store.ts`, tests }, [
    {
      name: 'links: the stock is counted without the lock',
      find: 'select 1 from payment_links where id = ${id} for update',
      put: 'select 1 from payment_links where id = ${id}',
      breaks: 'Payers who start at the same moment buy what is not there.',
      unseen: true,
    },
    {
      name: 'links: what is being paid takes nothing of the stock',
      find: "status in ('pending', 'processing', 'success', 'failed')) end as taken",
      put: "status in ('success', 'failed')) end as taken",
      breaks: 'A stock is sold again while payers are on their way.',
      unseen: true,
    },
    {
      name: 'links: a suspended account goes on selling',
      find: 'where l.token = ${token} and m.suspended_at is null and m.closed_at is null',
      put: 'where l.token = ${token} and m.closed_at is null',
      breaks: 'The operator stops a shop, and its links go on taking money.',
      unseen: true,
    },
    {
      name: 'links: everybody reads every link',
      find: 'where l.id = ${a.id} and l.merchant_id = ${a.merchantId} and',
      put: 'where l.id = ${a.id} and',
      breaks: 'One merchant reads and changes the links of another.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${selling}/start/from-link.ts`, tests }, [
    {
      name: 'links: late money sells a place that was given back',
      find: "late_policy: isScarce ? 'refund' : 'settle'",
      put: "late_policy: 'settle'",
      breaks: 'A stock is oversold by whoever pays after the deadline.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${selling}/page/own.ts`, tests: [`${selling}/links/last-piece.test.ts`] }, [
    {
      name: 'links: the cookie of one link leads to any order',
      find: 'order === null || order.paymentLinkId !== link.id',
      put: 'order === null',
      breaks: 'A payer is led to an order of another page.',
    },
  ]),
  ...plant(
    {
      file: 'packages/order-model/src/ledger.ts',
      tests: ['packages/order-model/src/attention/told.test.ts'],
    },
    [
      {
        name: 'links: an announced transaction holds a stock for a day',
        find: 'order.canceled || isFromStock(order) || now >= graceEndsAt(order)',
        put: 'order.canceled || now >= graceEndsAt(order)',
        breaks: 'A stranger empties a shop for a day with transactions that never confirm.',
      },
    ],
  ),
  ...plant({ file: `${selling}/limits/limits.ts`, tests }, [
    {
      name: 'links: one client holds the whole stock',
      find: 'if (open > 0 && open + page.pieces',
      put: 'if (false && open + page.pieces',
      breaks: 'A stranger makes a shop look sold out.',
    },
    {
      name: 'links: a page may be started without end',
      find: '[`start page ${page.id}`, STARTS_PER_HOUR.page]',
      put: '[`start page ${page.id}`, STARTS_PER_HOUR.page * 1_000]',
      breaks: 'Whoever has many addresses fills the shop with orders.',
    },
  ]),
  ...plant({ file: 'packages/platform/src/limits/store.ts', tests }, [
    {
      name: 'links: starts are counted and not judged',
      find: 'do update set n = l.n + 1 where l.n + ${earlier} < ${limit.max}::int',
      put: 'do update set n = l.n + 1',
      breaks: 'No limit holds: a stranger makes as many orders as he likes.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${selling}/links/rules.ts`, tests }, [
    {
      name: 'links: a comma that groups thousands is a point',
      find: "const isGrouped = fraction.length > link.exponent || (mark === ',' && fraction.length === 3)",
      put: 'const isGrouped = false',
      breaks: 'A payer types 1,000 and pays 1.',
    },
    {
      name: 'links: the least amount is not asked for',
      find: 'if (link.minMinor !== null && minor < link.minMinor)',
      put: 'if (link.minMinor !== null && minor < 1n)',
      breaks: 'A ticket for 50 is had for a cent.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${selling}/invoices/store.ts`, tests: invoiceTests }, [
    {
      name: 'invoices: two are paid side by side',
      find: 'select 1 from invoices where id = ${id} for update',
      put: 'select 1 from invoices where id = ${id}',
      breaks: 'Two people who press Pay at the same moment pay the same invoice twice.',
      unseen: true,
    },
    {
      name: 'invoices: everybody reads every invoice',
      find: 'where i.id = ${a.id} and i.merchant_id = ${a.merchantId}',
      put: 'where i.id = ${a.id}',
      breaks: 'One merchant reads, mails and withdraws the invoices of another.',
      unseen: true,
    },
    {
      name: 'invoices: a number twice',
      find: 'do update set last = n.last + 1',
      put: 'do update set last = n.last',
      breaks: 'No second invoice can be made.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${selling}/invoices/view.ts`, tests: ['packages/server/src/reports/days.test.ts'] }, [
    {
      name: 'invoices: overdue by the day of another zone',
      find: 'dayOf(now, zoneOr(invoice.timeZone))',
      put: "dayOf(now, 'UTC')",
      breaks: 'A client who pays on the due date is told in the evening that the invoice is overdue.',
    },
  ]),
  ...plant({ file: `${selling}/invoices/send.ts`, tests: invoiceTests }, [
    {
      name: 'invoices: mailed as often as somebody asks',
      find: 'if (waitMs > 0 || sentCount >= INVOICE_MAILS_MAX)',
      put: 'if (sentCount >= 1_000)',
      breaks: 'A payer is mailed the same invoice again and again.',
      unseen: true,
    },
    {
      name: 'invoices: a test invoice is mailed to strangers',
      find: 'return livemode ? payerEmail :',
      put: 'return livemode || payerEmail !== null ? payerEmail :',
      breaks: 'Whoever signs up mails anybody from the sandbox, under the name of the operator.',
    },
    {
      name: "invoices: a shop's name becomes a link",
      find: 'unlinked(brand.name)',
      put: 'brand.name',
      breaks: 'A shop named after a thief’s page phishes through the mail of the operator.',
      unseen: true,
    },
  ]),
  ...plant(
    {
      file: 'packages/platform/src/strangers/books-number.ts',
      tests: ['packages/platform/src/strangers/books-number.test.ts'],
    },
    [
      {
        name: 'invoices: groups of digits are counted apart',
        find: "countOf = (groups: string): number => groups.replaceAll('-', '')",
        put: "countOf = (groups: string): number => groups.replace(/^.*-/, '')",
        breaks: 'The number of an invoice tells payers to call a thief, under the name of the service.',
      },
    ],
  ),
  ...plant({ file: `${selling}/invoices/rules.ts`, tests: [`${selling}/invoices/rules.test.ts`] }, [
    {
      name: 'invoices: a tax is rounded down',
      find: 'taxMinor: divCeil(subtotal * percent, 100n * THOUSAND)',
      put: 'taxMinor: (subtotal * percent) / (100n * THOUSAND)',
      breaks: 'The merchant owes a tax that the payer did not pay.',
    },
  ]),
  ...plant({ file: `${selling}/invoices/store.ts`, tests: invoiceTests }, [
    {
      name: 'invoices: late money changes which order paid',
      find: 'order by o.settled_at, o.order_no) as order_nos',
      put: 'order by o.order_no) as order_nos',
      breaks:
        'An invoice that was paid by one order is said to be paid by another, and books differ from what was told.',
    },
  ]),
  ...plant({ file: `${selling}/invoices/store.ts`, tests: [`${selling}/invoices/states.test.ts`] }, [
    {
      name: 'invoices: a withdrawal hides the money',
      find: "when i.voided_at is not null then 'void' else 'unpaid' end\n    where i.id",
      put: "else 'unpaid' end\n    where i.id",
      breaks: 'An invoice that was taken back can be paid again once an order of it fails.',
    },
  ]),
  ...plant({ file: `${selling}/invoices/effects.ts`, tests: invoiceTests }, [
    {
      name: 'invoices: paid twice in silence',
      find: 'if (others.length > 0)',
      put: 'if (others.length > 1)',
      breaks: 'A client pays an invoice twice, and the merchant never hears that one payment is owed back.',
    },
  ]),
  ...plant({ file: 'packages/server/src/orders/create/workable.ts', tests: invoiceTests }, [
    {
      name: 'selling: live invoices without a live rail',
      find: '  railFor(deps, target)\n',
      put: '  void railFor\n  void target\n',
      breaks: 'A client is mailed an invoice of the live books that nothing here can take money for.',
      unseen: true,
    },
    {
      name: 'selling: links in currencies that are not priced',
      find: "error.entry.code === 'no_rate'",
      put: "error.entry.code !== 'invalid_amount'",
      breaks: 'The merchant hears from customers that a link never worked.',
      unseen: true,
    },
  ]),
]
