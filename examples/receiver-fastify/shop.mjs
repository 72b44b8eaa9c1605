// Stands in for the shop's database in these examples. In a real shop both maps are tables: the event's id is a primary key,
// and the two writes of `take` share one transaction with the change of the order.
const eventsSeen = new Set()
const orders = new Map()

/**
 * Takes in a verified event. It may come twice and out of order, so it counts once, and an order never goes back.
 * Returns what it did: 'duplicate', 'outdated' or 'applied'.
 */
export function take(event) {
  if (eventsSeen.has(event.id)) return 'duplicate'
  eventsSeen.add(event.id)
  const known = orders.get(event.order.order_no)
  if (known && known.version >= event.order.version) return 'outdated'
  orders.set(event.order.order_no, event.order)
  console.log(`${event.order.order_no} is ${event.order.status} (version ${event.order.version})`)
  return 'applied'
}
