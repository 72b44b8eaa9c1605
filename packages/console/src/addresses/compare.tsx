// The comparison of what was saved with what the wallet shows: a code to scan, and the address in groups of four.
import { Stack, Text } from '@mantine/core'
import { useChains } from '../chains.ts'
import { CopyIcon } from '../ui/copy.tsx'
import { QrCode } from '../ui/qr.tsx'
import { AccountFacts } from './account-view.tsx'
import classes from './addresses.module.css'
import type { ReceivingAddress } from './queries.ts'
import { Warnings } from './verdict.tsx'
import { inGroups } from './words.ts'

export function Compare({ of: address }: { of: ReceivingAddress }) {
  const name = useChains().name(address.chain)
  if (address.account !== null) {
    return (
      <Stack gap={14}>
        <Text size="sm">
          This account was saved for <strong>{name}</strong>. Your wallet shows these receiving addresses first.
        </Text>
        <AccountFacts chain={address.chain} of={address.account} />
      </Stack>
    )
  }
  return (
    <Stack gap={14} align="center">
      <Text size="sm" ta="center">
        This is what was saved for <strong>{name}</strong>. Compare it with your wallet, by eye or by scanning.
      </Text>
      <QrCode value={address.address} label={`QR code of the ${name} address`} size={184} />
      <div className={classes.groups}>
        <code>
          {inGroups(address.address).map(({ at, text }) => (
            <span key={at}>{text}</span>
          ))}
        </code>
        <CopyIcon value={address.address} label="Copy address" size={28} />
      </div>
      <Warnings of={address.warnings} />
    </Stack>
  )
}
