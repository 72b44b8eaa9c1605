// Signing in by the link of a mail. Opening the page does nothing, since programs open links too; the click signs in.
import { Anchor, Button, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { ErrorNote } from '../ui/state.tsx'
import classes from './login.module.css'
import { signInByLink } from './queries.ts'

export function LinkStep({ token, onOther }: { token: string; onOther: () => void }) {
  const enter = useMutation({ mutationFn: () => signInByLink(token) })
  return (
    <Stack gap={16}>
      <div>
        <h1 className={classes.title}>Sign in by the link</h1>
        <Text size="sm" c="dimmed">
          The link from your mail signs you in on this browser. It works once.
        </Text>
      </div>
      <ErrorNote error={enter.error} />
      <Button size="md" fullWidth loading={enter.isPending} onClick={() => enter.mutate()}>
        Sign in
      </Button>
      <Anchor component="button" type="button" size="sm" onClick={onOther}>
        Use a code instead
      </Anchor>
    </Stack>
  )
}
