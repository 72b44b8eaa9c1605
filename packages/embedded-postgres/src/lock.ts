// The claim on a data folder: one living program at a time. The claim is a lock of the kernel's on an open file,
// so it ends with the process however that ends; no number left in a file can be mistaken for a living owner.
import { lchownSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type App, EmbeddedRefused } from './app.ts'

export interface FolderLock {
  release(): void
}

/** Says who has held the folder last; for messages and clean-up only, never proof that the process lives. */
export function lastOwner(dataDir: string, app: App): number | null {
  try {
    const pid = Number(readFileSync(join(dataDir, `${app.id}.pid`), 'utf8'))
    return Number.isInteger(pid) && pid > 0 ? pid : null
  } catch {
    return null
  }
}

/** @throws EmbeddedRefused when a living process holds the folder, or when it cannot be written. */
export function lockFolder(dataDir: string, app: App): FolderLock {
  // Node has no flock. SQLite takes a record lock on the file; it is kept empty and is not used for anything else.
  // Nothing else in this process may open that file: closing it would drop the lock.
  let held: DatabaseSync | undefined
  try {
    held = new DatabaseSync(join(dataDir, `${app.id}.lock`), { timeout: 0 })
    // No journal beside it: nothing is ever written.
    held.exec('pragma journal_mode = memory; begin exclusive')
    writeFileSync(join(dataDir, `${app.id}.pid`), `${process.pid}\n`, { mode: 0o600 })
    for (const name of [`${app.id}.lock`, `${app.id}.pid`]) giveToOwner(join(dataDir, name))
  } catch (error) {
    held?.close()
    if (isBusy(error)) {
      const pid = lastOwner(dataDir, app)
      throw new EmbeddedRefused(
        `Another ${app.title}${pid === null ? '' : ` (process ${pid})`} is using the data folder ${dataDir}. ` +
          `Stop it first${pid === null ? '' : ` (kill ${pid})`}, or give this one a folder of its own ${app.otherFolder}.`,
      )
    }
    throw new EmbeddedRefused(
      `The data folder ${dataDir} cannot be used: ${error instanceof Error ? error.message : String(error)}. ` +
        `Make it writable for this user, or name another one ${app.otherFolder}.`,
    )
  }
  const lock = held
  return {
    release() {
      rmSync(join(dataDir, `${app.id}.pid`), { force: true })
      if (lock.isOpen) lock.close()
    },
  }
}

/** What root leaves in the data folder of an ordinary user stays usable for that user. */
export function giveToOwner(file: string): void {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = statSync(dirname(file))
  lchownSync(file, uid, gid)
}

function isBusy(error: unknown): boolean {
  const SQLITE_BUSY = 5
  return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY
}
