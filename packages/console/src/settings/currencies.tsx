// What the merchant chooses about currencies: where new prices begin, whose sums come first, and which rates are taken.
import type { CurrencyList, CurrencySettings } from '@florin/protocol'
import { Button, Group, NumberInput, Select, Stack, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { boss } from '../api.ts'
import { keys } from '../query-keys.ts'
import { rememberCurrency } from '../selling/currency.ts'
import { useSession } from '../session.ts'
import { Card } from '../ui/card.tsx'
import { notify } from '../ui/notify.ts'
import { ErrorNote, Lines } from '../ui/state.tsx'
import { currencyQuery } from './currency-queries.ts'

export function CurrencySection() {
  const { data, error, refetch } = useQuery(currencyQuery)
  if (error !== null && data === undefined) return <ErrorNote error={error} onRetry={() => void refetch()} />
  return <Card>{data === undefined ? <Lines n={4} /> : <Form key={JSON.stringify(data.settings)} list={data} />}</Card>
}

const names = new Intl.DisplayNames('en', { type: 'currency' })
const labelOf = (code: string): string => `${code} · ${names.of(code) ?? code}`
const percent = (bps: number): number => bps / 100
const bps = (value: number | string): number => Math.round(Number(value) * 100) || 0

function Form({ list }: { list: CurrencyList }) {
  const [to, setTo] = useState(list.settings)
  const client = useQueryClient()
  const email = useSession()?.email
  const save = useMutation({
    mutationFn: () => boss.patch<CurrencySettings>('/currencies', to),
    onSuccess: (settings) => {
      // The next form begins with it, whatever was used before.
      if (settings.default_currency !== list.settings.default_currency) rememberCurrency(email, null)
      client.setQueryData(keys.currencies(), { ...list, settings })
      notify('The currencies were changed.')
    },
  })
  const change = (part: Partial<CurrencySettings>): void => setTo({ ...to, ...part })
  const all = list.currencies.map(({ code }) => ({ value: code, label: labelOf(code) }))
  const isSame = JSON.stringify(to) === JSON.stringify(list.settings)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate()
      }}
    >
      <Stack gap={14} maw={520}>
        {list.is_on ? null : (
          <Text size="sm">The operator of this service turned exchange rates off: prices are in US dollars.</Text>
        )}
        <Select
          label="Default currency"
          description="New orders, links and invoices begin with it."
          data={all}
          value={to.default_currency}
          searchable
          allowDeselect={false}
          onChange={(code) => change({ default_currency: code ?? 'USD' })}
        />
        <Select
          label="Display currency"
          description="Statistics are told in it. What orders asked for in other currencies is told at the rate of now, with ≈; no order changes."
          data={all}
          value={to.display_currency}
          searchable
          allowDeselect={false}
          onChange={(code) => change({ display_currency: code ?? 'USD' })}
        />
        <NumberInput
          label="Spread"
          description="Added to every exchange rate, for you."
          suffix=" %"
          min={0}
          max={10}
          step={0.1}
          decimalScale={2}
          value={percent(to.spread_bps)}
          onChange={(value) => change({ spread_bps: bps(value) })}
        />
        <ErrorNote error={save.error} />
        <Group>
          <Button type="submit" size="sm" loading={save.isPending} disabled={isSame}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
