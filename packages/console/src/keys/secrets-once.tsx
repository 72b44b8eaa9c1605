// The one showing of secrets: copy buttons, and no way on before their owner says that they are saved.
import { Button, Checkbox, Group, Stack, Text } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { useState } from 'react'
import { CodeBlock, CopyIcon } from '../ui/copy.tsx'
import { Icon } from '../ui/icon.tsx'
import classes from './keys.module.css'

interface SecretsOnceProps {
  name: string
  apiKey?: string
  webhookSecret?: string
  /** What becomes of the old one, after a rotation. */
  note?: string
  onDone: () => void
}

export function SecretsOnce({ name, apiKey, webhookSecret, note, onDone }: SecretsOnceProps) {
  const [isSaved, setSaved] = useState(false)
  useBlocker({
    shouldBlockFn: () => !isSaved && !window.confirm('Leave? What is shown here cannot be shown again.'),
    enableBeforeUnload: () => !isSaved,
  })
  const lines = [
    ...(apiKey === undefined ? [] : [`FLORIN_API_KEY=${apiKey}`]),
    ...(webhookSecret === undefined ? [] : [`FLORIN_WEBHOOK_SECRET=${webhookSecret}`]),
    `FLORIN_BASE_URL=${location.origin}`,
  ]
  const both = apiKey !== undefined && webhookSecret !== undefined
  return (
    <Stack gap={14}>
      <div className={classes.once}>
        <Icon name="shield" size={18} />
        <Text size="sm">
          {both ? 'These two secrets' : 'This secret'} of “{name}” {both ? 'are' : 'is'} shown now and never again. We
          keep no copy that could be shown.
        </Text>
      </div>
      {apiKey === undefined ? null : <Secret label="API key" value={apiKey} use="Your server sends it as X-API-Key." />}
      {webhookSecret === undefined ? null : (
        <Secret
          label="Webhook secret"
          value={webhookSecret}
          use="Your server checks the signature of webhooks with it."
        />
      )}
      {note === undefined ? null : <Text size="sm">{note}</Text>}
      <div>
        <Text size="sm" fw={500} mb={4}>
          As lines of an .env file
        </Text>
        <CodeBlock label=".env lines" code={lines.join('\n')} />
      </div>
      <Checkbox
        checked={isSaved}
        onChange={(event) => setSaved(event.currentTarget.checked)}
        label={`I saved ${both ? 'them' : 'it'} where only my server can read ${both ? 'them' : 'it'}`}
      />
      <Group justify="flex-end">
        <Button size="sm" disabled={!isSaved} onClick={onDone}>
          Done
        </Button>
      </Group>
    </Stack>
  )
}

function Secret({ label, value, use }: { label: string; value: string; use: string }) {
  return (
    <div>
      <Text size="sm" fw={500}>
        {label}
      </Text>
      <Text size="xs" c="dimmed" mb={4}>
        {use}
      </Text>
      <div className={classes.secret}>
        <code data-secret>{value}</code>
        <CopyIcon value={value} label={`Copy ${label}`} size={28} />
      </div>
    </div>
  )
}
