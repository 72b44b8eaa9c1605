// One piece of evidence: what is on a chain leads to its explorer, what is long can be copied, the rest is text.
import type { AttentionItem } from '@florin/protocol'
import { AddressLink, TxLink } from '../orders/chain-link.tsx'
import { Mono } from '../ui/copy.tsx'
import { When } from '../ui/time.tsx'
import type { EvidenceLine } from './words.ts'

export function Value({ of: item, line: { key, name, value } }: { of: AttentionItem; line: EvidenceLine }) {
  const { chain } = item.evidence
  if (chain !== undefined && key === 'tx_hash') return <TxLink order={item} chain={chain} tx={value} />
  if (chain !== undefined && (key === 'to' || key === 'from' || key === 'goes_to')) {
    // Of several wallets the largest are named, and then how many more there are.
    const [named = '', more] = value.split(/ (?=and \d+ more$)/)
    return (
      <>
        {named.split(' ').map((address) => (
          <AddressLink key={address} order={item} chain={chain} address={address} isWhole />
        ))}
        {more}
      </>
    )
  }
  if (key.endsWith('_at') && !Number.isNaN(Date.parse(value))) return <When at={value} as="full" />
  if (key === 'uri') return <Mono value={value} what={name} />
  return /^(0x|[a-z]{3}_)\w{8,}$/.test(value) ? <Mono value={value} what={name} /> : <bdi>{value}</bdi>
}
