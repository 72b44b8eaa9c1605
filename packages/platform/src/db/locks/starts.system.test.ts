// The promise of starts.test.ts about a build that takes long, on the oldest PostgreSQL that Florin runs on.
import { test } from 'node:test'
import { packageMigrations } from '../../../../server/src/migrations.ts'
import { partitionedTables } from '../../../../server/src/partitions.ts'
import { debianCluster } from '../../../../server/test/events/debian-cluster.ts'
import { startsDuringABuild } from '../../../../server/test/upgrade/slow-build.ts'
import { migrate } from '../migrate.ts'
import { makePartitions } from '../partitions.ts'
import { withoutHurry } from '../pools.ts'

test('on PostgreSQL 15 too, workers start while an index is built, and a start that waits may be killed', async (t) => {
  const { url } = await debianCluster(t)
  await withoutHurry(url, async (sql) => {
    await migrate(sql, packageMigrations)
    await makePartitions(sql, partitionedTables, new Date())
  })
  await startsDuringABuild(t, url)
})
