// Texts of the mails about waiting refunds: what happened, what it means, how to stop it.
import { findAsset, findChain, formatAmount } from '@florin/chains'
import type { Mail } from '../platform/mail/mailer.ts'
import { type NewAttention, REFUND_APPROVAL } from './model/attention.ts'
import type { OrderState } from './model/state.ts'

const NEEDED = 'refund_address_needed'

export const isMailed = ({ kind }: NewAttention): boolean => kind === REFUND_APPROVAL || kind === NEEDED

export function waitingMail(
  to: string,
  order: OrderState,
  { kind, evidence }: NewAttention,
  a: { at: Date; baseUrl: string },
): Mail {
  const isApproval = kind === REFUND_APPROVAL
  const subject = isApproval ? 'A refund address waits for your approval' : 'A refund waits for an address'
  const line = (name: string, value: string | undefined): string[] =>
    value === undefined ? [] : [`${`${name}:`.padEnd(10)} ${value}`]
  return {
    to,
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
    ].join('\n'),
  }
}

function amountOf({ amount, asset, chain: id }: Readonly<Record<string, string>>): string | undefined {
  if (amount === undefined || asset === undefined || id === undefined) return undefined
  const chain = findChain(id)
  const decimals = chain === null ? undefined : findAsset(chain, asset)?.decimals
  const text = decimals === undefined ? `${amount} smallest units of` : formatAmount(BigInt(amount), decimals)
  return `${text} ${asset} on ${chain?.name ?? id}`
}
