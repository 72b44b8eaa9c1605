// The step of the first receiving address: the chains most people look for, those for real money first; the dialog of
// one opens here, and the guide goes on behind it.
import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { EditAddress } from '../addresses/edit-address.tsx'
import { carriesLive, useChains } from '../chains.ts'
import { LinkButton } from '../ui/link.tsx'

const offered = ['base', 'eth', 'arb', 'pol', 'btc', 'sol', 'tron']

interface AddressStepProps {
  /** The step stays open while its dialog is, although it is done as soon as the address is saved. */
  onStart: () => void
  onDone: () => void
}

export function AddressStep({ onStart, onDone }: AddressStepProps) {
  const { list, name } = useChains()
  const [editing, setEditing] = useState<string | null>(null)
  const live = list.filter(carriesLive).map((chain) => chain.id)
  const ids = [...live, ...offered.filter((id) => !live.includes(id))].slice(0, 7)
  return (
    <>
      <Text size="sm">
        The money of your orders arrives there: an address of your own wallet, one for each chain you want.
        {live.length === 0 ? ' For now this service carries test money only.' : ''}
      </Text>
      <Group gap={8}>
        {ids.map((id) => (
          <Button
            key={id}
            size="sm"
            variant={live.includes(id) ? 'filled' : 'default'}
            onClick={() => {
              onStart()
              setEditing(id)
            }}
          >
            {name(id)}
          </Button>
        ))}
        <LinkButton to="/addresses" size="sm" variant="default">
          All chains
        </LinkButton>
      </Group>
      <EditAddress
        chain={editing}
        onChain={setEditing}
        onClose={() => {
          setEditing(null)
          onDone()
        }}
      />
    </>
  )
}
