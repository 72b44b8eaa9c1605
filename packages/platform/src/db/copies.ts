// SQL of the name of an installation and of copies that sleep, for backups and restores, which work on a client of their own.
import type pg from 'pg'

/** Which installation this database is of; null: no process of Florin has named it. */
export async function findInstallation(client: pg.Client): Promise<string | null> {
  const { rows } = await client.query<{ is: boolean }>(`select to_regclass('installation') is not null as is`)
  if (rows[0]?.is !== true) return null
  const found = await client.query<{ id: string }>('select id from installation')
  return found.rows[0]?.id ?? null
}

/** Where no process of Florin has named it yet, so that a backup from before the first start counts. A role that only reads leaves it. */
export async function nameInstallation(client: pg.Client, id: string): Promise<void> {
  const { rows } = await client.query<{ may: boolean | null }>(`
    select has_table_privilege(to_regclass('installation'), 'insert')
      and current_setting('transaction_read_only') = 'off' as may`)
  if (rows[0]?.may !== true) return
  await client.query('insert into installation (id, created_at) values ($1, now()) on conflict (one) do nothing', [id])
}

/** As the migration makes it: a backup of an older release has none. */
const installations = `create table if not exists installation (one boolean primary key default true check (one), id text not null,
  former_id text, asleep_since timestamptz, created_at timestamptz not null)`

export async function isAsleep(client: pg.Client): Promise<boolean> {
  await client.query(installations)
  return (await client.query('select 1 from installation where asleep_since is not null')).rows.length > 0
}

/**
 * From now on it is a copy, which has a name of its own. One that is a copy already stays one of the same.
 * @returns the id of the installation that it is a copy of; null: it had none.
 */
export async function putToSleep(client: pg.Client, id: string): Promise<string | null> {
  await client.query(installations)
  const { rows } = await client.query<{ former: string | null }>(
    `insert into installation (id, former_id, asleep_since, created_at) values ($1, null, now(), now())
     on conflict (one) do update set id = excluded.id, former_id = coalesce(installation.former_id, installation.id), asleep_since = now()
     returning former_id as former`,
    [id],
  )
  return rows[0]?.former ?? null
}

/** The copy takes the place and the name of the installation that it was made of. @returns whether it was a copy. */
export async function wakeUp(client: pg.Client): Promise<boolean> {
  await client.query(installations)
  const { rowCount } = await client.query(
    `update installation set id = coalesce(former_id, id), former_id = null, asleep_since = null, created_at = now() where asleep_since is not null`,
  )
  return rowCount === 1
}

/** Whether a process of Florin has kept its master key here. */
export async function hasMasterKey(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ is: boolean }>(`select to_regclass('master_key_check') is not null as is`)
  return rows[0]?.is === true && (await client.query('select 1 from master_key_check limit 1')).rows.length > 0
}
