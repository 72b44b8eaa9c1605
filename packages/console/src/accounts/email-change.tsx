// The change of email that is open on an account: to which, who asked, and what it waits for.
import type { EmailChange } from '../settings/email-queries.ts'
import { When } from '../ui/time.tsx'
import classes from './accounts.module.css'

export function EmailChangeOf({ change }: { change: EmailChange }) {
  const waitsFor = [change.old_mailbox ? '' : 'the old mailbox', change.new_mailbox ? '' : 'the new mailbox']
    .filter((each) => each !== '')
    .join(' and ')
  const byOperator = change.asked_by.startsWith('operator:') ? change.asked_by.slice('operator:'.length) : null
  return (
    <small className={classes.change}>
      Changes to{' '}
      <strong>
        <bdi>{change.new_email}</bdi>
      </strong>
      , asked for by <bdi>{byOperator ?? 'the merchant'}</bdi>;{' '}
      {change.effective_at === null ? (
        `waits for ${waitsFor}`
      ) : (
        <>
          takes effect <When at={change.effective_at} as="full" />
        </>
      )}
    </small>
  )
}
