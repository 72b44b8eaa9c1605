// What is kept of a restore that was practised: a file `….drilled` beside the backup. A file of Florin's own is vouched for
// by its own record alone. A record beside a backup of another program vouches for all of them in its folder, for a month.
import { readdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { DAY_MS } from '@florin/protocol'

export const DRILLED = 'drilled'
const VOUCHES_MS = 31 * DAY_MS

interface Drill {
  /** Of which backup in the folder. */
  name: string
  /** Hash of the contents that were restored; null: those of another program's backup. */
  contents: string | null
}

/** The records that may vouch for this backup. */
export async function readDrills(path: string, now: Date): Promise<Drill[]> {
  const dir = dirname(path)
  const names = (await readdir(dir).catch(() => [])).filter((name) => name.endsWith(`.${DRILLED}`))
  const drills = await Promise.all(
    names.map(async (name): Promise<Drill[]> => {
      const file = join(dir, name)
      const made = await stat(file).catch(() => null)
      const contents = made?.isFile() === true ? contentsIn(await readFile(file, 'utf8').catch(() => '{')) : undefined
      if (made === null || contents === undefined) return []
      const drill = { name: name.slice(0, -DRILLED.length - 1), contents }
      if (contents !== null) return drill.name === basename(path) ? [drill] : []
      return now.getTime() - made.mtimeMs < VOUCHES_MS ? [drill] : []
    }),
  )
  return drills.flat()
}

/** @returns undefined: it is no record. An empty file is one, which the operator's own job has made. */
function contentsIn(text: string): string | null | undefined {
  if (text.trim() === '') return null
  try {
    const { contents } = JSON.parse(text) as { contents?: unknown }
    return typeof contents === 'string' ? contents : contents === null ? null : undefined
  } catch {
    return undefined
  }
}

/** @param contents hash of a file of Florin's own; null: another program made it. */
export const isDrilled = (path: string, contents: string | null, drills: readonly Drill[]): boolean =>
  drills.some((drill) => drill.contents === contents && (contents === null || drill.name === basename(path)))

/** Only now the backup counts. */
export async function recordDrill(path: string, record: Drill & { at: string; orders: string | null }): Promise<void> {
  const file = `${path}.${DRILLED}`
  await writeFile(`${file}.part`, `${JSON.stringify(record)}\n`, { mode: 0o600, flush: true })
  await rename(`${file}.part`, file)
}
