// The table of the addresses that are set, each with its code to compare with a wallet.
import { ActionIcon, Button, Group, Menu, Modal } from '@mantine/core'
import { useState } from 'react'
import { type Chain, useChains } from '../chains.ts'
import { useMerchant } from '../login/queries.ts'
import { Badge } from '../ui/badge.tsx'
import { ChainIcon } from '../ui/chain-icon.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { Mono } from '../ui/copy.tsx'
import { Icon } from '../ui/icon.tsx'
import { notify } from '../ui/notify.ts'
import { Empty, ErrorNote } from '../ui/state.tsx'
import { type Column, Table } from '../ui/table.tsx'
import { When } from '../ui/time.tsx'
import { AccountBadge, AccountCell } from './account-view.tsx'
import classes from './addresses.module.css'
import { Compare } from './compare.tsx'
import { type ReceivingAddress, useAddresses, useRemoveAddress } from './queries.ts'
import { WaitingNote } from './waiting.tsx'
import { familyName } from './words.ts'

export function ChainName({ id, note }: { id: string; note?: string }) {
  const chain = useChains().get(id)
  return (
    <span className={classes.chain}>
      <ChainIcon id={id} symbol={chain?.assets[0]?.asset ?? id} />
      <span>
        {chain?.name ?? id}
        {note === undefined ? null : <small>{note}</small>}
      </span>
    </span>
  )
}

const moneyNote = (settles: Chain['settles'] | undefined): string =>
  settles === 'direct' ? 'real money' : settles === 'third-party' ? 'through NEAR Intents' : 'test only'

export function AddressList({ onEdit }: { onEdit: (chain: string) => void }) {
  const list = useAddresses()
  const { data: merchant } = useMerchant()
  const chains = useChains()
  const [shown, setShown] = useState<ReceivingAddress | null>(null)
  const [removed, setRemoved] = useState<ReceivingAddress | null>(null)
  const columns: readonly Column<ReceivingAddress>[] = [
    {
      key: 'chain',
      label: 'Chain',
      card: 'title',
      cell: (row) => (
        <ChainName id={row.chain} note={`${familyName(row.family)} · ${moneyNote(chains.get(row.chain)?.settles)}`} />
      ),
    },
    {
      key: 'address',
      label: 'Address',
      cell: (row) => (
        <span className={classes.withNote}>
          {row.account === null ? (
            <Mono value={row.address} what="address" ends={[10, 8]} />
          ) : (
            <>
              <AccountCell of={row.account} />
              <AccountBadge of={row.account} />
            </>
          )}
          {row.effective_at === null ? null : <Badge tone="warn">Waits</Badge>}
          {row.warnings.length === 0 ? null : <Badge tone="warn">{row.warnings.length === 1 ? 'Note' : 'Notes'}</Badge>}
        </span>
      ),
    },
    { key: 'label', label: 'Label', cell: (row) => <bdi className={classes.label}>{row.label ?? '–'}</bdi> },
    {
      key: 'default',
      label: 'Default',
      cell: (row) => (merchant?.default_settle_chain === row.chain ? <Badge tone="busy">Default</Badge> : '–'),
    },
    { key: 'updated', label: 'Changed', cell: (row) => <When at={row.updated_at} /> },
    {
      key: 'acts',
      label: 'Actions',
      align: 'right',
      cell: (row) => <Acts of={row} onShow={setShown} onEdit={onEdit} onRemove={setRemoved} />,
    },
  ]
  if (list.isError) return <ErrorNote error={list.error} onRetry={() => void list.refetch()} />
  return (
    <>
      {list.data?.data.map((row) => (
        <WaitingNote key={row.chain} of={row} />
      ))}
      <Table
        label="Receiving addresses"
        columns={columns}
        rows={list.data?.data}
        rowKey={(row) => row.chain}
        skeletonRows={2}
        empty={
          <Empty icon="wallet" title="No receiving address yet">
            Orders can be made once there is one. Choose a chain below and paste an address of your own wallet.
          </Empty>
        }
      />
      <Modal opened={shown !== null} onClose={() => setShown(null)} title="Compare with your wallet">
        {shown === null ? null : <Compare of={list.data?.data.find(({ chain }) => chain === shown.chain) ?? shown} />}
      </Modal>
      <Remove of={removed} onClose={() => setRemoved(null)} />
    </>
  )
}

interface ActsProps {
  of: ReceivingAddress
  onShow: (address: ReceivingAddress) => void
  onEdit: (chain: string) => void
  onRemove: (address: ReceivingAddress) => void
}

function Acts({ of: address, onShow, onEdit, onRemove }: ActsProps) {
  const name = useChains().name(address.chain)
  return (
    <Group gap={4} justify="flex-end" wrap="nowrap">
      <Button variant="default" onClick={() => onEdit(address.chain)} aria-label={`Change the address on ${name}`}>
        Change
      </Button>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <ActionIcon size={30} aria-label={`More for ${name}`}>
            <Icon name="dots" />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<Icon name="qr" />} onClick={() => onShow(address)}>
            {address.account === null ? 'Compare with a wallet' : 'Addresses and limit'}
          </Menu.Item>
          <Menu.Item leftSection={<Icon name="trash" />} c="var(--fl-bad)" onClick={() => onRemove(address)}>
            Remove
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </Group>
  )
}

function Remove({ of: address, onClose }: { of: ReceivingAddress | null; onClose: () => void }) {
  const remove = useRemoveAddress()
  const name = useChains().name(address?.chain ?? '')
  return (
    <Confirm
      opened={address !== null}
      onClose={onClose}
      title={`Remove the address on ${name}?`}
      action="Remove it"
      isDangerous
      onConfirm={async () => {
        if (address === null) return
        const { effective_at: at } = await remove.mutateAsync(address.chain)
        notify(at === null ? `The address on ${name} was removed.` : `The address on ${name} will be removed.`)
      }}
    >
      New orders can no longer settle on {name}. Orders that exist still settle to the address they were made with.
    </Confirm>
  )
}
