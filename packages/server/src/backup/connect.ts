// One connection for a backup or a restore, without the limits of those that serve requests.
import { asOwner } from '@florin/platform/db/owner'
import { OperatorError } from '@florin/platform/errors'
import pg from 'pg'
import * as store from './store.ts'

/** @throws OperatorError where the role may not do it. */
export async function connected<T>(url: string, run: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, application_name: 'florin backup' })
  // A connection that is lost also fails the query that waits for it.
  client.on('error', () => undefined)
  await client.connect()
  try {
    await store.settleSession(client)
    return await asOwner(() => run(client))
  } finally {
    await client.end().catch(() => undefined)
  }
}

export async function requireFlorin(client: pg.Client): Promise<store.TableToCopy[]> {
  const tables = await store.listTables(client)
  if (tables.some(({ name }) => name === 'migrations')) return tables
  throw new OperatorError('There is no Florin in this database.')
}
