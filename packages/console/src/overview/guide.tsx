// The set-up guide: four steps, each ticked by the merchant's own data, the next one open with what to do.
import { Button, Group, SegmentedControl, Text, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { type ReactNode, useState } from 'react'
import { useChains } from '../chains.ts'
import { keyDialog } from '../keys/dialog.ts'
import { maskedKey } from '../keys/queries.ts'
import { CreateOrder } from '../orders/create-order.tsx'
import { CodeBlock } from '../ui/copy.tsx'
import { middle } from '../ui/format.ts'
import { Icon } from '../ui/icon.tsx'
import { LinkButton } from '../ui/link.tsx'
import classes from './guide.module.css'
import type { Setup } from './setup.ts'
import { type SetupStep, setupSteps } from './setup-steps.ts'
import * as snippets from './snippets.ts'
import { WebhookStep } from './webhook-step.tsx'

const titles: Readonly<Record<SetupStep, string>> = {
  key: 'Make an API key',
  address: 'Set a receiving address',
  order: 'Create a test order',
  webhook: 'Receive a webhook',
}

export function SetupGuide({ setup }: { setup: Setup }) {
  const [opened, setOpened] = useState<SetupStep | null>(null)
  const shown = opened ?? setup.next
  const doneCount = setupSteps.filter((step) => setup.done[step]).length
  return (
    <section className={classes.guide} aria-label="Set-up guide">
      <header className={classes.head}>
        <h2 className={classes.title}>{setup.next === null ? 'You are set up' : 'Get your first payment'}</h2>
        <Text size="sm" c="dimmed" aria-live="polite">
          {doneCount} of {setupSteps.length} done
        </Text>
      </header>
      <ol className={classes.steps}>
        {setupSteps.map((step, n) => (
          <li key={step} className={classes.step} data-done={setup.done[step] ? true : undefined}>
            <UnstyledButton
              className={classes.stepHead}
              aria-expanded={shown === step}
              onClick={() => setOpened(shown === step ? null : step)}
            >
              <span className={classes.tick}>{setup.done[step] ? <Icon name="check" size={14} /> : n + 1}</span>
              <span className={classes.stepTitle}>{titles[step]}</span>
              <Summary step={step} setup={setup} />
              <Icon name={shown === step ? 'down' : 'right'} size={15} />
            </UnstyledButton>
            {shown === step ? (
              <div className={classes.body}>
                <Body step={step} setup={setup} />
              </div>
            ) : null}
          </li>
        ))}
      </ol>
    </section>
  )
}

/** What is there already, beside the step's name. */
function Summary({ step, setup }: { step: SetupStep; setup: Setup }) {
  const chains = useChains()
  const text =
    step === 'key' && setup.key !== null
      ? `${setup.key.name} · ${maskedKey(setup.key)}`
      : step === 'address' && setup.address !== null
        ? `${chains.name(setup.address.chain)} · ${middle(setup.address.address, 6, 4)}`
        : step === 'order' && setup.order !== null
          ? middle(setup.order.order_no, 10, 6)
          : step === 'webhook' && setup.done.webhook
            ? 'Arrived'
            : ''
  return <span className={classes.summary}>{text}</span>
}

function Body({ step, setup }: { step: SetupStep; setup: Setup }) {
  const values: snippets.SnippetValues = {
    baseUrl: location.origin,
    chain: setup.address?.chain ?? null,
    address: setup.address?.address ?? null,
    webhookUrl: setup.order?.webhook_url ?? null,
  }
  switch (step) {
    case 'key':
      return <KeyStep values={values} setup={setup} />
    case 'address':
      return (
        <>
          <Text size="sm">
            The money of your orders arrives there: an address of your own wallet, one for each chain you want.
          </Text>
          <Group gap={8}>
            <LinkButton to="/addresses" size="sm">
              {setup.done.address ? 'Receiving addresses' : 'Choose a chain'}
            </LinkButton>
          </Group>
          <Snippet label="set an address" curl={snippets.setAddressCurl(values)} note={tokenNote} />
        </>
      )
    case 'order':
      return <OrderStep values={values} setup={setup} />
    case 'webhook':
      return (
        <>
          <WebhookStep setup={setup} />
          <Snippet
            label="receive a webhook"
            curl={snippets.receiveCurl(values, setup.order?.order_no ?? null)}
            sdk={snippets.receiveSdk(values)}
          />
        </>
      )
  }
}

const tokenNote = 'The token is what POST /api/v1/auth/login answers with.'

interface StepProps {
  values: snippets.SnippetValues
  setup: Setup
}

function KeyStep({ values, setup }: StepProps) {
  return (
    <>
      <Text size="sm">
        Your server shows it with every call. A test key moves no real money. Its two secrets are shown once, so have a
        place for them ready.
      </Text>
      <Group gap={8}>
        <Button size="sm" variant={setup.done.key ? 'default' : 'filled'} onClick={keyDialog.open}>
          {setup.done.key ? 'Make another key' : 'Make a test key'}
        </Button>
      </Group>
      <Snippet label="make a key" curl={snippets.createKeyCurl(values)} note={tokenNote} />
    </>
  )
}

function OrderStep({ values, setup }: StepProps) {
  const [isOpen, create] = useDisclosure(false)
  return (
    <>
      <Text size="sm">
        From your server, with the key; or here, to see how it looks. Then open its checkout and pay with a button.
      </Text>
      <Group gap={8}>
        <Button size="sm" variant={setup.done.order ? 'default' : 'filled'} onClick={create.open}>
          Create one here
        </Button>
        {setup.order === null ? null : (
          <LinkButton to="/orders/$orderNo" params={{ orderNo: setup.order.order_no }} size="sm" variant="default">
            Open the newest
          </LinkButton>
        )}
      </Group>
      <Snippet label="create an order" curl={snippets.createOrderCurl(values)} sdk={snippets.createOrderSdk(values)} />
      <CreateOrder opened={isOpen} onClose={create.close} />
    </>
  )
}

function Snippet({ label, curl, sdk, note }: { label: string; curl: string; sdk?: string; note?: ReactNode }) {
  const [kind, setKind] = useState<'sdk' | 'curl'>(sdk === undefined ? 'curl' : 'sdk')
  return (
    <div className={classes.snippet}>
      {sdk === undefined ? null : (
        <SegmentedControl
          size="xs"
          aria-label={`Code to ${label}`}
          value={kind}
          onChange={(value) => setKind(value === 'sdk' ? 'sdk' : 'curl')}
          data={[
            { value: 'sdk', label: 'Node SDK' },
            { value: 'curl', label: 'curl' },
          ]}
        />
      )}
      <CodeBlock label={`code to ${label}`} code={kind === 'sdk' && sdk !== undefined ? sdk : curl} />
      {note === undefined ? null : (
        <Text size="xs" c="dimmed">
          {note}
        </Text>
      )}
    </div>
  )
}
