// A change of an address that live orders do not follow yet: what will be, when, and the way to drop it.
import { Button, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useChains } from '../chains.ts'
import { confirmationQuestion } from '../login/confirmation-question.ts'
import { useFreshness } from '../login/queries.ts'
import { keys } from '../query-keys.ts'
import { notify } from '../ui/notify.ts'
import { ErrorNote } from '../ui/state.tsx'
import { When } from '../ui/time.tsx'
import { accountTitle } from './account-words.ts'
import classes from './addresses.module.css'
import { type Account, type ReceivingAddress, useCancelChange, useSetAddress } from './queries.ts'

/** Above the list. Nothing where nothing waits. */
export function WaitingNote({ of: address }: { of: ReceivingAddress }) {
  const name = useChains().name(address.chain)
  const cancel = useCancelChange()
  if (address.effective_at === null) return null
  return (
    <div className={classes.waiting} role="note">
      <Text size="sm">
        <strong>{name}:</strong>{' '}
        {address.is_removal ? (
          'the address will be taken away'
        ) : (
          <>
            live orders settle to <Place address={address.address} account={address.account} />
          </>
        )}{' '}
        from <When at={address.effective_at} as="full" />. {address.is_removal ? null : <Until of={address} />}
      </Text>
      <Button
        variant="default"
        size="xs"
        loading={cancel.isPending}
        aria-label={`Cancel the change on ${name}`}
        onClick={() => cancel.mutate(address.chain, { onSuccess: () => notify(`The change on ${name} was canceled.`) })}
      >
        Cancel the change
      </Button>
      <ErrorNote error={cancel.error} />
    </div>
  )
}

function Place({ address, account }: { address: string; account: Account | null }) {
  return (
    <>
      {account === null ? null : `${accountTitle(account).toLowerCase()}, first address `}
      <code className={classes.inline}>{account?.first_addresses[0] ?? address}</code>
    </>
  )
}

function Until({ of: { until_then: until, until_then_account: account } }: { of: ReceivingAddress }) {
  if (until === null) return <>Until then none settle on this chain.</>
  return (
    <>
      Until then they settle to <Place address={until} account={account} />.
    </>
  )
}

/** After saving: why it waits, and how it need not where this browser is known. */
export function WaitsAfterSaving({
  of: address,
  onNow,
}: {
  of: ReceivingAddress
  onNow: (saved: ReceivingAddress) => void
}) {
  const client = useQueryClient()
  const { data: freshness } = useFreshness()
  const save = useSetAddress()
  if (address.effective_at === null) return null
  const sendAgain = async () => {
    if (freshness?.is_fresh === false && !(await confirmationQuestion.ask())) return
    await client.invalidateQueries({ queryKey: keys.freshness() })
    const { chain, address: text, label } = address
    save.mutate({ chain, address: text, label }, { onSuccess: onNow })
  }
  return (
    <div className={classes.waiting} role="status">
      <Text size="sm">
        Live orders settle here from <When at={address.effective_at} as="full" />. <Until of={address} /> Test orders do
        so at once. We have mailed you a link that takes it back.
      </Text>
      {freshness?.is_known_browser === true ? (
        <Button variant="default" size="xs" loading={save.isPending} onClick={() => void sendAgain()}>
          Use it at once, with a code from your mail
        </Button>
      ) : null}
      <ErrorNote error={save.error} />
    </div>
  )
}
