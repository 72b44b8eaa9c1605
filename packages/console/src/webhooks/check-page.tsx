// The signature checker: paste what arrived and read exactly why it fails. It runs in the browser alone.

import type { SignatureVerdict } from '@florin/protocol/signature-web'
import { Button, Checkbox, FileButton, Group, PasswordInput, Stack, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import { bytes, relative } from '../ui/format.ts'
import { Icon } from '../ui/icon.tsx'
import { Page } from '../ui/page.tsx'
import { checkSignature } from './check.ts'
import { WebhookTabs } from './tabs.tsx'
import classes from './webhooks.module.css'

interface Bytes {
  name: string
  bytes: Uint8Array
}

export default function CheckPage() {
  const [body, setBody] = useState('')
  const [file, setFile] = useState<Bytes | null>(null)
  const [header, setHeader] = useState('')
  const [secret, setSecret] = useState('')
  const [checkAge, setCheckAge] = useState(false)
  const [verdict, setVerdict] = useState<{ of: SignatureVerdict; at: number } | null>(null)
  // Browsers give their cryptography to pages over https and on this machine only.
  const canCheck = globalThis.isSecureContext

  const run = async () => {
    const now = Date.now()
    const input = { body: file?.bytes ?? body, header, secrets: secret, checkAge, now: now / 1000 }
    setVerdict({ of: await checkSignature(input), at: now })
  }
  /** What was said of other input must not stand beside this. */
  const changed = () => setVerdict(null)
  return (
    <Page
      title="Webhooks"
      lead="Why does my receiver refuse a webhook? Paste what arrived. Nothing is sent anywhere: the check runs in this page."
    >
      <WebhookTabs />
      <form
        className={classes.checker}
        onSubmit={(event) => {
          event.preventDefault()
          void run()
        }}
      >
        <Stack gap={14}>
          <div>
            <Textarea
              label="Raw body"
              description="The bytes as they arrived, before any parser"
              autosize
              minRows={6}
              maxRows={14}
              spellCheck={false}
              disabled={file !== null}
              classNames={{ input: classes.paste ?? '' }}
              value={file === null ? body : `The ${bytes(file.bytes.length)} of ${file.name}`}
              onChange={(event) => {
                setBody(event.currentTarget.value)
                changed()
              }}
            />
            <Group gap={8} mt={6}>
              <FileButton
                onChange={(chosen) => {
                  changed()
                  void chosen
                    ?.arrayBuffer()
                    .then((buffer) => setFile({ name: chosen.name, bytes: new Uint8Array(buffer) }))
                }}
              >
                {(props) => (
                  <Button {...props} variant="default" leftSection={<Icon name="upload" size={14} />}>
                    Use a file
                  </Button>
                )}
              </FileButton>
              {file === null ? (
                <Text size="xs" c="dimmed">
                  A file keeps line ends and marks that pasting may change.
                </Text>
              ) : (
                <Button
                  variant="subtle"
                  color="gray"
                  onClick={() => {
                    setFile(null)
                    changed()
                  }}
                >
                  Paste instead
                </Button>
              )}
            </Group>
          </div>
          <Textarea
            label="X-Service-Signature"
            placeholder="t=…,v1=…"
            autosize
            minRows={1}
            maxRows={4}
            spellCheck={false}
            classNames={{ input: classes.paste ?? '' }}
            value={header}
            onChange={(event) => {
              setHeader(event.currentTarget.value)
              changed()
            }}
          />
          <PasswordInput
            label="Webhook secret"
            placeholder="whsec_…"
            autoComplete="off"
            data-1p-ignore
            classNames={{ innerInput: classes.paste ?? '' }}
            value={secret}
            onChange={(event) => {
              setSecret(event.currentTarget.value)
              changed()
            }}
          />
          <Checkbox
            label="Refuse signatures older than 5 minutes"
            description="As your receiver should. Leave it off for a webhook out of a log."
            checked={checkAge}
            onChange={(event) => {
              setCheckAge(event.currentTarget.checked)
              changed()
            }}
          />
          <div>
            <Button type="submit" size="sm" disabled={!canCheck} leftSection={<Icon name="shield" size={15} />}>
              Check the signature
            </Button>
          </div>
        </Stack>
        <div className={classes.verdict} role="status">
          {canCheck ? (
            <VerdictText verdict={verdict} />
          ) : (
            <Text size="sm">Browsers allow this check over https and on localhost only.</Text>
          )}
        </div>
      </form>
    </Page>
  )
}

function VerdictText({ verdict }: { verdict: { of: SignatureVerdict; at: number } | null }) {
  if (verdict === null) {
    return (
      <Text size="sm" c="dimmed">
        The result stands here: that the signature fits, or what exactly is wrong and what to change.
      </Text>
    )
  }
  const { of, at } = verdict
  if (of.ok) {
    return (
      <div className={classes.said} data-tone="good">
        <Icon name="check" size={18} />
        <div>
          <strong>The signature fits.</strong>
          <p>
            Body, header and secret belong together. It was signed{' '}
            {relative(new Date(of.timestamp * 1000).toISOString(), at)}.
          </p>
        </div>
      </div>
    )
  }
  return (
    <div className={classes.said} data-tone="bad">
      <Icon name="warning" size={18} />
      <div>
        <strong>The signature does not fit.</strong>
        <p>{of.message}</p>
        <p>
          Reason <code>{of.variant === null ? of.reason : `${of.reason} / ${of.variant}`}</code>
        </p>
      </div>
    </div>
  )
}
