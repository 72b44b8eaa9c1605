// Where all that the tests of a run put into temporary files goes. What of it still runs at the end is known by its name.
import { spawn } from 'node:child_process'
import { accessSync, chmodSync, constants, mkdtempSync, readFileSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const MEMORY = '/dev/shm'
/** A run holds about a tenth of this at a time. A container's own share of memory is often 64 MB. */
const MEMORY_NEEDED_BYTES = 6 * 2 ** 30

/** It is gone when this process ends, however that comes: then the end of its input is what the watcher hears. */
export function makeRunFolder(): string {
  const folder = mkdtempSync(join(isMemoryUsable() ? MEMORY : tmpdir(), 'florin-test-'))
  // As the folder that it stands for: a PostgreSQL that root starts is another user's.
  chmodSync(folder, 0o755)
  const watcher = spawn(process.execPath, [join(import.meta.dirname, 'leftovers.ts'), folder], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  watcher.unref()
  const { stdin } = watcher
  if (stdin !== null && 'unref' in stdin && typeof stdin.unref === 'function') stdin.unref()
  return folder
}

/**
 * In memory where there is enough of it: databases are made and dropped by the hundred, and on a disk the file system
 * spends a third of the tests' time on their files. A TMPDIR that somebody has set is kept.
 */
function isMemoryUsable(): boolean {
  if (process.platform !== 'linux' || process.env.TMPDIR) return false
  try {
    accessSync(MEMORY, constants.W_OK)
    const mounted = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .map((line) => line.split(' '))
      .find(([, place]) => place === MEMORY)
    const [, , kind, options = ''] = mounted ?? []
    const { bavail, bsize } = statfsSync(MEMORY)
    return kind === 'tmpfs' && !options.split(',').includes('noexec') && bavail * bsize >= MEMORY_NEEDED_BYTES
  } catch {
    return false
  }
}
