// How deep payments to an account have to be, by amount: never fewer blocks than the operator says.
import { Button, Group, NumberInput, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { notify } from '../ui/notify.ts'
import { ErrorNote } from '../ui/state.tsx'
import { type Account, type Depth, useDepths } from './queries.ts'

const MOST = 6
/** With a name while it is edited: lines are put before others and taken away from between them. */
type Row = Depth & { id: number }
let made = 0
const rowsOf = (depths: readonly Depth[] | null): readonly Row[] | null =>
  depths?.map((depth) => ({ ...depth, id: ++made })) ?? null
const depthsOf = (rows: readonly Row[] | null): Depth[] | null =>
  rows?.map(({ below_usd, blocks }) => ({ below_usd, blocks })) ?? null

const START: readonly Depth[] = [
  { below_usd: 1_000, blocks: 2 },
  { below_usd: null, blocks: 6 },
]

export function DepthsForm({ chain, of: account }: { chain: string; of: Account }) {
  const [rows, setRows] = useState(() => rowsOf(account.confirmations))
  const depths = depthsOf(rows)
  const save = useDepths()
  const isNew = JSON.stringify(depths) !== JSON.stringify(account.confirmations)
  const put = (id: number, change: Partial<Depth>) =>
    setRows((before) => before?.map((row) => (row.id === id ? { ...row, ...change } : row)) ?? null)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (isNew)
          save.mutate({ chain, confirmations: depths }, { onSuccess: () => notify('The confirmations were saved.') })
      }}
    >
      <Stack gap={8} role="group" aria-label="Confirmations by amount">
        <Text size="sm" fw={500}>
          Confirmations by amount
        </Text>
        <Text size="sm" c="dimmed">
          {depths === null
            ? 'Orders are paid after as many blocks as the operator of this server says for their amount.'
            : 'Orders are paid after these blocks, or more where the operator of this server says more.'}
        </Text>
        {rows?.map((row, n) => (
          <Group key={row.id} gap={8} align="flex-end" wrap="wrap">
            {row.below_usd === null ? (
              <Text size="sm" w={150}>
                {n === 0 ? 'Every amount' : 'All above'}
              </Text>
            ) : (
              <NumberInput
                label="Below"
                prefix="$"
                thousandSeparator=","
                aria-label={`Line ${n + 1}: below, in dollars`}
                min={1}
                max={1_000_000}
                allowDecimal={false}
                w={150}
                value={row.below_usd}
                onChange={(value) => typeof value === 'number' && put(row.id, { below_usd: value })}
              />
            )}
            <NumberInput
              label="Blocks"
              aria-label={`Line ${n + 1}: blocks`}
              min={1}
              max={100}
              allowDecimal={false}
              w={90}
              value={row.blocks}
              onChange={(value) => typeof value === 'number' && put(row.id, { blocks: value })}
            />
            {row.below_usd === null ? null : (
              <Button
                variant="subtle"
                aria-label={`Remove line ${n + 1}`}
                onClick={() => setRows(rows.filter(({ id }) => id !== row.id))}
              >
                Remove
              </Button>
            )}
          </Group>
        ))}
        <Group gap={8}>
          {depths === null ? (
            <Button variant="default" onClick={() => setRows(rowsOf(START))}>
              Set my own
            </Button>
          ) : (
            <>
              <Button
                variant="default"
                disabled={depths.length >= MOST}
                onClick={() => setRows(rowsOf([{ below_usd: 100, blocks: 1 }, ...depths]))}
              >
                Add a line
              </Button>
              <Button variant="default" onClick={() => setRows(null)}>
                Use the operator’s
              </Button>
            </>
          )}
          <Button type="submit" variant="default" loading={save.isPending} disabled={!isNew}>
            Save
          </Button>
        </Group>
        <ErrorNote error={save.error} />
      </Stack>
    </form>
  )
}
