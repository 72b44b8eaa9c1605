// An account that is set: how its addresses are used up, and the limit of the wallet.
import { Button, Group, NumberInput, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { Badge } from '../ui/badge.tsx'
import { Mono } from '../ui/copy.tsx'
import { notify } from '../ui/notify.ts'
import { ErrorNote } from '../ui/state.tsx'
import { FirstAddresses } from './account-form.tsx'
import { accountTitle, rowSentence, stateBadge } from './account-words.ts'
import classes from './addresses.module.css'
import { DepthsForm } from './depths-form.tsx'
import { type Account, type AccountCandidate, useWalletLimit } from './queries.ts'
import { UseForm } from './use-form.tsx'

/** In a row of a table: type, fingerprint and first address. */
export function AccountCell({ of: account }: { of: AccountCandidate }) {
  return (
    <span>
      {accountTitle(account)}
      <br />
      <Mono value={account.first_addresses[0] ?? ''} what="first address" ends={[10, 8]} />
    </span>
  )
}

export function AccountBadge({ of: account }: { of: Account }) {
  const badge = stateBadge[account.state]
  return badge === null ? null : <Badge tone={badge[0]}>{badge[1]}</Badge>
}

export function AccountFacts({ chain, of: account }: { chain: string; of: Account }) {
  return (
    <Stack gap={12}>
      <Text size="sm">
        <strong>{accountTitle(account)}</strong>
        {account.path === null ? null : ` · ${account.path}`}
      </Text>
      <FirstAddresses of={account} />
      <Text size="sm">
        {account.state === 'examining'
          ? 'The chain is being asked which addresses were used. Orders can be paid here in a moment.'
          : `The next order gets address number ${account.next_index + 1}. ${account.unpaid} of at most ${account.unpaid_max} wait for a payment in a row.`}{' '}
        {rowSentence(account)}
      </Text>
      <UseForm chain={chain} of={account} />
      <WalletLimit chain={chain} of={account} />
      <DepthsForm chain={chain} of={account} />
    </Stack>
  )
}

function WalletLimit({ chain, of: account }: { chain: string; of: Account }) {
  const [limit, setLimit] = useState<number | string>(account.wallet_limit)
  const save = useWalletLimit()
  const isNew = typeof limit === 'number' && limit !== account.wallet_limit
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (typeof limit !== 'number' || !isNew) return
        save.mutate({ chain, wallet_limit: limit }, { onSuccess: () => notify('The limit was saved.') })
      }}
    >
      <Stack gap={8}>
        <Group gap={8} align="flex-end" wrap="nowrap">
          <NumberInput
            label="Limit of your wallet"
            description="How many unused addresses in a row it looks at (gap limit)"
            min={10}
            max={10_000}
            allowDecimal={false}
            className={classes.limit ?? ''}
            value={limit}
            onChange={setLimit}
          />
          <Button type="submit" variant="default" loading={save.isPending} disabled={!isNew}>
            Save
          </Button>
        </Group>
        <Text size="sm" c="dimmed">
          Raise it in the wallet first, else it does not show payments behind its limit. Electrum: in its console{' '}
          <code className={classes.inline}>wallet.change_gap_limit(100)</code>. Sparrow: Settings, Advanced. Ledger
          Live: Settings, Experimental features. Trezor Suite and BlueWallet stay at 20. Any payment to the newest
          address ends the row as well.
        </Text>
        <ErrorNote error={save.error} />
      </Stack>
    </form>
  )
}
