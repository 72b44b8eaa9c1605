// Debian's PostgreSQL 15, the oldest that Florin runs on, with the tools that the embedded one lacks.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chown, mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { needsDebian } from '../debian.ts'

const exec = promisify(execFile)
const BIN = '/usr/lib/postgresql/15/bin'

export interface DebianCluster {
  /** A superuser's URL. */
  url: string
  /** Runs a tool of this version, such as pg_dump, as the one whom the cluster belongs to. */
  tool(name: string, ...args: string[]): Promise<void>
  /** The same with another program of Debian's, and what it printed. */
  run(program: string, ...args: string[]): Promise<string>
  /** A folder of its own, gone with the cluster. */
  folder: string
  /** Where the cluster itself lies. */
  data: string
  port: number
  stop(): Promise<void>
  /** SIGKILL to all of its processes, as when its machine is gone. */
  kill(): Promise<void>
  /** After `stop` or `kill`. */
  start(): Promise<void>
}

/** @param own settings of postgresql.conf beside those that make it quick. */
export async function debianCluster(
  t: { after(work: () => Promise<void>): void },
  own: readonly string[] = [],
): Promise<DebianCluster> {
  await needsDebian('postgresql-15')
  // PostgreSQL refuses to run as root.
  const owner: { uid?: number; gid?: number } = process.getuid?.() === 0 ? await idsOf('postgres') : {}
  const folder = await mkdtemp(join(tmpdir(), 'florin-debian-'))
  if (owner.uid !== undefined && owner.gid !== undefined) await chown(folder, owner.uid, owner.gid)
  const run = async (program: string, ...args: string[]): Promise<string> =>
    (await exec(program, args, { ...owner, cwd: folder, maxBuffer: 2 ** 26 })).stdout
  const tool = async (name: string, ...args: string[]): Promise<void> => {
    await run(join(BIN, name), ...args)
  }
  const data = join(folder, 'data')
  await tool('initdb', '-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C')
  const port = await freePort()
  const settings = ['listen_addresses=127.0.0.1', 'fsync=off', 'full_page_writes=off', 'max_connections=60', ...own]
  const args = ['-D', data, '-p', `${port}`, '-k', folder, ...settings.flatMap((setting) => ['-c', setting])]
  let server: ChildProcess | null = null
  async function start(): Promise<void> {
    const child = spawn(join(BIN, 'postgres'), args, { ...owner, cwd: folder, stdio: 'ignore' })
    server = child
    while (!(await tool('pg_isready', '-h', '127.0.0.1', '-p', `${port}`).then(yes, no))) {
      if (child.exitCode !== null) throw new Error(`PostgreSQL 15 ended with ${child.exitCode} before it was ready`)
    }
  }
  async function stop(): Promise<void> {
    const child = server
    server = null
    if (child === null || child.exitCode !== null) return
    const exited = once(child, 'exit')
    child.kill('SIGINT')
    await exited
  }
  async function kill(): Promise<void> {
    const child = server
    server = null
    if (child?.pid === undefined || child.exitCode !== null) return
    const exited = once(child, 'exit')
    const children = await readFile(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8')
    for (const pid of [child.pid, ...children.trim().split(' ').map(Number)])
      try {
        process.kill(pid, 'SIGKILL')
      } catch {
        // It ended meanwhile.
      }
    await exited
    // The next server refuses to start while one of them lives.
    while (
      children
        .trim()
        .split(' ')
        .some((pid) => existsSync(`/proc/${pid}`))
    )
      await wait(10)
  }
  t.after(async () => {
    await stop()
    await rm(folder, { recursive: true, force: true })
  })
  await start()
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  return { url, tool, run, folder, data, port, stop, kill, start }
}

const yes = (): boolean => true
const no = (): boolean => false

async function idsOf(user: string): Promise<{ uid: number; gid: number }> {
  const [uid, gid] = await Promise.all(['-u', '-g'].map((which) => exec('id', [which, user])))
  return { uid: Number(uid?.stdout), gid: Number(gid?.stdout) }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}
