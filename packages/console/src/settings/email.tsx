// The email that signs in: asking for another one, and the change that is open with what it still waits for.
import { EMAIL_CHANGE_LOST_WAIT_MS, EMAIL_CHANGE_WAIT_MS, HOUR_MS, MAIL_LINK_MS } from '@florin/protocol'
import { Button, Group, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Card } from '../ui/card.tsx'
import { Icon } from '../ui/icon.tsx'
import { notify } from '../ui/notify.ts'
import { Fact, Facts } from '../ui/page.tsx'
import { ErrorNote, Lines } from '../ui/state.tsx'
import { When } from '../ui/time.tsx'
import { type EmailChange, emailChangeQuery, useAskEmailChange, useCancelEmailChange } from './email-queries.ts'
import classes from './settings.module.css'

const hours = (ms: number): string => `${ms / HOUR_MS} hours`

/** @param email undefined while it is loading */
export function EmailSection({ email }: { email: string | undefined }) {
  const { data: change, error, refetch } = useQuery(emailChangeQuery)
  if (error !== null && change === undefined) return <ErrorNote error={error} onRetry={() => void refetch()} />
  return (
    <Card>
      {email === undefined || change === undefined ? (
        <Lines n={3} />
      ) : (
        <>
          <Facts>
            <Fact name="You sign in with">
              <span className={classes.address}>{email}</span>
            </Fact>
          </Facts>
          {change === null ? <Ask /> : <Open of={change} email={email} />}
        </>
      )}
    </Card>
  )
}

function Ask() {
  const [email, setEmail] = useState('')
  const ask = useAskEmailChange()
  const wanted = email.trim()
  return (
    <form
      noValidate
      className={classes.ask}
      onSubmit={(event) => {
        event.preventDefault()
        if (wanted !== '') ask.mutate(wanted)
      }}
    >
      <Group gap={8} align="flex-end">
        <TextInput
          label="New email"
          description={`Both mailboxes get a link to agree. ${hours(EMAIL_CHANGE_WAIT_MS)} later it changes, and all sessions end.`}
          type="email"
          inputMode="email"
          autoComplete="off"
          spellCheck={false}
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
          miw={240}
          maw={440}
          flex={1}
        />
        <Button type="submit" size="sm" loading={ask.isPending} disabled={wanted === ''}>
          Change the email
        </Button>
      </Group>
      <ErrorNote error={ask.error} />
      <Text size="sm" c="dimmed">
        You no longer have the old mailbox? The operator of this service can start the change for you.
      </Text>
    </form>
  )
}

function Open({ of: change, email }: { of: EmailChange; email: string }) {
  const cancel = useCancelEmailChange()
  const isByOperator = change.asked_by.startsWith('operator:')
  const wait = hours(isByOperator ? EMAIL_CHANGE_LOST_WAIT_MS : EMAIL_CHANGE_WAIT_MS)
  return (
    <section className={classes.change} aria-label="Change of email">
      <Text size="sm">
        It is to become <strong className={classes.address}>{change.new_email}</strong>.
        {isByOperator
          ? ' The operator asked for it, because your old mailbox is said to be lost. If you can read this and did not ask, cancel it.'
          : null}
      </Text>
      <ol className={classes.steps}>
        <Step
          state={isByOperator ? 'not needed' : change.old_mailbox ? 'done' : 'waits'}
          title="Old mailbox"
          text={
            isByOperator
              ? 'Need not agree, but can stop the change by the link in its mail.'
              : change.old_mailbox
                ? 'Has agreed.'
                : `Open the mail to ${email} and agree by its link.`
          }
        />
        <Step
          state={change.new_mailbox ? 'done' : 'waits'}
          title="New mailbox"
          text={change.new_mailbox ? 'Has agreed.' : `Open the mail to ${change.new_email} and agree by its link.`}
        />
        <Step
          state="waits"
          title="The email changes"
          text={
            change.effective_at === null ? (
              `${wait} after that. The links work for ${hours(MAIL_LINK_MS)}.`
            ) : (
              <>
                <When at={change.effective_at} as="full" />. All sessions end then; sign in with the new email.
              </>
            )
          }
        />
      </ol>
      <ErrorNote error={cancel.error} />
      <Button
        variant="default"
        size="sm"
        loading={cancel.isPending}
        onClick={() =>
          cancel.mutate(undefined, {
            onSuccess: () => notify('The change of email was canceled. Nothing has changed.'),
          })
        }
      >
        Cancel the change
      </Button>
    </section>
  )
}

type StepState = 'done' | 'waits' | 'not needed'
const icons = { done: 'check', waits: 'clock', 'not needed': 'info' } as const

function Step({ state, title, text }: { state: StepState; title: string; text: ReactNode }) {
  return (
    <li className={classes.step} data-done={state === 'done' ? true : undefined}>
      <Icon name={icons[state]} size={16} />
      <div className={classes.words}>
        <span className={classes.device}>{title}</span>
        <small>{text}</small>
      </div>
    </li>
  )
}
