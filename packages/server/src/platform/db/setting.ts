// DATABASE_URL and MIGRATE_DATABASE_URL.
import { urlsOf } from './connection/hosts.ts'

interface DatabaseSettings {
  /** null: embedded PostgreSQL below dataDir. */
  readonly databaseUrl: string | null
  /** For MODE=migrate and all: where migrations run when `databaseUrl` leads through a pooler; null: at `databaseUrl`. */
  readonly migrateDatabaseUrl: string | null
}

export function readDatabase(
  text: (name: 'DATABASE_URL' | 'MIGRATE_DATABASE_URL') => string | null,
  faults: string[],
): DatabaseSettings {
  const urlIn = (name: 'DATABASE_URL' | 'MIGRATE_DATABASE_URL'): string | null => {
    const url = text(name)
    if (url === null) return null
    if (!/^postgres(ql)?:\/\//.test(url)) faults.push(`${name} must start with postgres:// or postgresql://.`)
    else {
      try {
        urlsOf(url, name)
      } catch (error) {
        faults.push(error instanceof Error ? error.message : String(error))
      }
    }
    return url
  }
  const read = { databaseUrl: urlIn('DATABASE_URL'), migrateDatabaseUrl: urlIn('MIGRATE_DATABASE_URL') }
  if (read.migrateDatabaseUrl !== null && read.databaseUrl === null)
    faults.push('MIGRATE_DATABASE_URL is for a DATABASE_URL that leads through a pooler, and there is no DATABASE_URL.')
  return read
}
