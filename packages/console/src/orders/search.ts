// The filter of the list of orders as it stands in the address bar, and what it asks of the server. Pure.
import { addDays, type OrderStatus, orderStatuses, startOfDay } from '@florin/protocol'

export interface OrderSearch {
  status?: OrderStatus[]
  /** Free text: an order number, your reference, an address, a transaction. */
  q?: string
  chain?: string
  /** Such as EUR. */
  currency?: string
  /** Dollars. */
  min?: string
  max?: string
  /** Days, as a date input gives them: from the first moment of `from` to the last of `to`, in the merchant's time zone. */
  from?: string
  to?: string
}

const day = /^\d{4}-\d{2}-\d{2}$/
const text = (value: unknown, max: number): string | undefined => {
  const trimmed = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
  return trimmed === '' ? undefined : trimmed.slice(0, max)
}

/** Reads what somebody may have typed into the address bar; what is not understood is left out. */
export function parseOrderSearch(search: Record<string, unknown>): OrderSearch {
  const given = Array.isArray(search.status) ? search.status : [search.status]
  const status = orderStatuses.filter((each) => given.includes(each))
  const found = {
    status: status.length > 0 && status.length < orderStatuses.length ? status : undefined,
    q: text(search.q, 200),
    chain: text(search.chain, 80),
    currency: codeOf(search.currency),
    min: dollarsOf(search.min),
    max: dollarsOf(search.max),
    from: dayOf(search.from),
    to: dayOf(search.to),
  }
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined))
}

const codeOf = (value: unknown): string | undefined => {
  const code = text(value, 12)?.toUpperCase()
  return code !== undefined && /^[A-Z0-9]{2,12}$/.test(code) ? code : undefined
}

const dollarsOf = (value: unknown): string | undefined => {
  const amount = text(value, 16)?.replace(',', '.')
  return amount !== undefined && /^\d{1,9}(\.\d{1,6})?$/.test(amount) ? amount : undefined
}

function dayOf(value: unknown): string | undefined {
  return typeof value === 'string' && day.test(value) && !Number.isNaN(Date.parse(value)) ? value : undefined
}

export const isFiltered = (search: OrderSearch): boolean => Object.values(search).some((value) => value !== undefined)

/** The query parameters of GET /api/v1/boss/orders and of its export. */
export function orderQuery(search: OrderSearch, { live, zone }: { live: boolean; zone: string }) {
  const start = (day: string): string => startOfDay(day, zone).toISOString()
  return {
    livemode: live,
    status: search.status,
    q: search.q,
    settle_chain: search.chain,
    currency: search.currency,
    amount_usd_from: search.min,
    amount_usd_to: search.max,
    created_from: search.from === undefined ? undefined : start(search.from),
    created_to: search.to === undefined ? undefined : start(addDays(search.to, 1)),
  }
}
