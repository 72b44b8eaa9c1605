// The filter of the list of deliveries as it stands in the address bar. Pure.
import { type DeliveryStatus, deliveryStatuses, type EventKind, eventKinds } from '@florin/protocol'

export interface DeliverySearch {
  status?: DeliveryStatus
  event?: EventKind
  order_no?: string
}

export function parseDeliverySearch(search: Record<string, unknown>): DeliverySearch {
  const status = deliveryStatuses.find((each) => each === search.status)
  const event = eventKinds.find((each) => each === search.event)
  const order = typeof search.order_no === 'string' ? search.order_no.trim().slice(0, 100) : ''
  return {
    ...(status === undefined ? {} : { status }),
    ...(event === undefined ? {} : { event }),
    ...(order === '' ? {} : { order_no: order }),
  }
}
