// Debian's pgbouncer in transaction mode before a PostgreSQL, as it is configured by default.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { needsDebian } from '../debian.ts'

export interface Pooler {
  /** The same database, through the pooler. */
  through(databaseUrl: string): string
  /** SIGKILL, and the same once more on the same port. */
  restart(): Promise<void>
  stop(): Promise<void>
}

/** Sessions that it keeps to the database, for any number of clients. */
const POOL_SIZE = 6

/** @param more settings of its sessions to the database. */
export async function startPooler(databaseUrl: string, poolSize = POOL_SIZE, more = ''): Promise<Pooler> {
  await needsDebian('pgbouncer')
  const database = new URL(databaseUrl)
  const port = await freePort()
  // Not below the folder of the test run, which its user cannot enter.
  const folder = await mkdtemp('/tmp/florin-pgbouncer-')
  const users = join(folder, 'users.txt')
  const settings = join(folder, 'pgbouncer.ini')
  await writeFile(users, `"${database.username}" "${decodeURIComponent(database.password)}"\n`)
  await writeFile(
    settings,
    `[databases]\n* = host=${database.hostname} port=${database.port} ${more}\n` +
      `[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${port}\nunix_socket_dir =\n` +
      `auth_type = scram-sha-256\nauth_file = ${users}\npool_mode = transaction\n` +
      `default_pool_size = ${poolSize}\nmax_client_conn = 500\n`,
  )
  // It refuses to run as root.
  const nobody = 65_534
  const owner = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {}
  if ('uid' in owner) for (const path of [folder, users, settings]) await chown(path, nobody, nobody)

  let running: ChildProcess | null = null
  async function start(): Promise<void> {
    const child = spawn('/usr/sbin/pgbouncer', ['-q', settings], { ...owner, cwd: '/', stdio: 'ignore' })
    running = child
    while (!(await takesConnections(port))) {
      if (child.exitCode !== null) throw new Error(`pgbouncer ended with ${child.exitCode}`)
      await wait(10)
    }
  }
  async function kill(): Promise<void> {
    if (running === null || running.exitCode !== null || running.signalCode !== null) return
    const gone = once(running, 'exit')
    running.kill('SIGKILL')
    await gone
  }
  await start()
  return {
    through: (url) => Object.assign(new URL(url), { host: `127.0.0.1:${port}` }).href,
    async restart() {
      await kill()
      await start()
    },
    async stop() {
      await kill()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}

function takesConnections(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
