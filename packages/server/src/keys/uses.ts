// When each key was last used: kept in memory and written every few seconds, never per request. A crash loses a few
// seconds of it; an orderly stop loses nothing.
import type { Sql } from '@florin/platform/db/pool'
import type { Job } from '@florin/platform/worker/job'
import { SECOND_MS } from '@florin/protocol'
import { noteUses } from './store.ts'

export interface KeyUses {
  note(keyId: string, at: Date): void
  /** Writes what was recorded. @returns how many keys. */
  flush(): Promise<number>
  job: Job
}

const EVERY_MS = 5 * SECOND_MS

export function makeKeyUses(sql: Sql): KeyUses {
  let noted = new Map<string, Date>()
  const flush = async (): Promise<number> => {
    const uses = noted
    if (uses.size === 0) return 0
    noted = new Map()
    try {
      await noteUses(sql, uses)
    } catch (error) {
      // Kept for the next time; what was recorded meanwhile is newer.
      noted = new Map([...uses, ...noted])
      throw error
    }
    return uses.size
  }
  return {
    note: (keyId, at) => void noted.set(keyId, at),
    flush,
    job: {
      name: 'key-uses',
      everyMs: EVERY_MS,
      // Returns 0, so that the pause follows even while keys are in use all the time.
      run: async () => {
        await flush()
        return 0
      },
    },
  }
}
