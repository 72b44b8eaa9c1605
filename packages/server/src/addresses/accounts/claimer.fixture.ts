// A process of its own that claims addresses for orders: `DATABASE_URL ACCOUNT FIRST COUNT MERCHANT`. Begins when it is told to, and
// prints their indexes and what it cost in its own processor time.
import { openPool } from '@florin/platform/db/pool'
import { accountAddresses } from './assign.ts'

const [url = '', account = '', first = '0', count = '0', merchantId = ''] = process.argv.slice(2)
const sql = openPool({ url, max: 4, applicationName: `claimer ${first}` })
const addresses = accountAddresses(sql)
await sql`select 1`
process.stdout.write('ready\n')
await new Promise((resolve) => process.stdin.once('data', resolve))
const indexes: number[] = []
const before = process.cpuUsage()
const orders = Array.from({ length: Number(count) }, (_, n) => `order ${Number(first) + n}`)
/** As many at once as there are connections. */
await Promise.all(
  Array.from({ length: 4 }, async () => {
    for (let orderRef = orders.pop(); orderRef !== undefined; orderRef = orders.pop()) {
      const order = { merchantId, orderRef, legRef: orderRef }
      const request = { ...order, chain: 'btc', livemode: true, receivingAddress: account }
      indexes.push(Number((await addresses.claim({ ...request, now: new Date() }))?.index))
    }
  }),
)
const { user, system } = process.cpuUsage(before)
process.stdout.write(`${JSON.stringify({ indexes, cpuMs: (user + system) / 1000 })}\n`)
await sql.end({ timeout: 5 })
process.stdin.unref()
