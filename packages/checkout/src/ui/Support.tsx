// Whom to ask.
import { webUrl } from '@florin/checkout-core'
import type { Checkout } from '@florin/protocol'
import { useShared } from './context.ts'

export function Support({ merchant }: { merchant: Checkout['merchant'] }) {
  const { say } = useShared()
  const email = merchant.support_email
  const url = webUrl(merchant.support_url)
  if (email === null && url === null) return null
  return (
    <p>
      {say('support')} {email === null ? null : <a href={`mailto:${email}`}>{email}</a>}
      {email === null || url === null ? null : ' · '}
      {url === null ? null : (
        <a href={url} rel="noopener">
          {new URL(url).host}
        </a>
      )}
    </p>
  )
}
