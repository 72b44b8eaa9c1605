// One running PostgreSQL: starting its first process, knowing it again after our own death, ending it.
// A process id from a file is believed only when that process is seen to serve exactly this cluster folder.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { readFile, readlink, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Binaries } from './binaries.ts'
import type { Cluster } from './cluster.ts'

/** What a running PostgreSQL says of itself in its `postmaster.pid`. */
export interface Postmaster {
  pid: number
  port: number
  status: 'starting' | 'ready' | 'stopping'
}

const pollMs = 10

/** The living PostgreSQL of this folder, or null. A file left by a dead one is removed where it would mislead. */
export async function findPostmaster(cluster: Cluster): Promise<Postmaster | null> {
  const file = join(cluster.dir, 'postmaster.pid')
  const text = await readFile(file, 'utf8').catch(() => '')
  // Lines: pid, folder, start time, port, socket folder, address, shared memory key, status.
  const lines = text.split('\n').map((line) => line.trim())
  const pid = Number(lines[0])
  if (!Number.isInteger(pid) || pid <= 0) return null
  if (!(await serves(pid, cluster))) {
    // PostgreSQL removes the file of a dead process by itself, but a number that another program has by now stops it.
    await rm(file, { force: true })
    return null
  }
  const status = lines[7] === 'ready' ? 'ready' : lines[7] === 'stopping' ? 'stopping' : 'starting'
  return { pid, port: Number(lines[3]), status }
}

/** True while that process is alive and is the PostgreSQL of this folder. */
export async function serves(pid: number, cluster: Cluster): Promise<boolean> {
  if ((await commandLine(pid)).split(/[\0\s"]+/).includes(cluster.mark)) return true
  // One that somebody started by hand on this folder bears no mark but works in it.
  return process.platform === 'linux' && (await readlink(`/proc/${pid}/cwd`).catch(() => '')) === cluster.dir
}

async function commandLine(pid: number): Promise<string> {
  // Readable for every process, also where the kernel keeps root from looking deeper. Empty for a dead one.
  if (process.platform === 'linux') return readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  const ask: [string, string[]] =
    process.platform === 'win32'
      ? [
          'powershell',
          ['-NoProfile', '-Command', `(Get-CimInstance Win32_Process -Filter ProcessId=${pid}).CommandLine`],
        ]
      : ['ps', ['-ww', '-o', 'args=', '-p', String(pid)]]
  return promisify(execFile)(...ask).then(
    (answer) => answer.stdout,
    () => '',
  )
}

/**
 * Starts the first process of PostgreSQL in a session of its own, so that Ctrl-C on our terminal does not reach it
 * before our own drain is done. Its messages go to a file: a pipe would break when we die before it.
 */
export function spawnPostgres(a: {
  binaries: Binaries
  cluster: Cluster
  port: number
  settings: Readonly<Record<string, string>>
  logFd: number
}): ChildProcess {
  const settings = [...Object.entries(a.settings).map(([name, value]) => `${name}=${value}`), a.cluster.mark]
  return spawn(
    a.binaries.postgres,
    ['-D', a.cluster.seenAs, '-p', String(a.port), ...settings.flatMap((setting) => ['-c', setting])],
    {
      cwd: a.cluster.dir,
      ...a.cluster.runAs,
      // Nothing of ours, such as PGOPTIONS or secrets, is passed on; no locale of the system is needed.
      env: { LC_ALL: 'C', TZ: 'UTC' },
      detached: true,
      stdio: ['ignore', a.logFd, a.logFd],
      windowsHide: true,
    },
  )
}

/** @returns when ready to be connected to, or the exit text when it ended before. */
export async function untilReady(child: ChildProcess, cluster: Cluster): Promise<'ready' | 'ended'> {
  let ended = false
  child.once('error', () => {
    ended = true
  })
  child.once('exit', () => {
    ended = true
  })
  // No time limit: after a crash it replays its log for as long as that takes, and giving up would only start it over.
  while (!ended) {
    const text = await readFile(join(cluster.dir, 'postmaster.pid'), 'utf8').catch(() => '')
    const lines = text.split('\n')
    if (Number(lines[0]) === child.pid && lines[7]?.trim() === 'ready') return 'ready'
    await pause(pollMs)
  }
  return 'ended'
}

/** Waits until the process is gone. @returns false when it is still there after the time. */
export async function untilGone(pid: number, cluster: Cluster, withinMs: number): Promise<boolean> {
  const deadline = performance.now() + withinMs
  while (await serves(pid, cluster)) {
    if (performance.now() > deadline) return false
    await pause(pollMs)
  }
  return true
}

/**
 * Ends PostgreSQL: `fast` ends sessions and writes all to disk; when that takes over 10 s, or when asked, `immediate`
 * leaves the rest to recovery at the next start. Nothing committed is lost either way.
 */
export async function endPostgres(
  pid: number,
  cluster: Cluster,
  binaries: Binaries,
  how: 'fast' | 'immediate' = 'fast',
): Promise<void> {
  if (how === 'fast') {
    await tell(pid, 'fast', cluster, binaries)
    if (await untilGone(pid, cluster, 10_000)) return
  }
  await tell(pid, 'immediate', cluster, binaries)
  if (await untilGone(pid, cluster, 5_000)) return
  process.kill(pid, 'SIGKILL')
  await untilGone(pid, cluster, 5_000)
}

async function tell(pid: number, how: 'fast' | 'immediate', cluster: Cluster, binaries: Binaries): Promise<void> {
  // Asked again just before: the number could have passed to another program.
  if (!(await serves(pid, cluster))) return
  if (process.platform === 'win32') {
    // Windows has no signals; pg_ctl speaks to PostgreSQL over a pipe of its own.
    const args = ['stop', '-D', cluster.dir, '-m', how, '-W']
    await promisify(execFile)(binaries.pgCtl, args).catch(() => undefined)
    return
  }
  try {
    process.kill(pid, how === 'fast' ? 'SIGINT' : 'SIGQUIT')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}
