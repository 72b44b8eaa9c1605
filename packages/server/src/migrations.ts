// The packages that have tables, in the order that their migrations are run.
import { join } from 'node:path'
import type { MigrationFolder } from '@florin/platform/db/migrate'

export const packageMigrations: readonly MigrationFolder[] = [
  { package: 'server', folder: join(import.meta.dirname, '../migrations') },
]
