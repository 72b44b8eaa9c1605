// The form of an endpoint: where, what for, and what it is told of.
import { eventKinds, NAME_MAX, URL_MAX, updateKinds, type WebhookEndpoint, type WebhookKind } from '@florin/protocol'
import { Button, Checkbox, Group, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { ErrorNote } from '../ui/state.tsx'
import { type NewEndpoint, useChangeEndpoint, useCreateEndpoint } from './endpoint-queries.ts'

const updateWords: Readonly<Record<(typeof updateKinds)[number], string>> = {
  'order.updated.payment_seen': 'A payment was seen, and does not count yet',
  'order.updated.partially_paid': 'Less came than is needed',
  'order.updated.refund_sent': 'A refund is on the chain',
  'order.updated.refund_recorded': 'A refund of your own was recorded',
  'order.updated.reorged': 'A payment, settlement or refund left the chain again',
}

interface FormProps {
  of?: WebhookEndpoint
  onCancel: () => void
  onMade: (made: NewEndpoint) => void
}

export function EndpointForm({ of: old, onCancel, onMade }: FormProps) {
  const [url, setUrl] = useState(old?.url ?? '')
  const [description, setDescription] = useState(old?.description ?? '')
  const [events, setEvents] = useState<readonly WebhookKind[]>(old?.events ?? eventKinds)
  const create = useCreateEndpoint()
  const change = useChangeEndpoint(old?.id ?? '')
  const wish = {
    url: url.trim(),
    description: description.trim() === '' ? null : description.trim(),
    events: [...events],
  }
  const isWhole = wish.url !== '' && events.length > 0
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (!isWhole) return
        if (old === undefined) create.mutate(wish, { onSuccess: onMade })
        else change.mutate(wish, { onSuccess: onCancel })
      }}
    >
      <Stack gap={14}>
        <TextInput
          label="URL"
          placeholder="https://shop.example/webhooks/florin"
          maxLength={URL_MAX}
          data-autofocus
          required
          withAsterisk={false}
          value={url}
          onChange={(event) => setUrl(event.currentTarget.value)}
        />
        <TextInput
          label="Description"
          description="For you. May be empty."
          maxLength={NAME_MAX}
          value={description}
          onChange={(event) => setDescription(event.currentTarget.value)}
        />
        <Checkbox.Group
          label="Told of"
          value={[...events]}
          onChange={(value) => setEvents([...eventKinds, ...updateKinds].filter((kind) => value.includes(kind)))}
        >
          <Stack gap={6} mt={6}>
            {eventKinds.map((kind) => (
              <Checkbox key={kind} value={kind} label={kind} />
            ))}
            {updateKinds.map((kind) => (
              <Checkbox key={kind} value={kind} label={kind} description={updateWords[kind]} />
            ))}
          </Stack>
        </Checkbox.Group>
        <ErrorNote error={create.error ?? change.error} />
        <Group justify="flex-end" gap={8}>
          <Button variant="default" size="sm" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" size="sm" loading={create.isPending || change.isPending} disabled={!isWhole}>
            {old === undefined ? 'Add the endpoint' : 'Save'}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
