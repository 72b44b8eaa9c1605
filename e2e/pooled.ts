// Every Florin that a test starts from here on gets a database of its own behind one pgbouncer in transaction mode.
import { randomBytes } from 'node:crypto'
import { after } from 'node:test'
import { openPool, withoutLimits } from '../packages/platform/src/db/pool.ts'
import { testCluster } from '../packages/server/test/cluster.ts'
import { startPooler } from '../packages/server/test/outages/pooler.ts'
import { useDatabase } from './florin.ts'

export async function usePooler(): Promise<void> {
  const cluster = await testCluster()
  const pooler = await startPooler(cluster)
  const admin = openPool({ url: cluster, max: 1, applicationName: 'pooled', limits: withoutLimits })
  const made: string[] = []
  useDatabase(async () => {
    const name = `pooled_${randomBytes(4).toString('hex')}`
    await admin.unsafe(`create database ${name}`)
    made.push(name)
    const at = (url: string): string => Object.assign(new URL(url), { pathname: `/${name}` }).href
    return { DATABASE_URL: at(pooler.through(cluster)), MIGRATE_DATABASE_URL: at(cluster) }
  })
  after(async () => {
    await pooler.stop()
    for (const name of made) await admin.unsafe(`drop database ${name} with (force)`)
    await admin.end()
  })
}
