// Who is paid, how much, and for what: the part that is the same from the first second to the receipt.

import { askedText, fxText, webUrl } from '@florin/checkout-core'
import type { Checkout } from '@florin/protocol'
import { useShared } from './context.ts'
import { Icon } from './Icon.tsx'

export function Summary({ checkout, canCancel }: { checkout: Checkout; canCancel: boolean }) {
  const { say, locale } = useShared()
  const { logo } = checkout.merchant
  const name = checkout.merchant.name ?? say('shop')
  const cancelUrl = canCancel ? webUrl(checkout.cancel_url) : null
  return (
    <header className="summary">
      <p className="merchant">
        {cancelUrl === null ? null : (
          <a className="cancel" href={cancelUrl} aria-label={say('cancel_link')} title={say('cancel_link')}>
            <Icon name="arrow_left" />
          </a>
        )}
        {logo === null ? (
          <span className="merchant-mark" aria-hidden="true">
            {[...name][0]?.toUpperCase()}
          </span>
        ) : (
          <img
            className="merchant-logo"
            src={new URL(logo.url).pathname}
            alt=""
            width={logo.width}
            height={logo.height}
          />
        )}
        <bdi className="merchant-name">{name}</bdi>
        {checkout.livemode ? null : <span className="badge">{say('test_mode')}</span>}
      </p>
      <h1>
        <span className="offscreen">
          {say('pay_to')} <bdi>{name}</bdi>:{' '}
        </span>
        <span className="total">{askedText(checkout, locale)}</span>
      </h1>
      <FxLine checkout={checkout} />
      {checkout.title === null ? null : (
        <p className="title" dir="auto">
          {checkout.title}
        </p>
      )}
      {checkout.description === null ? null : (
        <p className="description" dir="auto">
          {checkout.description}
        </p>
      )}
    </header>
  )
}

/** What it is in dollars, which coins are counted in, and by which rate. */
function FxLine({ checkout }: { checkout: Checkout }) {
  const { locale } = useShared()
  const text = fxText(checkout, locale)
  if (text === null) return null
  return <p className="fx">{text}</p>
}
