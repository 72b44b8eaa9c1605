// The end of a key. Its name must be typed, because what uses it stops at once.
import { Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Confirm } from '../ui/confirm.tsx'
import { notify } from '../ui/notify.ts'
import { When } from '../ui/time.tsx'
import { type ApiKey, useRevokeKey } from './queries.ts'

export function RevokeKey({ of: key, opened, onClose }: { of: ApiKey; opened: boolean; onClose: () => void }) {
  const [typed, setTyped] = useState('')
  const revoke = useRevokeKey(key.id)
  return (
    <Confirm
      opened={opened}
      onClose={() => {
        setTyped('')
        onClose()
      }}
      title={`Revoke “${key.name}”?`}
      action="Revoke the key"
      isDangerous
      canConfirm={typed.trim() === key.name.trim()}
      onConfirm={async () => {
        await revoke.mutateAsync(undefined)
        notify('The key was revoked.')
      }}
    >
      <Stack gap={12}>
        <span>
          Every server that uses it is refused from this moment on, for good. Orders made with it go on, and their
          webhooks are still signed with its secret.
          {key.last_used_at === null ? ' It was never used.' : null}
        </span>
        {key.last_used_at === null ? null : (
          <span>
            It was last used <When at={key.last_used_at} as="relative" />.
          </span>
        )}
        <TextInput
          label={`Type ${key.name} to confirm`}
          data-autofocus
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      </Stack>
    </Confirm>
  )
}
