// The setting of one chain's address: typed, judged, saved, and then compared with the wallet.

import { ADDRESS_LABEL_MAX, ADDRESS_MAX } from '@florin/protocol'
import { Button, Group, Modal, Select, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { ApiError } from '../api.ts'
import { receives, useChains } from '../chains.ts'
import { notify } from '../ui/notify.ts'
import { ErrorNote } from '../ui/state.tsx'
import { AccountHelp, noHints } from './account-form.tsx'
import { ACCOUNT_MAX, takesAccounts } from './account-words.ts'
import classes from './addresses.module.css'
import { DefaultNote, EvmChains } from './after-saving.tsx'
import { Compare } from './compare.tsx'
import { type AddressText, type ReceivingAddress, useAddresses, useSetAddress, useVerdict } from './queries.ts'
import { VerdictNote } from './verdict.tsx'
import { WaitsAfterSaving } from './waiting.tsx'

interface EditAddressProps {
  /** Null while nothing is edited. */
  chain: string | null
  /** The text may turn out to belong to another chain. */
  onChain: (chain: string) => void
  onClose: () => void
}

export function EditAddress({ chain, onChain, onClose }: EditAddressProps) {
  const chains = useChains()
  const [saved, setSaved] = useState<ReceivingAddress | null>(null)
  const close = () => {
    setSaved(null)
    onClose()
  }
  const name = chain === null ? '' : chains.name(chain)
  return (
    <Modal opened={chain !== null} onClose={close} title={saved === null ? `Address on ${name}` : 'Saved'} size="lg">
      {chain === null ? null : saved === null ? (
        <Form chain={chain} onChain={onChain} onSaved={setSaved} onCancel={close} />
      ) : (
        <Stack gap={16}>
          <WaitsAfterSaving of={saved} onNow={setSaved} />
          <Compare of={saved} />
          <DefaultNote of={saved} />
          <EvmChains of={saved} />
          <Button size="sm" onClick={close}>
            It is the same
          </Button>
        </Stack>
      )}
    </Modal>
  )
}

interface FormProps {
  chain: string
  onChain: (chain: string) => void
  onSaved: (address: ReceivingAddress) => void
  onCancel: () => void
}

function Form({ chain, onChain, onSaved, onCancel }: FormProps) {
  const chains = useChains()
  const before = useAddresses().data?.data.find((address) => address.chain === chain)
  const [typed, setTyped] = useState('')
  const [label, setLabel] = useState(before?.label ?? '')
  // What is pasted often comes with white space; the server refuses it, the form takes it away.
  const text = typed.trim()
  const [hints, setHints] = useState(noHints)
  const [signature, setSignature] = useState('')
  const isAccountToo = takesAccounts(chain)
  const wish: AddressText = {
    ...{ chain, address: text },
    ...(isAccountToo && hints.script !== null ? { script_type: hints.script } : {}),
    ...(isAccountToo && hints.walletAddress !== '' ? { wallet_address: hints.walletAddress } : {}),
  }
  const key = JSON.stringify(wish)
  const [asked] = useDebouncedValue({ key, wish }, 250)
  const verdict = useVerdict(asked.wish)
  const save = useSetAddress()
  const judged = asked.key === key ? verdict.data : undefined
  // While the verdict is under way Enter saves as well: the server judges it once more.
  const canSave = text !== '' && judged?.valid !== false
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (!canSave) return
        save.mutate(
          {
            ...wish,
            label: label.trim() === '' ? null : label.trim(),
            ...(signature.trim() === '' ? {} : { signature: signature.trim() }),
          },
          {
            onSuccess: (address) => {
              notify(`The address on ${chains.name(chain)} was saved.`)
              onSaved(address)
            },
          },
        )
      }}
    >
      <Stack gap={14}>
        <Select
          label="Chain"
          searchable
          allowDeselect={false}
          data={chains.list.map((each) => ({ value: each.id, label: each.name }))}
          value={chain}
          onChange={(value) => value !== null && onChain(value)}
        />
        <div>
          <Textarea
            label={isAccountToo ? 'Your address, or an account of your wallet' : 'Your address'}
            description={
              isAccountToo
                ? 'An account gives every order an address of its own: its extended public key (xpub, zpub, Ltub …), a descriptor, or the file that your wallet exports. Never a private key or seed.'
                : undefined
            }
            autosize
            minRows={2}
            maxRows={5}
            maxLength={isAccountToo ? ACCOUNT_MAX : ADDRESS_MAX + 40}
            data-autofocus
            spellCheck={false}
            autoComplete="off"
            classNames={{ input: classes.address ?? '' }}
            value={typed}
            onChange={(event) => {
              const { value } = event.currentTarget
              setTyped(isAccountToo ? value : value.replace(/[\r\n]/g, ''))
              setHints(noHints)
              setSignature('')
            }}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
              event.preventDefault()
              event.currentTarget.form?.requestSubmit()
            }}
          />
          <VerdictNote chain={chain} text={text} verdict={judged} error={verdict.error} onChain={onChain} />
        </div>
        {isAccountToo && text !== '' ? (
          <AccountHelp chain={chain} verdict={verdict.data} hints={hints} onHints={setHints} />
        ) : null}
        <MemoNote chain={chain} />
        <Carriage chain={chain} />
        <TextInput
          label="Label"
          description="For you: which wallet it is. May be empty."
          maxLength={ADDRESS_LABEL_MAX}
          value={label}
          onChange={(event) => setLabel(event.currentTarget.value)}
        />
        {before === undefined ? null : (
          <Text size="sm" c="dimmed">
            It replaces <code className={classes.inline}>{before.account?.first_addresses[0] ?? before.address}</code>
            {before.account === null ? '' : ' and the addresses after it'} for new orders. You get a mail about it.
          </Text>
        )}
        <ErrorNote error={save.error} />
        {isInUse(save.error) || signature !== '' ? (
          <TextInput
            label="Signature"
            description="If the wallet is yours: sign the line above with one of its addresses, and paste what the wallet shows. The other account is mailed."
            spellCheck={false}
            autoComplete="off"
            value={signature}
            onChange={(event) => setSignature(event.currentTarget.value)}
          />
        ) : null}
        <Group justify="flex-end" gap={8}>
          <Button variant="default" size="sm" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" size="sm" loading={save.isPending} disabled={!canSave}>
            Save address
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** A signature may help: the refusal ends in the line to sign. */
const isInUse = (error: unknown): boolean =>
  error instanceof ApiError && (error.code === 'wallet_in_use' || error.param === 'signature')

/** Where exchanges ask for a memo or tag beside the address, money sent without it is lost in the exchange. */
function MemoNote({ chain }: { chain: string }) {
  const memo = useChains().get(chain)?.memo ?? null
  if (memo === null) return null
  return (
    <Text size="sm" className={classes.memo}>
      Addresses of exchanges on this chain need a {memo.name} as well.{' '}
      {memo.in_address === null
        ? 'It cannot be given here, so use an address of your own wallet.'
        : `Use the ${memo.in_address}, which carries it, or an address of your own wallet.`}
    </Text>
  )
}

/** Before it is saved: what can come here, and through whose hands. The verdict says it again where nothing can. */
function Carriage({ chain }: { chain: string }) {
  const found = useChains().get(chain)
  if (found === undefined) return null
  const live = receives(found, true)
  if (live.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        Nothing here carries real money on {found.name}: only test orders settle to this address.
      </Text>
    )
  }
  return (
    <div>
      <Text size="sm" fw={500}>
        What you can get here
      </Text>
      {live.map(({ rail, text }) => (
        <Text key={rail} size="sm" c="dimmed">
          {text}
        </Text>
      ))}
    </div>
  )
}
