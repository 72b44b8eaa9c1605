// Practises a restore of a backup, all of it, into a database that is thrown away. A backup counts once this has succeeded.
import { basename, resolve } from 'node:path'
import { machineClock } from '@florin/platform/clock'
import { OperatorError } from '@florin/platform/errors'
import type { Config } from '../settings.ts'
import type { Summary, Tell } from './backup.ts'
import { recordDrill } from './drilled.ts'
import { isForeignBackup } from './newest.ts'
import { restore } from './restore.ts'
import { openScratch } from './scratch.ts'

/**
 * @param a.bytes of the rows' text, for the room that this takes.
 * @throws OperatorError with what failed; nothing is kept then.
 */
export async function drill(
  config: Pick<Config, 'dataDir' | 'backupDrillUrl'>,
  a: { path: string; bytes: number },
  tell: Tell = () => undefined,
): Promise<Summary> {
  const path = resolve(a.path)
  const scratch = await openScratch(config, a.bytes)
  const restored = await restore(scratch.url, path, { replaces: false }, tell).finally(() => scratch.remove())
  const { contents, installation, totals } = restored
  await keep(path, { contents, installation, orders: totals.orders ?? null })
  return restored
}

/** For a backup of another program, whose restored copy was looked through. */
export async function recordForeignDrill(
  path: string,
  a: { orders: string; installation: string | null },
): Promise<void> {
  await requireForeign(path)
  await keep(resolve(path), { contents: null, ...a })
}

/** @throws OperatorError */
export async function requireForeign(path: string): Promise<void> {
  if (await isForeignBackup(resolve(path)).catch(() => false)) return
  throw new OperatorError(
    `${path} is no whole backup of another program. Name the file or folder that you restored; of a file of npm run backup say: npm run backup -- drill FILE.`,
  )
}

const keep = (
  path: string,
  record: { contents: string | null; installation: string | null; orders: string | null },
): Promise<void> =>
  recordDrill(path, { name: basename(path), ...record, at: machineClock.now().toISOString() }).catch(
    (cause: NodeJS.ErrnoException) => {
      throw new OperatorError(
        `The restore succeeded, and its record ${path}.drilled cannot be written: ${cause.message}. Run this as the owner of that folder.`,
        { cause },
      )
    },
  )
