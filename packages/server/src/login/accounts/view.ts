// What operators and merchants see of an account and of the change of its email.
import { type Static, Type } from 'typebox'
import type { EmailChange } from './email-change.store.ts'
import type { Account } from './store.ts'

const closed = { additionalProperties: false }
const TimeOrNull = Type.Union([Type.String(), Type.Null()])

export const ChangeView = Type.Object(
  {
    new_email: Type.String(),
    asked_by: Type.String(),
    old_mailbox: Type.Boolean({ description: 'It has said yes, or need not' }),
    new_mailbox: Type.Boolean({ description: 'It has said yes' }),
    effective_at: Type.Union([Type.String(), Type.Null()], { description: 'null: a mailbox has not said yes yet' }),
  },
  closed,
)

export const AccountView = Type.Object(
  {
    id: Type.String(),
    email: Type.String(),
    name: Type.Union([Type.String(), Type.Null()]),
    created_at: Type.String(),
    suspended_at: TimeOrNull,
    closed_at: TimeOrNull,
    email_change: Type.Union([ChangeView, Type.Null()], { description: 'The one that is open; null: none' }),
  },
  { ...closed, title: 'MerchantAccount' },
)

export function viewChange(change: EmailChange): Static<typeof ChangeView> {
  return {
    new_email: change.newEmail,
    asked_by: change.askedBy,
    old_mailbox: change.byOperator || change.oldApprovedAt !== null,
    new_mailbox: change.newApprovedAt !== null,
    effective_at: change.effectiveAt?.toISOString() ?? null,
  }
}

export function viewAccount(row: Account, change: EmailChange | undefined): Static<typeof AccountView> {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    created_at: row.createdAt.toISOString(),
    suspended_at: row.suspendedAt?.toISOString() ?? null,
    closed_at: row.closedAt?.toISOString() ?? null,
    email_change: change === undefined ? null : viewChange(change),
  }
}
