// The words of what merchant and operator are mailed about at once, by the kind of the attention item. Pure.
import { BOOKS_DIFFER, REFUND_LEFT, SETTLEMENT_LEFT } from '@florin/order-model/attention/cause'
import type { ReasonOf } from '@florin/order-model/attention/kinds'

type Evidence = Readonly<Record<string, string>>

export interface Notice {
  merchant: (evidence: Evidence) => { subject: string; text: readonly string[] }
  /** One mail an hour for each kind, however many orders there are. */
  operator: { subject: string; text: readonly string[] }
}

const deepReorg = {
  subject: 'Something final left a chain',
  text: [
    'A reorg went deeper than the rule by which settlements and refunds are final.',
    'What it took back is offered to the chain again. Look whether every provider',
    'is on the right branch.',
  ],
}

const left = (what: 'settlement' | 'refund'): Notice => ({
  merchant: ({ failure }) =>
    failure === undefined
      ? {
          subject: `A final ${what} left the chain`,
          text: [
            `The chain took back a ${what} that was final by its rule: a reorg went deeper`,
            'than the rule allows for. The same transaction is offered to the chain again.',
            'Until it is back, the money is not where this order says.',
          ],
        }
      : {
          subject: 'A settlement is lost',
          text: [
            'A settlement that was final left the chain and cannot be sent again:',
            failure,
            'The receiving address does not have the money.',
          ],
        },
  operator: deepReorg,
})

const words: Readonly<Record<ReasonOf<'investigate'>, Notice>> = {
  [SETTLEMENT_LEFT]: left('settlement'),
  [REFUND_LEFT]: left('refund'),
  [BOOKS_DIFFER]: {
    merchant: () => ({
      subject: 'The books of an order differ from the chain',
      text: [
        'What lies on the addresses of an order is not what its books say, at two',
        'final blocks. Where more lies there it is looked for by itself; nothing else',
        'is done about it.',
      ],
    }),
    operator: {
      subject: 'Books and chain differ',
      text: [
        'What lies on the addresses of an order is not what its books say, at two',
        'final blocks. Find out which of them is right before anything is refunded.',
      ],
    },
  },
  settlement_not_as_bound: {
    merchant: ({ failure = 'it is not what the order asked for' }) => ({
      subject: 'A settlement that does not count',
      text: [
        'The chain shows a settlement from an address of an order that does not count:',
        `${failure}.`,
        'The order goes on as if it had not been. The operator was told.',
      ],
    }),
    operator: {
      subject: 'A settlement that does not count',
      text: [
        'The factory settled something else than an order asked for. Only a relayer key',
        'can do that before the order is open to all, or a node lies. Find out who has',
        'the key, and have the owner take its role away.',
      ],
    },
  },
  third_party_changed: {
    merchant: ({ says }) => ({
      subject: 'A swap ended otherwise than NEAR Intents had said',
      text: [
        says === 'paid_out'
          ? 'NEAR Intents had said that it sent the money of an order back, and says now that'
          : 'NEAR Intents takes back what it had said of how the money of an order went. Look',
        says === 'paid_out'
          ? 'it paid it out to you. The order stays refunded; what to do is said in the console.'
          : 'whether it is where the order says, before you deliver. The order stays as it is.',
      ],
    }),
    operator: {
      subject: 'NEAR Intents takes back its word',
      text: [
        'It said of a swap that it had ended one way, and says now that it ended another',
        'way. Where it paid out what it had said to be refunded, or the reverse, its books',
        'are wrong: ask its support with the deposit address.',
      ],
    },
  },
  refund_not_asked_for: {
    merchant: () => ({
      subject: 'A refund that nobody here asked for',
      text: [
        'Money of an order went back to a payer, which nobody here asked for. Its books',
        'say so. The operator was told.',
      ],
    }),
    operator: {
      subject: 'A refund that nobody here asked for',
      text: [
        'The factory returned money of an order that was not to be returned, before the',
        'order was open to all. Find out who has the refunder key, and pause refunds',
        'with the guardian key until you know.',
      ],
    },
  },
  refund_announced_not_asked_for: {
    merchant: () => ({
      subject: 'A refund was announced that nobody here asked for',
      text: [
        'A refund of an order was announced on the chain, which nobody here asked for.',
        'It can be made 24 hours after its announcement. The receiving address of the',
        'order may strike it out (vetoRefund of the contract), and so may the operator,',
        'who was told.',
      ],
    }),
    operator: {
      subject: 'A refund was announced that nobody here asked for',
      text: [
        'It can be made 24 hours after its announcement. Strike it out or pause refunds',
        'with the guardian key before that, take the refunder role away, and find out',
        'who has the key.',
      ],
    },
  },
  push_failed: {
    merchant: ({ cannot_be_paid: side, opens_at: from = '', failure = '' }) => ({
      subject: `${side === 'payer' ? 'A payer' : 'Your receiving address'} could not be paid`,
      text: [
        'Somebody asked the contract to pay out what lies on the address of an order,',
        `and ${side === 'payer' ? "the payer's refund address" : 'your receiving address'} could not be paid:`,
        `${failure}.`,
        `From ${from} on anybody may have it sent to`,
        `${side === 'payer' ? 'your receiving address' : "the payer's refund address"} instead. If that is not right, see why the`,
        'address cannot be paid, and have it paid before then.',
      ],
    }),
    operator: {
      subject: 'Somebody could not be paid by the contract',
      text: [
        'A call of rescue found that a merchant or a payer cannot be paid, and recorded',
        'it on the chain. Seven days after that anybody may have the money sent to the',
        'other one of them. See whether you can settle or refund it before then.',
      ],
    },
  },
}

export const notices: Readonly<Record<string, Notice | undefined>> = words
