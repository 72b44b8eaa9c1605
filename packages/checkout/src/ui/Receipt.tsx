// The receipt of a paid order: on the page a short list, on paper the whole sheet.

import { askedText, coinText, explorerUrl, fxText, paymentLines, refundLines } from '@florin/checkout-core'
import { type Checkout, isOnChain } from '@florin/protocol'
import { momentText } from '../clock.ts'
import { useShared } from './context.ts'
import { Icon } from './Icon.tsx'
import { TxLink } from './MoneyList.tsx'

export function Receipt({ checkout }: { checkout: Checkout }) {
  const { say, locale } = useShared()
  const { pay } = checkout
  const chain = checkout.pay_chain?.name ?? pay?.chain ?? ''
  const transactions = paymentLines(checkout).filter((_, n) => {
    const payment = checkout.payments[n]
    return payment !== undefined && isOnChain(payment) && payment.use === 'counted'
  })
  return (
    <section className="receipt" aria-labelledby="receipt-title">
      <h3 id="receipt-title">{say('receipt')}</h3>
      <dl>
        <div className="on-paper">
          <dt>{say('pay_to')}</dt>
          <dd dir="auto">{checkout.merchant.name ?? say('shop')}</dd>
        </div>
        {checkout.title === null ? null : (
          <div className="on-paper">
            <dt>{say('receipt_for')}</dt>
            <dd dir="auto">{checkout.title}</dd>
          </div>
        )}
        <div className="on-paper">
          <dt>{say('amount')}</dt>
          <dd>
            {askedText(checkout, locale)}
            {checkout.fx === null ? null : ` (${fxText(checkout, locale)})`}
          </dd>
        </div>
        {pay === null ? null : (
          <div>
            <dt>{say('receipt_paid')}</dt>
            <dd>
              {coinText(pay.amount_due, pay.decimals, locale)} {say('coin_on_chain', { asset: pay.asset, chain })}
            </dd>
          </div>
        )}
        {checkout.settled_at === null ? null : (
          <div>
            <dt>{say('receipt_when')}</dt>
            <dd>
              <time dateTime={checkout.settled_at}>{momentText(checkout.settled_at, locale)}</time>
            </dd>
          </div>
        )}
        {transactions.map((line) => (
          <div key={line.id}>
            <dt>{say('receipt_transaction')}</dt>
            <dd>
              {line.hash === null ? null : <TxLink hash={line.hash} href={line.href} />}
              <span className="on-paper code">{line.hash}</span>
            </dd>
          </div>
        ))}
        <Settlement checkout={checkout} />
        {refundLines(checkout).map((line, n) =>
          checkout.refunds[n]?.status === 'succeeded' ? (
            <div key={line.id}>
              <dt>{say('refunds')}</dt>
              <dd>
                {line.text} {line.hash === null ? null : <TxLink hash={line.hash} href={line.href} />}
                <span className="on-paper code">{line.hash}</span>
              </dd>
            </div>
          ) : null,
        )}
        <div>
          <dt>{say('order')}</dt>
          <dd className="code">{checkout.order_no}</dd>
        </div>
      </dl>
      <button type="button" className="button" onClick={() => window.print()}>
        <Icon name="printer" />
        {say('print_receipt')}
      </button>
    </section>
  )
}

/** The transaction that paid the shop. A rail whose pay address has a proof settles on the chain that was paid on. */
function Settlement({ checkout: { pay, pay_chain: chain, settle_tx_hash: hash } }: { checkout: Checkout }) {
  const { say } = useShared()
  if (hash === null || (pay?.proof ?? null) === null) return null
  return (
    <div>
      <dt>{say('receipt_settled')}</dt>
      <dd>
        <TxLink hash={hash} href={explorerUrl(chain?.explorer_tx ?? null, 'tx', hash)} />
        <span className="on-paper code">{hash}</span>
      </dd>
    </div>
  )
}
