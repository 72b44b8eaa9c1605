// One cluster in a data folder, served to one living program at a time.
// Whatever was killed before, the next start recovers by itself; what it cannot do it refuses with a sentence.
import { closeSync, openSync, readFileSync, renameSync, statSync } from 'node:fs'
import { mkdir, realpath } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type App, defaultApp, EmbeddedRefused } from './app.ts'
import { type Binaries, packagedBinaries, prepareBinaries } from './binaries.ts'
import { type Cluster, chooseUser, openCluster, recordPort } from './cluster.ts'
import { giveToOwner, lockFolder } from './lock.ts'
import { endPostgres, findPostmaster, serves, spawnPostgres, untilGone, untilReady } from './postmaster.ts'
import { answers } from './probe.ts'

export interface EmbeddedOptions {
  /** Made when it is not there. Everything of the cluster lies in it, also when root runs PostgreSQL as another user. */
  dataDir: string
  log: { info(message: string): void; warn(message: string): void }
  /** Called when PostgreSQL ends without `stop`; the caller should end too, and be started again. Not with `isKept`. */
  onExit?: (reason: string) => void
  /**
   * Starts PostgreSQL again, at the same address, when it ends without `stop`, and tries for as long as it takes: one whose disk
   * is full ends and cannot begin before there is room.
   */
  isKept?: boolean
  /** For `startEphemeral`: writes are not waited for, and a stop leaves recovery undone. Never for data that is to be kept. */
  isEphemeral?: boolean
  /** Default: not `isEphemeral`. */
  fsync?: boolean
  /** Settings of PostgreSQL beside those that callers rely on. */
  settings?: Readonly<Record<string, string>>
  /** Default: the folder of the installed platform package. */
  native?: string
  /** How the program that owns the database is called, on disk and in messages. */
  app?: App
}

export interface Embedded {
  /** A superuser's URL on 127.0.0.1, with the password. */
  url: string
  /** Another one after PostgreSQL was started again. */
  readonly pid: number
  port: number
  /** How it came about: `new` cluster, `started` from an existing one, or `adopted` while still running. */
  origin: 'new' | 'started' | 'adopted'
  /** Ends PostgreSQL and gives the folder free. Call it last, after the pool is closed. */
  stop(): Promise<void>
}

/**
 * Starts, or takes over, the embedded PostgreSQL of a data folder. Measured on 2 cores: 1.2 s the first time, 0.06 s
 * later (test/start.test.ts prints both).
 * @throws EmbeddedRefused with a sentence for the operator: folder in use, other major version, platform unknown.
 * @example
 * const database = await startEmbedded({ dataDir: './data', log: console })
 * const pool = new pg.Pool({ connectionString: database.url })
 * // at the end: await pool.end(); await database.stop()
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const { app = defaultApp } = options
  const asked = resolve(options.dataDir)
  await mkdir(asked, { recursive: true, mode: 0o700 }).catch((error: Error) => {
    throw new EmbeddedRefused(
      `The data folder ${asked} cannot be made: ${error.message}. Name another ${app.otherFolder}.`,
    )
  })
  const dataDir = await realpath(asked)
  const lock = lockFolder(dataDir, app)
  try {
    return await open({ ...options, dataDir, app }, lock.release)
  } catch (error) {
    lock.release()
    throw error
  }
}

async function open(options: EmbeddedOptions & { app: App }, release: () => void): Promise<Embedded> {
  const began = performance.now()
  const { dataDir, log, app, isEphemeral = false } = options
  const runAs = await chooseUser(dataDir)
  const binaries = await prepareBinaries({ native: options.native ?? packagedBinaries(app), runAs, dataDir, app })
  const cluster = await openCluster({ dataDir, binaries, runAs, isEphemeral, app })

  const found = await takeOver(cluster, binaries, log)
  let running = found ?? (await launch(cluster, binaries, options, null))
  const origin = found !== null ? 'adopted' : cluster.isNew ? 'new' : 'started'
  await recordPort(dataDir, cluster, running.port)

  let stopping: Promise<void> | undefined
  let reviving: Promise<void> | undefined
  const revive = async (): Promise<void> => {
    log.warn(`PostgreSQL ended by itself and is started again. ${lastWords(dataDir)}`)
    let said = ''
    while (stopping === undefined) {
      try {
        running = await launch(cluster, binaries, options, running.port)
        log.info(`PostgreSQL runs again on 127.0.0.1:${running.port}`)
        return
      } catch (error) {
        const why = error instanceof Error ? (error.message.split('\n')[0] ?? '') : 'an unknown error'
        if (why !== said) log.warn(`${why} It is tried again every ${REVIVE_PAUSE_MS / 1000} s.`)
        said = why
        await pause(REVIVE_PAUSE_MS)
      }
    }
  }
  const watch = setInterval(async () => {
    if (reviving !== undefined || (await serves(running.pid, cluster)) || stopping !== undefined) return
    if (options.isKept !== true) {
      clearInterval(watch)
      options.onExit?.(`PostgreSQL ended by itself. ${lastWords(dataDir)}`)
      return
    }
    reviving ??= revive().finally(() => {
      reviving = undefined
    })
  }, 1_000)
  watch.unref()
  const tookMs = Math.round(performance.now() - began)
  log.info(`PostgreSQL ${binaries.version} is ready on 127.0.0.1:${running.port} (${origin}, ${tookMs} ms)`)

  const stop = async (): Promise<void> => {
    clearInterval(watch)
    // It may be about to begin again.
    await reviving
    await endPostgres(running.pid, cluster, binaries, isEphemeral ? 'immediate' : 'fast')
    release()
  }
  return {
    url: urlOf(cluster, running.port),
    get pid() {
      return running.pid
    },
    port: running.port,
    origin,
    stop() {
      stopping ??= stop()
      return stopping
    },
  }
}

/** The PostgreSQL that an earlier, killed owner left running, once it is seen to answer; null when there is none. */
async function takeOver(
  cluster: Cluster,
  binaries: Binaries,
  log: EmbeddedOptions['log'],
): Promise<{ pid: number; port: number } | null> {
  for (;;) {
    const found = await findPostmaster(cluster)
    if (found === null) return null
    if (found.status === 'stopping' && (await untilGone(found.pid, cluster, 10_000))) return null
    if (found.status === 'starting') {
      await pause(10)
      continue
    }
    if (found.status === 'ready' && (await answers({ port: found.port, user: cluster.superuser, withinMs: 5_000 })))
      return found
    log.warn(`PostgreSQL (process ${found.pid}) of a former run does not answer; it is ended and started anew`)
    await endPostgres(found.pid, cluster, binaries)
    return null
  }
}

async function launch(
  cluster: Cluster,
  binaries: Binaries,
  options: EmbeddedOptions,
  /** Where it ran before and is expected; null: where it ran last, or where there is room. */
  samePort: number | null,
): Promise<{ pid: number; port: number }> {
  const { dataDir, log } = options
  const slow = setTimeout(() => log.info('PostgreSQL is recovering from a hard stop; this can take a while'), 3_000)
  try {
    for (let attempt = 1; ; attempt++) {
      const port = samePort ?? (await freePort(attempt === 1 ? cluster.lastPort : null))
      const logFd = openLog(dataDir)
      const child = spawnPostgres({ binaries, cluster, port, settings: settingsOf(options), logFd })
      closeSync(logFd)
      const outcome = await untilReady(child, cluster)
      if (outcome === 'ready' && child.pid !== undefined) {
        // It must not keep our process alive: whoever forgot to stop it finds it again at the next start.
        child.unref()
        return { pid: child.pid, port }
      }
      const words = lastWords(dataDir)
      // The port was taken between our look and its start, or the last sessions of a killed one are still ending.
      if (attempt >= 50 || !/could not bind|still in use|is being used/.test(words)) {
        throw new EmbeddedRefused(`The embedded PostgreSQL did not start. ${words}`)
      }
      await pause(100)
    }
  } finally {
    clearTimeout(slow)
  }
}

/** Between two tries to start it again: a full disk is not freed in a moment. */
const REVIVE_PAUSE_MS = 2_000

/** What callers rely on; it stands on the command line, where no file overrules it. */
function settingsOf(options: EmbeddedOptions): Record<string, string> {
  const fsync = options.fsync ?? options.isEphemeral !== true
  return {
    ...options.settings,
    listen_addresses: '127.0.0.1',
    // One door, the same on every system; a socket file in a shared folder would be a second one to guard.
    unix_socket_directories: '',
    cluster_name: options.app?.id ?? defaultApp.id,
    // Test files run side by side, each with pools of its own.
    ...(options.isEphemeral ? { max_connections: '300' } : {}),
    // What was committed is delivered: not even a power cut may take it back.
    ...(fsync ? { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' } : {}),
    ...(fsync ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  }
}

export function urlOf(cluster: Pick<Cluster, 'superuser' | 'password'>, port: number): string {
  return `postgres://${cluster.superuser}:${cluster.password}@127.0.0.1:${port}/postgres`
}

async function freePort(wanted: number | null): Promise<number> {
  for (const port of wanted === null ? [0] : [wanted, 0]) {
    const got = await new Promise<number | null>((settle) => {
      const server = createServer()
      server.once('error', () => settle(null))
      server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
        const address = server.address()
        server.close(() => settle(typeof address === 'object' && address !== null ? address.port : null))
      })
    })
    if (got !== null) return got
  }
  throw new EmbeddedRefused('No free port was found on 127.0.0.1 for the embedded PostgreSQL.')
}

const logLimitBytes = 10_000_000

function openLog(dataDir: string): number {
  const file = join(dataDir, 'postgres.log')
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  if (size > logLimitBytes) renameSync(file, `${file}.1`)
  const fd = openSync(file, 'a', 0o600)
  giveToOwner(file)
  return fd
}

function lastWords(dataDir: string): string {
  const file = join(dataDir, 'postgres.log')
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n').slice(-6)
  return `The end of ${file}:\n  ${lines.join('\n  ')}`
}
