// The change of a key's name and scopes.

import { NAME_MAX } from '@florin/protocol'
import { Button, Group, Modal, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { notify } from '../ui/notify.ts'
import { ErrorNote } from '../ui/state.tsx'
import { type ApiKey, useChangeKey } from './queries.ts'
import { ScopeBoxes } from './scope-boxes.tsx'

interface DialogProps {
  of: ApiKey
  opened: boolean
  onClose: () => void
}

export function EditKey({ of: key, opened, onClose }: DialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title="Name and scopes">
      <Form of={key} onDone={onClose} />
    </Modal>
  )
}

function Form({ of: key, onDone }: { of: ApiKey; onDone: () => void }) {
  const [name, setName] = useState(key.name)
  const [scopes, setScopes] = useState(key.scopes)
  const change = useChangeKey(key.id)
  const canSave = name.trim() !== '' && scopes.length > 0
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (!canSave) return
        change.mutate(
          { name: name.trim(), scopes },
          {
            onSuccess: () => {
              notify('The key was changed.')
              onDone()
            },
          },
        )
      }}
    >
      <Stack gap={16}>
        <TextInput
          label="Name"
          maxLength={NAME_MAX}
          data-autofocus
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <ScopeBoxes wanted={scopes} onChange={setScopes} />
        <ErrorNote error={change.error} />
        <Group justify="flex-end" gap={8}>
          <Button variant="default" size="sm" onClick={onDone}>
            Cancel
          </Button>
          <Button type="submit" size="sm" loading={change.isPending} disabled={!canSave}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
