// The same work carried by graphile-worker as its guide to performance advises: a local queue of 500, as many jobs side
// by side, completion in batches. The job holds all that is needed to send it, and records are written in batches too,
// as Florin does, though the guide has nothing of the kind: one statement a job would halve its figure.
import { type AddJobsJobSpec, Logger, makeWorkerUtils, run } from 'graphile-worker'
import { Agent } from 'undici'
import { openPool } from '../../packages/platform/src/db/pool.ts'
import { CONNECTIONS, type WaitingDelivery, waitingDeliveries } from './database.ts'
import { postOne } from './post-one.ts'
import { isSuccess, makeGatherer } from './records.ts'
import { serveSide } from './side.ts'

const SIDE_BY_SIDE = 500
const logger = new Logger(() => (level, message) => {
  if (level === 'error' && !message.includes('no answer')) console.error(message)
})

await serveSide(async (orders) => {
  const sql = openPool({ url: orders.databaseUrl, max: 4, applicationName: 'graphile records' })
  const utils = await makeWorkerUtils({ connectionString: orders.databaseUrl, logger })
  await utils.migrate()
  for await (const rows of waitingDeliveries(sql)) {
    await utils.addJobs(rows.map((payload): AddJobsJobSpec => ({ identifier: 'deliver', payload, maxAttempts: 5 })))
  }
  await utils.release()
  const agent = new Agent({ connections: CONNECTIONS, pipelining: 1 })
  const record = makeGatherer(sql, 500, 5)
  const all = Promise.withResolvers<void>()
  let left = orders.healthy

  const deliver = async (payload: unknown): Promise<void> => {
    const job = payload as WaitingDelivery
    const answered = await postOne(agent, { ...job, attempt: 1, secret: orders.secrets[job.apiKeyId] ?? '' })
    await record({ ...answered, id: job.id, n: 1 })
    if (!isSuccess(answered)) throw new Error('no answer')
    left -= 1
    if (left === 0) all.resolve()
  }
  return () => {
    run({
      ...{ connectionString: orders.databaseUrl, logger, noHandleSignals: true, taskList: { deliver } },
      ...{ concurrency: SIDE_BY_SIDE, pollInterval: 500, maxPoolSize: 10 },
      preset: {
        worker: { localQueue: { size: SIDE_BY_SIDE }, completeJobBatchDelay: 5, failJobBatchDelay: 5 },
      },
    }).catch((error: unknown) => all.reject(error))
    return { done: all.promise }
  }
})
