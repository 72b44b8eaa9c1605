// Kills of delivery workers, through a real pgbouncer in transaction mode.
import { after } from 'node:test'
import { testCluster } from '../../../test/cluster.ts'
import { reachDatabases } from '../../../test/databases/databases.ts'
import { startPooler } from '../../../test/outages/pooler.ts'

const pooler = await startPooler(await testCluster())
after(() => pooler.stop())
reachDatabases(pooler.through)
await import('./kill.test.ts')
