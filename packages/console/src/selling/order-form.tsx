// One payment: what it takes to ask somebody for money, and then the link to give them.
import { EXTERNAL_ID_MAX, type Order, TITLE_MAX } from '@florin/protocol'
import { Button, Select, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Card } from '../ui/card.tsx'
import { LinkButton } from '../ui/link.tsx'
import { Section } from '../ui/page.tsx'
import { useSellingCurrency } from './currency.ts'
import { amountIn, MoneyField, orderAmount } from './money-field.tsx'
import { useSellOrder } from './queries.ts'
import classes from './selling.module.css'
import { Share } from './share.tsx'
import { Submit } from './submit.tsx'
import { money } from './words.tsx'

const times = [
  { value: '1800', label: '30 minutes' },
  { value: '3600', label: '1 hour' },
  { value: '14400', label: '4 hours' },
  { value: '86400', label: '1 day' },
]

export function OrderForm() {
  const create = useSellOrder()
  const [currency, setCurrency] = useSellingCurrency()
  const [amount, setAmount] = useState('')
  const [title, setTitle] = useState('')
  const [reference, setReference] = useState('')
  const [email, setEmail] = useState('')
  const [seconds, setSeconds] = useState('3600')
  const plain = amountIn(amount, currency)
  if (create.data !== undefined) return <Made order={create.data} onMore={() => create.reset()} />
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (plain === null) return
        create.mutate({
          ...orderAmount(plain, currency),
          ...(title.trim() === '' ? {} : { title: title.trim() }),
          ...(reference.trim() === '' ? {} : { external_id: reference.trim() }),
          ...(email.trim() === '' ? {} : { payer_email: email.trim() }),
          expires_in: Number(seconds),
        })
      }}
    >
      <Stack gap={14}>
        <MoneyField label="Amount" isRequired {...{ amount, currency }} onAmount={setAmount} onCurrency={setCurrency} />
        <TextInput
          label="What it is for"
          description="Shown to the payer. May be empty."
          maxLength={TITLE_MAX}
          value={title}
          onChange={(event) => setTitle(event.currentTarget.value)}
        />
        <div className={classes.pair}>
          <TextInput
            label="Your reference"
            description="For you alone. May be empty."
            maxLength={EXTERNAL_ID_MAX}
            value={reference}
            onChange={(event) => setReference(event.currentTarget.value)}
          />
          <TextInput
            label="Payer’s email"
            description="Gets the receipt. May be empty."
            type="email"
            maxLength={254}
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
        </div>
        <Select
          label="Open for"
          description="The price in coins is held for as long."
          data={times}
          value={seconds}
          allowDeselect={false}
          onChange={(value) => setSeconds(value ?? '3600')}
        />
        <Submit of={create} isReady={plain !== null}>
          Create the payment
        </Submit>
      </Stack>
    </form>
  )
}

function Made({ order, onMore }: { order: Order; onMore: () => void }) {
  return (
    <Section title={`${money(order.amount, order.currency)} to pay`}>
      <Card>
        <Share url={order.checkout_url} title={order.title ?? 'Payment'}>
          <LinkButton to="/orders/$orderNo" params={{ orderNo: order.order_no }} variant="default" size="sm">
            See the order
          </LinkButton>
        </Share>
      </Card>
      <Button variant="subtle" size="sm" mt={12} onClick={onMore}>
        Make another
      </Button>
    </Section>
  )
}
