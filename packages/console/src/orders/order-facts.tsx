// The facts beside an order: how it is paid, where it settles, and what you gave with it.
import type { Order } from '@florin/protocol'
import { Progress } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useChains } from '../chains.ts'
import { railName } from '../rail-words.ts'
import { Card } from '../ui/card.tsx'
import { Mono } from '../ui/copy.tsx'
import { asked, bps, units, usd } from '../ui/format.ts'
import { Fact, Facts, Section } from '../ui/page.tsx'
import { When } from '../ui/time.tsx'
import { AddressLink, TxLink } from './chain-link.tsx'
import classes from './orders.module.css'
import { passedOverText, routeWhy, soon } from './route-words.ts'

export function PayLegFacts({ order }: { order: Order }) {
  const chains = useChains()
  const { pay } = order
  if (pay === null) {
    return (
      <Section title="Payment">
        <Card>
          <p className={classes.none}>The payer has not chosen how to pay.</p>
        </Card>
      </Section>
    )
  }
  const amount = (text: string) => (
    <span className="nums">
      {units(text, pay.decimals)} {pay.asset}
    </span>
  )
  const share = Number((BigInt(pay.amount_received) * 1000n) / (BigInt(pay.amount_due) || 1n)) / 10
  return (
    <Section title="Payment">
      <Card>
        <Progress
          value={Math.min(100, share)}
          size="sm"
          mb={8}
          aria-label={`Received ${units(pay.amount_received, pay.decimals)} of ${units(pay.amount_due, pay.decimals)} ${pay.asset}`}
        />
        <Facts>
          <Fact name="Due">{amount(pay.amount_due)}</Fact>
          <Fact name="Received">{amount(pay.amount_received)}</Fact>
          {pay.amount_remaining === '0' ? null : <Fact name="Missing">{amount(pay.amount_remaining)}</Fact>}
          <Fact name="On">{chains.name(pay.chain)}</Fact>
          <Fact name="To">
            <AddressLink order={order} chain={pay.chain} address={pay.address} />
          </Fact>
          {pay.memo === null ? null : (
            <Fact name="Memo">
              <Mono value={pay.memo} what="memo" />
            </Fact>
          )}
          <Fact name="Rate">
            <span className="nums">
              ${pay.rate} per {pay.asset}
            </span>
            <small className={classes.dim}> · {pay.rate_source}</small>
          </Fact>
          <Fact name="Rate until">
            <When at={pay.rate_expires_at} />
          </Fact>
          <RouteFacts pay={pay} />
          {pay.proof === null ? null : (
            <Fact name="Without Florin">
              <a
                href={`data:application/json,${encodeURIComponent(JSON.stringify(pay.proof, null, 2))}`}
                download={`proof-${order.order_no}.json`}
              >
                Save the proof
              </a>
              {' · '}
              <a href="/exit.html" download="florin-exit.html">
                Page that reads it
              </a>
            </Fact>
          )}
        </Facts>
      </Card>
    </Section>
  )
}

/** Which rail carries it and why, and through whose hands the money goes. */
function RouteFacts({ pay }: { pay: NonNullable<Order['pay']> }) {
  const { rail, route } = pay
  if (route === null) return <Fact name="Way">{railName(rail)}</Fact>
  return (
    <>
      <Fact name="Way">
        {railName(rail)}
        <small className={classes.dim}>
          {' · '}
          {route.custody === 'none'
            ? 'nobody else holds the money'
            : `passes through ${railName(rail)} for some minutes`}
        </small>
      </Fact>
      <Fact name="Why this way">{routeWhy(route)}</Fact>
      {route.passed_over.length === 0 ? null : <Fact name="Passed over">{passedOverText(route.passed_over)}</Fact>}
      {route.refund_fee === undefined ? null : (
        <Fact name="Cost of a refund">
          <span className="nums">{units(route.refund_fee, pay.decimals)}</span> {pay.asset}
        </Fact>
      )}
      <Fact name="In all">
        <span className="nums">${route.total_usd}</span>
        {route.expected_s === null ? null : <small className={classes.dim}> · {soon(route.expected_s)}</small>}
      </Fact>
    </>
  )
}

export function SettlementFacts({ order }: { order: Order }) {
  const chains = useChains()
  const amount = (text: string) => (
    <span className="nums">
      {units(text, order.settle_decimals)} {order.settle_asset}
    </span>
  )
  return (
    <Section title="Settlement">
      <Card>
        <Facts>
          <Fact name="On">{chains.name(order.settle_chain)}</Fact>
          <Fact name="To">
            <AddressLink order={order} chain={order.settle_chain} address={order.settle_address} />
          </Fact>
          {order.amount_out !== null ? (
            <Fact name="Arrived">{amount(order.amount_out)}</Fact>
          ) : order.amount_out_expected !== null ? (
            <Fact name="Expected">{amount(order.amount_out_expected)}</Fact>
          ) : null}
          {order.fee_bps === 0 ? null : <Fact name="Fee">{bps(order.fee_bps)}</Fact>}
          {order.settle_tx_hash === null ? null : (
            <Fact name="Transaction">
              <TxLink order={order} chain={order.settle_chain} tx={order.settle_tx_hash} />
            </Fact>
          )}
          {order.settled_at === null ? null : (
            <Fact name="Settled">
              <When at={order.settled_at} />
            </Fact>
          )}
        </Facts>
      </Card>
    </Section>
  )
}

/** Names and values as you gave them. */
export function MetadataFacts({ order }: { order: Order }) {
  const metadata = Object.entries(order.metadata)
  if (metadata.length === 0) return null
  return (
    <Section title="Metadata">
      <Card>
        <Facts>
          {metadata.map(([name, value]) => (
            <Fact
              key={name}
              name={
                <code className={classes.metadata} dir="auto">
                  {name}
                </code>
              }
            >
              <div dir="auto">{value}</div>
            </Fact>
          ))}
        </Facts>
      </Card>
    </Section>
  )
}

export function OrderFacts({ order }: { order: Order }) {
  const urls = [
    ['Webhook', order.webhook_url],
    ['Success page', order.success_url],
    ['Cancel page', order.cancel_url],
  ] as const
  return (
    <Section title="Details">
      <Card>
        <Facts>
          {order.fx === null ? null : <FxFacts order={order} fx={order.fx} />}
          {order.title === null ? null : (
            <Fact name="Title">
              <div dir="auto">{order.title}</div>
            </Fact>
          )}
          {order.description === null ? null : (
            <Fact name="Description">
              <div dir="auto">{order.description}</div>
            </Fact>
          )}
          <Fact name="Your reference">
            {order.external_id === null ? '–' : <Mono value={order.external_id} what="reference" />}
          </Fact>
          {order.payment_link_id === null ? null : (
            <Fact name="Came from">
              <Link to="/links/$id" params={{ id: order.payment_link_id }}>
                a payment link
              </Link>
              {order.quantity === null || order.quantity === 1 ? null : `, ${order.quantity} of it`}
            </Fact>
          )}
          {order.invoice_id === null ? null : (
            <Fact name="Came from">
              <Link to="/invoices/$id" params={{ id: order.invoice_id }}>
                an invoice
              </Link>
            </Fact>
          )}
          {order.payer_email === null ? null : (
            <Fact name="Payer’s email">
              <Mono value={order.payer_email} what="email" />
            </Fact>
          )}
          {order.payer_name === null ? null : (
            <Fact name="Payer’s name">
              <div dir="auto">{order.payer_name}</div>
            </Fact>
          )}
          {order.payer_note === null ? null : (
            <Fact name="Payer’s note">
              <div dir="auto">{order.payer_note}</div>
            </Fact>
          )}
          <Fact name={order.status === 'pending' ? 'Expires' : 'Deadline'}>
            <When at={order.expires_at} />
          </Fact>
          <Fact name="Refund address">
            {order.refund_address === null ? (
              'Not given'
            ) : (
              <Mono value={order.refund_address} what="refund address" ends={[8, 6]} />
            )}
          </Fact>
          {urls.map(([name, url]) =>
            url === null ? null : (
              <Fact key={name} name={name}>
                {url}
              </Fact>
            ),
          )}
          <Fact name="Version">
            <span className="nums">{order.version}</span>
          </Fact>
        </Facts>
      </Card>
    </Section>
  )
}

/** What made dollars of it, as it was when the order was made. */
function FxFacts({ order, fx }: { order: Order; fx: NonNullable<Order['fx']> }) {
  return (
    <>
      <Fact name="Asked for">{asked(order)}</Fact>
      <Fact name="In dollars">{usd(order.amount_usd)}</Fact>
      <Fact name="Exchange rate">
        1 USD = {fx.rate} {fx.quote}
        {fx.spread_bps === 0 ? '' : `, ${bps(fx.spread_bps)} spread in it`}
      </Fact>
      <Fact name="Rate from">
        {fx.sources.map((source) => source.id).join(', ')}, <When at={fx.observed_at} />
      </Fact>
    </>
  )
}
