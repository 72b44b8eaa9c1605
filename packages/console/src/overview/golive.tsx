// The checklist of live mode: from sign-in to the first real dollar, ticked off by what the service and the merchant's
// data say. Nothing is shown once real money has settled.
import type { Order } from '@florin/protocol'
import { Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useAddresses } from '../addresses/queries.ts'
import { boss, type Page } from '../api.ts'
import { carriesLive, useChains } from '../chains.ts'
import { useIsOperator, useMerchant } from '../login/queries.ts'
import { keys } from '../query-keys.ts'
import { CodeBlock } from '../ui/copy.tsx'
import { LinkButton } from '../ui/link.tsx'
import { type GoLive, type GoLiveStep, goLiveOf, goLiveSteps } from './golive-steps.ts'
import { NameStep } from './name-step.tsx'
import { Steps } from './steps.tsx'

const titles: Readonly<Record<GoLiveStep, string>> = {
  chain: 'A chain that carries real money',
  name: 'Your shop’s name',
  address: 'A receiving address for real money',
  order: 'Make a live order',
  paid: 'The first real payment',
}

function useLiveOrders(status: Order['status'] | null) {
  return useQuery({
    queryKey: keys.orders(true, 'go live', status),
    queryFn: ({ signal }) =>
      boss.get<Page<Order>>('/orders', { livemode: true, limit: 1, ...(status === null ? {} : { status }) }, signal),
  }).data
}

/** Null until everything is known. */
export function useGoLive(): GoLive | null {
  const { list } = useChains()
  const addresses = useAddresses().data
  const merchant = useMerchant().data
  const made = useLiveOrders(null)
  const settled = useLiveOrders('success')
  if (list.length === 0 || !addresses || !merchant || !made || !settled) return null
  return goLiveOf({
    name: merchant.name,
    liveChains: list.filter(carriesLive).map((chain) => chain.id),
    addressChains: addresses.data.map((address) => address.chain),
    hasOrder: made.data.length > 0,
    hasSettled: settled.data.length > 0,
  })
}

export function GoLiveGuide({ of: goLive }: { of: GoLive }) {
  const [opened, setOpened] = useState<GoLiveStep | null | undefined>(undefined)
  const shown = opened === undefined ? goLive.next : opened
  return (
    <Steps
      label="Checklist to go live"
      title={goLive.next === null ? 'You are live' : 'To the first real dollar'}
      steps={goLiveSteps.map((step) => ({ step, title: titles[step], isDone: goLive.done[step], summary: '' }))}
      shown={shown}
      onShow={(step) => setOpened(step)}
      body={(step) => <Body step={step} onDone={() => setOpened(undefined)} />}
    />
  )
}

function Body({ step, onDone }: { step: GoLiveStep; onDone: () => void }): ReactNode {
  const chains = useChains()
  const isOperator = useIsOperator()
  const live = chains.list.filter(carriesLive)
  switch (step) {
    case 'chain':
      return live.length > 0 ? (
        <Text size="sm">Real money can settle on {live.map((chain) => chain.name).join(', ')}.</Text>
      ) : (
        <>
          <Text size="sm">
            Nothing carries real money here yet. Whoever runs this Florin deploys the contracts and names a rails file
            in RAILS_CONFIG: /docs/going-live leads through it, and this command, in the folder of its source, looks at
            every point.
          </Text>
          <CodeBlock
            label="command that looks at every point"
            code="./florin golive base --base-url https://pay.shop.example"
          />
          {isOperator ? null : <Text size="sm">Ask the operator of this service. Test mode works meanwhile.</Text>}
        </>
      )
    case 'name':
      return <NameStep onDone={onDone} />
    case 'address':
      return (
        <>
          <Text size="sm">An address of a wallet that is yours alone, on a chain marked “Real money”.</Text>
          <Group>
            <LinkButton to="/addresses" size="sm">
              Choose a chain
            </LinkButton>
          </Group>
        </>
      )
    case 'order':
      return (
        <>
          <Text size="sm">From your server with a live key, or here. One dollar of your own is a good beginning.</Text>
          <Group gap={8}>
            <LinkButton to="/orders" size="sm">
              Orders
            </LinkButton>
            <LinkButton to="/keys" size="sm" variant="default">
              API keys
            </LinkButton>
          </Group>
        </>
      )
    case 'paid':
      return (
        <Text size="sm">
          Open the checkout of your order and pay it from a wallet. It counts once the money is settled on your address;
          compare the amount there.
        </Text>
      )
  }
}
