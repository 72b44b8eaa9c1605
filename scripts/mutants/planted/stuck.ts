// Bugs in telling people what is stuck, and in the checklist before real money comes.
import { plant } from '../plant.ts'

const stuck = 'packages/server/src/orders/stuck'
const forwarder = 'packages/rail-evm/src'
const tests = [`${stuck}/stuck.test.ts`]

const others = [`${forwarder}/relay/events/others.test.ts`]

const recovery = 'packages/server/src/recovery'
const looks = 'packages/server/src/orders/looks'
const oneRefund = [`${forwarder}/relay/one-refund.test.ts`]

export const stuckMutants = [
  ...plant({ file: `${recovery}/seed.store.ts`, tests: [`${recovery}/recovery.test.ts`] }, [
    {
      name: 'recovery: a seed in use is replaced',
      find: "if (a.isInUse) return 'used'",
      put: '',
      breaks: 'Nobody can read the journal of the addresses that were shown before.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${recovery}/journal.ts`, tests }, [
    {
      name: 'recovery: a journal that works again is still said to fail',
      find: 'if (now === null) await deleteTrouble(a.sql, host)',
      put: 'if (now === null) await listTroubles(a.sql, new Date(0))',
      breaks: 'People look for a full disk that has room.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${looks}/looks.ts`, tests: [`${looks}/looks.test.ts`] }, [
    {
      name: 'looks: only the chain that was to be paid on is read',
      find: 'recheck(order.orderRef, true)',
      put: 'recheck(order.orderRef)',
      breaks: 'A payer who sent to another chain is told that nothing came.',
    },
    {
      name: 'looks: one that left a chain out is done',
      find: 'const isDone = failure === null ||',
      put: 'const isDone = failure !== null ||',
      breaks: 'The merchant reads that nothing lies there while nobody could look.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${looks}/looks.ts`, tests: [`${looks}/looks.test.ts`] }, [
    {
      name: 'looks: any number an hour',
      find: '.length >= LOOKS_AN_HOUR)',
      put: '.length < 0)',
      breaks: 'A stolen key has the service ask its providers without end, and the operator pays for the calls.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${forwarder}/relay/items.store.ts`, tests: oneRefund }, [
    {
      name: 'refunds: a second one of the same money is taken',
      find: '    if (row?.isKnown !== true) {',
      put: '    if (row === undefined) {',
      breaks: 'A refund that was not taken is said to be on its way, and never comes.',
      unseen: true,
    },
    {
      name: 'refunds: two that are asked for at once are both taken',
      find: "const inTurn = item.kind !== 'settle'",
      put: 'const inTurn = false',
      breaks: 'The payer gets the money twice, the second time out of what others of the order paid.',
    },
    {
      name: 'refunds: the next one does not wait for a transaction that was given up',
      find: 'select from broadcast b where b.leg_ref = i.leg_ref and b.id <> i.id',
      put: "select from broadcast b where b.leg_ref = '' and b.id <> i.id",
      breaks: 'Both are mined, and the payer gets the money twice.',
      unseen: true,
    },
  ]),
  ...plant(
    {
      file: 'packages/server/src/orders/reconcile/store.ts',
      tests: ['packages/server/src/orders/reconcile/reconcile.test.ts'],
    },
    [
      {
        name: 'reconcile: a look that began before a change counts for it',
        find: "excluded.due_at) - interval '1 microsecond'",
        put: 'excluded.due_at)',
        breaks: 'An order that closed while it was compared is not compared again that day.',
        unseen: true,
      },
    ],
  ),
  ...plant({ file: `${forwarder}/relay/events/push-failed.ts`, tests: others }, [
    {
      name: 'others: a push that failed counts from when it was read',
      find: 'const at = (log.blockTime ?? new Date(0)).getTime()',
      put: 'const at = Date.now()',
      breaks: 'The merchant is told a later day than that on which the money goes to the other side.',
      unseen: true,
    },
    {
      name: 'others: merchant and payer are taken for each other',
      find: 'const isMerchant = to === route.merchant.toLowerCase()',
      put: 'const isMerchant = to !== route.merchant.toLowerCase()',
      breaks: 'The merchant is told that their own address cannot be paid, and mends the wrong one.',
    },
    {
      name: 'others: what was said stays when the money has moved',
      find: "log.event !== 'Settled' && log.event !== 'Refunded'",
      put: "log.event !== 'SettleFailed'",
      breaks: 'The alarm about money that was paid long ago stays, and the next one is not looked at.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${forwarder}/relay/events/logs.ts`, tests: others }, [
    {
      name: 'others: what a stranger sent back is not booked',
      find: 'return { orderRef, facts: [fact] }',
      put: 'return { orderRef, facts: [] }',
      breaks: 'The order says that it holds money which the payer has, and the merchant has it sent again.',
      unseen: true,
    },
    {
      name: 'others: what anybody may do is an alarm',
      find: 'log.blockTime.getTime() >= Number(route.openAfter) * 1000',
      put: 'log.blockTime.getTime() < Number(route.openAfter) * 1000',
      breaks: 'People look for a stolen key that nobody stole, and not for the one that somebody did.',
    },
  ]),
  ...plant({ file: `${stuck}/stuck.ts`, tests }, [
    {
      name: 'stuck: a moment of high fees is told at once',
      find: '>= HELD_MS',
      put: '>= 0',
      breaks: 'Items come and go with every block, and nobody reads them any more.',
    },
    {
      name: 'stuck: items stay open when the cause is gone',
      find: 'await closeOtherCauses(tx, { prefixes: a.chains, causes,',
      put: 'await closeOtherCauses(tx, { prefixes: [], causes,',
      breaks: 'Merchants read for ever that their money waits.',
    },
  ]),
  ...plant({ file: `${stuck}/stuck.ts`, tests }, [
    {
      name: 'stuck: operators are not mailed',
      find: 'if (id !== null && isMailed)',
      put: 'if (id === null && isMailed)',
      breaks: 'Money waits over the weekend until somebody happens to look at the console.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${forwarder}/checks.ts`, tests }, [
    {
      name: 'stuck: a key is missing though nothing waits for it',
      find: 'if (ageMs(work.since) < SILENT_MAX_MS) continue',
      put: 'if (ageMs(work.since) > SILENT_MAX_MS) continue',
      breaks: 'Money waits for a key that no process has, and nobody is told.',
    },
    {
      name: 'stuck: low gas is said to hold up money',
      find: "kind === 'low_on_gas' ? [] : about.holdsUp",
      put: '[]',
      breaks: 'Merchants are not told that their money waits.',
    },
  ]),
  ...plant({ file: `${forwarder}/relay/standing.ts`, tests }, [
    {
      name: 'stuck: paused refunds are noticed when one fails',
      find: "if (standing.isPaused) return { kind: 'refunds_paused', text: 'refunds are paused' }",
      put: '',
      breaks: 'The first payer whose refund waits finds out for the operator.',
    },
  ]),
  ...plant({ file: `${forwarder}/relay/reconcile.ts`, tests }, [
    {
      name: 'stuck: gas is counted by its price alone',
      find: 'receipt.gasUsed * receipt.effectiveGasPrice + dataFee(receipt)',
      put: 'receipt.effectiveGasPrice',
      breaks: 'The runway says years on the day before the gas is gone.',
    },
  ]),
  ...plant({ file: 'packages/server/src/attention/store.ts', tests }, [
    {
      name: "stuck: operators read each merchant's item",
      find: 'and (a.kind <> ${MONEY_WAITS} or a.merchant_id = ${a.askedBy})',
      put: '',
      breaks: 'Five hundred items bury the one that says what to do.',
    },
  ]),
  ...plant({ file: `${forwarder}/examine.ts`, tests: ['packages/server/src/reports/golive.test.ts'] }, [
    {
      name: 'golive: a delegated wallet passes as a multisig',
      find: " && !code.toLowerCase().startsWith('0xef0100')",
      put: '',
      breaks: 'One stolen key names every key of the factory, and the checklist said that it cannot.',
    },
    {
      name: 'golive: any address is a guardian',
      find: "if (await holds(link, 'guardian', who as Address)) return",
      put: 'return',
      breaks: 'Nobody can strike out a forged refund, and nobody knows.',
    },
    {
      name: 'golive: a key that ran last week is a key that runs',
      find: '(one) => parts.clock.now().getTime() - one.lookedAt.getTime() < FRESH_MS',
      put: '() => true',
      breaks: 'The first dollar waits for a process that nobody has started.',
    },
    {
      name: 'golive: a coin that nobody looks at is at its peg',
      find: 'if (without.length > 0) {',
      put: 'if (without.length > 9) {',
      breaks: 'A coin that fell is taken at a dollar.',
    },
    {
      name: 'golive: one coin at its peg stands for all',
      find: 'looked.every((one) => one.isNear)',
      put: 'looked.some((one) => one.isNear)',
      breaks: 'The first orders in a coin are refused, and the checklist said that it is taken.',
    },
  ]),
  ...plant({ file: 'packages/server/src/reports/golive.ts', tests: ['packages/server/src/reports/golive.test.ts'] }, [
    {
      name: 'golive: a backup of any age will do',
      find: 'hours(drilled) < BACKUP_MAX_H',
      put: 'hours(drilled) >= 0',
      breaks: 'The job that makes backups stopped a year ago.',
    },
  ]),
  ...plant({ file: 'packages/server/src/backup/newest.ts', tests: ['packages/server/src/backup/newest.test.ts'] }, [
    {
      name: 'golive: a dump that was cut off is a backup',
      find: 'isContents || (zeros(5) && !isBlank)',
      put: 'true',
      breaks: 'The alarm is quiet while every backup of the month is half a file.',
    },
    {
      name: 'golive: a backup counts whose restore nobody tried',
      find: 'isDrilled(one.path, { contents: whole.contents, installation }, drills)',
      put: 'drills.length >= 0',
      breaks: 'Every backup of the year is one that no restore takes, and the alarm is quiet.',
    },
    {
      name: 'golive: the backup of another installation counts',
      find: 'whole.installation !== installation',
      put: 'whole.installation === null',
      breaks: 'Backups of the live service stopped, and those of its test service keep the alarm quiet.',
    },
    {
      name: 'golive: a copied backup is as young as its copy',
      find: 'Math.min(one.at, whole.at ?? one.at)',
      put: 'one.at',
      breaks: 'A folder that was copied yesterday holds backups of last year, and the alarm is quiet.',
    },
  ]),
]
