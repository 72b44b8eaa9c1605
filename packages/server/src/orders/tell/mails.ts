// Texts of the mails about attention items: what happened, what it means, what to do about it.
import { findAsset, findChain } from '@florin/chains'
import { coinText } from '@florin/checkout-core'
import { REFUND_APPROVAL } from '@florin/order-model/attention/cause'
import type { NewAttention } from '@florin/order-model/attention/item'
import type { ReasonOf } from '@florin/order-model/attention/kinds'
import type { Mail } from '@florin/platform/mail/mailer'
import { notices } from './notices.ts'

type Subject = { orderNo: string; livemode: boolean; status: string }

/** The subject and text of the notice to the merchant. */
export function noticeOf(
  order: Subject,
  { kind, evidence }: NewAttention,
  a: { at: Date; baseUrl: string },
): { subject: string; text: string[] } {
  const { subject, text } = notices[kind]?.merchant(evidence) ?? { subject: kind, text: [] }
  return {
    subject: order.livemode ? subject : `[test] ${subject}`,
    text: [
      ...text,
      '',
      ...line('Order', order.orderNo),
      ...line('Amount', amountOf(evidence)),
      ...line('Paid in', evidence.tx_hash),
      ...line('To', evidence.to),
      ...line('Booked', evidence.booked),
      ...line('On chain', evidence.found),
      ...line('Time', a.at.toISOString()),
      '',
      `The order stays ${order.status}. Where it stands:`,
      `${a.baseUrl}/console/attention`,
      '',
    ],
  }
}

type Words = readonly [subject: string, ...text: string[]]
const looked: Readonly<Record<ReasonOf<'move_money'>, Words>> = {
  settlement_failed: [
    'A settlement failed',
    'An order was paid, and its money could not be settled to your address. It lies',
    'where only you or the payer can be paid from.',
  ],
  refund_failed: [
    'A refund failed',
    'Money that was to go back to a payer could not be sent. It lies where it was paid.',
  ],
  invoice_paid_twice: [
    'An invoice was paid twice',
    'Another order of the same invoice was paid before this one. One of the two is to go',
    'back to its payer: ask for the refund on the page of the order.',
  ],
  owed_to_payer: [
    'Money that is a payer’s was paid to you',
    'Somebody had the contract pay your receiving address what was to go back to the',
    'payer: after seven days without an address for it anybody may. It paid for nothing,',
    'so you owe it. Give it back from your wallet: “Refund” on the page of the order.',
  ],
  settlement_held: [
    'A settlement is held',
    'The coin that an order was paid in is worth less than it should be. The order is',
    'settled by itself once the price is back; you may have it settled now as well.',
  ],
}

/** The words of `owed_to_payer` where a third party carried the money on. */
const carried: Words = [
  'Money that is a payer’s was paid to you',
  'More reached your receiving address than an order asked for, or after it had ended: a third',
  'party carries on whatever comes to its addresses, in the coin that you take. That paid for',
  'nothing, so you owe it. The item says of each payment where its money is, and how it can',
  'be given back.',
]

/** The subject and text of the notice to the merchant. */
export function lookNotice(
  order: Subject,
  { kind, evidence }: NewAttention,
  a: { at: Date; baseUrl: string },
): { subject: string; text: string[] } {
  const words: Readonly<Record<string, Words>> = looked
  const [subject, ...text] = (evidence.carried_by === undefined ? words[kind] : carried) ?? [kind]
  return {
    subject: order.livemode ? subject : `[test] ${subject}`,
    text: [
      ...text,
      '',
      ...line('Order', order.orderNo),
      ...line('Amount', amountOf(evidence)),
      ...legsOf(evidence),
      ...line('Failure', evidence.failure),
      ...line('Paid by', evidence.from),
      ...line('Paid in', evidence.tx_hash),
      ...line('Time', a.at.toISOString()),
      '',
      'Look at it here:',
      `${a.baseUrl}/console/attention`,
      '',
    ],
  }
}

/** One mail an hour for each kind, however many orders there are. */
export function operatorMail(
  to: string,
  order: Subject,
  { kind }: NewAttention,
  a: { at: Date; baseUrl: string },
): Mail {
  const { subject, text } = notices[kind]?.operator ?? { subject: kind, text: [] }
  return {
    to,
    subject: order.livemode ? subject : `[test] ${subject}`,
    text: [
      ...text,
      '',
      'The console lists every order of every merchant that it concerns; their',
      'merchants are told one by one.',
      '',
      ...line('First', order.orderNo),
      ...line('Time', a.at.toISOString()),
      '',
      `${a.baseUrl}/console/attention`,
      '',
    ].join('\n'),
  }
}

/** What keeps money from moving, for operators: what it is and what to do. */
export function stuckMail(
  to: string,
  { livemode, evidence }: Pick<NewAttention, 'evidence'> & { livemode: boolean },
  a: { at: Date; baseUrl: string },
): Mail {
  const { chain = '', what = '', cure = '' } = evidence
  const subject = `Money may be stuck on ${findChain(chain)?.name ?? chain}`
  return {
    to,
    subject: livemode ? subject : `[test] ${subject}`,
    text: [
      what,
      '',
      cure,
      '',
      ...line('Time', a.at.toISOString()),
      '',
      'It ends by itself once the cause is gone. Where it stands:',
      `${a.baseUrl}/console/attention`,
      '',
    ].join('\n'),
  }
}

const legsOf = (evidence: Readonly<Record<string, string>>): string[] =>
  Object.keys(evidence)
    .filter((key) => /^leg_\d+$/.test(key))
    .flatMap((key) => line('Paid', evidence[key]))

const line = (name: string, value: string | undefined): string[] =>
  value === undefined ? [] : [`${`${name}:`.padEnd(10)} ${value}`]

/** Money without an address does not wait for ever. */
const lastCall = ({ opens_at: at }: Readonly<Record<string, string>>): string[] =>
  at === undefined
    ? []
    : [`From ${at} on anybody may have it paid to your own`, 'address, and you would owe it to the payer.']

/** The subject and text of the notice to the merchant. */
export function waitingNotice(
  order: Subject,
  { kind, evidence }: NewAttention,
  a: { at: Date; baseUrl: string },
): { subject: string; text: string[] } {
  const isApproval = kind === REFUND_APPROVAL
  const subject = isApproval ? 'A refund address waits for your approval' : 'A refund waits for an address'
  return {
    subject: order.livemode ? subject : `[test] ${subject}`,
    text: [
      ...(isApproval
        ? [
            'Somebody with the checkout link of an order sent an address for its refund.',
            'A link proves nothing, so no money moves before you approve it. If you do',
            `nothing, the request lapses at ${evidence.lapses_at}.`,
          ]
        : [
            'Money has to go back to a payer, and no address is known for sure. It stays',
            'where it is until the payer proves one or you name it.',
            ...lastCall(evidence),
          ]),
      '',
      ...line('Order', order.orderNo),
      ...line('Amount', amountOf(evidence)),
      ...line('Paid by', evidence.from),
      ...line('Paid in', evidence.tx_hash),
      ...line('Refund to', evidence.to),
      ...line('Time', a.at.toISOString()),
      '',
      isApproval
        ? 'Ask the payer over a channel that you trust, compare the address letter by\nletter, then approve or refuse it here:'
        : 'Look at it here:',
      `${a.baseUrl}/console/attention`,
      '',
    ],
  }
}

function amountOf({ amount, asset, chain: id }: Readonly<Record<string, string>>): string | undefined {
  if (amount === undefined || asset === undefined || id === undefined) return undefined
  const chain = findChain(id)
  const decimals = chain === null ? undefined : findAsset(chain, asset)?.decimals
  const text = decimals === undefined ? `${amount} smallest units of` : coinText(amount, decimals)
  return `${text} ${asset} on ${chain?.name ?? id}`
}
