// A refund from the merchant's own wallet as a transaction that it only has to sign: a file, a text, and a code where it fits
// into one.
import type { AttentionItem } from '@florin/protocol'
import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { boss } from '../api.ts'
import { Mono } from '../ui/copy.tsx'
import { units } from '../ui/format.ts'
import { QrCode } from '../ui/qr.tsx'
import { saveFile } from '../ui/save.ts'
import { ErrorNote } from '../ui/state.tsx'

interface ToSign {
  psbt: string | null
  fee: string | null
  why: string | null
}

/** More does not fit into one code that a camera reads off a screen. */
const CODE_MAX = 1_800
const DECIMALS = 8

/** Nothing for items that ask for no payment of the wallet. */
export function SignButton({ of: item }: { of: AttentionItem }) {
  const [isOpen, setOpen] = useState(false)
  const { order_no: orderNo, evidence } = item
  const { refund, uri } = evidence
  const make = useMutation({
    mutationFn: (replace: boolean) =>
      boss.post<ToSign>(
        `/orders/${encodeURIComponent(orderNo ?? '')}/refunds/${encodeURIComponent(refund ?? '')}/psbt`,
        replace ? { replace } : {},
      ),
  })
  if (item.reason !== 'refund_by_wallet' || item.resolved_at !== null || refund === undefined) return null
  return (
    <>
      <Button
        variant="default"
        size="sm"
        onClick={() => {
          setOpen(true)
          make.mutate(false)
        }}
      >
        Pay it…
      </Button>
      <Modal opened={isOpen} onClose={() => setOpen(false)} title="Pay the refund from your wallet" size="lg">
        <Stack gap={18}>
          {uri === undefined ? null : (
            <section aria-label="By payment link">
              <Text fw={550}>By payment link</Text>
              <Text size="sm" c="dimmed">
                Your wallet opens it with address and amount, and chooses the coins.
              </Text>
              <Group gap={14} align="center" mt={8}>
                <QrCode value={uri} label="Payment link of the refund" size={148} />
                <Mono value={uri} what="payment link" ends={[22, 14]} />
              </Group>
            </section>
          )}
          <section aria-label="As a transaction to sign">
            <Text fw={550}>As a transaction to sign (PSBT)</Text>
            <ErrorNote error={make.error} />
            {make.data === undefined ? (
              make.isPending ? (
                <Text size="sm">It is being made…</Text>
              ) : null
            ) : make.data.psbt === null ? (
              <Text size="sm">{make.data.why}</Text>
            ) : (
              <Signable psbt={make.data.psbt} fee={make.data.fee} asset={evidence.asset ?? ''} name={refund} />
            )}
            {make.data === undefined ? null : (
              <ReplaceIt isPending={make.isPending} onClick={() => make.mutate(true)} />
            )}
          </section>
        </Stack>
      </Modal>
    </>
  )
}

/** For a transaction whose fee is too low by now, signed and sent or not. */
function ReplaceIt({ isPending, onClick }: { isPending: boolean; onClick: () => void }) {
  return (
    <Stack gap={6} mt={14} align="flex-start">
      <Button variant="default" size="sm" loading={isPending} onClick={onClick}>
        Make another one at the fee of now
      </Button>
      <Text size="sm" c="dimmed">
        The other one spends the same coins, so that the chain takes only one of both and the payer is paid once.
      </Text>
    </Stack>
  )
}

function Signable({ psbt, fee, asset, name }: { psbt: string; fee: string | null; asset: string; name: string }) {
  const save = (): void => {
    const bytes = Uint8Array.from(atob(psbt), (letter) => letter.charCodeAt(0))
    saveFile(new Blob([bytes], { type: 'application/octet-stream' }), `refund-${name}.psbt`)
  }
  return (
    <Stack gap={10}>
      <Text size="sm" c="dimmed">
        It spends coins that orders were paid with, in your wallet, and costs {fee === null ? '' : units(fee, DECIMALS)}{' '}
        {asset} for the network. Sign it, and have the wallet send it: nothing is sent from here.
      </Text>
      <Group gap={8}>
        <Button size="sm" onClick={save}>
          Download the file
        </Button>
        <Mono value={psbt} what="transaction to sign" ends={[10, 8]} />
      </Group>
      {psbt.length <= CODE_MAX ? (
        <QrCode value={psbt} label="Transaction to sign" size={260} />
      ) : (
        <Text size="sm" c="dimmed">
          It is too long for one code: use the file.
        </Text>
      )}
    </Stack>
  )
}
