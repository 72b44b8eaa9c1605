// That somebody else holds the money for some minutes: said before it is chosen, and where it is paid.
import { type Phrase, thirdPartyOf } from '@florin/checkout-core'
import type { Custody } from '@florin/protocol'
import { useShared } from './context.ts'
import { Icon } from './Icon.tsx'

export function Passes({ rail, custody, cost }: { rail: string; custody: Custody; cost?: Phrase | null }) {
  const { say } = useShared()
  const by = thirdPartyOf(rail, custody)
  if (by === null) return null
  return (
    <p className="passes">
      <Icon name="swap" />
      <span>
        <strong>{say('passes_through', { by })}</strong> {say('passes_through_more')}
        {cost ? ` ${say(cost)}` : null}
      </span>
    </p>
  )
}
