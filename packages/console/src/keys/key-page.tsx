// The page of one key: what it is, what it may do, and everything that can be done to it.
import { Button, Skeleton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { getRouteApi } from '@tanstack/react-router'
import { ModeBadge } from '../ui/badge.tsx'
import { Act, Card } from '../ui/card.tsx'
import { Mono } from '../ui/copy.tsx'
import { bps } from '../ui/format.ts'
import { Fact, Facts, Page, Section } from '../ui/page.tsx'
import { ErrorNote, Lines } from '../ui/state.tsx'
import { useNow, When } from '../ui/time.tsx'
import { EditKey } from './edit-key.tsx'
import classes from './keys.module.css'
import { KeyBadge } from './page.tsx'
import { type ApiKey, keyState, maskedKey, useKey } from './queries.ts'
import { RevokeKey } from './revoke-key.tsx'
import { RotateKey, RotateSecret } from './rotate.tsx'
import { SendTestEvent } from './test-event.tsx'

const route = getRouteApi('/shell/keys/$id')

export default function KeyPage() {
  const { id } = route.useParams()
  const { data: key, error, refetch } = useKey(id)
  const back = { to: '/keys', label: 'API keys' } as const
  if (error !== null && key === undefined) {
    return (
      <Page title="API key" back={back}>
        <ErrorNote error={error} onRetry={() => void refetch()} />
      </Page>
    )
  }
  if (key === undefined) {
    return (
      <Page
        title="API key"
        heading={
          <Skeleton height={26} width={180}>
            API key
          </Skeleton>
        }
        back={back}
      >
        <Lines n={6} />
      </Page>
    )
  }
  return (
    <Page
      title={key.name}
      back={back}
      lead={
        <>
          <ModeBadge live={key.mode === 'live'} /> <KeyBadge of={key} />
        </>
      }
    >
      <KeyFacts of={key} />
      <KeyActs of={key} />
    </Page>
  )
}

function KeyFacts({ of: key }: { of: ApiKey }) {
  return (
    <Card>
      <Facts>
        <Fact name="Key">
          <code>{maskedKey(key)}</code>
        </Fact>
        <Fact name="Id">
          <Mono value={key.id} what="key id" />
        </Fact>
        <Fact name="May do">
          <span className={classes.scopes}>
            {key.scopes.map((scope) => (
              <code key={scope}>{scope}</code>
            ))}
          </span>
        </Fact>
        <Fact name="Fee">{key.fee_bps === 0 ? 'None' : `${bps(key.fee_bps)} of each order`}</Fact>
        <Fact name="Last used">{key.last_used_at === null ? 'Never' : <When at={key.last_used_at} as="full" />}</Fact>
        <Fact name="Created">
          <When at={key.created_at} as="full" />
        </Fact>
        <Fact name="Expires">{key.expires_at === null ? 'Never' : <When at={key.expires_at} as="full" />}</Fact>
        {key.revoked_at === null ? null : (
          <Fact name="Revoked">
            <When at={key.revoked_at} as="full" />
          </Fact>
        )}
      </Facts>
    </Card>
  )
}

function KeyActs({ of: key }: { of: ApiKey }) {
  const isActive = keyState(key, useNow()) === 'active'
  const [editing, edit] = useDisclosure(false)
  const [rotating, rotate] = useDisclosure(false)
  const [rotatingSecret, rotateSecret] = useDisclosure(false)
  const [revoking, revoke] = useDisclosure(false)
  return (
    <>
      <Section title="Webhooks of this key">
        <Card>
          <SendTestEvent of={key} />
          <Act
            title="Webhook secret"
            text="Signs the webhooks of every order made with this key. Rotate it when it may have been seen by others."
          >
            <Button variant="default" onClick={rotateSecret.open}>
              Rotate the secret
            </Button>
          </Act>
        </Card>
      </Section>
      {key.revoked_at !== null ? null : (
        <Section title="The key itself">
          <Card>
            <Act title="Name and scopes" text="What it is called here, and what it may do. Changes count at once.">
              <Button variant="default" onClick={edit.open}>
                Edit
              </Button>
            </Act>
            {isActive ? (
              <Act title="Rotate" text="Get a new key; the old one goes on for as long as you say, so nothing stops.">
                <Button variant="default" onClick={rotate.open}>
                  Rotate the key
                </Button>
              </Act>
            ) : null}
            <Act title="Revoke" text="The key is refused from that moment on. Orders made with it go on.">
              <Button variant="default" c="var(--fl-bad)" onClick={revoke.open}>
                Revoke the key
              </Button>
            </Act>
          </Card>
        </Section>
      )}
      <EditKey of={key} opened={editing} onClose={edit.close} />
      <RotateKey of={key} opened={rotating} onClose={rotate.close} />
      <RotateSecret of={key} opened={rotatingSecret} onClose={rotateSecret.close} />
      <RevokeKey of={key} opened={revoking} onClose={revoke.close} />
    </>
  )
}
