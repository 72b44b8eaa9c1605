// The replay of a range: which deliveries, then how far it has come.
import { isoIn, momentAt } from '@florin/protocol'
import { Button, Group, Progress, Radio, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useLive } from '../mode.ts'
import { Card } from '../ui/card.tsx'
import { absolute, count } from '../ui/format.ts'
import { LinkButton } from '../ui/link.tsx'
import { Page } from '../ui/page.tsx'
import { ErrorNote } from '../ui/state.tsx'
import { useZoneText } from '../ui/time.tsx'
import { useZone } from '../zone.ts'
import { type ReplayStatus, useReplay, useStartReplay } from './queries.ts'
import { WebhookTabs } from './tabs.tsx'
import classes from './webhooks.module.css'

const HOUR_MS = 3_600_000

/** As a datetime-local input takes it, in the merchant's time zone. */
const localInput = (ms: number, zone: string): string => isoIn(new Date(ms), zone).slice(0, 16)

export default function ReplayPage() {
  const [running, setRunning] = useState<string | null>(null)
  const zone = useZone()
  return (
    <Page
      title="Webhooks"
      lead="After an outage of your receiver: send again what did not arrive. Replayed webhooks have the same event ids, so a receiver that drops what it knows takes each once."
    >
      <WebhookTabs />
      <Card>
        {running === null ? (
          // The fields hold times of one zone.
          <Form key={zone} onStarted={setRunning} />
        ) : (
          <Progressing id={running} onAgain={() => setRunning(null)} />
        )}
      </Card>
    </Page>
  )
}

function Form({ onStarted }: { onStarted: (id: string) => void }) {
  const live = useLive()
  const zone = useZone()
  const zoneText = useZoneText()
  const [from, setFrom] = useState(() => localInput(Date.now() - 24 * HOUR_MS, zone))
  // The field has whole minutes: without the one that has begun, what just failed would be left out.
  const [to, setTo] = useState(() => localInput(Date.now() + 60_000, zone))
  const [status, setStatus] = useState<ReplayStatus>('dead')
  const start = useStartReplay()
  const isRange = from !== '' && to !== '' && from < to
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (!isRange) return
        const range = { from: momentAt(from, zone).toISOString(), to: momentAt(to, zone).toISOString() }
        start.mutate({ ...range, status, livemode: live }, { onSuccess: (replay) => onStarted(replay.id) })
      }}
    >
      <Stack gap={16}>
        <Group gap={12} align="flex-start">
          <TextInput
            label="From"
            description={zoneText}
            type="datetime-local"
            value={from}
            onChange={(event) => setFrom(event.currentTarget.value)}
          />
          <TextInput
            label="To"
            description={zoneText}
            type="datetime-local"
            value={to}
            onChange={(event) => setTo(event.currentTarget.value)}
            {...(isRange ? {} : { error: 'The end lies after the beginning.' })}
          />
        </Group>
        <Radio.Group
          label="What to send again"
          value={status}
          onChange={(value) => setStatus(value === 'succeeded' ? 'succeeded' : 'dead')}
        >
          <Stack gap={8} mt={6}>
            <Radio value="dead" label="Dead deliveries" description="All five attempts failed" />
            <Radio value="succeeded" label="Delivered ones" description="Your receiver answered 2xx, and lost them" />
          </Stack>
        </Radio.Group>
        <ErrorNote error={start.error} />
        <div>
          <Button type="submit" size="sm" loading={start.isPending} disabled={!isRange}>
            Replay {live ? 'live' : 'test'} deliveries
          </Button>
        </div>
      </Stack>
    </form>
  )
}

function Progressing({ id, onAgain }: { id: string; onAgain: () => void }) {
  const { data: replay, error, refetch } = useReplay(id)
  const timeZone = useZone()
  const share = replay === undefined || replay.total === 0 ? 0 : ((replay.resent + replay.skipped) / replay.total) * 100
  const isDone = replay?.state === 'done'
  return (
    <Stack gap={12} aria-live="polite">
      <Text size="sm" fw={600}>
        {isDone ? 'Done' : 'Sending again …'}
      </Text>
      <Progress value={isDone ? 100 : share} aria-label="Replayed" animated={!isDone} />
      <Text size="sm" className="nums">
        {replay === undefined
          ? 'Counting …'
          : `${count(replay.resent)} of ${count(replay.total)} ${replay.total === 1 ? 'delivery' : 'deliveries'}`}
        {replay === undefined ? null : (
          <span className={classes.dim}>
            {' '}
            · {absolute(replay.from, { timeZone })} to {absolute(replay.to, { timeZone })}
          </span>
        )}
      </Text>
      {isDone && replay.skipped > 0 ? (
        <Text size="sm">{count(replay.skipped)} were left out: their bodies are past their retention.</Text>
      ) : null}
      {isDone && replay.total === 0 ? <Text size="sm">Nothing in this range fits. Try a longer one.</Text> : null}
      <ErrorNote error={error} onRetry={() => void refetch()} />
      {isDone ? (
        <Group gap={8}>
          <LinkButton to="/webhooks" size="sm" variant="default">
            See the deliveries
          </LinkButton>
          <Button size="sm" variant="subtle" onClick={onAgain}>
            Another range
          </Button>
        </Group>
      ) : null}
    </Stack>
  )
}
