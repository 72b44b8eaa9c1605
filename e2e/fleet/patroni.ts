// A pair of Debian's PostgreSQL 15 that replicates synchronously, kept by Patroni with etcd, behind HAProxy, as in operations.md.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { needsDebian } from '../../packages/server/test/debian.ts'
import { freePort, until } from '../florin.ts'

const execute = promisify(execFile)

interface Node {
  name: string
  port: number
  restPort: number
  folder: string
  patroni: ChildProcess | null
}

export interface Pair {
  /** Through HAProxy, which leads to the primary; the database does not exist yet. */
  url(database: string): string
  /** A primary, and a standby that confirms each commit. */
  untilSafe(): Promise<void>
  /** SIGKILL to Patroni and PostgreSQL of the primary, as when its machine is gone. @returns its name. */
  killPrimary(): Promise<string>
  /** The other one writes. */
  untilPrimaryIsAnother(than: string): Promise<void>
  /** What was killed comes back. */
  revive(name: string): Promise<void>
}

const PASSWORD = 'of-the-test'

export async function startPair(t: { after(work: () => Promise<void>): void }): Promise<Pair> {
  await needsDebian('patroni', 'etcd-server', 'python3-etcd', 'postgresql-15', 'haproxy')
  const folder = await mkdtemp(join(tmpdir(), 'florin-patroni-'))
  // PostgreSQL refuses to run as root.
  const owner: { uid?: number; gid?: number } = process.getuid?.() === 0 ? await idsOf('postgres') : {}
  if (owner.uid !== undefined && owner.gid !== undefined) await chown(folder, owner.uid, owner.gid)
  const run = (program: string, args: string[]): ChildProcess =>
    spawn(program, args, { ...owner, cwd: folder, stdio: ['ignore', 'ignore', 'ignore'] })

  const [clients, peers] = [await freePort(), await freePort()]
  const at = (port: number): string => `http://127.0.0.1:${port}`
  const etcd = run('etcd', [
    ...[
      '--data-dir',
      join(folder, 'etcd'),
      '--listen-client-urls',
      at(clients),
      '--advertise-client-urls',
      at(clients),
    ],
    ...['--listen-peer-urls', at(peers), '--initial-advertise-peer-urls', at(peers)],
    ...['--initial-cluster', `default=${at(peers)}`],
  ])
  const nodes: Node[] = []
  for (const name of ['one', 'two']) {
    const node = { name, port: await freePort(), restPort: await freePort(), folder: join(folder, name), patroni: null }
    await writeFile(join(folder, `${name}.yml`), JSON.stringify(settings(node, clients, folder)), { mode: 0o644 })
    nodes.push(node)
  }
  const start = (node: Node): void => {
    node.patroni = run('patroni', [join(folder, `${node.name}.yml`)])
  }
  const kill = async (node: Node): Promise<void> => {
    const file = await readFile(join(node.folder, 'postmaster.pid'), 'utf8').catch(() => '')
    const { patroni } = node
    node.patroni = null
    patroni?.kill('SIGKILL')
    const postmaster = Number(file.split('\n')[0])
    if (postmaster > 1) {
      try {
        process.kill(postmaster, 'SIGKILL')
      } catch {
        // It was gone before.
      }
    }
    if (patroni !== null && patroni.exitCode === null && patroni.signalCode === null) await once(patroni, 'exit')
  }
  t.after(async () => {
    for (const node of nodes) await kill(node)
    etcd.kill('SIGKILL')
    haproxy.kill('SIGKILL')
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  })
  for (const node of nodes) start(node)
  const endpoint = await freePort()
  await writeFile(join(folder, 'haproxy.cfg'), balancing(nodes, endpoint), { mode: 0o644 })
  const haproxy = run('/usr/sbin/haproxy', ['-db', '-f', join(folder, 'haproxy.cfg')])

  interface Member {
    name: string
    role: string
    state: string
  }
  const members = async (): Promise<Member[]> => {
    for (const { restPort, patroni } of nodes) {
      if (patroni === null) continue
      const answer = await fetch(`${at(restPort)}/cluster`, { signal: AbortSignal.timeout(2_000) }).catch(() => null)
      if (answer?.ok) return ((await answer.json()) as { members: Member[] }).members
    }
    return []
  }
  const primary = async (): Promise<string | undefined> =>
    (await members()).find(({ role, state }) => role === 'leader' && state === 'running')?.name
  const pair: Pair = {
    url: (database) => `postgres://postgres:${PASSWORD}@127.0.0.1:${endpoint}/${database}`,
    untilSafe: () =>
      until(async () => {
        const all = await members()
        return all.some(({ role }) => role === 'leader') && all.some(({ role }) => role === 'sync_standby')
      }, 'a primary and a standby in step'),
    async killPrimary() {
      const name = await primary()
      const node = nodes.find((each) => each.name === name)
      if (node === undefined) throw new Error('there is no primary')
      await kill(node)
      return node.name
    },
    untilPrimaryIsAnother: (than) =>
      until(async () => {
        const name = await primary()
        return name !== undefined && name !== than
      }, 'another primary'),
    async revive(name) {
      const node = nodes.find((each) => each.name === name)
      if (node !== undefined) start(node)
    },
  }
  await pair.untilSafe()
  return pair
}

/** YAML is a superset of JSON. */
function settings(node: Node, etcdPort: number, folder: string): object {
  const login = (username: string) => ({ username, password: PASSWORD })
  return {
    ...{ scope: 'florin', name: node.name, etcd3: { host: `127.0.0.1:${etcdPort}` } },
    restapi: { listen: `127.0.0.1:${node.restPort}`, connect_address: `127.0.0.1:${node.restPort}` },
    bootstrap: {
      // The least that Patroni takes: a primary that says nothing for 20 s is replaced.
      dcs: {
        ...{ ttl: 20, loop_wait: 2, retry_timeout: 5, maximum_lag_on_failover: 1_048_576, synchronous_mode: true },
        postgresql: { use_pg_rewind: true, parameters: { max_connections: 150, wal_keep_size: '256MB' } },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, 'data-checksums'],
      pg_hba: [
        'host replication standby 127.0.0.1/32 scram-sha-256',
        'host all all 127.0.0.1/32 scram-sha-256',
        'local all all trust',
      ],
    },
    postgresql: {
      ...{ listen: `127.0.0.1:${node.port}`, connect_address: `127.0.0.1:${node.port}` },
      ...{ data_dir: node.folder, bin_dir: '/usr/lib/postgresql/15/bin', pgpass: `${node.folder}.pgpass` },
      authentication: { superuser: login('postgres'), replication: login('standby') },
      parameters: { unix_socket_directories: folder },
    },
  }
}

/** The address of the pair, which leads to whichever Patroni calls the primary. */
function balancing(nodes: readonly Node[], endpoint: number): string {
  const servers = nodes.map(({ name, port, restPort }) => `  server ${name} 127.0.0.1:${port} port ${restPort}`)
  return `
defaults
  mode tcp
  timeout connect 2s
  timeout client 10m
  timeout server 10m
frontend clients
  bind 127.0.0.1:${endpoint}
  default_backend florin
backend florin
  option httpchk GET /primary
  http-check expect status 200
  default-server check inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${servers.join('\n')}
`
}

async function idsOf(user: string): Promise<{ uid: number; gid: number }> {
  const [uid, gid] = await Promise.all(['-u', '-g'].map((which) => execute('id', [which, user])))
  return { uid: Number(uid?.stdout), gid: Number(gid?.stdout) }
}
