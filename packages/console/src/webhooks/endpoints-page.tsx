// Receivers of the whole account: what each is told, how it fares, and what can be done with it.
import type { WebhookEndpoint } from '@florin/protocol'
import { Button, Group, Modal, Text } from '@mantine/core'
import { useState } from 'react'
import { SecretsOnce } from '../keys/secrets-once.tsx'
import { useLive } from '../mode.ts'
import { Badge } from '../ui/badge.tsx'
import { Card } from '../ui/card.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { Mono } from '../ui/copy.tsx'
import { Icon } from '../ui/icon.tsx'
import { notify } from '../ui/notify.ts'
import { Fact, Facts, Page } from '../ui/page.tsx'
import { Empty, ErrorNote, Lines } from '../ui/state.tsx'
import { When } from '../ui/time.tsx'
import { EndpointForm } from './endpoint-form.tsx'
import {
  type NewEndpoint,
  useChangeEndpoint,
  useDeleteEndpoint,
  useEndpoints,
  useRotateEndpoint,
  useTestEndpoint,
} from './endpoint-queries.ts'
import { WebhookTabs } from './tabs.tsx'
import classes from './webhooks.module.css'

export default function EndpointsPage() {
  const live = useLive()
  const { data, error, refetch } = useEndpoints()
  const [isAdding, setAdding] = useState(false)
  const [made, setMade] = useState<NewEndpoint | null>(null)
  const add = (
    <Button size="sm" leftSection={<Icon name="plus" size={15} />} onClick={() => setAdding(true)}>
      Add an endpoint
    </Button>
  )
  return (
    <Page
      title="Webhooks"
      lead={`An endpoint is told of every ${live ? 'live' : 'test'} order, beside the webhook_url of an order.`}
      actions={add}
    >
      <WebhookTabs />
      <ErrorNote error={error} onRetry={() => void refetch()} />
      {data === undefined && error === null ? (
        <Card>
          <Lines n={4} />
        </Card>
      ) : null}
      {data?.data.length === 0 ? (
        <Card>
          <Empty icon="webhook" title="No endpoint yet">
            Orders that no API key makes, from the console, a payment link or an invoice, are told to endpoints alone.
          </Empty>
        </Card>
      ) : null}
      {data?.data.map((endpoint) => (
        <Endpoint key={endpoint.id} of={endpoint} onMade={setMade} />
      ))}
      <Modal opened={isAdding} onClose={() => setAdding(false)} title="Add an endpoint" size="lg">
        <EndpointForm
          onCancel={() => setAdding(false)}
          onMade={(endpoint) => {
            setAdding(false)
            setMade(endpoint)
          }}
        />
      </Modal>
      <Modal
        opened={made !== null}
        onClose={() => setMade(null)}
        title="Save this now"
        size="lg"
        closeOnClickOutside={false}
        closeOnEscape={false}
        withCloseButton={false}
      >
        {made === null ? null : (
          <SecretsOnce
            name={made.description ?? new URL(made.url).host}
            webhookSecret={made.secret}
            onDone={() => setMade(null)}
          />
        )}
      </Modal>
    </Page>
  )
}

type Asked = 'delete' | 'rotate' | 'edit'

function Endpoint({ of: endpoint, onMade }: { of: WebhookEndpoint; onMade: (made: NewEndpoint) => void }) {
  const [asked, setAsked] = useState<Asked | null>(null)
  const change = useChangeEndpoint(endpoint.id)
  const remove = useDeleteEndpoint(endpoint.id)
  const rotate = useRotateEndpoint(endpoint.id)
  const sample = useTestEndpoint(endpoint.id)
  const { health } = endpoint
  const isOn = endpoint.status === 'enabled'
  const close = () => setAsked(null)
  return (
    <section className={classes.endpoint} aria-label={endpoint.url}>
      <Card>
        <div className={classes.endpointHead}>
          <strong>
            <bdi>{endpoint.description ?? new URL(endpoint.url).host}</bdi>
          </strong>
          <Badge tone={isOn ? (health.failing_since === null ? 'good' : 'bad') : 'calm'}>
            {isOn ? (health.failing_since === null ? 'Enabled' : 'Failing') : 'Disabled'}
          </Badge>
          {health.late === 0 ? null : <Badge tone="warn">Late</Badge>}
        </div>
        <Facts>
          <Fact name="URL">
            <Mono value={endpoint.url} what="URL" />
          </Fact>
          <Fact name="Told of">{endpoint.events.map((event) => event.replace(/^order\./, '')).join(', ')}</Fact>
          <Fact name="Last taken">
            {health.last_success_at === null ? 'Nothing yet' : <When at={health.last_success_at} />}
          </Fact>
          <Fact name="Last failed">{health.last_failure_at === null ? '–' : <When at={health.last_failure_at} />}</Fact>
          <Fact name="Waiting">
            <span className="nums">{health.retrying}</span>
          </Fact>
          {health.late === 0 ? null : (
            <Fact name="Late">
              <span className="nums">{health.late} due for more than a minute and not sent</span>
            </Fact>
          )}
          <Fact name="Given up">
            <span className="nums">{health.dead} in seven days</span>
          </Fact>
        </Facts>
        {endpoint.disabled_by === 'failures' ? (
          <Text size="sm" c="var(--fl-warn)" mt={8}>
            It took nothing for five days and was disabled. Enable it once it works; the list of deliveries sends again
            what it missed.
          </Text>
        ) : null}
        <Group gap={8} mt={12}>
          <Button
            size="sm"
            variant="default"
            loading={sample.isPending}
            onClick={() => sample.mutate(undefined, { onSuccess: (said) => notify(said.message) })}
          >
            Send a test
          </Button>
          <Button size="sm" variant="default" onClick={() => setAsked('edit')}>
            Edit
          </Button>
          <Button
            size="sm"
            variant="default"
            loading={change.isPending}
            onClick={() => change.mutate({ enabled: !isOn })}
          >
            {isOn ? 'Disable' : 'Enable'}
          </Button>
          <Button size="sm" variant="default" onClick={() => setAsked('rotate')}>
            Rotate the secret
          </Button>
          <Button size="sm" variant="default" onClick={() => setAsked('delete')}>
            Delete
          </Button>
        </Group>
        <ErrorNote error={change.error ?? sample.error} />
      </Card>
      <Modal opened={asked === 'edit'} onClose={close} title="Edit the endpoint" size="lg">
        <EndpointForm of={endpoint} onCancel={close} onMade={close} />
      </Modal>
      <Confirm
        opened={asked === 'rotate'}
        onClose={close}
        title="Rotate the secret?"
        action="Rotate"
        onConfirm={async () => onMade(await rotate.mutateAsync(86_400))}
      >
        A new secret signs from now on, and the old one beside it for a day. It is shown once.
      </Confirm>
      <Confirm
        opened={asked === 'delete'}
        onClose={close}
        title="Delete this endpoint?"
        action="Delete"
        isDangerous
        onConfirm={async () => {
          await remove.mutateAsync(undefined)
          notify('The endpoint was deleted.')
        }}
      >
        Nothing more is sent there, and what waits is given up. What was sent stays in the list of deliveries.
      </Confirm>
    </section>
  )
}
