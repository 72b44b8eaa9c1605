// The baseline: the same signed POSTs with the same headers and the same deadline, over 64 connections, from memory and
// without a record of anything.
import { Agent } from 'undici'
import { body } from './body.ts'
import { CONNECTIONS } from './database.ts'
import { postOne } from './post-one.ts'
import { serveSide } from './side.ts'

await serveSide(async (orders) => {
  const agent = new Agent({ connections: CONNECTIONS, pipelining: 1 })
  const [secret = ''] = Object.values(orders.secrets)
  let left = orders.healthy
  const worker = async (): Promise<void> => {
    while (left > 0) {
      left -= 1
      const job = { id: `dlv_${String(left).padStart(26, '0')}`, url: `${orders.origin}/hook`, event: 'order.success' }
      await postOne(agent, { ...job, attempt: 1, body, secret })
    }
  }
  return () => ({ done: Promise.all(Array.from({ length: CONNECTIONS }, worker)).then(() => undefined) })
})
