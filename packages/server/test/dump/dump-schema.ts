// Rewrites schema.sql from a database that was just migrated: `npm run db:dump`.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startEphemeral } from '@florin/embedded-postgres'
import { migrate } from '@florin/platform/db/migrate'
import { openPool } from '@florin/platform/db/pool'
import { packageMigrations } from '../../src/migrations.ts'
import { dumpSchema } from './schema.ts'

const cluster = await startEphemeral({ log: { info: () => undefined, warn: console.warn } })
try {
  const sql = openPool({ url: cluster.url, max: 2, applicationName: 'dump-schema' })
  await migrate(sql, packageMigrations)
  await writeFile(join(import.meta.dirname, '../../schema.sql'), await dumpSchema(sql))
  await sql.end()
  console.log('schema.sql is written')
} finally {
  await cluster.stop()
}
