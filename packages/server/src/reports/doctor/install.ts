// What the doctor sees of the machine: disks, backups, mail, the master key.
import { stat, statfs } from 'node:fs/promises'
import { type Check, fault, ok, warning } from '@florin/platform/check'
import type { Config } from '../../settings.ts'

const DISK_FAULT = 0.1
const DISK_WARNS = 0.2

type Folders = Pick<Config, 'dataDir' | 'journalDir' | 'backupDir'>

export async function examineDisks({ dataDir, journalDir, backupDir }: Folders): Promise<Check[]> {
  const folders = { data: dataDir, journal: journalDir, backups: backupDir }
  const checks: Check[] = []
  for (const [what, path] of Object.entries(folders)) {
    if (path === null) continue
    const isThere = await stat(path).then(
      () => true,
      () => false,
    )
    if (!isThere) {
      // They are made when they are needed, but for the one that somebody else fills.
      if (what === 'backups')
        checks.push(
          fault(['disk', what], `There is no ${path}.`, 'Make the folder, or set BACKUP_DIR to the right one.'),
        )
      continue
    }
    const { blocks, bavail } = await statfs(path)
    const free = blocks === 0 ? 1 : bavail / blocks
    const summary = `${Math.floor(free * 100)} % of the disk of ${path} is free.`
    const remedy = 'Make room: docs/operations.md#florindisknearlyfull.'
    const about = ['disk', what] as const
    const result = free < DISK_FAULT ? fault : free < DISK_WARNS ? warning : null
    checks.push(result === null ? ok(about, summary) : result(about, summary, remedy))
  }
  return checks
}
