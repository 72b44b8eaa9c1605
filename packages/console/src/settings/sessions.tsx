// The list of sessions: where one is signed in, and ending one or all of them.
import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { type SessionItem, sessionsQuery, signOutEverywhere, useEndSession } from '../login/queries.ts'
import { Badge } from '../ui/badge.tsx'
import { Card } from '../ui/card.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { ErrorNote, Lines } from '../ui/state.tsx'
import { When } from '../ui/time.tsx'
import { deviceName } from './device.ts'
import classes from './settings.module.css'

export function Sessions() {
  const { data, error, refetch } = useQuery(sessionsQuery)
  const [isAsking, ask] = useDisclosure(false)
  const end = useEndSession()
  if (error !== null && data === undefined) return <ErrorNote error={error} onRetry={() => void refetch()} />
  return (
    <>
      <Card>
        {data === undefined ? (
          <Lines n={3} />
        ) : (
          <ul className={classes.sessions} aria-label="Sessions">
            {data.data.map((item) => (
              <Session
                key={item.id}
                of={item}
                isEnding={end.isPending && end.variables === item.id}
                onEnd={() => end.mutate(item.id)}
              />
            ))}
          </ul>
        )}
        <ErrorNote error={end.error} />
      </Card>
      <Button mt={10} variant="default" size="sm" onClick={ask.open}>
        Sign out everywhere
      </Button>
      <Confirm
        opened={isAsking}
        onClose={ask.close}
        title="Sign out everywhere?"
        action="Sign out everywhere"
        isDangerous
        onConfirm={signOutEverywhere}
      >
        Every session ends at once, this one too. API keys go on.
      </Confirm>
    </>
  )
}

function Session({ of: item, isEnding, onEnd }: { of: SessionItem; isEnding: boolean; onEnd: () => void }) {
  const device = deviceName(item.user_agent)
  return (
    <li className={classes.session}>
      <div className={classes.words}>
        <span className={classes.device}>
          {device} {item.current ? <Badge tone="good">This one</Badge> : null}
        </span>
        <small title={item.user_agent ?? undefined}>
          {item.ip ?? 'Unknown address'} · seen <When at={item.last_seen_at} as="relative" /> · signed in{' '}
          <When at={item.created_at} />
        </small>
      </div>
      {item.current ? null : (
        <Button
          variant="default"
          flex="none"
          loading={isEnding}
          onClick={onEnd}
          aria-label={`End the session of ${device}`}
        >
          End
        </Button>
      )}
    </li>
  )
}
