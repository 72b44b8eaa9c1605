// A running Florin for whole-system tests: the real program in its own process group, on a free port, with a data
// folder of its own and embedded PostgreSQL, so it can be killed as a machine would be.
import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

const root = join(import.meta.dirname, '..')
const programs = {
  server: 'packages/server/src/main.ts',
  // What `npm start` runs: it also builds the pages where they are stale.
  'npm start': 'scripts/start.mjs',
}

export interface Florin {
  url: string
  dataDir: string
  /** Of the process that runs. */
  readonly pid: number | undefined
  /** What it wrote so far. */
  output(): string
  start(): Promise<void>
  /** SIGKILL to the server and its PostgreSQL, as a power cut. */
  kill(): Promise<void>
  /** SIGTERM, waits for the end, and answers the exit code. */
  stop(): Promise<number | null>
  /** Stops and removes everything. */
  close(): Promise<void>
}

/** Below those that the system gives to whoever asks for any: a server that starts later keeps the port that it was promised. */
const [PORT_FROM, PORT_TO] = [20_000, 32_000]

export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(PORT_FROM, PORT_TO)
    const server = createServer()
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true))
    })
    if (!isFree) continue
    server.close()
    await once(server, 'close')
    return port
  }
}

let database: () => Promise<Record<string, string>> = async () => ({})

/** For tests that run once more on another database than the embedded one: what each Florin is given besides. */
export function useDatabase(give: typeof database): void {
  database = give
}

/**
 * @param place the folder of another release than this one.
 * @param folder the folder that the program is started in, where that is another.
 */
export async function startFlorin(
  environment: Record<string, string> = {},
  program: keyof typeof programs = 'server',
  place: string = root,
  folder: string = place,
): Promise<Florin> {
  const port = await freePort()
  const dataDir = await mkdtemp(join(tmpdir(), 'florin-e2e-'))
  const url = `http://localhost:${port}`
  const given = await database()
  let child: ChildProcess | null = null
  let isClosed = false
  let text = ''
  const florin: Florin = {
    url,
    dataDir,
    get pid() {
      return child?.pid
    },
    output: () => text,
    async start() {
      // Its data folder is gone: it would be another installation, which nobody closes.
      if (isClosed) throw new Error('this Florin was closed')
      const running = spawn(process.execPath, [join(place, programs[program])], {
        cwd: folder,
        env: {
          PATH: process.env.PATH ?? '',
          // What Node compiled of it at an earlier start.
          NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
          PORT: String(port),
          DATA_DIR: dataDir,
          RATE_LIMITS: 'off',
          // No test asks a stranger's service.
          FX_SOURCES: 'fixed',
          LOG_LEVEL: 'info',
          ...given,
          ...environment,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      child = running
      const note = (chunk: Buffer): void => {
        text += chunk.toString()
      }
      running.stdout.on('data', note)
      running.stderr.on('data', note)
      await until(async () => {
        if (running.exitCode !== null || running.signalCode !== null) {
          throw new Error(`Florin ended with ${running.exitCode ?? running.signalCode}:\n${text.slice(-2000)}`)
        }
        if (isClosed) throw new Error('it was closed')
        return (await fetch(`${url}/readyz`).catch(() => null))?.ok === true
      }).catch((error: unknown) => {
        throw new Error(`Florin did not become ready:\n${text.slice(-3000)}`, { cause: error })
      })
    },
    async kill() {
      const postgres = /"pid":(\d+).*PostgreSQL/.exec(text)?.[1]
      const pids = [
        child?.pid,
        ...(await postmasterPids(dataDir)),
        postgres === undefined ? undefined : Number(postgres),
      ]
      for (const pid of pids) if (pid !== undefined) tryKill(pid, 'SIGKILL')
      if (child !== null && child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      child = null
    },
    async stop() {
      if (child === null) return null
      const running = child
      child = null
      if (running.exitCode !== null) return running.exitCode
      // Twice, as it comes when a whole process group is told and a parent passes it on: it drains all the same.
      running.kill('SIGTERM')
      running.kill('SIGTERM')
      const [code] = (await once(running, 'exit')) as [number | null]
      return code
    },
    async close() {
      isClosed = true
      await florin.stop()
      // What a start that was cut off may have left.
      for (const pid of await postmasterPids(dataDir)) tryKill(pid, 'SIGKILL')
      await rm(dataDir, { recursive: true, force: true })
    },
  }
  try {
    await florin.start()
  } catch (error) {
    await florin.close()
    throw error
  }
  return florin
}

/** Every process of the PostgreSQL that serves this data folder, the postmaster first. */
async function postmasterPids(dataDir: string): Promise<number[]> {
  const found: number[] = []
  const entries = await readdir('/proc').catch(() => [] as string[])
  for (const entry of entries) {
    if (!/^\d+$/.test(entry)) continue
    const line = await readFile(`/proc/${entry}/cmdline`, 'utf8').catch(() => '')
    if (line.includes(dataDir) && line.includes('postgres')) found.push(Number(entry))
  }
  const children: number[] = []
  for (const entry of entries) {
    if (!/^\d+$/.test(entry)) continue
    const stat = await readFile(`/proc/${entry}/stat`, 'utf8').catch(() => '')
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
    if (found.includes(parent)) children.push(Number(entry))
  }
  return [...found, ...children]
}

function tryKill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

/** Only what will never come true lasts as long as this, however busy the machine is. */
const GIVE_UP_MS = 180_000
/** An installation of packages takes as long as npm takes. */
export const INSTALL_WITHIN_MS = 12 * 60_000

/**
 * Waits for a condition; never for a time.
 * @param signal the test's, so that nothing goes on after its end
 */
export async function until(
  condition: () => Promise<boolean> | boolean,
  what = 'the condition',
  signal?: AbortSignal,
  withinMs = GIVE_UP_MS,
): Promise<void> {
  const deadline = performance.now() + withinMs
  while (!(await condition())) {
    signal?.throwIfAborted()
    if (performance.now() > deadline) throw new Error(`${what} did not come true within ${withinMs} ms`)
    await wait(20)
  }
}
