// What stands in the place of sign-in for an account that the operator has suspended or closed.
import { Anchor, Stack, Text } from '@mantine/core'
import { type Standing, session } from '../session.ts'
import classes from './login.module.css'

const words: Readonly<Record<Standing, { title: string; text: string; ask: string; end: string }>> = {
  merchant_suspended: {
    title: 'This account is suspended',
    text: 'The operator of this service has suspended it. Its API keys and this console are refused until the operator resumes it.',
    ask: 'To have it resumed, ask the operator of',
    end: ', and then sign in again.',
  },
  merchant_closed: {
    title: 'This account is closed',
    text: 'The operator of this service has closed it for good. Its API keys and this console are refused.',
    ask: 'If you did not expect this, ask the operator of',
    end: '.',
  },
}

export function Refused({ standing, onOther }: { standing: Standing; onOther: () => void }) {
  const { title, text, ask, end } = words[standing]
  return (
    <Stack gap={14} role="alert">
      <h1 className={classes.title}>{title}</h1>
      <Text size="sm">{text}</Text>
      <Text size="sm">Orders that payers had begun to pay still settle on your own addresses.</Text>
      <Text size="sm">
        The reason is in the mail that was sent to the account. {ask}{' '}
        <strong className={classes.email}>{window.location.host}</strong>
        {end}
      </Text>
      <Anchor
        component="button"
        type="button"
        size="sm"
        ta="left"
        onClick={() => {
          session.forgetReason()
          onOther()
        }}
      >
        Use another email
      </Anchor>
    </Stack>
  )
}
