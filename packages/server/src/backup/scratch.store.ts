// SQL of the databases that drills restore into.
import { randomBytes } from 'node:crypto'
import { isInUse } from '@florin/platform/db/failures'
import type pg from 'pg'

const PREFIX = 'florin_drill_'

export async function mayCreateDatabases(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ may: boolean }>(
    'select rolcreatedb or rolsuper as may from pg_roles where rolname = current_user',
  )
  return rows[0]?.may === true
}

/** Those of this role, also of drills that run now. */
export async function listScratch(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select datname as name from pg_database d join pg_roles r on r.oid = d.datdba
     where starts_with(datname, $1) and r.rolname = current_user order by datname limit 100`,
    [PREFIX],
  )
  return rows.map(({ name }) => name)
}

export async function createScratch(client: pg.Client): Promise<string> {
  const name = `${PREFIX}${randomBytes(6).toString('hex')}`
  await client.query(`create database ${client.escapeIdentifier(name)} template template0 encoding 'UTF8'`)
  return name
}

/** One that a drill is connected to stays. */
export async function dropScratch(client: pg.Client, name: string): Promise<void> {
  await client.query(`drop database if exists ${client.escapeIdentifier(name)}`).catch((error: unknown) => {
    if (!isInUse(error)) throw error
  })
}
