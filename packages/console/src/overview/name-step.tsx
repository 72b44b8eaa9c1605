// The first step: what payers see as the one they pay.
import { NAME_MAX } from '@florin/protocol'
import { Button, Group, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useChangeMerchant, useMerchant } from '../login/queries.ts'
import { ErrorNote } from '../ui/state.tsx'

export function NameStep({ onDone }: { onDone: () => void }) {
  const { data: merchant } = useMerchant()
  const change = useChangeMerchant()
  const [name, setName] = useState(merchant?.name ?? '')
  const wanted = name.trim()
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (wanted !== '') change.mutate({ name: wanted }, { onSuccess: onDone })
      }}
    >
      <Group gap={8} align="flex-end">
        <TextInput
          label="What payers read on the checkout"
          placeholder="Bottega Nova"
          autoComplete="organization"
          maxLength={NAME_MAX}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          miw={220}
          maw={360}
          flex={1}
        />
        <Button type="submit" size="sm" loading={change.isPending} disabled={wanted === ''}>
          Save the name
        </Button>
      </Group>
      <ErrorNote error={change.error} />
    </form>
  )
}
