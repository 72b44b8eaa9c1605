// The same work carried by pg-boss in the obvious way: the job holds all that is needed to send it; 200 are fetched at a
// time, sent side by side, their records written by one statement, and completed by one call. Three such loops, so that
// as many requests may be open as Florin has slots.
import { PgBoss } from 'pg-boss'
import { Agent } from 'undici'
import { openPool } from '../../packages/platform/src/db/pool.ts'
import { CONNECTIONS, type WaitingDelivery, waitingDeliveries } from './database.ts'
import { postOne } from './post-one.ts'
import { isSuccess, writeAttempts } from './records.ts'
import { serveSide } from './side.ts'

const QUEUE = 'deliveries'
const BATCH = 200
const LOOPS = 3

await serveSide(async (orders) => {
  const sql = openPool({ url: orders.databaseUrl, max: 4, applicationName: 'pg-boss records' })
  const boss = new PgBoss({ connectionString: orders.databaseUrl, max: 10, supervise: false, schedule: false })
  boss.on('error', (error) => console.error(error))
  await boss.start()
  await boss.createQueue(QUEUE, { retryLimit: 4, retryDelay: 60, expireInSeconds: 60 })
  for await (const rows of waitingDeliveries(sql)) {
    await boss.insert(
      QUEUE,
      rows.map((data) => ({ data })),
    )
  }
  const agent = new Agent({ connections: CONNECTIONS, pipelining: 1 })
  let left = orders.healthy

  const loop = async (): Promise<void> => {
    while (left > 0) {
      const jobs = await boss.fetch<WaitingDelivery>(QUEUE, { batchSize: BATCH })
      if (jobs.length === 0) await new Promise((resolve) => setTimeout(resolve, 50))
      const attempts = await Promise.all(
        jobs.map(async ({ id, data }) => {
          const secret = orders.secrets[data.apiKeyId] ?? ''
          const answered = await postOne(agent, { ...data, attempt: 1, secret })
          return { ...answered, n: 1, id: data.id, job: id }
        }),
      )
      await writeAttempts(sql, attempts)
      const [good, bad] = [attempts.filter(isSuccess), attempts.filter((attempt) => !isSuccess(attempt))]
      if (good.length > 0)
        await boss.complete(
          QUEUE,
          good.map((attempt) => attempt.job),
        )
      if (bad.length > 0)
        await boss.fail(
          QUEUE,
          bad.map((attempt) => attempt.job),
        )
      left -= good.length
    }
  }
  return () => ({ done: Promise.all(Array.from({ length: LOOPS }, loop)).then(() => undefined) })
})
