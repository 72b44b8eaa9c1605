// Sends one delivery again, at the request of a person or a program (contract.md 6).
import { only } from '@florin/platform/assert'
import type { Clock } from '@florin/platform/clock'
import type { Sql } from '@florin/platform/db/pool'
import { withTx } from '@florin/platform/db/tx'
import { AppError } from '@florin/platform/errors'
import { newId } from '@florin/platform/ids'
import type { Wakes } from '../../wakes.ts'
import { isClosedEndpoint } from '../endpoints/store.ts'
import { RETRY } from '../queue/classes.ts'
import { laneOf } from '../rules.ts'
import { expedite, hasBody, insertResends } from './resend.store.ts'
import { type DeliveryRow, findDelivery, type Owner } from './store.ts'

/**
 * A succeeded or dead delivery gets a new delivery of the same event, with five attempts of its own. For a pending or
 * retrying one, the next attempt is made now.
 * @returns the delivery that will be sent.
 * @throws AppError delivery_not_found, delivery_in_flight, endpoint_disabled, delivery_body_expired.
 */
export async function resend(
  deps: { sql: Sql; clock: Clock; wake: Wakes },
  id: string,
  owner: Owner,
): Promise<DeliveryRow> {
  const now = deps.clock.now()
  const resent = await withTx(deps.sql, async (tx) => {
    const old = await findDelivery(tx, id, owner)
    if (old === null) throw new AppError('delivery_not_found')
    // Read from the queue and not from the status, which may have changed since it was read.
    const place = await expedite(tx, old.no, now)
    if (place === 'leased') throw new AppError('delivery_in_flight')
    if (place === 'hurried') return old.id
    if (old.endpointId !== null && (await isClosedEndpoint(tx, old.endpointId))) throw new AppError('endpoint_disabled')
    if (!(await hasBody(tx, old))) throw new AppError('delivery_body_expired')
    const wish = { id: newId('dlv', now), from: old.id, lane: laneOf(old.merchantNo, old.url) }
    return only(await insertResends(tx, { resends: [wish], class: RETRY, now }), 'new delivery')
  })
  deps.wake.deliveries.fire()
  const row = await findDelivery(deps.sql, resent, owner)
  if (row === null) throw new AppError('delivery_not_found')
  return row
}
