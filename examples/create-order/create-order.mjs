// Creates an order and prints where the payer goes. With a test key it then plays the payer and watches the order settle.
import { Florin, FlorinError, formatUnits } from '@florin/sdk'

const apiKey = process.env.FLORIN_API_KEY ?? ''
const florin = new Florin({ apiKey, baseUrl: process.env.FLORIN_BASE_URL ?? 'http://localhost:3000' })

try {
  const order = await florin.orders.create(
    { amount_usd: 49.9, external_id: 'A-1001', title: 'Two tickets', webhook_url: process.env.WEBHOOK_URL },
    // The cart's own number: had this program died half-way, running it again would give the same order, not a second one.
    { idempotencyKey: process.env.CART_ID },
  )
  console.log(`Order ${order.order_no}: send the payer to ${order.checkout_url}`)

  if (!order.livemode) {
    await florin.test.simulate(order.order_no, { action: 'pay' })
    const settled = await florin.test.simulate(order.order_no, { action: 'settle' })
    const amount = formatUnits(settled.amount_out ?? '0', settled.settle_decimals)
    console.log(`It is ${settled.status}: ${amount} ${settled.settle_asset} arrived at ${settled.settle_address}`)
  }
} catch (error) {
  if (!(error instanceof FlorinError)) throw error
  console.error(`Florin says: ${error.message} (${error.code}${error.requestId ? `, request ${error.requestId}` : ''})`)
  process.exitCode = 1
}
