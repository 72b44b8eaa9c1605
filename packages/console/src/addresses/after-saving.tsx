// What an address that was just saved means for orders, and the step that sets it on the other chains of its family.
import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { carriesLive, useChains } from '../chains.ts'
import { useChangeMerchant, useMerchant } from '../login/queries.ts'
import { notify } from '../ui/notify.ts'
import { ErrorNote } from '../ui/state.tsx'
import classes from './addresses.module.css'
import { type ReceivingAddress, useAddresses, useSetAddress } from './queries.ts'

/** The first address is the default; a second one says that it is not. */
export function DefaultNote({ of: address }: { of: ReceivingAddress }) {
  const chains = useChains()
  const { data: merchant } = useMerchant()
  const change = useChangeMerchant()
  const name = chains.name(address.chain)
  const settlesOn = merchant?.default_settle_chain ?? (address.is_default ? address.chain : null)
  if (settlesOn === address.chain) return <Text size="sm">Orders that name no chain settle here, on {name}.</Text>
  return (
    <div className={classes.saved}>
      <Text size="sm">
        {settlesOn === null
          ? 'Orders have to name the chain they settle on: none is the default.'
          : `Orders that name no chain still settle on ${chains.name(settlesOn)}.`}
      </Text>
      <Button
        variant="default"
        size="xs"
        loading={change.isPending}
        onClick={() =>
          change.mutate(
            { default_settle_chain: address.chain },
            { onSuccess: () => notify(`Orders that name no chain now settle on ${name}.`) },
          )
        }
      >
        Make {name} the default
      </Button>
      <ErrorNote error={change.error} />
    </div>
  )
}

/** A wallet of one EVM chain has the same address on all of them. Only chains that carry money here are offered. */
export function EvmChains({ of: address }: { of: ReceivingAddress }) {
  const chains = useChains()
  const rows = useAddresses().data?.data ?? []
  const save = useSetAddress()
  const [done, setDone] = useState(0)
  const set = new Set(rows.map((row) => row.chain))
  const carried = chains.list.filter((chain) => chain.family === 'evm' && chain.rails.length > 0)
  const live = carried.filter(carriesLive)
  const others = (live.length > 0 ? live : carried.slice(0, OFFERED_MAX)).filter(({ id }) => !set.has(id))
  if (address.family !== 'evm' || (others.length === 0 && done === 0)) return null
  const names = others.map((chain) => chain.name)
  const setAll = async () => {
    for (const { id } of others) {
      await save.mutateAsync({ chain: id, address: address.address, label: address.label })
      setDone((n) => n + 1)
    }
    notify('The address is set on all of them.')
  }
  return (
    <div className={classes.saved}>
      <Text size="sm">
        {others.length === 0
          ? 'It is set on every EVM chain that carries money here.'
          : `Your wallet has the same address on ${names.slice(0, 6).join(', ')}${names.length > 6 ? ` and ${names.length - 6} more` : ''}. Set it there too if the wallet is yours alone, not an exchange's or a contract.`}
      </Text>
      {others.length === 0 ? null : (
        <Button
          variant="default"
          size="xs"
          loading={save.isPending}
          onClick={() => void setAll().catch(() => undefined)}
        >
          Use it for all EVM chains
        </Button>
      )}
      <ErrorNote error={save.error} />
    </div>
  )
}

/** In an install without real money every chain is a test chain: setting all of them would only make a long list. */
const OFFERED_MAX = 8
