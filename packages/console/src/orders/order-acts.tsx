// What a merchant can do to an order, each after a question that says what will happen.
import type { Order } from '@florin/protocol'
import { REASON_MAX } from '@florin/protocol'
import { Button, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useAttentionOf } from '../attention/queries.ts'
import { Confirm } from '../ui/confirm.tsx'
import { CopyIcon } from '../ui/copy.tsx'
import { Icon } from '../ui/icon.tsx'
import { notify } from '../ui/notify.ts'
import { mayRetry, offeredActs } from './acts.ts'
import { useCancelOrder, useLookAgain, useRefundOrder, useRetrySettlement } from './queries.ts'

type Asked = 'cancel' | 'refund' | 'retry' | 'look'

export function OrderActs({ order }: { order: Order }) {
  const [asked, setAsked] = useState<Asked | null>(null)
  const offered = offeredActs(order)
  const inbox = useAttentionOf(order)
  return (
    <>
      {offered.cancel ? (
        <Button size="sm" variant="default" onClick={() => setAsked('cancel')}>
          Cancel
        </Button>
      ) : null}
      {mayRetry(order, inbox) ? (
        <Button size="sm" variant="default" onClick={() => setAsked('retry')}>
          Retry settlement
        </Button>
      ) : null}
      {offered.refund ? (
        <Button size="sm" variant="default" onClick={() => setAsked('refund')}>
          Refund
        </Button>
      ) : null}
      {offered.look ? (
        <Button size="sm" variant="default" onClick={() => setAsked('look')}>
          Look again
        </Button>
      ) : null}
      <Button
        size="sm"
        variant="default"
        component="a"
        href={order.checkout_url}
        target="_blank"
        rel="noopener"
        rightSection={<Icon name="external" size={14} />}
      >
        Checkout
      </Button>
      <CopyIcon value={order.checkout_url} label="Copy checkout link" size={36} isFramed />
      <Dialogs order={order} asked={asked} onClose={() => setAsked(null)} />
    </>
  )
}

function Dialogs({ order, asked, onClose }: { order: Order; asked: Asked | null; onClose: () => void }) {
  const [reason, setReason] = useState('')
  const cancel = useCancelOrder(order.order_no)
  const refund = useRefundOrder(order.order_no)
  const retry = useRetrySettlement(order.order_no)
  const look = useLookAgain(order.order_no)
  return (
    <>
      <Confirm
        opened={asked === 'cancel'}
        onClose={onClose}
        title="Cancel this order?"
        action="Cancel the order"
        isDangerous
        onConfirm={async () => {
          await cancel.mutateAsync(undefined)
          notify('The order was canceled.')
        }}
      >
        The checkout stops taking payments, and the order expires. Money that still comes in goes back to the payer.
        This cannot be undone.
      </Confirm>
      <Confirm
        opened={asked === 'refund'}
        onClose={onClose}
        title="Refund the payer?"
        action="Refund"
        isDangerous
        onConfirm={async () => {
          await refund.mutateAsync(reason.trim())
          notify('The refund was asked for.')
        }}
      >
        <Stack gap={12}>
          <span>
            What is held back for this order goes{' '}
            {order.refund_address === null
              ? 'back to the payer as soon as they say where to: the checkout asks them.'
              : `to ${order.refund_address}, the refund address of the order.`}{' '}
            It cannot be sent anywhere else.
          </span>
          <TextInput
            label="Reason"
            description="For your audit log. May be empty."
            maxLength={REASON_MAX}
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
        </Stack>
      </Confirm>
      <Confirm
        opened={asked === 'look'}
        onClose={onClose}
        title="Look at the addresses again?"
        action="Look again"
        onConfirm={async () => {
          await look.mutateAsync()
          notify('The addresses are being read. What is found appears here within a minute.')
        }}
      >
        Every address of this order is read once more, on every chain that has it. For money that somebody says they
        sent and that is not shown here. What is found is booked as a payment.
      </Confirm>
      <Confirm
        opened={asked === 'retry'}
        onClose={onClose}
        title="Retry the settlement?"
        action="Retry"
        onConfirm={async () => {
          await retry.mutateAsync(undefined)
          notify('The settlement is tried again.')
        }}
      >
        The money is sent to {order.settle_address} once more. The order goes back to processing until that transfer is
        final.
      </Confirm>
    </>
  )
}
