// The making of a test order: as few fields as it takes, then to its page.

import { digitsOf, EXTERNAL_ID_MAX, TITLE_MAX, URL_MAX } from '@florin/protocol'
import { Button, Group, Modal, Select, Stack, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useAddresses } from '../addresses/queries.ts'
import { useChains } from '../chains.ts'
import { useTestKeys } from '../keys/queries.ts'
import { useMerchant } from '../login/queries.ts'
import { setLive } from '../mode.ts'
import { useSellingCurrency } from '../selling/currency.ts'
import { amountIn, MoneyField, orderAmount } from '../selling/money-field.tsx'
import { LinkButton } from '../ui/link.tsx'
import { Empty, ErrorNote } from '../ui/state.tsx'
import { type TestOrderWish, useCreateTestOrder } from './queries.ts'

interface CreateOrderProps {
  opened: boolean
  onClose: () => void
  /** Left out, the order's page is gone to. */
  onMade?: () => void
}

export function CreateOrder({ opened, onClose, onMade }: CreateOrderProps) {
  return (
    <Modal opened={opened} onClose={onClose} title="Create a test order">
      <FormOrWhatIsMissing onCancel={onClose} onMade={onMade} />
    </Modal>
  )
}

type FormProps = { onCancel: () => void; onMade: (() => void) | undefined }

/** An order needs an address that it settles to. */
function FormOrWhatIsMissing(props: FormProps) {
  const addresses = useAddresses().data
  if (addresses?.data.length === 0) {
    return (
      <Empty
        icon="wallet"
        title="Set a receiving address first"
        action={
          <LinkButton to="/addresses" size="sm">
            Set an address
          </LinkButton>
        }
      >
        Even a test order says where its money would arrive.
      </Empty>
    )
  }
  return <Form {...props} />
}

function Form({ onCancel, onMade }: FormProps) {
  const testKeys = useTestKeys().data
  const chains = useChains()
  const navigate = useNavigate()
  const addresses = useAddresses().data?.data ?? []
  const { data: merchant } = useMerchant()
  const create = useCreateTestOrder()
  const [currency, setCurrency] = useSellingCurrency()
  const [typed, setAmount] = useState<string | null>(null)
  const amount = typed ?? (digitsOf(currency) === 0 ? '5000' : '49.90')
  const [title, setTitle] = useState('')
  const [reference, setReference] = useState('')
  const [webhookUrl, setWebhookUrl] = useState('')
  const [chosen, setChosen] = useState<string | null>(null)
  const chain = chosen ?? merchant?.default_settle_chain ?? addresses[0]?.chain ?? null
  const plain = amountIn(amount, currency)

  const wish = (plain: string): TestOrderWish => ({
    ...orderAmount(plain, currency),
    ...(chain === null ? {} : { settle_chain: chain }),
    ...(title.trim() === '' ? {} : { title: title.trim() }),
    ...(reference.trim() === '' ? {} : { external_id: reference.trim() }),
    ...(webhookUrl.trim() === '' ? {} : { webhook_url: webhookUrl.trim() }),
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (plain === null) return
        create.mutate(wish(plain), {
          onSuccess: (order) => {
            setLive(false)
            if (onMade !== undefined) onMade()
            else void navigate({ to: '/orders/$orderNo', params: { orderNo: order.order_no } })
          },
        })
      }}
    >
      <Stack gap={14}>
        <MoneyField label="Amount" isFirst {...{ amount, currency }} onAmount={setAmount} onCurrency={setCurrency} />
        <Select
          label="Settles on"
          description="An order over the API that names no chain can be paid on any chain that has an address of yours and is set up for live money."
          data={addresses.map((address) => ({ value: address.chain, label: chains.name(address.chain) }))}
          value={chain}
          allowDeselect={false}
          onChange={setChosen}
        />
        <TextInput
          label="Title"
          description="Shown on the checkout. May be empty."
          maxLength={TITLE_MAX}
          value={title}
          onChange={(event) => setTitle(event.currentTarget.value)}
        />
        <TextInput
          label="Your reference"
          description="Comes back as external_id. May be empty."
          maxLength={EXTERNAL_ID_MAX}
          value={reference}
          onChange={(event) => setReference(event.currentTarget.value)}
        />
        {testKeys === undefined || testKeys.length === 0 ? null : (
          <TextInput
            label="Webhook URL"
            description="Told of every change. May be empty."
            type="url"
            maxLength={URL_MAX}
            placeholder="https://shop.example/webhooks/florin"
            value={webhookUrl}
            onChange={(event) => setWebhookUrl(event.currentTarget.value)}
          />
        )}
        <ErrorNote error={create.error} />
        <Group justify="flex-end" gap={8}>
          <Button variant="default" size="sm" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" size="sm" loading={create.isPending} disabled={plain === null}>
            Create order
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
