// The packages that have tables, in the order that their migrations are run.
import { join } from 'node:path'
import type { MigrationFolder } from '@florin/platform/db/migrate'

const names = ['platform', 'rail-kit', 'server', 'rail-evm', 'rail-utxo', 'rail-intents']

export const packageMigrations: readonly MigrationFolder[] = names.map((name) => ({
  package: name,
  folder: join(import.meta.dirname, '../..', name, 'migrations'),
}))
