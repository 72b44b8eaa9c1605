// Data folders for the tests of the embedded PostgreSQL: empty ones, and copies of one that was used before, since
// making a cluster is the slow part.
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, type TestContext } from 'node:test'
import pg from 'pg'
import { startEmbedded } from '../src/index.ts'

export const silent = { info: () => undefined, warn: () => undefined }

// In memory where the system has it: a test proves what survives a kill, which is the same there, and is over sooner.
const parent = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()
const makeFolder = (): string => mkdtempSync(join(parent, 'embedded-test-'))
const removeFolder = (dir: string): void => rmSync(dir, { recursive: true, force: true })

const closers = new Map<string, (() => unknown)[]>()

/** Runs before the folder that `path` lies in is removed, the last one named first. */
export function beforeRemoval(path: string, close: () => unknown): void {
  for (const [dir, list] of closers) if (path.startsWith(dir)) list.unshift(close)
}

/** Empty, removed after the test; a PostgreSQL that is still running in it is ended before. */
export function emptyFolder(t: TestContext): string {
  const dir = makeFolder()
  closers.set(dir, [])
  t.after(async () => {
    for (const close of closers.get(dir) ?? []) await close()
    if (existsSync(join(dir, 'postgres/postmaster.pid'))) {
      await (await startEmbedded({ dataDir: dir, log: silent })).stop()
    }
    removeFolder(dir)
  })
  return dir
}

let made: Promise<string> | undefined
// Registered while the file loads: inside a test it would belong to that test.
after(async () => removeFolder((await made) ?? ''))

/** With a cluster that was started and stopped before. */
export async function usedFolder(t: TestContext): Promise<string> {
  made ??= makeUsed()
  const dir = emptyFolder(t)
  // With owners and modes, which Node's own copying leaves out.
  if (process.platform === 'win32') cpSync(await made, dir, { recursive: true })
  else execFileSync('cp', ['-a', `${await made}/.`, dir])
  return dir
}

async function makeUsed(): Promise<string> {
  const dir = makeFolder()
  const running = await startEmbedded({ dataDir: dir, log: silent })
  await running.stop()
  return dir
}

/** A process that only waits for its parent to take note of its end counts as gone. */
export function isAlive(pid: number): boolean {
  try {
    // In brackets stands the name of one that has given back its memory and is about to be gone.
    const state = execFileSync('ps', ['-o', 'stat=,args=', '-p', String(pid)], { encoding: 'utf8' }).trim()
    return !/^(Z|\S+\s+\[|$)/.test(state)
  } catch {
    return false
  }
}

/** One connection, to be ended by the caller. */
export async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return client
}
