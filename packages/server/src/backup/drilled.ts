// What is kept of a restore that was practised: a file `….drilled` beside the backup. A file of Florin's own is vouched for
// by its own record alone. A record beside a backup of another program vouches for all of its installation in the folder, for a month;
// an empty one, which names no installation, for that backup alone.
import { readdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { DAY_MS, MINUTE_MS } from '@florin/protocol'
import { Type } from 'typebox'
import { Check } from 'typebox/value'

export const DRILLED = 'drilled'
const VOUCHES_MS = 31 * DAY_MS

/** Clocks of machines differ by so much. What is dated later has no known age. */
export const AHEAD_MS = 5 * MINUTE_MS

interface Drill {
  /** Of which backup in the folder. */
  name: string
  /** Hash of the contents that were restored; null: those of another program's backup. */
  contents: string | null
  /** Id of the installation that was restored; null: not known. */
  installation: string | null
}

/** The records that may vouch for this backup. */
export async function readDrills(path: string, now: Date): Promise<Drill[]> {
  const dir = dirname(path)
  const names = (await readdir(dir).catch(() => [])).filter((name) => name.endsWith(`.${DRILLED}`))
  const drills = await Promise.all(
    names.map(async (name): Promise<Drill[]> => {
      const file = join(dir, name)
      const made = await stat(file).catch(() => null)
      const record = made?.isFile() === true ? recordIn(await readFile(file, 'utf8').catch(() => '{')) : null
      if (made === null || record === null) return []
      const drill = { name: name.slice(0, -DRILLED.length - 1), ...record }
      const isOfOne = drill.contents !== null || record.isEmpty
      if (isOfOne && drill.name !== basename(path)) return []
      if (drill.contents !== null) return [drill]
      // A copy of an old record is a new file.
      const at = Math.min(made.mtimeMs, record.at ?? made.mtimeMs)
      const ageMs = now.getTime() - at
      return ageMs < VOUCHES_MS && ageMs > -AHEAD_MS ? [drill] : []
    }),
  )
  return drills.flat()
}

const Record = Type.Object({
  contents: Type.Union([Type.String(), Type.Null()]),
  installation: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  at: Type.Optional(Type.String()),
})

/** @returns null: it is no record. An empty file is one, which the operator's own job has made, of the backup that it is named after. */
function recordIn(text: string): (Omit<Drill, 'name'> & { at: number | null; isEmpty: boolean }) | null {
  if (text.trim() === '') return { contents: null, installation: null, at: null, isEmpty: true }
  try {
    const record: unknown = JSON.parse(text)
    if (!Check(Record, record)) return null
    const at = Date.parse(record.at ?? '')
    const { contents, installation = null } = record
    return { contents, installation, at: Number.isNaN(at) ? null : at, isEmpty: false }
  } catch {
    return null
  }
}

/** @param whole contents: hash of a file of Florin's own; null: another program made it. @param installation whose backups count. */
export const isDrilled = (
  path: string,
  { contents, installation }: { contents: string | null; installation: string },
  drills: readonly Drill[],
): boolean =>
  drills.some((drill) => {
    if (drill.contents !== contents) return false
    return contents === null
      ? drill.installation === null || drill.installation === installation
      : drill.name === basename(path)
  })

/** Only now the backup counts. */
export async function recordDrill(path: string, record: Drill & { at: string; orders: string | null }): Promise<void> {
  const file = `${path}.${DRILLED}`
  await writeFile(`${file}.part`, `${JSON.stringify(record)}\n`, { mode: 0o600, flush: true })
  await rename(`${file}.part`, file)
}
