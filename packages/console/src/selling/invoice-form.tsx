// The making of an invoice. What it adds up to is worked out by the server, which rounds; the sum here is of the same rule.
import {
  addDays,
  dayOf,
  INVOICE_LINE_TEXT_MAX,
  INVOICE_LINES_MAX,
  INVOICE_NOTE_MAX,
  INVOICE_PARTY_MAX,
  PAYER_NAME_MAX,
} from '@florin/protocol'
import { ActionIcon, Button, Checkbox, Group, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Icon } from '../ui/icon.tsx'
import { useZoneText } from '../ui/time.tsx'
import { useZone } from '../zone.ts'
import { adds, type DraftLine } from './adds.ts'
import { useSellingCurrency } from './currency.ts'
import { CurrencySelect } from './money-field.tsx'
import { useMakeInvoice } from './queries.ts'
import classes from './selling.module.css'
import { Submit } from './submit.tsx'
import { useTexts } from './use-texts.ts'
import { money } from './words.tsx'

let made = 0
const emptyLine = (): DraftLine => ({ id: ++made, description: '', quantity: '1', unit: '' })

export function InvoiceForm() {
  const zone = useZone()
  const zoneText = useZoneText()
  const dayFrom = (days: number): string => addDays(dayOf(new Date(), zone), days)
  const create = useMakeInvoice()
  const navigate = useNavigate()
  const [currency, setCurrency] = useSellingCurrency()
  const [lines, setLines] = useState<DraftLine[]>(() => [emptyLine()])
  const { texts, text } = useTexts({
    email: '',
    name: '',
    details: '',
    seller: '',
    note: '',
    percent: '',
    label: 'VAT',
    due: dayFrom(14),
  })
  const [isSent, setSent] = useState(true)
  const change = (id: number, more: Partial<DraftLine>) =>
    setLines((before) => before.map((line) => (line.id === id ? { ...line, ...more } : line)))
  const sum = adds(lines, texts.percent, currency)
  const hasEmail = texts.email.trim() !== ''
  const given = (name: string, value: string) => (value.trim() === '' ? {} : { [name]: value.trim() })
  const send = () =>
    create.mutate(
      {
        ...{ currency, due_date: texts.due },
        lines: sum?.lines,
        ...(texts.percent.trim() === ''
          ? {}
          : { tax: { label: texts.label.trim() || 'Tax', percent: texts.percent.trim().replace(',', '.') } }),
        ...given('payer_email', texts.email),
        ...given('payer_name', texts.name),
        ...given('payer_details', texts.details),
        ...given('seller_details', texts.seller),
        ...given('note', texts.note),
        ...(hasEmail && isSent ? { send: true } : {}),
      },
      { onSuccess: (invoice) => void navigate({ to: '/invoices/$id', params: { id: invoice.id } }) },
    )
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (sum !== null) send()
      }}
    >
      <Stack gap={14}>
        <div className={classes.pair}>
          <TextInput label="Client" description="A name or a company." maxLength={PAYER_NAME_MAX} {...text('name')} />
          <TextInput
            label="Client’s email"
            description="Where the invoice goes."
            type="email"
            maxLength={254}
            {...text('email')}
          />
        </div>
        <div className={classes.pair}>
          <Textarea
            label="Client’s address, tax number"
            autosize
            minRows={2}
            maxLength={INVOICE_PARTY_MAX}
            {...text('details')}
          />
          <Textarea
            label="Your address, tax number"
            autosize
            minRows={2}
            maxLength={INVOICE_PARTY_MAX}
            {...text('seller')}
          />
        </div>
        <div className={classes.pair}>
          <CurrencySelect currency={currency} onCurrency={setCurrency} />
          <TextInput label={`Due, a day of ${zoneText}`} type="date" required min={dayFrom(0)} {...text('due')} />
        </div>
        <Text size="sm" fw={550} mt={4}>
          Lines
        </Text>
        {lines.map((line, n) => (
          <div key={line.id} className={classes.line}>
            <TextInput
              label={`Item ${n + 1}`}
              maxLength={INVOICE_LINE_TEXT_MAX}
              value={line.description}
              onChange={(event) => change(line.id, { description: event.currentTarget.value })}
            />
            <TextInput
              label="Quantity"
              inputMode="decimal"
              value={line.quantity}
              onChange={(event) => change(line.id, { quantity: event.currentTarget.value })}
            />
            <TextInput
              label={`Price (${currency})`}
              inputMode="decimal"
              value={line.unit}
              onChange={(event) => change(line.id, { unit: event.currentTarget.value })}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              size={30}
              aria-label={`Remove item ${n + 1}`}
              disabled={lines.length === 1}
              onClick={() => setLines((before) => before.filter(({ id }) => id !== line.id))}
            >
              <Icon name="trash" size={15} />
            </ActionIcon>
          </div>
        ))}
        <Group justify="space-between">
          <Button
            variant="default"
            size="sm"
            leftSection={<Icon name="plus" size={14} />}
            disabled={lines.length >= INVOICE_LINES_MAX}
            onClick={() => setLines((before) => [...before, emptyLine()])}
          >
            Add a line
          </Button>
          <Text className={classes.total} aria-live="polite">
            {sum === null ? '' : `Total ${money(sum.total, currency)}`}
          </Text>
        </Group>
        <div className={classes.pair}>
          <TextInput label="Tax" description="Its name on the invoice." maxLength={40} {...text('label')} />
          <TextInput label="Tax in percent" description="Empty: none." inputMode="decimal" {...text('percent')} />
        </div>
        <Textarea
          label="Note"
          description="Below the total. May be empty."
          autosize
          minRows={2}
          maxLength={INVOICE_NOTE_MAX}
          {...text('note')}
        />
        {hasEmail ? (
          <Checkbox label="Mail it now" checked={isSent} onChange={(event) => setSent(event.currentTarget.checked)} />
        ) : null}
        <Submit of={create} isReady={sum !== null && texts.due !== ''}>
          Create the invoice
        </Submit>
      </Stack>
    </form>
  )
}
