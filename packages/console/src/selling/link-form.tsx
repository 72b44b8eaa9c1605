// The making of a payment link: title and price, and behind a fold what few need.
import {
  type Asked,
  DESCRIPTION_MAX,
  momentAt,
  PAYMENT_LINK_QUANTITY_MAX,
  PAYMENT_LINK_STOCK_MAX,
  SUCCESS_TEXT_MAX,
  TITLE_MAX,
} from '@florin/protocol'
import { NumberInput, SegmentedControl, Select, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useZoneText } from '../ui/time.tsx'
import { useZone } from '../zone.ts'
import { useSellingCurrency } from './currency.ts'
import { amountIn, CurrencySelect, MoneyField } from './money-field.tsx'
import { useMakeLink } from './queries.ts'
import classes from './selling.module.css'
import { Submit } from './submit.tsx'
import { useTexts } from './use-texts.ts'

const asks = [
  { value: 'no', label: 'Do not ask' },
  { value: 'optional', label: 'Ask' },
  { value: 'required', label: 'Require' },
]

export function LinkForm() {
  const zone = useZone()
  const zoneText = useZoneText()
  const create = useMakeLink()
  const navigate = useNavigate()
  const [currency, setCurrency] = useSellingCurrency()
  const [isOpen, setOpen] = useState(false)
  const { texts, set, text } = useTexts({
    title: '',
    description: '',
    amount: '',
    min: '',
    max: '',
    success: '',
    ends: '',
  })
  const [asked, setAsked] = useState<Record<'email' | 'name' | 'note', Asked>>({
    email: 'optional',
    name: 'no',
    note: 'no',
  })
  const [quantity, setQuantity] = useState<number | string>(1)
  const [stock, setStock] = useState<number | string>('')
  const amount = amountIn(texts.amount, currency)
  const bound = (typed: string) => (typed.trim() === '' ? undefined : amountIn(typed, currency))
  const [min, max] = [bound(texts.min), bound(texts.max)]
  const isReady = texts.title.trim() !== '' && (isOpen ? min !== null && max !== null : amount !== null)
  const send = () =>
    create.mutate(
      {
        ...{ title: texts.title.trim(), currency },
        ...(isOpen
          ? { ...(min ? { amount_min: min } : {}), ...(max ? { amount_max: max } : {}) }
          : { amount, quantity_max: Number(quantity) || 1 }),
        ...(texts.description.trim() === '' ? {} : { description: texts.description.trim() }),
        ...(texts.success.trim() === '' ? {} : { success_text: texts.success.trim() }),
        ...(texts.ends === '' ? {} : { ends_at: momentAt(texts.ends, zone).toISOString() }),
        ...(stock === '' ? {} : { stock: Number(stock) }),
        ...{ ask_email: asked.email, ask_name: asked.name, ask_note: asked.note },
      },
      { onSuccess: (link) => void navigate({ to: '/links/$id', params: { id: link.id } }) },
    )
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (isReady) send()
      }}
    >
      <Stack gap={14}>
        <TextInput
          label="Title"
          description="The heading of the page."
          required
          maxLength={TITLE_MAX}
          {...text('title')}
        />
        <SegmentedControl
          aria-label="Who says the amount"
          value={isOpen ? 'open' : 'fixed'}
          data={[
            { value: 'fixed', label: 'Fixed price' },
            { value: 'open', label: 'The payer says how much' },
          ]}
          onChange={(value) => setOpen(value === 'open')}
        />
        {isOpen ? (
          <div className={classes.pair}>
            <CurrencySelect currency={currency} onCurrency={setCurrency} />
            <div className={classes.pair}>
              <TextInput
                label="At least"
                inputMode="decimal"
                {...text('min')}
                {...(min === null ? { error: 'No amount.' } : {})}
              />
              <TextInput
                label="At most"
                inputMode="decimal"
                {...text('max')}
                {...(max === null ? { error: 'No amount.' } : {})}
              />
            </div>
          </div>
        ) : (
          <MoneyField
            label="Price"
            isRequired
            amount={texts.amount}
            currency={currency}
            onAmount={set('amount')}
            onCurrency={setCurrency}
          />
        )}
        <Textarea
          label="Description"
          description="May be empty."
          autosize
          minRows={2}
          maxLength={DESCRIPTION_MAX}
          {...text('description')}
        />
        <div className={classes.pair}>
          <NumberInput
            label="In stock"
            description="Empty: no end. Held for half an hour once somebody starts."
            {...{ min: 0, max: PAYMENT_LINK_STOCK_MAX, allowDecimal: false, value: stock, onChange: setStock }}
          />
          {isOpen ? null : (
            <NumberInput
              label="How many at once"
              description="1: the payer is not asked."
              {...{
                min: 1,
                max: PAYMENT_LINK_QUANTITY_MAX,
                allowDecimal: false,
                value: quantity,
                onChange: setQuantity,
              }}
            />
          )}
        </div>
        <Text size="sm" fw={550} mt={4}>
          What the payer is asked
        </Text>
        <div className={classes.pair}>
          {(['email', 'name', 'note'] as const).map((field) => (
            <Select
              key={field}
              label={{ email: 'Email, for the receipt', name: 'Name', note: 'A note to you' }[field]}
              data={asks}
              value={asked[field]}
              allowDeselect={false}
              onChange={(how) => setAsked((before) => ({ ...before, [field]: (how ?? 'no') as Asked }))}
            />
          ))}
          <TextInput
            label="Ends"
            description={`In ${zoneText}. Empty: never.`}
            type="datetime-local"
            {...text('ends')}
          />
        </div>
        <Textarea
          label="After the payment"
          description="Your words on the page of a paid order. May be empty."
          autosize
          minRows={2}
          maxLength={SUCCESS_TEXT_MAX}
          {...text('success')}
        />
        <Submit of={create} isReady={isReady}>
          Create the link
        </Submit>
      </Stack>
    </form>
  )
}
