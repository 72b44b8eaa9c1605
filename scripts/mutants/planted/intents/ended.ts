// Bugs in what becomes of a swap whose end the provider takes back: money that nobody hears of, or that counts twice.
import { plant } from '../../plant.ts'

const rail = 'packages/rail-intents/src'
const ended = [`${rail}/watch/ended.test.ts`]

export const intentsEndedMutants = [
  ...plant({ file: `${rail}/watch/schedule.ts`, tests: ended }, [
    {
      name: 'intents: what is said to have failed and never came is asked about as what moves',
      find: "!['PENDING_DEPOSIT', 'REFUNDED', 'FAILED'].includes(status)",
      put: "status !== 'PENDING_DEPOSIT' && status !== ''",
      breaks: 'Addresses that nobody pays take the questions of those who do.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${rail}/watch/verdict.ts`, tests: ended }, [
    {
      name: 'intents: a failure before any money is told of ends the swap',
      find: "if (held.next.deposited === 0n) return { ...held, odd: 'it failed",
      put: "if (held.next.deposited < 0n) return { ...held, odd: 'it failed",
      breaks: 'An order expires though its payer paid afterwards.',
    },
    {
      name: 'intents: what was announced and then failed is nobody’s',
      find: '{ atLeast: swap.announced ?? 0n, now, notAfter: swap.payUntil }',
      put: '{ atLeast: 0n, now, notAfter: swap.payUntil }',
      breaks: 'Money that the provider keeps is in no book.',
    },
  ]),
  ...plant({ file: `${rail}/watch/alarms.ts`, tests: ended }, [
    {
      name: 'intents: a failure that was never told of leaves no item',
      find: 'lateMs >= 0 && failedInTime(swap, reply)',
      put: 'lateMs < 0 && failedInTime(swap, reply)',
      breaks: 'The provider keeps what somebody paid, and nobody hears of it.',
    },
    {
      name: 'intents: an address that nobody paid in time is an item',
      find: 'swap.lookedAt !== null && swap.lookedAt < swap.returnsFrom',
      put: 'swap.lookedAt !== null',
      breaks: 'A merchant gets a mail for each payer who went away.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${rail}/watch/schedule.ts`, tests: ended }, [
    {
      name: 'intents: what was refunded is asked about no more',
      find: 'if (isSure(swap) || swap.endedAt === null) return',
      put: "if (swap.stage === 'returned' || swap.endedAt === null) return",
      breaks: 'A merchant has the money of an order that all books call refunded, and nobody hears of it.',
    },
  ]),
  ...plant({ file: `${rail}/watch/ended.ts`, tests: ended }, [
    {
      name: 'intents: a payout after a refund is told to nobody',
      find: "return swap.stage === 'returned' ? paidOutAfter(swap, same, reply, a) : same",
      put: 'return same',
      breaks: 'A merchant has the money of an order that all books call refunded, and nobody hears of it.',
    },
    {
      name: 'intents: a transfer that was told of after a refund proves another order',
      find: 'proofKey: proof.key, isProven: true }',
      put: 'isProven: true }',
      breaks: 'One transfer to a merchant makes a second order a success.',
    },
    {
      name: 'intents: what was believed after a refund counts again',
      find: 'return { ...told(NOBODY_ELSE), unseen: payout }',
      put: 'return told(NOBODY_ELSE)',
      breaks: 'The provider names one transaction for two orders, and is believed.',
    },
    {
      name: 'intents: that a payout went back after all is told to nobody',
      find: "const isSame = swap.stage === 'returned' ? reply.status === 'REFUNDED' : swap.isProven",
      put: "const isSame = swap.stage === 'returned' ? reply.status === 'REFUNDED' : true",
      breaks: 'A merchant delivers for money that the payer has again.',
    },
  ]),
  ...plant({ file: `${rail}/watch/verdict.ts`, tests: ended }, [
    {
      name: 'intents: a refund that was told of nowhere closes the swap',
      find: 'if (held.next.deposited === 0n) {',
      put: 'if (held.next.deposited < 0n) {',
      breaks: 'An order that was paid out expires as unpaid.',
    },
  ]),
  ...plant({ file: `${rail}/watch/swaps.store.ts`, tests: ended }, [
    {
      name: 'intents: a list that contradicts an end uses up the questions',
      find: "and (l.stage not in ('done', 'returned') or l.looked_at < ${endedBefore})",
      put: "and (l.stage <> '' or l.looked_at < ${endedBefore})",
      breaks: 'Payers who wait at a checkout are found late.',
    },
  ]),
]
