// What the doctor sees of the machine: disks, backups, mail, the master key.
import { stat, statfs } from 'node:fs/promises'
import type { GoLivePoint } from '@florin/rail-kit/interface/health'
import type { Config } from '../../settings.ts'
import { type Check, fault, ok, warning } from './check.ts'

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
        checks.push(fault('disk', `There is no ${path}.`, 'Make the folder, or set BACKUP_DIR to the right one.'))
      continue
    }
    const { blocks, bavail } = await statfs(path)
    const free = blocks === 0 ? 1 : bavail / blocks
    const says = `${Math.floor(free * 100)} % of the disk of ${path} (${what}) is free.`
    const cure = 'Make room: docs/operations.md#florindisknearlyfull.'
    checks.push(
      free < DISK_FAULT
        ? fault('disk', says, cure)
        : free < DISK_WARNS
          ? warning('disk', says, cure)
          : ok('disk', says),
    )
  }
  return checks
}

/** A point of the checklist before real money comes is no fault by itself. */
export const ofPoint = ({ name, ok: isWell, says, fix }: GoLivePoint): Check =>
  isWell ? ok(name, says) : warning(name, says, fix ?? '')
