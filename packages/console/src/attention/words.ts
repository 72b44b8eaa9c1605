// The words of what needs a decision. Pure; an action that is new to this console is made readable.
import type { AttentionKind } from '@florin/protocol'
import { units } from '../ui/format.ts'

const kinds: Readonly<Record<AttentionKind, string>> = {
  approve_refund_address: 'Approve a refund address',
  give_refund_address: 'Give a refund address',
  move_money: 'Move the money of an order',
  investigate: 'Find out what happened',
  confirm_payout: 'Look for a payout',
  return_payment: 'Return a payment',
  wait: 'Wait, or look closer',
  fix_wallet: 'Look at your wallet',
  fix_webhooks: 'Mend a webhook receiver',
  fix_service: 'Change something in the service',
}

/** The one action that takes something along: the address. */
export const REFUND_TO = 'refund-to'

/** What a name of the evidence is called where it does not say it by itself. */
const names: Readonly<Record<string, string>> = {
  tx_hash: 'Transaction',
  expected: 'Asked for',
  to: 'To',
  from: 'Paid by',
  asked: 'Asked for, in smallest units',
  missing: 'Missing, in smallest units',
  booked: 'Booked, in smallest units',
  found: 'On the chain, in smallest units',
  cannot_be_paid: 'Could not be paid',
  goes_to: 'May go to instead',
  opens_at: 'From then on',
  lapses_at: 'Until',
  carried_by: 'Carried by',
  paid_before_by: 'Paid before by',
  uri: 'Payment link',
}

export interface EvidenceLine {
  /** As the server names it. */
  key: string
  name: string
  value: string
}

interface Act {
  label: string
  /** What will happen, asked before it does. */
  question: string
  isDangerous: boolean
}

const acts: Readonly<Record<string, Act>> = {
  'retry-settlement': {
    label: 'Retry settlement',
    question: 'The money is sent to the receiving address of the order once more.',
    isDangerous: false,
  },
  'settle-now': {
    label: 'Settle now',
    question: 'The coin is settled to your receiving address as it stands, below its peg. It cannot be taken back.',
    isDangerous: true,
  },
  'take-word': {
    label: 'It has arrived',
    question:
      'The order becomes a success on your word: look at your receiving address first, since nobody here can tell. What is a success stays one.',
    isDangerous: true,
  },
  refund: {
    label: 'Refund the payer',
    question: 'What is held for the order goes back to its refund address. It cannot be sent anywhere else.',
    isDangerous: true,
  },
  [REFUND_TO]: {
    label: 'Give a refund address',
    question:
      'The money goes back to this address and nowhere else; it cannot be changed afterwards. Take it from the payer, over a channel you trust. On a real chain the refund is announced for 24 hours first.',
    isDangerous: true,
  },
  approve: {
    label: 'Approve this address',
    question:
      'What waits of this order goes to this address and nowhere else; it cannot be changed afterwards. It was sent by somebody who has the checkout link, which proves nothing: compare it with the payer over a channel you trust.',
    isDangerous: true,
  },
  refuse: {
    label: 'Refuse',
    question: 'Nothing is sent to this address. The money stays where it is, and the payer may send another address.',
    isDangerous: false,
  },
  dismiss: {
    label: 'Dismiss',
    question:
      'The item leaves the inbox. Nothing happens to the money; the order keeps showing where it is. Where a refund waits for an address, the checkout still asks the payer, and you can still give one, under Resolved.',
    isDangerous: false,
  },
}

/** @example readable('order.settlement_retried') // 'Order settlement retried' */
export function readable(name: string): string {
  const words = name.replace(/[._-]+/g, ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

export const kindText = (kind: AttentionKind): string => kinds[kind]

export const actText = (action: string): Act =>
  acts[action] ?? {
    label: readable(action),
    question: 'The server does what this action is named for.',
    isDangerous: true,
  }

/** Evidence as it is shown: an amount with its asset and chain is one line, in whole coins where the decimals are known. */
export function evidenceLines(
  evidence: Readonly<Record<string, string>>,
  chains: { name: (id: string) => string; decimals: (chain: string, asset: string) => number | null },
): EvidenceLine[] {
  const { amount, asset, chain, ...rest } = evidence
  const decimals = chain === undefined || asset === undefined ? null : chains.decimals(chain, asset)
  const money = [
    ...(amount === undefined ? [] : [decimals === null ? amount : units(amount, decimals)]),
    ...(asset === undefined ? [] : [asset]),
    ...(chain === undefined ? [] : [`on ${chains.name(chain)}`]),
  ]
  return [
    ...(money.length === 0
      ? []
      : [{ key: 'amount', name: amount === undefined ? 'Asset' : 'Amount', value: money.join(' ') }]),
    ...Object.entries(rest)
      .filter(([, value]) => value !== '')
      .map(([key, value]) => ({
        key,
        name: names[key] ?? readable(key),
        value: key === 'why' ? readable(value) : value,
      })),
  ]
}
