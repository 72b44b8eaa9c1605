// Where the money arrives: the addresses that are set, the chains that there are, and what was changed when.
import { useState } from 'react'
import { Page, Section } from '../ui/page.tsx'
import { AddressList } from './address-list.tsx'
import { ChainGrid } from './chain-grid.tsx'
import { DefaultChain } from './default-chain.tsx'
import { EditAddress } from './edit-address.tsx'
import { AddressHistory } from './history.tsx'
import { ThirdParty } from './third-party.tsx'

export default function AddressesPage() {
  const [editing, setEditing] = useState<string | null>(null)
  return (
    <Page
      title="Receiving addresses"
      lead="Where the money of your orders arrives: one address of your own per chain. A change counts for new orders only; each order keeps the address it was made with."
    >
      <AddressList onEdit={setEditing} />
      <DefaultChain />
      <ThirdParty />
      <Section title="All chains">
        <ChainGrid onChoose={setEditing} />
      </Section>
      <Section title="History">
        <AddressHistory />
      </Section>
      <EditAddress chain={editing} onChain={setEditing} onClose={() => setEditing(null)} />
    </Page>
  )
}
