// The question before an act on somebody's account: what it does, why it is done, and for what cannot be taken back
// the email of the account, typed.
import { REASON_MAX } from '@florin/protocol'
import { Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Confirm } from '../ui/confirm.tsx'
import { notify } from '../ui/notify.ts'
import classes from './accounts.module.css'
import { EmailChangeOf } from './email-change.tsx'
import { type Account, type AccountAct, useAccountAct } from './queries.ts'
import { actWords } from './words.ts'

export interface Question {
  account: Account
  act: AccountAct
}

/** Made anew for each question, so that nothing typed for one account is left for the next. */
export function ActDialog({ account, act, onClose }: Question & { onClose: () => void }) {
  const words = actWords[act]
  const [reason, setReason] = useState('')
  const [email, setEmail] = useState('')
  const [typed, setTyped] = useState('')
  const run = useAccountAct()
  const isAgreed = act !== 'close' || typed.trim().toLowerCase() === account.email
  const isWhole = reason.trim() !== '' && (act !== 'email' || email.trim() !== '')
  return (
    <Confirm
      opened
      onClose={onClose}
      title={words.title}
      action={words.action}
      isDangerous={act !== 'resume' && act !== 'email/cancel'}
      canConfirm={isAgreed && isWhole}
      onConfirm={async () => {
        const more = act === 'email' ? { email: email.trim() } : {}
        await run.mutateAsync({ id: account.id, act, reason: reason.trim(), ...more })
        notify(words.done)
      }}
    >
      <Stack gap={12}>
        <div>
          <strong className={classes.email}>
            <bdi>{account.email}</bdi>
          </strong>
          {account.name === null ? null : (
            <>
              {' ('}
              <bdi>{account.name}</bdi>)
            </>
          )}
        </div>
        <span>{words.text}</span>
        {act === 'email/cancel' && account.email_change !== null ? (
          <EmailChangeOf change={account.email_change} />
        ) : null}
        {act === 'email' ? (
          <TextInput
            label="New email"
            type="email"
            inputMode="email"
            autoComplete="off"
            spellCheck={false}
            data-autofocus
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
        ) : null}
        <TextInput
          label="Reason"
          description="The merchant reads it in a mail, and it stays in the audit log."
          autoComplete="off"
          maxLength={REASON_MAX}
          {...(act === 'email' ? {} : { 'data-autofocus': true })}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        {act === 'close' ? (
          <TextInput
            label={`Type ${account.email} to confirm`}
            autoComplete="off"
            spellCheck={false}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
        ) : null}
      </Stack>
    </Confirm>
  )
}
