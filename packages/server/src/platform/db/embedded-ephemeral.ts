// The throw-away PostgreSQL of test and benchmark runs: a folder of its own below the system's temporary folder,
// gone after `stop`, and after the next run where a run was killed.
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Embedded, type EmbeddedOptions, startEmbedded } from './embedded.ts'
import { EmbeddedRefused, lastOwner } from './embedded-lock.ts'

const prefix = 'florin-pg-'

/**
 * A fresh cluster for one run.
 * @param options.fsync true for measurements of what a shop would see; tests do without.
 * @param options.parent the folder to make it in; default the system's temporary folder.
 */
export async function startEphemeral(
  options: Omit<EmbeddedOptions, 'dataDir' | 'isEphemeral'> & { parent?: string },
): Promise<Embedded> {
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

/** Ends and removes what killed runs left, so that no PostgreSQL of theirs stays for ever. */
async function sweep(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const dataDir = join(parent, name)
    // Only what this user made and, by the pid file, has locked before: a run that is just starting is left alone.
    const made = name.startsWith(prefix) ? await stat(dataDir).catch(() => null) : null
    if (made?.uid !== process.getuid?.() || lastOwner(dataDir) === null) continue
    try {
      const silent = { info: () => undefined, warn: () => undefined }
      const left = await startEmbedded({ dataDir, isEphemeral: true, log: silent })
      await left.stop()
      await rm(dataDir, { recursive: true, force: true })
    } catch (error) {
      // Held by a living run, or damaged by its death: the next run looks again.
      if (!(error instanceof EmbeddedRefused)) throw error
    }
  }
}
