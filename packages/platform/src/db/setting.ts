// DATABASE_URL and MIGRATE_DATABASE_URL.

interface DatabaseSettings {
  /** null: embedded PostgreSQL below dataDir. */
  readonly databaseUrl: string | null
  /** For MODE=migrate and all: where migrations run when `databaseUrl` leads through a pooler; null: at `databaseUrl`. */
  readonly migrateDatabaseUrl: string | null
}

/** As libpq takes several hosts: with commas, in the address or in `host`; `target_session_attrs` chooses among them. */
function isOfOneHost(url: string): boolean {
  const [, address = ''] = /^[a-z]+:\/\/([^/?#]*)/.exec(url) ?? []
  const hosts = address.slice(address.lastIndexOf('@') + 1)
  return !hosts.includes(',') && !/[?&](?:target_session_attrs=|host=[^&#]*(?:,|%2c))/i.test(url)
}

export function readDatabase(
  text: (name: 'DATABASE_URL' | 'MIGRATE_DATABASE_URL') => string | null,
  faults: string[],
): DatabaseSettings {
  const urlIn = (name: 'DATABASE_URL' | 'MIGRATE_DATABASE_URL'): string | null => {
    const url = text(name)
    if (url === null) return null
    if (!/^postgres(ql)?:\/\//.test(url)) faults.push(`${name} must start with postgres:// or postgresql://.`)
    else if (!isOfOneHost(url))
      faults.push(
        `${name} has to name one host: the address that leads to the primary, such as that of HAProxy before Patroni, of a pooler ` +
          'or of a managed service, without target_session_attrs.',
      )
    else if (!URL.canParse(url) || new URL(url).hostname === '')
      faults.push(`${name} cannot be read: it is postgres://user:password@host:5432/florin.`)
    return url
  }
  const read = { databaseUrl: urlIn('DATABASE_URL'), migrateDatabaseUrl: urlIn('MIGRATE_DATABASE_URL') }
  if (read.migrateDatabaseUrl !== null && read.databaseUrl === null)
    faults.push('MIGRATE_DATABASE_URL is for a DATABASE_URL that leads through a pooler, and there is no DATABASE_URL.')
  return read
}
