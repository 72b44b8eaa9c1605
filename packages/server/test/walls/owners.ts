// One owner for each table: the package or the server's feature that alone names the table in its SQL. The comment of the table, which its
// migration writes, names the owner.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../imports.ts'

export const schema = readFileSync(join(root, 'packages/server/schema.sql'), 'utf8')

export const tables: ReadonlySet<string> = new Set(
  [...schema.matchAll(/^create table (?:florin\.)?(\w+)/gim)].map(([, name = '']) => name),
)

/** Table or view → its owner. */
export const ownerOf: ReadonlyMap<string, string> = new Map(
  [...schema.matchAll(/^comment on (?:table|view) (?:florin\.)?(\w+) is 'Owner: ([\w/-]+)\./gim)].map(
    ([, name = '', owner = '']) => [name, owner],
  ),
)

/** Folder of the server → the owner it belongs to, where the names differ. */
const featureOwners: Readonly<Record<string, string>> = {
  attention: 'operations/attention',
  backup: 'operations/backup',
  brand: 'identity',
  decisions: 'operations/attention',
  keys: 'identity',
  login: 'identity',
  mails: 'identity',
  recovery: 'operations/recovery',
  reports: 'operations/reports',
}

/** The owner that a source file belongs to. */
export function ownerOfFile(file: string): string {
  const [, name = '', folder = ''] = /^packages\/([\w-]+)\/src\/([\w-]+)/.exec(file) ?? []
  return name === 'server' ? (featureOwners[folder] ?? folder) : name
}
