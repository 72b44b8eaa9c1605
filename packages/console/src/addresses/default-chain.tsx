// The chain that orders settle on when they name none. Shown as soon as there is anything to choose.
import { Select, Text } from '@mantine/core'
import { useChains } from '../chains.ts'
import { useChangeMerchant, useMerchant } from '../login/queries.ts'
import { notify } from '../ui/notify.ts'
import { ErrorNote } from '../ui/state.tsx'
import classes from './addresses.module.css'
import { useAddresses } from './queries.ts'

const NONE = ''

export function DefaultChain() {
  const chains = useChains()
  const addresses = useAddresses().data?.data ?? []
  const { data: merchant } = useMerchant()
  const change = useChangeMerchant()
  if (addresses.length === 0 || merchant === undefined) return null
  // While it is being saved, what was chosen is shown already; it falls back when the server refuses.
  const shown = change.isPending
    ? (change.variables.default_settle_chain ?? NONE)
    : (merchant.default_settle_chain ?? NONE)
  const only = addresses.length === 1
  return (
    <div className={classes.default}>
      <Select
        label="Orders that name no chain settle on"
        description="Unless the payer picks another: they can pay in USDC or USDT on any chain that has an address here and is set up for live money."
        allowDeselect={false}
        data={[
          { value: NONE, label: only ? 'The only address there is' : 'None: the order must name one' },
          ...addresses.map(({ chain }) => ({ value: chain, label: chains.name(chain) })),
        ]}
        value={shown}
        onChange={(value) =>
          change.mutate(
            { default_settle_chain: value === NONE ? null : value },
            { onSuccess: () => notify('The default chain was changed.') },
          )
        }
        maw={420}
      />
      {shown === NONE && !only ? (
        <Text size="sm" c="var(--fl-warn)">
          Orders that name no settle_chain are refused as long as there is no default.
        </Text>
      ) : null}
      <ErrorNote error={change.error} />
    </div>
  )
}
