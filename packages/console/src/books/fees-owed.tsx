// Fees of orders that were paid to the merchant's own wallet: nothing was taken on the way, so they are asked for afterwards.
import { dayOf, type FeesOwed } from '@florin/protocol'
import { Select } from '@mantine/core'
import { useState } from 'react'
import { useChains } from '../chains.ts'
import { useIsOperator } from '../login/queries.ts'
import { units } from '../ui/format.ts'
import { Section } from '../ui/page.tsx'
import { ErrorNote } from '../ui/state.tsx'
import { type Column, Table } from '../ui/table.tsx'
import { useZoneText } from '../ui/time.tsx'
import { useZone } from '../zone.ts'
import { useFeesOwed } from './queries.ts'
import { lastMonths, monthText } from './words.ts'

type Row = FeesOwed['data'][number]

export function FeesOwedSection() {
  const [month, setMonth] = useState<string | undefined>(undefined)
  const owed = useFeesOwed(month)
  const chains = useChains()
  const isOperator = useIsOperator()
  const columns: Column<Row>[] = [
    { key: 'amount', label: 'Owed', card: 'title', cell: (row) => `${units(row.amount, row.decimals)} ${row.asset}` },
    ...(isOperator ? [{ key: 'merchant', label: 'Merchant', cell: (row: Row) => row.merchant ?? 'you' }] : []),
    { key: 'chain', label: 'Chain', cell: (row) => chains.name(row.chain) },
    { key: 'orders', label: 'Orders', align: 'right', cell: (row) => row.orders },
  ]
  const zone = useZone()
  const zoneText = useZoneText()
  const months = lastMonths(dayOf(new Date(), zone), 13)
  return (
    <Section
      title={isOperator ? 'Fees that merchants owe' : 'Fees that you owe the operator'}
      aside={
        <Select
          aria-label={`Month, of ${zoneText}`}
          data={months.map((value) => ({ value, label: monthText(value) }))}
          value={month ?? owed.data?.month ?? months[0] ?? null}
          allowDeselect={false}
          onChange={(value) => setMonth(value ?? undefined)}
          size="xs"
          w={150}
        />
      }
    >
      {owed.isError ? (
        <ErrorNote error={owed.error} onRetry={() => void owed.refetch()} />
      ) : (
        <Table
          label="Fees owed"
          columns={columns}
          rows={owed.data?.data}
          rowKey={(row) => `${row.merchant} ${row.chain}`}
          isStale={owed.isPlaceholderData}
          empty={<p>Nothing is owed for this month: no order of it was paid straight to a merchant’s own wallet.</p>}
        />
      )}
    </Section>
  )
}
