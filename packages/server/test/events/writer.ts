// A process that writes events and does nothing else: for the attack on their order. Forked with its orders as JSON;
// it says when each commit was asked for and when it had returned, on the clock that all processes of a machine share.
import { openPool } from '@florin/platform/db/pool'
import { newId } from '@florin/platform/ids'

export interface WriterOrders {
  databaseUrl: string
  merchants: readonly { merchantId: string; keyId: string }[]
  events: number
  connections: number
  /** One transaction in ten stays open for up to this long after it wrote. */
  longMs: number
}

export interface Write {
  merchantId: string
  ids: string[]
  /** Nanoseconds, as text. */
  asked: string
  returned: string
}

const below = (n: number): number => Math.floor(Math.random() * n)

async function main(orders: WriterOrders): Promise<void> {
  const sql = openPool({ url: orders.databaseUrl, max: orders.connections, applicationName: 'event writer' })
  const writes: Write[] = []
  let left = orders.events

  async function writeOne(): Promise<void> {
    const merchant = orders.merchants[below(orders.merchants.length)]
    if (merchant === undefined) throw new Error('no merchants')
    const { merchantId, keyId } = merchant
    const count = Math.min(left, below(20) === 0 ? 3 : 1)
    left -= count
    const isLong = below(10) === 0
    const ids: string[] = []
    let asked = 0n
    await sql.begin(async (tx) => {
      // Its number is taken first, so that long ones commit behind many with higher numbers.
      await tx`select pg_current_xact_id()`
      for (let n = 0; n < count; n++) {
        const now = new Date()
        const id = newId('evt', now)
        const body = JSON.stringify({ id, event: 'order.success', created_at: now.toISOString(), order: {} })
        await tx`
          insert into order_events (id, order_no, merchant_id, api_key_id, livemode, event, status, status_detail, version,
                                    body, created_at)
          values (${id}, ${`ord_${id.slice(4)}`}, ${merchantId}, ${keyId}, false, 'order.success', 'success', 'paid', 1,
                  ${Buffer.from(body)}, ${now})`
        ids.push(id)
      }
      if (isLong) await tx`select pg_sleep(${below(orders.longMs) / 1000})`
      asked = process.hrtime.bigint()
    })
    writes.push({ merchantId, ids, asked: `${asked}`, returned: `${process.hrtime.bigint()}` })
  }

  async function worker(): Promise<void> {
    while (left > 0) await writeOne()
  }
  await Promise.all(Array.from({ length: orders.connections }, worker))
  await sql.end({ timeout: 5 })
  process.send?.(writes, () => process.exit(0))
}

process.on('disconnect', () => process.exit(1))
if (process.argv[2] !== undefined) await main(JSON.parse(process.argv[2]) as WriterOrders)
