// The coloured words: the state of an order, a delivery, a payment, a refund, and the mode. Colour never speaks alone.
import type { DeliveryStatus, OrderStatus, PaymentStatus, RefundStatus, StatusDetail } from '@florin/protocol'
import type { ReactNode } from 'react'
import { detailWords, statusWords, type Tone } from '../orders/words.ts'
import classes from './badge.module.css'

export function Badge({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <span className={classes.badge} data-tone={tone}>
      {children}
    </span>
  )
}

export function OrderBadge({ status, detail }: { status: OrderStatus; detail?: StatusDetail }) {
  const { label, tone } = statusWords[status]
  const words = detail === undefined ? undefined : detailWords[detail]
  // "Refunded · refunded" would say nothing twice.
  const adds = words !== undefined && words !== label.toLowerCase() && detail !== 'paid'
  return (
    <span className={classes.pair}>
      <Badge tone={tone}>{label}</Badge>
      {adds ? <span className={classes.detail}>{words}</span> : null}
    </span>
  )
}

const deliveries: Readonly<Record<DeliveryStatus, readonly [Tone, string]>> = {
  pending: ['busy', 'Pending'],
  retrying: ['warn', 'Retrying'],
  succeeded: ['good', 'Delivered'],
  dead: ['bad', 'Dead'],
}
export const deliveryLabel = (status: DeliveryStatus): string => deliveries[status][1]
export const DeliveryBadge = ({ status }: { status: DeliveryStatus }) => (
  <Badge tone={deliveries[status][0]}>{deliveries[status][1]}</Badge>
)

const payments: Readonly<Record<PaymentStatus, readonly [Tone, string]>> = {
  unconfirmed: ['calm', 'Unconfirmed'],
  detected: ['busy', 'Confirming'],
  confirmed: ['good', 'Confirmed'],
  orphaned: ['bad', 'Left the chain'],
  dropped: ['bad', 'Replaced'],
}
export const PaymentBadge = ({ status }: { status: PaymentStatus }) => (
  <Badge tone={payments[status][0]}>{payments[status][1]}</Badge>
)

const refunds: Readonly<Record<RefundStatus, readonly [Tone, string]>> = {
  waiting: ['warn', 'Address needed'],
  proposed: ['busy', 'Proposed'],
  sending: ['busy', 'Sending'],
  succeeded: ['good', 'Sent'],
  failed: ['bad', 'Failed'],
}
export const RefundBadge = ({ status }: { status: RefundStatus }) => (
  <Badge tone={refunds[status][0]}>{refunds[status][1]}</Badge>
)

export const ModeBadge = ({ live }: { live: boolean }) =>
  live ? <Badge tone="good">Live</Badge> : <Badge tone="warn">Test</Badge>
