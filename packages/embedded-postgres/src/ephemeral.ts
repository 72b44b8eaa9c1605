// The throw-away PostgreSQL of test and benchmark runs: a folder of its own below the system's temporary folder,
// gone after `stop`, and after the next run where a run was killed.
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defaultApp, EmbeddedRefused } from './app.ts'
import { lastOwner, lockFolder } from './lock.ts'
import { type Embedded, type EmbeddedOptions, startEmbedded } from './start.ts'

const prefix = 'embedded-postgres-'

export interface EphemeralOptions {
  log: EmbeddedOptions['log']
  /** True for measurements of what a disk would cost; tests do without. */
  fsync?: boolean
  settings?: Readonly<Record<string, string>>
  /** The folder to make it in. Default: the system's temporary folder. */
  parent?: string
}

/** A fresh cluster for one run; `stop` removes it. */
export async function startEphemeral(options: EphemeralOptions): Promise<Embedded> {
  const parent = options.parent ?? tmpdir()
  await sweep(parent)
  const dataDir = await mkdtemp(join(parent, prefix))
  const remove = (): Promise<void> => rm(dataDir, { recursive: true, force: true })
  try {
    const running = await startEmbedded({ ...options, dataDir, isEphemeral: true })
    return { ...running, stop: () => running.stop().then(remove) }
  } catch (error) {
    await remove()
    throw error
  }
}

/** A living run holds its folder. One that nobody holds and that does not start was damaged, as by a machine that lost its power. */
function isHeld(dataDir: string): boolean {
  try {
    lockFolder(dataDir, defaultApp).release()
    return false
  } catch (error) {
    if (error instanceof EmbeddedRefused) return true
    throw error
  }
}

/** Ends and removes what killed runs left, so that no PostgreSQL of theirs stays for ever. */
async function sweep(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const dataDir = join(parent, name)
    // Only what this user made and, by the pid file, has locked before: a run that is just starting is left alone.
    const made = name.startsWith(prefix) ? await stat(dataDir).catch(() => null) : null
    if (made?.uid !== process.getuid?.() || lastOwner(dataDir, defaultApp) === null) continue
    try {
      const silent = { info: () => undefined, warn: () => undefined }
      const left = await startEmbedded({ dataDir, isEphemeral: true, log: silent })
      await left.stop()
      await rm(dataDir, { recursive: true, force: true })
    } catch (error) {
      if (!(error instanceof EmbeddedRefused)) throw error
      if (!isHeld(dataDir)) await rm(dataDir, { recursive: true, force: true })
    }
  }
}
