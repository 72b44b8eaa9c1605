// The cluster folder: who it belongs to, how it is made, which password opens it. A half-made cluster is never
// used: it is made beside its place and moved there when whole.
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chown, lchown, lstat, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type App, EmbeddedRefused } from './app.ts'
import type { Binaries, RunAs } from './binaries.ts'
import { giveToOwner } from './lock.ts'

export interface Cluster {
  dir: string
  /** The path that PostgreSQL itself is given. */
  seenAs: string
  superuser: string
  /** A setting, `name=value`, that PostgreSQL takes and ignores: the one that serves this folder is known by it. */
  mark: string
  runAs: RunAs | null
  password: string
  /** The port of the last run: taken again where it is free, so that an operator's own connection settings last. */
  lastPort: number | null
}

/**
 * PostgreSQL refuses to run as root. As root it runs as the owner of the cluster, at first as the system's `postgres`
 * user, else `nobody`.
 */
export async function chooseUser(dataDir: string): Promise<RunAs | null> {
  if (process.getuid?.() !== 0) return null
  const made = await stat(join(dataDir, 'postgres')).catch(() => null)
  if (made !== null && made.uid !== 0) return { uid: made.uid, gid: made.gid }
  const passwd = await readFile('/etc/passwd', 'utf8').catch(() => '')
  const users = new Map(passwd.split('\n').map((line) => [line.split(':')[0], line.split(':')]))
  const user = users.get('postgres') ?? users.get('nobody') ?? users.get('daemon')
  return { uid: Number(user?.[2] ?? 65_534), gid: Number(user?.[3] ?? 65_534) }
}

/** Opens the cluster of this data folder, making it at first. @throws EmbeddedRefused with what to do about it. */
export async function openCluster(a: {
  dataDir: string
  binaries: Binaries
  runAs: RunAs | null
  isEphemeral: boolean
  app: App
}): Promise<Cluster & { isNew: boolean }> {
  const dir = join(a.dataDir, 'postgres')
  const access = join(a.dataDir, 'postgres.json')
  const isNew = !(await exists(dir))
  if (isNew) await makeCluster({ ...a, dir, access })
  else await checkVersion(dir, a.binaries, a.dataDir, a.app)
  const { password, port } = await readAccess(access, dir)
  const made = await stat(dir, { bigint: true })
  if (a.runAs !== null && made.uid === 0n) await chownTree(dir, a.runAs)
  return {
    dir,
    seenAs: seenAs(dir, a.runAs),
    superuser: a.app.id,
    // Device and inode: the same through every path to the folder, and another one for a copy of it.
    mark: `${a.app.id}.folder=${made.dev.toString(16)}:${made.ino.toString(16)}`,
    runAs: a.runAs,
    password,
    lastPort: port,
    isNew,
  }
}

export async function recordPort(dataDir: string, cluster: Cluster, port: number): Promise<void> {
  if (port !== cluster.lastPort) await writeAccess(join(dataDir, 'postgres.json'), { password: cluster.password, port })
}

async function makeCluster(a: {
  dir: string
  dataDir: string
  access: string
  binaries: Binaries
  runAs: RunAs | null
  isEphemeral: boolean
  app: App
}): Promise<void> {
  await removeHalfMade(a.dataDir)
  // A new name each time: an initdb that outlived its killed parent removes its own folder when it fails, by name.
  const making = await mkdtemp(join(a.dataDir, makingPrefix))
  await mkdir(join(making, 'data'), { mode: 0o700 })
  const password = randomBytes(24).toString('hex')
  await writeFile(join(making, 'password'), password, { mode: 0o600 })
  if (a.runAs !== null) await chownTree(making, a.runAs)
  const data = join(making, 'data')
  const see = seenAs(data, a.runAs)
  const args = [
    `--pgdata=${see}`,
    // Joined as text: the link in it must be followed before the step up.
    `--pwfile=${see}/../password`,
    `--username=${a.app.id}`,
    // No connection without the password, from wherever it comes.
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    // Bytewise order: the same on every machine, and no locale of the system is needed.
    '--locale=C',
    '--no-instructions',
    ...(a.isEphemeral ? ['--no-sync'] : []),
    ...Object.entries(tunables).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ]
  await runInitdb(a.binaries.initdb, args, data, a.runAs)
  // Before the cluster stands in its place: one whose password was lost could not be opened.
  await writeAccess(a.access, { password, port: null })
  await rename(data, a.dir)
  await removeHalfMade(a.dataDir)
}

const makingPrefix = 'postgres.making-'

async function removeHalfMade(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    // Tried again, since somebody who was orphaned may still be writing there.
    const patience = { maxRetries: 20, retryDelay: 50 }
    if (name.startsWith(makingPrefix)) await rm(join(dataDir, name), { recursive: true, force: true, ...patience })
  }
}

/** Written into postgresql.conf once; from then on the operator's to change there. */
const tunables: Readonly<Record<string, string>> = {
  // One process holds 20 connections; this leaves room for several replicas, psql and a backup.
  max_connections: '100',
  // The hot tables of a small shop fit, and a 1 GB machine still has most of its memory.
  shared_buffers: '128MB',
  // What the system is likely to cache anyway; only the planner reads it.
  effective_cache_size: '512MB',
  // Disks have no moving head any more: an index is not dearer than its pages.
  random_page_cost: '1.1',
  // Statements are short; compiling them would cost more than it saves.
  jit: 'off',
  // Each statement on one core: many small ones share the machine, and none needs a segment in /dev/shm.
  max_parallel_workers_per_gather: '0',
  // Spreads the writing of a busy hour over fewer checkpoints; 1 GB of log replays in seconds after a crash.
  max_wal_size: '1GB',
  // Nothing replicates from the embedded one: less log is written, and one process fewer runs.
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_logical_replication_workers: '0',
  // The message without the row: what merchants and payers wrote stays out of the log file.
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
}

// The path from the root may lead through folders that the user cannot enter. A process that was put into a folder by
// root may go on naming it by this link, which the kernel does not resolve through those folders.
function seenAs(dir: string, runAs: RunAs | null): string {
  return runAs !== null && process.platform === 'linux' ? '/proc/self/cwd' : dir
}

function runInitdb(initdb: string, args: string[], cwd: string, runAs: RunAs | null): Promise<void> {
  return new Promise((resolve, reject) => {
    execFile(initdb, args, { cwd, ...runAs, env: { LC_ALL: 'C', TZ: 'UTC' } }, (error, stdout, stderr) => {
      if (error === null) return resolve()
      const reason = (stderr || stdout || error.message).trim()
      reject(new EmbeddedRefused(`The embedded PostgreSQL could not make its data folder: ${reason}`))
    })
  })
}

async function checkVersion(dir: string, binaries: Binaries, dataDir: string, app: App): Promise<void> {
  const text = await readFile(join(dir, 'PG_VERSION'), 'utf8').catch((error: Error) => error)
  if (text instanceof Error) {
    throw new EmbeddedRefused(
      `${dir} is there but cannot be read as a PostgreSQL data folder (${text.message}). If another user made it, ` +
        'start as that user or as root; if it is damaged, put a backup in its place.',
    )
  }
  if (Number(text) === binaries.major) return
  throw new EmbeddedRefused(
    `${dir} was made by PostgreSQL ${text.trim()}, and this release brings ${binaries.major}. ${app.upgrade(dataDir)}`,
  )
}

interface Access {
  password: string
  port: number | null
}

export async function readAccess(file: string, dir: string): Promise<Access> {
  try {
    const { password, port } = JSON.parse(await readFile(file, 'utf8')) as Partial<Access>
    if (typeof password === 'string') return { password, port: typeof port === 'number' ? port : null }
  } catch (error) {
    if (!(error instanceof Error)) throw error
  }
  throw new EmbeddedRefused(`${file} is missing or unreadable; it holds the password of ${dir}. Put it back.`)
}

/** Replaced as a whole, so that a kill in between leaves the old one. */
async function writeAccess(file: string, access: Access): Promise<void> {
  await writeFile(`${file}.new`, `${JSON.stringify(access)}\n`, { mode: 0o600, flush: true })
  giveToOwner(`${file}.new`)
  await rename(`${file}.new`, file)
}

async function chownTree(path: string, owner: RunAs): Promise<void> {
  if ((await lstat(path)).isDirectory()) {
    for (const name of await readdir(path)) await chownTree(join(path, name), owner)
    await chown(path, owner.uid, owner.gid)
  } else {
    await lchown(path, owner.uid, owner.gid)
  }
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
