// The words of the audit log. Pure; an action that is new to this console is made readable.
import type { AuditItem } from '@florin/protocol'
import { readable } from '../attention/words.ts'

const actions: Readonly<Record<string, string>> = {
  'api_key.created': 'Made an API key',
  'api_key.changed': 'Changed an API key',
  'api_key.rotated': 'Rotated an API key',
  'webhook_endpoint.created': 'Added a webhook endpoint',
  'webhook_endpoint.changed': 'Changed a webhook endpoint',
  'webhook_endpoint.secret_rotated': 'Rotated the secret of a webhook endpoint',
  'webhook_endpoint.deleted': 'Deleted a webhook endpoint',
  'webhook_endpoint.disabled': 'A failing webhook endpoint was disabled',
  'mails.changed': 'Changed which mails are sent',
  'order.merchant_refund_asked': 'Asked for a refund from the own wallet',
  'order.merchant_refund_named': 'Named the transaction of a refund',
  'order.merchant_refund_canceled': 'Canceled a refund from the own wallet',
  'api_key.secret_rotated': 'Rotated a webhook secret',
  'api_key.revoked': 'Revoked an API key',
  'receiving_address.changed': 'Set a receiving address',
  'default_settle_chain.changed': 'Changed the default settle chain',
  'time_zone.changed': 'Changed the time zone',
  'receiving_address.removed': 'Removed a receiving address',
  'receiving_address.change_asked': 'Asked for another receiving address',
  'receiving_address.change_canceled': 'Canceled a change of a receiving address',
  'receiving_account.limit': 'Set the limit of a wallet',
  'receiving_account.confirmations': 'Set the confirmations of an account',
  'receiving_address.put_back': 'Put back a receiving address',
  'merchant.suspended': 'Suspended the account',
  'merchant.resumed': 'Resumed the account',
  'merchant.closed': 'Closed the account',
  'email_change.asked': 'Asked for another email',
  'email_change.approved': 'A mailbox agreed to another email',
  'email_change.canceled': 'Canceled a change of email',
  'email_change.done': 'Changed the email',
  'session.ended': 'Ended a session',
  'order.refund_address_given': 'Named a refund address',
  'order.refund_asked': 'Asked for a refund',
  'order.settlement_retried': 'Retried a settlement',
  'order.settlement_released': 'Had a held settlement settled',
  'attention.dismissed': 'Dismissed what needed attention',
}

export const actionText = (action: string): string => actions[action] ?? readable(action)

/** Who acted, as a person reads it: `api_key:key_1` is a key, `operator:x` the operator. */
export function actorText(actor: string): string {
  const [kind, rest] = actor.split(/:(.*)/s)
  if (kind === 'api_key' && rest !== undefined) return `API key ${rest}`
  if (kind === 'operator' && rest !== undefined) return `Operator ${rest}`
  if (kind === 'mail_link' || actor === 'mail_link') return 'A link in a mail'
  return actor === 'system' ? 'The service itself' : actor
}

/** The particulars in one line; what is empty is left out. */
export function detailText(detail: AuditItem['detail']): string {
  return Object.entries(detail)
    .filter(([, value]) => value !== null && value !== '')
    .map(
      ([name, value]) => `${readable(name).toLowerCase()}: ${value === true ? 'yes' : value === false ? 'no' : value}`,
    )
    .join(' · ')
}
