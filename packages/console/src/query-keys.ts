// The names of everything the console has read, and which of them a change makes stale. Pure. A key begins with what
// it is about and its mode, so that one prefix names all pages and filters of it.
import type { ConsoleChange } from '@florin/protocol'

export type Key = readonly unknown[]

export const keys = {
  orders: (live: boolean, ...rest: readonly unknown[]): Key => ['orders', live, ...rest],
  order: (orderNo: string, ...rest: readonly unknown[]): Key => ['order', orderNo, ...rest],
  orderDeliveries: (orderNo: string): Key => ['order', orderNo, 'deliveries'],
  deliveries: (live: boolean, ...rest: readonly unknown[]): Key => ['deliveries', live, ...rest],
  endpoints: (live: boolean): Key => ['endpoints', live],
  mails: (): Key => ['mails'],
  delivery: (id: string): Key => ['delivery', id],
  replay: (id: string): Key => ['replay', id],
  attention: (live: boolean, ...rest: readonly unknown[]): Key => ['attention', live, ...rest],
  stats: (live: boolean, ...rest: readonly unknown[]): Key => ['stats', live, ...rest],
  appkeys: (...rest: readonly unknown[]): Key => ['appkeys', ...rest],
  appkey: (id: string): Key => ['appkey', id],
  addresses: (): Key => ['addresses'],
  thirdParty: (live: boolean): Key => ['third-party', live],
  addressHistory: (...rest: readonly unknown[]): Key => ['address-history', ...rest],
  /** Lists of payment links and invoices. */
  selling: (live: boolean, ...rest: readonly unknown[]): Key => ['selling', live, ...rest],
  /** One payment link or invoice. */
  sold: (id: string): Key => ['selling', 'one', id],
  chains: (): Key => ['chains'],
  merchant: (): Key => ['merchant'],
  brand: (): Key => ['brand'],
  currencies: (): Key => ['currencies'],
  freshness: (): Key => ['freshness'],
  sessions: (): Key => ['sessions'],
  emailChange: (): Key => ['email-change'],
  accounts: (...rest: readonly unknown[]): Key => ['accounts', ...rest],
  feesOwed: (live: boolean, ...rest: readonly unknown[]): Key => ['fees-owed', live, ...rest],
  books: (live: boolean, ...rest: readonly unknown[]): Key => ['books', live, ...rest],
  audit: (...rest: readonly unknown[]): Key => ['audit', ...rest],
} as const

/** What is stale after these changes: each key once, the dear ones (statistics) apart, to be read again less often. */
export function staleAfter(changes: readonly ConsoleChange[]): { soon: Key[]; later: Key[] } {
  const soon = new Map<string, Key>()
  const later = new Map<string, Key>()
  const add = (to: Map<string, Key>, key: Key) => to.set(JSON.stringify(key), key)
  for (const { kind, livemode, order_no } of changes) {
    add(later, keys.stats(livemode))
    switch (kind) {
      case 'order':
        add(soon, keys.orders(livemode))
        // What was paid, and what is left, follows from orders.
        add(soon, ['selling'])
        if (order_no !== null) add(soon, keys.order(order_no))
        break
      case 'delivery':
        add(soon, keys.deliveries(livemode))
        // The change does not say which delivery it was; only one that is on the screen is read again.
        add(soon, ['delivery'])
        if (order_no !== null) add(soon, keys.orderDeliveries(order_no))
        break
      case 'attention':
        add(soon, keys.attention(livemode))
        // A difference between books and chain is an item, and ends with one.
        add(soon, keys.books(livemode))
        break
    }
  }
  return { soon: [...soon.values()], later: [...later.values()] }
}

/** The data of a stream's event, or null where it is not a change that this console knows. */
export function parseChange(data: string): ConsoleChange | null {
  try {
    const value: unknown = JSON.parse(data)
    if (typeof value !== 'object' || value === null) return null
    const { kind, livemode, order_no } = value as Record<string, unknown>
    const isKnown = kind === 'order' || kind === 'delivery' || kind === 'attention'
    if (!isKnown || typeof livemode !== 'boolean') return null
    return { kind, livemode, order_no: typeof order_no === 'string' ? order_no : null }
  } catch {
    return null
  }
}
