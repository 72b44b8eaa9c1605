// The six boxes: typing and pasting fill them, the last digit signs in, and a new code can be asked for when the
// server allows one.

import { Anchor, Button, Group, PinInput, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { ApiError } from '../api.ts'
import { ErrorNote } from '../ui/state.tsx'
import classes from './login.module.css'
import { type CodeSent, requestCode, signIn } from './queries.ts'

interface Sent {
  email: string
  answer: CodeSent
  /** Milliseconds. */
  at: number
}

interface CodeStepProps {
  sent: Sent
  onAgain: (sent: Sent) => void
  onOtherEmail: () => void
}

/** Whole seconds until `at`, counted down every second; 0 once it is past. */
function useSecondsUntil(at: number): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  return Math.max(0, Math.ceil((at - now) / 1000))
}

export function CodeStep({ sent, onAgain, onOtherEmail }: CodeStepProps) {
  const length = sent.answer.code_length
  const isLong = length > 6
  const [code, setCode] = useState('')
  const boxes = useRef<HTMLFieldSetElement>(null)
  const focusFirst = () => boxes.current?.querySelector('input')?.focus()

  const enter = useMutation({
    mutationFn: (digits: string) => signIn(sent.email, digits),
    onError: (error) => {
      // A network fault says nothing about the code: the digits stay, to be tried again.
      if (error instanceof ApiError && error.status === 0) return
      setCode('')
      focusFirst()
    },
  })
  const bare = (text: string) => (isLong ? text.replace(/[\s-]/g, '') : text)
  const submit = (text: string) => {
    setCode(text)
    if (bare(text).length === length && !enter.isPending) enter.mutate(text)
  }
  const again = useMutation({
    mutationFn: () => requestCode(sent.email),
    onSuccess: (answer) => {
      enter.reset()
      setCode('')
      onAgain({ email: sent.email, answer, at: Date.now() })
      focusFirst()
    },
  })
  const failedWait = again.error instanceof ApiError ? (again.error.retryAfterS ?? 0) : 0
  const wait = useSecondsUntil(
    Math.max(sent.at + sent.answer.resend_after * 1000, again.submittedAt + failedWait * 1000),
  )
  const isOver = useSecondsUntil(sent.at + sent.answer.expires_in * 1000) === 0

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        submit(code)
      }}
    >
      <Stack gap={16}>
        <div>
          <h1 className={classes.title}>Enter the code</h1>
          <Text size="sm" c="dimmed">
            If <strong className={classes.email}>{sent.email}</strong> can sign in here, a code of{' '}
            {isLong ? 'twelve characters' : 'six digits'} is on its way. It is good for{' '}
            {Math.round(sent.answer.expires_in / 60)} minutes.
          </Text>
        </div>
        {isLong ? (
          <TextInput
            label="Code from the mail"
            description="Codes are longer for now, because somebody tried wrong ones."
            size="md"
            autoFocus
            autoComplete="one-time-code"
            autoCapitalize="characters"
            spellCheck={false}
            aria-describedby="code-trouble"
            error={enter.isError}
            value={code}
            onChange={(event) => submit(event.currentTarget.value)}
          />
        ) : (
          <fieldset
            ref={boxes}
            className={classes.boxes}
            aria-describedby="code-trouble"
            onPasteCapture={(event) => {
              // "123 456" and "Code: 123456" are the code too; what is longer or shorter is left to the boxes.
              const digits = event.clipboardData.getData('text').replace(/\D/g, '')
              if (digits.length !== length) return
              event.preventDefault()
              event.stopPropagation()
              submit(digits)
            }}
          >
            <legend className={classes.legend}>Code from the mail</legend>
            <PinInput
              length={length}
              type="number"
              size="lg"
              gap={8}
              oneTimeCode
              classNames={{ pinInput: classes.box ?? '' }}
              autoFocus
              placeholder=""
              inputMode="numeric"
              value={code}
              error={enter.isError}
              onChange={setCode}
              onComplete={submit}
              getInputProps={(n) => ({ 'aria-label': `Digit ${n + 1} of ${length}` })}
            />
          </fieldset>
        )}
        <div id="code-trouble">
          <ErrorNote error={enter.error ?? again.error} />
          {isOver && !enter.isError ? (
            <Text size="sm" role="status">
              This code is no longer good. Ask for a new one.
            </Text>
          ) : null}
        </div>
        <Button type="submit" size="md" fullWidth loading={enter.isPending} disabled={bare(code).length < length}>
          Sign in
        </Button>
        <Group justify="space-between" gap={8}>
          <Anchor component="button" type="button" size="sm" onClick={onOtherEmail}>
            Use another email
          </Anchor>
          {wait > 0 ? (
            <Text size="sm" c="dimmed" className="nums">
              New code in {wait} s
            </Text>
          ) : (
            <Anchor
              component="button"
              type="button"
              size="sm"
              disabled={again.isPending}
              onClick={() => again.mutate()}
            >
              Send a new code
            </Anchor>
          )}
        </Group>
      </Stack>
    </form>
  )
}
