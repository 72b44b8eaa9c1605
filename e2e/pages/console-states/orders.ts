// The lists of orders, one order in each standing, and what is done with it.
import { type Ask, type ConsoleState, press } from './state.ts'

const orders = [
  ['pending', 'awaiting_payment'],
  ['pending', 'partially_paid'],
  ['processing', 'confirming'],
  ['processing', 'reorged'],
  ['success', 'paid'],
  ['success', 'overpaid'],
  ['failed', 'settlement_failed'],
  ['refunded', 'refunded'],
  ['expired', 'unpaid'],
] as const

const orderOf = (status: string, detail: string) => async (ask: Ask) => {
  const rows = await ask('orders?livemode=false&limit=100')
  return `/orders/${rows.find((row) => row.status === status && row.status_detail === detail)?.order_no}`
}

/** The order with one item of every kind about it. */
const alarmed = async (ask: Ask) => {
  const [item] = (await ask('attention?livemode=true')).filter((row) => row.order_no !== null)
  return `/orders/${item?.order_no}`
}

export const orderStates: readonly ConsoleState[] = [
  { name: 'orders', who: 'shop', path: '/orders' },
  { name: 'orders_filtered', who: 'shop', path: '/orders?status=%5B%22failed%22%2C%22refunded%22%5D' },
  { name: 'orders_none_fit', who: 'shop', path: '/orders?q=nothing-like-this' },
  { name: 'orders_none_so_far', who: 'shop', path: '/orders?q=porcelain' },
  { name: 'orders_some_so_far', who: 'shop', path: '/orders?q=oak' },
  { name: 'orders_new', who: 'new', path: '/orders' },
  { name: 'orders_new_live', who: 'new', live: true, path: '/orders' },
  { name: 'orders_broken', who: 'broken', path: '/orders', isFailure: true },
  { name: 'orders_slow', who: 'slow', path: '/orders' },
  { name: 'orders_create', who: 'shop', path: '/orders', act: (page) => press(page, 'Test order') },
  { name: 'orders_create_too_soon', who: 'new', path: '/orders', act: (page) => press(page, 'Test order') },
  {
    name: 'orders_export',
    who: 'shop',
    path: '/orders',
    act: async (page) => {
      await press(page, /^Export/)
      await press(page, 'Export CSV')
      await page.getByText(/^Saved/).waitFor()
    },
  },
  ...orders.map(
    ([status, detail]): ConsoleState => ({
      name: `order_${status}_${detail}`,
      who: 'shop',
      path: orderOf(status, detail),
    }),
  ),
  {
    name: 'order_in_coin',
    who: 'shop',
    path: async (ask) => {
      const rows = await ask('orders?livemode=false&limit=100')
      return `/orders/${rows.find((row) => row.settle_chain === 'btc')?.order_no}`
    },
  },
  {
    name: 'order_cancel',
    who: 'shop',
    path: orderOf('pending', 'awaiting_payment'),
    act: (page) => press(page, 'Cancel'),
  },
  { name: 'order_alarms', who: 'shop', live: true, path: alarmed },
  { name: 'order_look_again', who: 'shop', live: true, path: alarmed, act: (page) => press(page, 'Look again') },
  { name: 'order_slow', who: 'slow', path: '/orders/ord_00000000000000000000000000' },
  { name: 'order_not_found', who: 'shop', path: '/orders/ord_00000000000000000000000000', isFailure: true },
  {
    name: 'order_own_refund',
    who: 'shop',
    path: orderOf('success', 'paid'),
    act: async (page) => {
      await press(page, 'Refund…')
      await page.getByRole('textbox', { name: 'To' }).fill('0x27b1fdb04752bbc536007a920d24acb045561c26')
      await press(page, 'Go on to paying')
      await page.getByText('To be paid').first().waitFor()
    },
  },
]
