// Ends what a run of tests left behind. All that a run starts has the run's own folder for temporary files in its
// environment, its arguments or as where it works, also a PostgreSQL that was started in a session of its own.
// As a program it waits for the end of the run, however that comes: `node leftovers.ts FOLDER` with a pipe for input.
import { readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

/**
 * Kills until nothing is left, and removes the folder.
 * @param folder with a random part in its name
 * @returns the command lines of what was found running
 */
export async function endLeftovers(folder: string): Promise<string[]> {
  const ended = new Map<number, string>()
  // Who was started while the first were killed is found by the next look.
  for (let looks = 0; looks < 100; looks++) {
    const found = processesOf(folder)
    if (found.length === 0) break
    for (const { pid, command } of found) {
      if (kill(pid)) ended.set(pid, command)
    }
    await wait(20)
  }
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
  return [...ended.values()]
}

/** Those that are not yet dead. Linux only: elsewhere what was orphaned stays, as the other systems do not show whose it was. */
export function processesOf(folder: string): { pid: number; command: string }[] {
  if (process.platform !== 'linux') return []
  return readdirSync('/proc').flatMap((entry) => {
    const pid = Number(entry)
    if (!Number.isInteger(pid) || pid === process.pid) return []
    const command = read(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ')
    // The watcher of this run is no part of it.
    if (isZombie(pid) || command.includes(import.meta.filename)) return []
    const places = [
      command,
      read(() => readFileSync(`/proc/${pid}/environ`, 'utf8')),
      `${read(() => readlinkSync(`/proc/${pid}/cwd`))}/`,
    ]
    return places.some((place) => place.includes(folder)) ? [{ pid, command: command.trim() }] : []
  })
}

function isZombie(pid: number): boolean {
  const stat = read(() => readFileSync(`/proc/${pid}/stat`, 'utf8'))
  return stat === '' || stat.slice(stat.lastIndexOf(')') + 2).startsWith('Z')
}

/** Empty for a process that is gone, or that this user may not look into. */
function read(look: () => string): string {
  try {
    return look()
  } catch {
    return ''
  }
}

function kill(pid: number): boolean {
  try {
    process.kill(pid, 'SIGKILL')
    return true
  } catch {
    return false
  }
}

if (process.argv[1] === import.meta.filename) {
  const folder = resolve(process.argv[2] ?? '')
  process.stdin.resume()
  process.stdin.once('end', () => void endLeftovers(folder))
}
