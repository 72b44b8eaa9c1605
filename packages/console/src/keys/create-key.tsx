// The making of a key: what it is called, what it may do and until when; then its secrets, once.

import { defaultScopes, type KeyMode, NAME_MAX, type Scope } from '@florin/protocol'
import { Button, Group, Modal, SegmentedControl, Select, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { carriesLive, useChains } from '../chains.ts'
import { setLive, useLive } from '../mode.ts'
import { ErrorNote } from '../ui/state.tsx'
import { keyDialog } from './dialog.ts'
import { type NewKey, useCreateKey } from './queries.ts'
import { ScopeBoxes } from './scope-boxes.tsx'
import { SecretsOnce } from './secrets-once.tsx'
import { expiryChoices, expiryOf } from './words.ts'

/** Hangs on the frame; opened by `keyDialog.open()`. */
export default function CreateKey() {
  const opened = keyDialog.use()
  const [made, setMade] = useState<NewKey | null>(null)
  const done = () => {
    if (made !== null) setLive(made.mode === 'live')
    setMade(null)
    keyDialog.close()
  }
  return (
    <Modal
      opened={opened}
      onClose={done}
      title={made === null ? 'Create an API key' : 'Save these now'}
      size="lg"
      // A slip of the mouse must not throw away what is shown once.
      closeOnClickOutside={made === null}
      closeOnEscape={made === null}
      withCloseButton={made === null}
    >
      {made === null ? (
        <KeyForm onMade={setMade} onCancel={done} />
      ) : (
        <SecretsOnce name={made.name} apiKey={made.api_key} webhookSecret={made.webhook_secret} onDone={done} />
      )}
    </Modal>
  )
}

function KeyForm({ onMade, onCancel }: { onMade: (key: NewKey) => void; onCancel: () => void }) {
  const live = useLive()
  const [name, setName] = useState('')
  const [mode, setMode] = useState<KeyMode>(live ? 'live' : 'test')
  const [wanted, setWanted] = useState<readonly Scope[]>(defaultScopes)
  const [expiry, setExpiry] = useState('never')
  const create = useCreateKey()
  const { list } = useChains()
  const canLive = list.length === 0 || list.some(carriesLive)
  const canCreate = name.trim() !== '' && wanted.length > 0 && (mode === 'test' || canLive)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (!canCreate) return
        const expires_at = expiryOf(expiry, Date.now())
        create.mutate({ name: name.trim(), mode, scopes: [...wanted], expires_at }, { onSuccess: onMade })
      }}
    >
      <Stack gap={16}>
        <TextInput
          label="Name"
          description="For you: where the key is used"
          placeholder="Shop server"
          maxLength={NAME_MAX}
          data-autofocus
          required
          withAsterisk={false}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <div>
          <Text size="sm" fw={500} mb={4} id="key-mode">
            Mode
          </Text>
          <SegmentedControl
            aria-labelledby="key-mode"
            value={mode}
            onChange={(value) => setMode(value === 'live' ? 'live' : 'test')}
            data={[
              { value: 'test', label: 'Test' },
              { value: 'live', label: 'Live' },
            ]}
          />
          <Text size="xs" c="dimmed" mt={4}>
            {mode === 'test' ? 'No real money: orders are paid with buttons.' : 'Real money: orders are paid on chain.'}
          </Text>
          {mode === 'live' && !canLive ? (
            <Text size="sm" c="var(--fl-warn)" mt={4} role="status">
              Nothing carries real money here yet, so a live key could make no order. Whoever runs this Florin names a
              rails file in RAILS_CONFIG: /docs/going-live says how.
            </Text>
          ) : null}
        </div>
        <ScopeBoxes wanted={wanted} onChange={setWanted} />
        <Select
          label="Expires"
          data={[...expiryChoices]}
          value={expiry}
          allowDeselect={false}
          onChange={(value) => setExpiry(value ?? 'never')}
          maw={220}
        />
        <ErrorNote error={create.error} />
        <Group justify="flex-end" gap={8}>
          <Button variant="default" size="sm" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" size="sm" loading={create.isPending} disabled={!canCreate}>
            Create key
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
