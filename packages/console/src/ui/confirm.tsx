// The question before anything that cannot be taken back: says what will happen, stays open with the server's
// sentence when it fails, and closes when it is done.
import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ErrorNote } from './state.tsx'

interface ConfirmProps {
  opened: boolean
  onClose: () => void
  title: string
  /** What will happen, and what will not. */
  children: ReactNode
  /** The words of the button: a verb and what it is done to. */
  action: string
  isDangerous?: boolean
  canConfirm?: boolean
  onConfirm: () => Promise<unknown>
}

export function Confirm({
  opened,
  onClose,
  title,
  children,
  action,
  isDangerous,
  canConfirm = true,
  onConfirm,
}: ConfirmProps) {
  const act = useMutation({ mutationFn: onConfirm, onSuccess: () => close() })
  const close = () => {
    act.reset()
    onClose()
  }
  return (
    <Modal opened={opened} onClose={close} title={title} size="md">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (canConfirm) act.mutate()
        }}
      >
        <Stack gap={14}>
          <Text size="sm" component="div">
            {children}
          </Text>
          <ErrorNote error={act.error} />
          <Group justify="flex-end" gap={8}>
            <Button variant="default" size="sm" onClick={close}>
              Keep as it is
            </Button>
            <Button
              type="submit"
              size="sm"
              loading={act.isPending}
              disabled={!canConfirm}
              {...(isDangerous === true ? { color: 'red.9' } : {})}
            >
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
