// Signing in: an email, then the code that was mailed to it. Nothing says whether the email is known.
import { Anchor, Button, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useEndedBecause, useSession } from '../session.ts'
import { Mark } from '../ui/icon.tsx'
import { ErrorNote } from '../ui/state.tsx'
import { CodeStep } from './code-step.tsx'
import { LinkStep } from './link-step.tsx'
import classes from './login.module.css'
import { type CodeSent, requestCode } from './queries.ts'
import { Refused } from './refused.tsx'

const route = getRouteApi('/login')

/** Behind the #, so that no server hears of it. */
function linkOfMail(): string | null {
  return new URLSearchParams(window.location.hash.slice(1)).get('link')
}

export default function LoginPage() {
  const { next } = route.useSearch()
  const navigate = useNavigate()
  const current = useSession()
  const ended = useEndedBecause()
  const [email, setEmail] = useState('')
  const [link, setLink] = useState(linkOfMail)
  const [sent, setSent] = useState<{ email: string; answer: CodeSent; at: number } | null>(null)

  useEffect(() => {
    document.title = 'Sign in · Florin'
  }, [])
  useEffect(() => {
    if (current === null) return
    // Only an address within the console is gone back to.
    const isInside = next?.startsWith('/') === true && !next.startsWith('//')
    if (isInside) void navigate({ href: next, replace: true })
    else void navigate({ to: '/', replace: true })
  }, [current, next, navigate])

  const ask = useMutation({
    mutationFn: (to: string) => requestCode(to),
    onSuccess: (answer, to) => setSent({ email: to, answer, at: Date.now() }),
  })

  return (
    <main className={classes.screen}>
      <div className={classes.card}>
        <div className={classes.brand}>
          <Mark size={34} />
          <span>Florin</span>
        </div>
        {ended === 'merchant_suspended' || ended === 'merchant_closed' ? (
          <Refused
            standing={ended}
            onOther={() => {
              setSent(null)
              setLink(null)
            }}
          />
        ) : link !== null ? (
          <LinkStep token={link} onOther={() => setLink(null)} />
        ) : sent === null ? (
          <form
            noValidate
            onSubmit={(event) => {
              event.preventDefault()
              if (email.trim() !== '') ask.mutate(email.trim())
            }}
          >
            <Stack gap={16}>
              <div>
                <h1 className={classes.title}>Sign in</h1>
                <Text size="sm" c="dimmed">
                  We mail you a code. There is no password.
                </Text>
              </div>
              {ended === 'expired' ? (
                <Text size="sm" role="status" className={classes.note}>
                  Your session has ended. Sign in again to go on.
                </Text>
              ) : null}
              <TextInput
                label="Email"
                type="email"
                name="email"
                autoComplete="email"
                inputMode="email"
                size="md"
                autoFocus
                required
                withAsterisk={false}
                value={email}
                onChange={(event) => setEmail(event.currentTarget.value)}
              />
              <ErrorNote error={ask.error} />
              <Button type="submit" size="md" fullWidth loading={ask.isPending} disabled={email.trim() === ''}>
                Send me a code
              </Button>
            </Stack>
          </form>
        ) : (
          <CodeStep sent={sent} onAgain={setSent} onOtherEmail={() => setSent(null)} />
        )}
      </div>
      <Text size="xs" c="dimmed" ta="center" mt={20}>
        Payments settle on your own addresses.{' '}
        <Anchor href="/docs" underline="always">
          API reference
        </Anchor>
      </Text>
    </main>
  )
}
