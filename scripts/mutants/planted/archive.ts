// Bugs in archiving orders, putting them back and erasing payers.
import { type Mutant, plant } from '../plant.ts'

const archive = 'packages/server/src/orders/archive'
const tests = [`${archive}/archive.test.ts`]

export const archiveMutants: readonly Mutant[] = [
  ...plant({ file: `${archive}/store.ts`, tests }, [
    {
      name: 'archive: what is still compared with the chain goes',
      find: 'and not exists (select from reconciliations r where r.order_no = o.order_no)',
      put: '',
      breaks: 'Money that lies on an address and was not booked is looked for no more.',
    },
    {
      name: 'archive: what the chain took back is forgotten',
      find: ' or s.left_at is not null)',
      put: ')',
      breaks: 'Statistics no longer tell that settled money was lost again.',
    },
    {
      name: 'archive: an address is forgotten',
      find: 'select place_key(address) from pay_legs l where l.order_no = s.order_no\n      union select',
      put: 'select',
      breaks: 'A merchant may be paid at, or a refund go to, an address that a payer was shown.',
    },
    {
      name: 'archive: failed orders go',
      find: "o.status in ('success', 'refunded', 'expired')",
      put: "o.status in ('success', 'refunded', 'expired', 'failed')",
      breaks: 'An order whose settlement a person has to retry cannot be retried.',
      unseen: true,
    },
    {
      name: 'archive: the copy of a leg does not come back',
      find: 'set opened = line.opened',
      put: 'set opened = t.opened',
      breaks: 'An order that is put back is not what it was.',
      unseen: true,
    },
    {
      name: 'archive: lists look for what was put back in the archive',
      find: 'await tx`update orders set packed = null where order_no = ${line.orderNo}`',
      put: '',
      breaks: 'A paid order that is put back stands in lists as if nobody had paid.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${archive}/file.ts`, tests }, [
    {
      name: 'archive: any file is taken for what was written',
      find: 'if ((await hashOf(path)) !== sha256)',
      put: 'if ((await hashOf(path)) === null)',
      breaks: 'A damaged or forged file puts payments into the books.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${archive}/bring-back.ts`, tests }, [
    {
      name: 'archive: nobody is told of the missing file',
      find: 'await withTx(deps.sql, (tx) => raise(deps, tx, order, wish, now))',
      put: '',
      breaks: 'Late money of an archived order waits and nobody knows.',
    },
  ]),
  ...plant(
    { file: 'packages/server/src/orders/inbox/turns.ts', tests: ['packages/server/src/orders/inbox/turns.test.ts'] },
    [
      {
        name: 'inbox: a merchant with nothing due counts as the last',
        find: 'look.merchants.length < A_ROUND.merchants',
        put: 'new Set(look.found.map((one) => one.merchantNo)).size < A_ROUND.merchants',
        breaks: 'Payments to a merchant wait while fifty merchants before it have facts that are postponed.',
        only: 'sixty merchants',
      },
    ],
  ),
  ...plant({ file: 'packages/server/src/orders/inbox/inbox.ts', tests }, [
    {
      name: 'archive: late money is judged without the order',
      find: 'if (isArchived && !(await bringBack(deps, orderNo))) {',
      put: 'if (false && isArchived && !(await bringBack(deps, orderNo))) {',
      breaks: 'Late money of an archived order is never booked.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${archive}/erase.ts`, tests }, [
    {
      name: 'erasure: files keep the payer',
      find: 'if (kept.has(line.orderNo) && !numbers.has(line.orderNo)) yield line.text',
      put: 'if (kept.has(line.orderNo) || numbers.has(line.orderNo)) yield line.text',
      breaks: 'What a payer had erased stands in the archive.',
    },
  ]),
  ...plant({ file: `${archive}/erase.store.ts`, tests }, [
    {
      name: 'erasure: searches keep what was erased',
      find: 'and l.key = said',
      put: "and l.key = said and l.key = ''",
      breaks: 'Who searches for a payer’s name still finds the order.',
    },
  ]),
]
