// The two rotations: of the key, and of the secret that signs its webhooks. Each says what becomes of the old one.

import { KEY_ROTATE_GRACE_S } from '@florin/protocol'
import { Button, Group, Modal, Select, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { absolute } from '../ui/format.ts'
import { ErrorNote } from '../ui/state.tsx'
import { useZoneText } from '../ui/time.tsx'
import { useZone } from '../zone.ts'
import { type ApiKey, type RotatedKey, type RotatedSecret, useRotateKey, useRotateSecret } from './queries.ts'
import { SecretsOnce } from './secrets-once.tsx'
import { graceChoices, overlapChoices } from './words.ts'

interface DialogProps {
  of: ApiKey
  opened: boolean
  onClose: () => void
}

export function RotateKey({ of: key, opened, onClose }: DialogProps) {
  const [made, setMade] = useState<RotatedKey | null>(null)
  const [grace, setGrace] = useState(String(KEY_ROTATE_GRACE_S))
  const timeZone = useZone()
  const zoneText = useZoneText()
  const rotate = useRotateKey(key.id)
  const close = () => {
    setMade(null)
    rotate.reset()
    onClose()
  }
  return (
    <RotateDialog title="Rotate the key" opened={opened} isMade={made !== null} onClose={close}>
      {made === null ? (
        <Ask
          text={`“${key.name}” gets a new key. Put it on your server before the old one ends.`}
          label="How long the old key goes on"
          choices={graceChoices}
          value={grace}
          onChange={setGrace}
          warning={grace === '0' ? 'Your server is refused from that moment until it has the new key.' : null}
          error={rotate.error}
          isPending={rotate.isPending}
          onCancel={close}
          onGo={() => rotate.mutate(Number(grace), { onSuccess: setMade })}
        />
      ) : (
        <SecretsOnce
          name={key.name}
          apiKey={made.api_key}
          note={`The old key works until ${absolute(made.old_key_ends_at, { timeZone })}, ${zoneText}.`}
          onDone={close}
        />
      )}
    </RotateDialog>
  )
}

export function RotateSecret({ of: key, opened, onClose }: DialogProps) {
  const [made, setMade] = useState<RotatedSecret | null>(null)
  const [overlap, setOverlap] = useState('86400')
  const timeZone = useZone()
  const zoneText = useZoneText()
  const rotate = useRotateSecret(key.id)
  const close = () => {
    setMade(null)
    rotate.reset()
    onClose()
  }
  return (
    <RotateDialog title="Rotate the webhook secret" opened={opened} isMade={made !== null} onClose={close}>
      {made === null ? (
        <Ask
          text="While both secrets live, each webhook carries a signature of both, the newer first. Your server accepts either, so nothing is lost."
          label="How long both sign"
          choices={overlapChoices}
          value={overlap}
          onChange={setOverlap}
          warning={overlap === '0' ? 'Webhooks fail their check until your server has the new secret.' : null}
          error={rotate.error}
          isPending={rotate.isPending}
          onCancel={close}
          onGo={() => rotate.mutate(Number(overlap), { onSuccess: setMade })}
        />
      ) : (
        <SecretsOnce
          name={key.name}
          webhookSecret={made.webhook_secret}
          note={`The old secret signs too until ${absolute(made.old_secret_ends_at, { timeZone })}, ${zoneText}.`}
          onDone={close}
        />
      )}
    </RotateDialog>
  )
}

interface RotateDialogProps {
  title: string
  opened: boolean
  isMade: boolean
  onClose: () => void
  children: React.ReactNode
}

function RotateDialog({ title, opened, isMade, onClose, children }: RotateDialogProps) {
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={isMade ? 'Save this now' : title}
      size="lg"
      closeOnClickOutside={!isMade}
      closeOnEscape={!isMade}
      withCloseButton={!isMade}
    >
      {children}
    </Modal>
  )
}

interface AskProps {
  text: string
  label: string
  choices: readonly { value: string; label: string }[]
  value: string
  onChange: (value: string) => void
  warning: string | null
  error: unknown
  isPending: boolean
  onCancel: () => void
  onGo: () => void
}

function Ask(props: AskProps) {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        props.onGo()
      }}
    >
      <Stack gap={14}>
        <Text size="sm">{props.text}</Text>
        <Select
          label={props.label}
          data={[...props.choices]}
          value={props.value}
          allowDeselect={false}
          data-autofocus
          maw={260}
          onChange={(value) => value !== null && props.onChange(value)}
        />
        <Text size="sm" role="status" c="var(--fl-warn)" mih={20}>
          {props.warning}
        </Text>
        <ErrorNote error={props.error} />
        <Group justify="flex-end" gap={8}>
          <Button variant="default" size="sm" onClick={props.onCancel}>
            Cancel
          </Button>
          <Button type="submit" size="sm" loading={props.isPending}>
            Rotate
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
