// Stands in for the shop's database in these examples. In a real shop all three are tables: the event's id and the shipped order's
// number are primary keys, and all writes of `take` share one transaction.
const eventsSeen = new Set()
const orders = new Map()
export const shipped = new Set()

/**
 * Takes in a verified event. Events arrive more than once and in any order, so an event counts once, an order never goes back to
 * a lower version, and the goods go out once, when the newest state known is `success`. That state can arrive with any event:
 * after an update of a higher version, order.success itself is outdated.
 * Returns what it did: 'duplicate', 'outdated' or 'applied'.
 */
export function take({ id, order }) {
  if (eventsSeen.has(id)) return 'duplicate'
  eventsSeen.add(id)
  const known = orders.get(order.order_no)
  // Events of one version were written together and carry the same state, so only a lower version is outdated.
  if (known && known.version > order.version) return 'outdated'
  orders.set(order.order_no, order)
  console.log(`${order.order_no} is ${order.status} (version ${order.version})`)
  if (order.status === 'success' && !shipped.has(order.order_no)) {
    // A real shop compares order_no and the amount with what it stored when it made the order, and ships if both fit.
    shipped.add(order.order_no)
    console.log(`${order.order_no} is shipped`)
  }
  return 'applied'
}
