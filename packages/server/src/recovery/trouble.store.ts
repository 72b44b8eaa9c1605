// SQL of journals that cannot be written, by host.
import type { Db } from '@florin/platform/db/tx'

export interface JournalTrouble {
  host: string
  folder: string
  failure: string
  since: Date
}

export function saveTrouble(db: Db, a: Omit<JournalTrouble, 'since'> & { now: Date }): Promise<unknown> {
  return db`
    insert into journal_troubles (host, folder, failure, since, updated_at)
    values (${a.host}, ${a.folder}, ${a.failure}, ${a.now}, ${a.now})
    on conflict (host) do update
      set folder = excluded.folder, failure = excluded.failure, updated_at = excluded.updated_at`
}

export function deleteTrouble(db: Db, host: string): Promise<unknown> {
  return db`delete from journal_troubles where host = ${host}`
}

export function listTroubles(db: Db, since: Date): Promise<JournalTrouble[]> {
  return db<JournalTrouble[]>`
    select host, folder, failure, since from journal_troubles where updated_at > ${since} order by host limit 20`
}
