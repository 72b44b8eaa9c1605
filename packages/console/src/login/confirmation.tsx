// The question for a mailed code before something that can move money, from a sign-in that is no longer fresh.
import { LOGIN_CODE_DIGITS } from '@florin/protocol'
import { Anchor, Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { ErrorNote } from '../ui/state.tsx'
import { confirmationQuestion } from './confirmation-question.ts'
import { confirm, requestConfirmation, useMerchant } from './queries.ts'

/** Other dialogs stand at 200, and one of them may be what asked. */
const ABOVE_DIALOGS = 250

/** Gone while nothing is asked, so that no code of before is left in it. */
export function Confirmation() {
  const isAsked = confirmationQuestion.use()
  return (
    <Modal
      opened={isAsked}
      onClose={() => confirmationQuestion.answer(false)}
      title="Confirm that it is you"
      size="md"
      zIndex={ABOVE_DIALOGS}
    >
      {isAsked ? <Form /> : null}
    </Modal>
  )
}

function Form() {
  const { data: merchant } = useMerchant()
  const [code, setCode] = useState('')
  const send = useMutation({ mutationFn: requestConfirmation })
  const enter = useMutation({
    mutationFn: () => confirm(code.replace(/\D/g, '')),
    onSuccess: () => confirmationQuestion.answer(true),
    onError: () => setCode(''),
  })
  const { mutate: ask } = send
  // The question is the demand for a code; a second one within a minute finds that the first is on its way.
  useEffect(() => ask(), [ask])
  const isWhole = code.replace(/\D/g, '').length === LOGIN_CODE_DIGITS
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (isWhole) enter.mutate()
      }}
    >
      <Stack gap={14}>
        <Text size="sm">
          You signed in a while ago, and this can change where money goes or who has an account. We have mailed a code
          {merchant === undefined ? '' : ` to ${merchant.email}`}.
        </Text>
        <TextInput
          label="Code from the mail"
          inputMode="numeric"
          autoComplete="one-time-code"
          data-autofocus
          maxLength={40}
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        <ErrorNote error={enter.error ?? send.error} />
        <Group justify="space-between" gap={8}>
          <Anchor
            component="button"
            type="button"
            size="sm"
            disabled={send.isPending}
            onClick={() => {
              enter.reset()
              send.mutate()
            }}
          >
            Send a new code
          </Anchor>
          <Group gap={8}>
            <Button variant="default" size="sm" onClick={() => confirmationQuestion.answer(false)}>
              Cancel
            </Button>
            <Button type="submit" size="sm" loading={enter.isPending} disabled={!isWhole}>
              Confirm
            </Button>
          </Group>
        </Group>
      </Stack>
    </form>
  )
}
