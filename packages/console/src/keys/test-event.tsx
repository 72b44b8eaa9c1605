// The sending of a sample webhook: signed with this key's secret, marked as a test, and answered with what came back.

import { eventKinds } from '@florin/protocol'
import { Button, Select, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Badge } from '../ui/badge.tsx'
import { CodeBlock } from '../ui/copy.tsx'
import { latency } from '../ui/format.ts'
import { Icon } from '../ui/icon.tsx'
import { ErrorNote } from '../ui/state.tsx'
import { type ApiKey, type TestEventAnswer, useSendTestEvent } from './queries.ts'
import classes from './test-event.module.css'

export function SendTestEvent({ of: key }: { of: ApiKey }) {
  const [url, setUrl] = useState('')
  const [event, setEvent] = useState<string>('order.success')
  const send = useSendTestEvent(key.id)
  return (
    <form
      className={classes.form}
      onSubmit={(submit) => {
        submit.preventDefault()
        if (url.trim() !== '') send.mutate({ url: url.trim(), event })
      }}
    >
      <div>
        <Text size="sm" fw={550}>
          Send a test event
        </Text>
        <Text size="sm" c="dimmed">
          A sample, marked as one and signed with this key’s webhook secret, so that your server’s check is tried too.
        </Text>
      </div>
      <div className={classes.fields}>
        <TextInput
          label="URL of your receiver"
          type="url"
          placeholder="https://shop.example/webhooks/florin"
          className={classes.url}
          value={url}
          onChange={(change) => setUrl(change.currentTarget.value)}
        />
        <Select
          label="Event"
          data={[...eventKinds]}
          value={event}
          allowDeselect={false}
          onChange={(value) => value !== null && setEvent(value)}
        />
        <Button
          type="submit"
          variant="default"
          size="sm"
          loading={send.isPending}
          disabled={url.trim() === ''}
          leftSection={<Icon name="send" size={15} />}
        >
          Send
        </Button>
      </div>
      <div aria-live="polite">
        <ErrorNote error={send.error} />
        {send.data === undefined ? null : <Answer of={send.data} />}
      </div>
    </form>
  )
}

function Answer({ of: answer }: { of: TestEventAnswer }) {
  const sent = [
    ...Object.entries(answer.sent.headers).map(([name, value]) => `${name}: ${value}`),
    '',
    answer.sent.body,
  ].join('\n')
  return (
    <div className={classes.answer}>
      <Badge tone={answer.ok ? 'good' : 'bad'}>
        {answer.http_status === null ? 'No answer' : `HTTP ${answer.http_status}`}
      </Badge>
      {answer.latency_ms === null ? null : (
        <Text size="sm" c="dimmed" className="nums">
          {latency(answer.latency_ms)}
        </Text>
      )}
      <Text size="sm">{answer.message}</Text>
      {answer.response_excerpt === null || answer.response_excerpt === '' ? null : <pre>{answer.response_excerpt}</pre>}
      <details>
        <summary>What was sent</summary>
        <CodeBlock label="request as it was sent" code={sent} maxHeight={260} />
      </details>
    </div>
  )
}
