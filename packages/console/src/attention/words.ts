// The words of what needs a decision. Pure; a kind or an action that is new to this console is made readable.
import { units } from '../ui/format.ts'

const kinds: Readonly<Record<string, string>> = {
  settlement_failed: 'A settlement failed',
  refund_failed: 'A refund failed',
  settlement_held: 'A settlement is held: the coin left its peg',
  refund_address_needed: 'A refund waits for an address',
  refund_approval: 'A refund address to approve',
  not_handed_over: 'A rail does not take its work',
  wrong_asset: 'Another asset was sent',
  wrong_chain: 'Money was sent on another chain',
  reorg_after_final: 'The chain took back a final payment',
  refund_not_asked_for: 'A refund that nobody asked for',
  returned_by_others: 'Somebody sent the money back',
  push_failed: 'Somebody could not be paid',
  refund_announced_not_asked_for: 'A refund was announced that nobody asked for',
  refund_left_the_chain: 'A final refund left the chain',
  refund_by_wallet: 'Send a refund from your wallet',
  refund_counted_elsewhere: 'Your refund counts for another merchant',
  settlement_not_as_bound: 'A settlement that does not count',
  refund_short: 'Less was sent than a refund asks for',
  payment_of_two_orders: 'A payment that may be of two orders',
  wallet_limit_near: 'Your wallet’s limit is near',
  account_used_elsewhere: 'An account is used elsewhere',
  payment_of_lost_order: 'Money for an order that was lost',
  books_differ: 'Books and chain differ',
  transaction_not_mined: 'A transaction waits for a block',
  providers_contradict: 'Providers contradict each other',
  settlement_unproven: 'A payout that nobody else has seen',
  third_party_slow: 'A swap that takes too long',
  third_party_changed: 'A swap that ended otherwise than it was said',
  provider_contradicted: 'A payout that is not as it was said',
  settlement_left_the_chain: 'The chain took back a settlement',
  money_waits: 'Money waits for its chain',
  webhook_endpoint_failing: 'An endpoint takes no webhooks',
  owed_to_payer: 'You owe a payer',
  invoice_paid_twice: 'An invoice was paid twice',
  webhook_dead: 'A webhook was given up',
  out_of_gas: 'A key has no gas left',
  low_on_gas: 'A key is low on gas',
  gas_over_cap: 'Gas costs more than is allowed',
  role_missing: 'A key may not do its work',
  refunds_paused: 'Refunds are paused',
  sending_stopped: 'Sending has stopped',
  key_missing: 'A key is missing',
  key_silent: 'Nothing is sent with a key',
  provider: 'A provider is out',
  chain: 'A chain cannot be followed',
  fx_no_rate: 'A currency has no rate',
  fx_table_old: 'The table of currencies is old',
  journal: 'The journal cannot be written',
  token: 'A coin cannot be read',
  settled_more_than_received: 'More was settled than came in',
  refunded_more_than_received: 'More was refunded than came in',
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

export const kindText = (kind: string): string => kinds[kind] ?? readable(kind)

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
        value: key === 'why' ? kindText(value) : value,
      })),
  ]
}
