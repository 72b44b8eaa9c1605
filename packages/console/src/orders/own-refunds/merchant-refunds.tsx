// Refunds from the merchant's own wallet, once an order is settled: asked for, paid by link, code or a wallet of this
// browser, and recorded when the chain shows the transfer.
import { type MerchantRefund, type Order, REASON_MAX } from '@florin/protocol'
import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { boss, type Page } from '../../api.ts'
import { keys } from '../../query-keys.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { Mono } from '../../ui/copy.tsx'
import { units, unitsShort } from '../../ui/format.ts'
import { notify } from '../../ui/notify.ts'
import { Section } from '../../ui/page.tsx'
import { QrCode } from '../../ui/qr.tsx'
import { ErrorNote } from '../../ui/state.tsx'
import classes from '../orders.module.css'
import { parseAmount, sendWithWallet, walletOf } from './wallet.ts'

const at = (orderNo: string, rest = '') => `/orders/${encodeURIComponent(orderNo)}/merchant_refunds${rest}`

function useRefundMutation<In>(orderNo: string, mutationFn: (input: In) => Promise<MerchantRefund>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn,
    onSettled: () => client.invalidateQueries({ queryKey: keys.order(orderNo) }),
  })
}

export function MerchantRefunds({ order }: { order: Order }) {
  const [isAsking, setAsking] = useState(false)
  // What reached the merchant of an order that lapsed is owed all the more.
  const isSettled = order.status === 'success' || (order.status === 'expired' && order.amount_out !== null)
  const { data, error } = useQuery({
    queryKey: keys.order(order.order_no, 'merchant-refunds', order.version),
    queryFn: ({ signal }) => boss.get<Page<MerchantRefund>>(at(order.order_no), {}, signal),
    enabled: isSettled,
    // A search of the chain has no event of its own before it finds something.
    refetchInterval: (query) => (query.state.data?.data.some((row) => row.status === 'requested') ? 15_000 : false),
  })
  if (!isSettled) return null
  const open = data?.data.filter((row) => row.status === 'requested') ?? []
  return (
    <Section
      title="Refund from your wallet"
      aside={
        <Button size="sm" variant="default" onClick={() => setAsking(true)}>
          Refund…
        </Button>
      }
    >
      <ErrorNote error={error} />
      {open.length === 0 ? (
        <Text size="sm" c="dimmed">
          {order.status === 'success'
            ? 'The money of this order is yours.'
            : 'The money of this order came to you, and it paid for nothing.'}{' '}
          A refund is paid from your own wallet and recorded here once the chain shows it.
        </Text>
      ) : (
        open.map((row) => <Waiting key={row.id} order={order} of={row} />)
      )}
      {data?.data
        .filter((row) => row.status === 'recorded' && row.sender !== null)
        .map((row) => (
          <Text key={row.id} size="sm" mt={8}>
            <span className="nums">
              {unitsShort(row.amount, row.decimals)} {row.asset}
            </span>{' '}
            came from <Mono value={row.sender ?? ''} what="sender" />
          </Text>
        ))}
      <Modal opened={isAsking} onClose={() => setAsking(false)} title="Refund from your wallet" size="md">
        <Ask order={order} onDone={() => setAsking(false)} />
      </Modal>
    </Section>
  )
}

function Ask({ order, onDone }: { order: Order; onDone: () => void }) {
  const [amount, setAmount] = useState('')
  const [address, setAddress] = useState('')
  const [reason, setReason] = useState('')
  const ask = useRefundMutation(order.order_no, (wish: object) => boss.post<MerchantRefund>(at(order.order_no), wish))
  const said = amount.trim() === '' ? null : parseAmount(amount, order.settle_decimals)
  const isBad = amount.trim() !== '' && said === null
  const got = units(order.amount_out ?? '0', order.settle_decimals)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (isBad) return
        const wish = {
          ...(said === null ? {} : { amount: said }),
          ...(address.trim() === '' ? {} : { address: address.trim() }),
          ...(reason.trim() === '' ? {} : { reason: reason.trim() }),
        }
        ask.mutate(wish, { onSuccess: onDone })
      }}
    >
      <Stack gap={14}>
        <TextInput
          label={`Amount in ${order.settle_asset}`}
          description={`You got ${got} ${order.settle_asset}. Empty: all that is not refunded yet.`}
          inputMode="decimal"
          data-autofocus
          value={amount}
          error={isBad ? 'A number such as 12.50' : null}
          onChange={(event) => setAmount(event.currentTarget.value)}
        />
        <TextInput
          label="To"
          description={
            order.refund_address === null
              ? `The payer's address on ${order.settle_chain}: ask them over a channel that you trust.`
              : `Empty: ${order.refund_address}, where the payer wants it.`
          }
          spellCheck={false}
          required={order.refund_address === null}
          withAsterisk={false}
          value={address}
          onChange={(event) => setAddress(event.currentTarget.value)}
        />
        <TextInput
          label="Reason"
          description="For your records. May be empty."
          maxLength={REASON_MAX}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        <ErrorNote error={ask.error} />
        <Group justify="flex-end" gap={8}>
          <Button variant="default" size="sm" onClick={onDone}>
            Cancel
          </Button>
          <Button type="submit" size="sm" loading={ask.isPending} disabled={isBad}>
            Go on to paying
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function Waiting({ order, of: row }: { order: Order; of: MerchantRefund }) {
  const [hash, setHash] = useState('')
  const name = useRefundMutation(order.order_no, (tx_hash: string) =>
    boss.post<MerchantRefund>(at(order.order_no, `/${row.id}/transaction`), { tx_hash }),
  )
  const cancel = useRefundMutation(order.order_no, (_: undefined) =>
    boss.post<MerchantRefund>(at(order.order_no, `/${row.id}/cancel`)),
  )
  const pay = useMutation({
    mutationFn: async () => {
      if (row.transaction !== null) await name.mutateAsync(await sendWithWallet(row.transaction))
    },
    onSuccess: () => notify('The wallet sent it. It is recorded once it is final.'),
  })
  const hasWallet = row.transaction !== null && walletOf() !== null
  return (
    <Card>
      <div className={classes.ownRefund}>
        {row.tx_hash === null ? <QrCode value={row.uri} label="Payment link of the refund" size={132} /> : null}
        <Stack gap={10} flex={1} miw={220}>
          <div>
            <strong className="nums">
              {unitsShort(row.amount, row.decimals)} {row.asset}
            </strong>{' '}
            <Badge tone={row.tx_hash === null ? 'warn' : 'busy'}>
              {row.tx_hash === null ? 'To be paid' : 'Looking for it'}
            </Badge>
          </div>
          <Mono value={row.address} what="address" />
          {row.failure === null ? null : (
            <Text size="sm" c="var(--fl-warn)" role="status">
              {row.failure}
            </Text>
          )}
          <Group gap={8}>
            {hasWallet ? (
              <Button size="sm" loading={pay.isPending} onClick={() => pay.mutate()}>
                Pay with this browser's wallet
              </Button>
            ) : null}
            {row.tx_hash === null ? (
              <Button size="sm" variant="default" component="a" href={row.uri}>
                Open a wallet
              </Button>
            ) : null}
            <Button size="sm" variant="default" loading={cancel.isPending} onClick={() => cancel.mutate(undefined)}>
              Cancel
            </Button>
          </Group>
          <form
            onSubmit={(event) => {
              event.preventDefault()
              if (hash.trim() !== '') name.mutate(hash.trim(), { onSuccess: () => setHash('') })
            }}
          >
            <Group gap={8} align="flex-end">
              <TextInput
                label="Transaction that paid it"
                description="Found by itself when it comes from your receiving address."
                spellCheck={false}
                flex={1}
                miw={200}
                value={hash}
                onChange={(event) => setHash(event.currentTarget.value)}
              />
              <Button type="submit" size="sm" variant="default" loading={name.isPending} disabled={hash.trim() === ''}>
                Record
              </Button>
            </Group>
          </form>
          <ErrorNote error={pay.error ?? name.error ?? cancel.error} />
        </Stack>
      </div>
    </Card>
  )
}
