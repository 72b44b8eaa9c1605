// The money of an order as it was seen on chain: what came in, what went back, and where all of it is.
import type { BalanceLine, Order, OrderOnChain, Payment, Refund } from '@florin/protocol'
import { useChains } from '../chains.ts'
import { Badge, PaymentBadge, RefundBadge } from '../ui/badge.tsx'
import { unitsShort } from '../ui/format.ts'
import { Section } from '../ui/page.tsx'
import { type Column, Table } from '../ui/table.tsx'
import { When } from '../ui/time.tsx'
import { AddressLink, TxLink } from './chain-link.tsx'
import classes from './orders.module.css'
import { useOnChain } from './queries.ts'
import { chainWords, refundReasonWords } from './words.ts'

const useWords = {
  counted: null,
  excess: 'above the price',
  late: 'late',
  wrong_asset: 'another asset',
  wrong_chain: 'another chain',
} as const

export function Payments({ order }: { order: Order }) {
  const chains = useChains()
  const details = useOnChain(order).data?.payments ?? []
  const columns: readonly Column<Payment>[] = [
    {
      key: 'amount',
      label: 'Amount',
      card: 'title',
      cell: (row) => (
        <span className="nums">
          {unitsShort(row.amount, row.decimals)} {row.asset}
          {row.transfers > 1 ? <small> in {row.transfers} transfers</small> : null}
        </span>
      ),
    },
    { key: 'chain', label: 'Chain', cell: (row) => chains.name(row.chain) },
    {
      key: 'status',
      label: 'State',
      cell: (row) => (
        <span className="nums">
          <PaymentBadge status={row.status} />{' '}
          {row.status === 'detected' ? `${row.confirmations} of ${row.confirmations_required}` : null}{' '}
          {useWords[row.use] === null ? null : <Badge tone="warn">{useWords[row.use]}</Badge>}
          <Details order={order} of={details.find((one) => isOf(one, row))} />
        </span>
      ),
    },
    { key: 'tx', label: 'Transaction', cell: (row) => <TxLink order={order} chain={row.chain} tx={row.tx_hash} /> },
    { key: 'seen', label: 'Seen', align: 'right', cell: (row) => <When at={row.detected_at} /> },
  ]
  if (order.payments.length === 0) return null
  const hidden = order.payments_total - order.payments.length
  return (
    <Section title="Payments" aside={hidden > 0 ? <small>The newest of {order.payments_total}</small> : null}>
      <Table label="Payments" columns={columns} rows={order.payments} rowKey={(row) => row.id} empty={null} />
    </Section>
  )
}

const isOf = (one: OrderOnChain['payments'][number], { tx_hash, output_index }: Payment): boolean =>
  one.tx_hash === tx_hash && one.output_index === output_index

/** Of a payment to the merchant's own wallet. */
function Details({ order, of }: { order: Order; of: OrderOnChain['payments'][number] | undefined }) {
  if (of === undefined) return null
  const words = chainWords(of)
  if (words.length === 0 && of.replaced_by === null) return null
  return (
    <small className={classes.details}>
      {words.join(' · ')}
      {of.replaced_by === null ? null : (
        <>
          {words.length === 0 ? null : ' · '}replaced by <TxLink order={order} chain={of.chain} tx={of.replaced_by} />
        </>
      )}
    </small>
  )
}

export function Refunds({ order }: { order: Order }) {
  const chains = useChains()
  const amountOf = (row: Refund) => {
    const decimals = decimalsOf(order, chains.decimals(row.chain, row.asset), row)
    return decimals === null ? row.amount : unitsShort(row.amount, decimals)
  }
  const columns: readonly Column<Refund>[] = [
    {
      key: 'amount',
      label: 'Amount',
      card: 'title',
      cell: (row) => (
        <span className="nums">
          {amountOf(row)} {row.asset}
        </span>
      ),
    },
    { key: 'state', label: 'State', cell: (row) => <RefundBadge status={row.status} /> },
    { key: 'reason', label: 'Why', cell: (row) => refundReasonWords[row.reason] },
    {
      key: 'to',
      label: 'To',
      cell: (row) =>
        row.address === null ? 'Not given yet' : <AddressLink order={order} chain={row.chain} address={row.address} />,
    },
    {
      key: 'tx',
      label: 'Transaction',
      cell: (row) => (row.tx_hash === null ? '–' : <TxLink order={order} chain={row.chain} tx={row.tx_hash} />),
    },
  ]
  if (order.refunds.length === 0) return null
  return (
    <Section title="Refunds">
      <Table label="Refunds" columns={columns} rows={order.refunds} rowKey={(row) => row.id} empty={null} />
    </Section>
  )
}

export function Balance({ order }: { order: Order }) {
  const chains = useChains()
  const money = (row: BalanceLine, amount: string) => {
    const decimals = decimalsOf(order, chains.decimals(row.chain, row.asset), row)
    return <span className="nums">{decimals === null ? amount : unitsShort(amount, decimals)}</span>
  }
  const columns: readonly Column<BalanceLine>[] = [
    { key: 'asset', label: 'Asset', card: 'title', cell: (row) => `${row.asset} on ${chains.name(row.chain)}` },
    { key: 'received', label: 'Received', align: 'right', cell: (row) => money(row, row.received) },
    { key: 'settled', label: 'Settled', align: 'right', cell: (row) => money(row, row.settled) },
    { key: 'fee', label: 'Fee', align: 'right', cell: (row) => money(row, row.fee) },
    { key: 'refunded', label: 'Refunded', align: 'right', cell: (row) => money(row, row.refunded) },
    {
      key: 'held',
      label: 'Held',
      align: 'right',
      cell: (row) => (
        <>
          {money(row, row.held)}
          {row.held_below_cost === '0' ? null : (
            <small> {row.held_below_cost === row.held ? '' : 'in part '}below the cost of sending it back</small>
          )}
        </>
      ),
    },
  ]
  const owed = useOnChain(order).data?.fee_owed ?? []
  if (order.balance.length === 0) return null
  return (
    <Section title="Where the money is">
      <Table
        label="Where the money is"
        columns={columns}
        rows={order.balance}
        rowKey={(row) => `${row.chain} ${row.asset}`}
        empty={null}
      />
      {owed.map((row) => (
        <p key={`${row.chain} ${row.asset}`} className={classes.owed}>
          It went straight to your wallet. You owe the operator {unitsShort(row.amount, row.decimals)} {row.asset} as
          fee for it; nothing was taken on the way.
        </p>
      ))}
    </Section>
  )
}

/** The decimals of an asset: of the order's own legs and payments first, which may know what the catalogue does not. */
function decimalsOf(order: Order, catalogued: number | null, of: { chain: string; asset: string }): number | null {
  const is = (each: { chain: string; asset: string }) => each.chain === of.chain && each.asset === of.asset
  const payment = order.payments.find(is)
  if (payment !== undefined) return payment.decimals
  return order.pay !== null && is(order.pay) ? order.pay.decimals : catalogued
}
