// When a delivery is tried next. A moment that passed more than a minute ago is late, and is shown as late.
import type { Delivery } from '@florin/protocol'
import { Badge } from '../ui/badge.tsx'
import { useNow, When } from '../ui/time.tsx'
import classes from './webhooks.module.css'
import { isLate } from './words.ts'

export function NextAttempt({ at }: { at: string }) {
  const late = isLate(at, useNow())
  return (
    <span className={classes.heading}>
      {late ? <Badge tone="warn">Late</Badge> : null}
      {late ? 'was due ' : null}
      <When at={at} as="full" />
    </span>
  )
}

/** The same in a list: of a first attempt only that it is late. */
export function NextAttemptNote({ of: delivery, at }: { of: Delivery; at: string }) {
  const late = isLate(at, useNow())
  if (!late && delivery.status !== 'retrying') return null
  return (
    <small className={classes.dim}>
      {late ? ' · late, was due ' : ' · next '}
      <When at={at} as="relative" />
    </small>
  )
}
