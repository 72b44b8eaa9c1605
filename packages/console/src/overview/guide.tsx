// The set-up guide: each step is ticked by the merchant's own data, the next one open with what to do.
import { Button, Group, SegmentedControl, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { type ReactNode, useState } from 'react'
import { useChains } from '../chains.ts'
import { keyDialog } from '../keys/dialog.ts'
import { maskedKey } from '../keys/queries.ts'
import { CreateOrder } from '../orders/create-order.tsx'
import { useSimulate } from '../orders/queries.ts'
import { CodeBlock } from '../ui/copy.tsx'
import { middle } from '../ui/format.ts'
import { LinkButton } from '../ui/link.tsx'
import { ErrorNote } from '../ui/state.tsx'
import { AddressStep } from './address-step.tsx'
import classes from './guide.module.css'
import { NameStep } from './name-step.tsx'
import type { Setup } from './setup.ts'
import { type SetupStep, setupSteps } from './setup-steps.ts'
import * as snippets from './snippets.ts'
import { Steps } from './steps.tsx'
import { WebhookStep } from './webhook-step.tsx'

const titles: Readonly<Record<SetupStep, string>> = {
  name: 'Name your shop',
  address: 'Set a receiving address',
  order: 'Make and pay a test order',
  key: 'Make an API key',
  webhook: 'Receive a webhook',
}

export function SetupGuide({ setup }: { setup: Setup }) {
  // Undefined: the next step, so that the guide goes on by itself; a step that was opened by hand stays.
  const [opened, setOpened] = useState<SetupStep | null | undefined>(undefined)
  const chains = useChains()
  const summaries: Readonly<Record<SetupStep, string>> = {
    name: setup.name ?? '',
    address:
      setup.address === null ? '' : `${chains.name(setup.address.chain)} · ${middle(setup.address.address, 6, 4)}`,
    order: setup.order === null ? '' : middle(setup.order.order_no, 10, 6),
    key: setup.key === null ? '' : `${setup.key.name} · ${maskedKey(setup.key)}`,
    webhook: setup.done.webhook ? 'Arrived' : '',
  }
  return (
    <Steps
      label="Set-up guide"
      title={setup.next === null ? 'You are set up' : 'Get your first payment'}
      steps={setupSteps.map((step) => ({
        ...{ step, title: titles[step], isDone: setup.done[step], summary: summaries[step] },
        ...(step === 'key' ? { heading: 'If a server of yours makes the orders' } : {}),
      }))}
      shown={opened === undefined ? setup.next : opened}
      onShow={setOpened}
      body={(step) => (
        <Body step={step} setup={setup} onStart={() => setOpened(step)} onDone={() => setOpened(undefined)} />
      )}
    />
  )
}

interface BodyProps {
  step: SetupStep
  setup: Setup
  onStart: () => void
  onDone: () => void
}

function Body({ step, setup, onStart, onDone }: BodyProps) {
  const values: snippets.SnippetValues = {
    baseUrl: location.origin,
    chain: setup.address?.chain ?? null,
    address: setup.address?.address ?? null,
    webhookUrl: setup.order?.webhook_url ?? null,
  }
  switch (step) {
    case 'name':
      return <NameStep onDone={onDone} />
    case 'key':
      return <KeyStep values={values} setup={setup} />
    case 'address':
      return <AddressStep onStart={onStart} onDone={onDone} />
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
  const { order } = setup
  const chains = useChains()
  const isPayable = order?.status === 'pending' || order?.status === 'processing'
  // The sandbox is there for every chain, and only its money can be made to move by a button.
  const isOnTestChain = (chains.get(order?.settle_chain ?? '')?.rails.filter((rail) => !rail.livemode).length ?? 0) > 1
  return (
    <>
      <Text size="sm">
        See how it looks to a payer. No real money moves, and the order settles as a real one would.
      </Text>
      <Group gap={8}>
        {isPayable && !isOnTestChain ? (
          <PayTest orderNo={order.order_no} isPaid={order.status === 'processing'} />
        ) : null}
        <Button size="sm" variant={order === null ? 'filled' : 'default'} onClick={create.open}>
          {order === null ? 'Make a test order' : 'Make another one'}
        </Button>
        {order === null ? null : (
          <>
            <Button component="a" href={order.checkout_url} target="_blank" rel="noopener" size="sm" variant="default">
              See the checkout
            </Button>
            <LinkButton to="/orders/$orderNo" params={{ orderNo: order.order_no }} size="sm" variant="default">
              Open the order
            </LinkButton>
          </>
        )}
      </Group>
      {isPayable && isOnTestChain ? (
        <Text size="sm">
          {chains.name(order.settle_chain)} is a real test chain here: see the checkout and pay there from a wallet, or
          settle a test order on another chain.
        </Text>
      ) : null}
      {setup.key === null ? null : (
        <Snippet
          label="create an order"
          curl={snippets.createOrderCurl(values)}
          sdk={snippets.createOrderSdk(values)}
        />
      )}
      <CreateOrder opened={isOpen} onClose={create.close} onMade={create.close} />
    </>
  )
}

/** Paid and settled in one press: an order that was paid already is settled alone. */
function PayTest({ orderNo, isPaid }: { orderNo: string; isPaid: boolean }) {
  const simulate = useSimulate(orderNo)
  const payAndSettle = async () => {
    if (!isPaid) await simulate.mutateAsync({ action: 'pay' })
    await simulate.mutateAsync({ action: 'settle' })
  }
  return (
    <>
      <Button size="sm" loading={simulate.isPending} onClick={() => void payAndSettle().catch(() => undefined)}>
        Pay the test order
      </Button>
      <ErrorNote error={simulate.error} />
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
