// What the guide says about webhooks: what stands in the way, from the newest delivery itself.
import { Group, Text } from '@mantine/core'
import { LinkAnchor, LinkButton } from '../ui/link.tsx'
import { attemptErrorText } from '../webhooks/words.ts'
import type { Setup } from './setup.ts'
import { webhookTrouble } from './setup-steps.ts'

export function WebhookStep({ setup }: { setup: Setup }) {
  return (
    <>
      <Text size="sm">Your server is told of each change of an order, signed, so that it need not ask.</Text>
      <Trouble setup={setup} />
      <Group gap={8}>
        {setup.key === null ? null : (
          <LinkButton to="/keys/$id" params={{ id: setup.key.id }} size="sm">
            Send a test event
          </LinkButton>
        )}
        <LinkButton to="/webhooks/check" size="sm" variant="default">
          Check a signature
        </LinkButton>
      </Group>
    </>
  )
}

function Trouble({ setup }: { setup: Setup }) {
  const trouble = webhookTrouble(setup)
  const delivery = setup.newestDelivery
  if (trouble === null) return null
  if (trouble === 'failing' && delivery !== null) {
    const last = delivery.attempts.at(-1)
    return (
      <Text size="sm" role="status" c="var(--fl-bad)">
        The newest webhook did not arrive. {attemptErrorText(last?.error ?? null)}{' '}
        <LinkAnchor to="/webhooks/$id" params={{ id: delivery.id }} size="sm">
          See the delivery
        </LinkAnchor>
      </Text>
    )
  }
  return (
    <Text size="sm" role="status" c="var(--fl-warn)">
      {trouble === 'no_url'
        ? 'Your newest order has no webhook_url. Give one when you create the next.'
        : 'Your newest order has a webhook URL. Pay it, or use its simulate buttons, and the first webhook goes out.'}
    </Text>
  )
}
