// A real litecoind on regtest for system tests: its own folder and port, a wallet that pays, and what a payer or a miner
// does.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type NodeRpc, nodeRpc } from '../node/rpc.ts'

export interface Litecoind {
  url: string
  rpc: NodeRpc
  /** An address of its own wallet. */
  address(): Promise<string>
  mine(blocks?: number): Promise<string[]>
  /** In whole coins, as wallets send. @returns the id. */
  send(address: string, sat: bigint): Promise<string>
  /** The newest blocks leave, and so many empty ones come to another miner. */
  reorg(depth: number, a: { keepPool: boolean }): Promise<void>
  stop(): Promise<void>
}

export const USER = 'florin'
export const PASSWORD = 'secret'

/**
 * @param a.mweb whether the extension block becomes active: `generateblock` breaks from there on.
 * @param a.program `bitcoind` runs as well, which knows neither that block nor a switch for replacement.
 */
export async function startLitecoind(a: { mweb: boolean; program?: 'litecoind' | 'bitcoind' }): Promise<Litecoind> {
  const { program = 'litecoind' } = a
  const folder = await mkdtemp(join(tmpdir(), 'florin-litecoind-'))
  const port = await freePort()
  const args = [
    ...['-regtest', '-server', '-listen=0', '-txindex=0', '-fallbackfee=0.0002'],
    ...[`-datadir=${folder}`, `-rpcport=${port}`, `-rpcuser=${USER}`, `-rpcpassword=${PASSWORD}`],
    ...['-dbcache=16', '-par=1', '-rpcthreads=4', '-disablewallet=0', '-printtoconsole=0'],
    ...(program === 'bitcoind' ? [] : ['-mempoolreplacement=1']),
    ...(a.mweb || program === 'bitcoind' ? [] : ['-vbparams=mweb:9999999998:9999999999']),
  ]
  // It ends at once where there is no home folder.
  const child = spawn(program, args, { stdio: 'ignore', env: { ...process.env, HOME: folder } })
  // Whatever ends this process ends the node.
  process.once('exit', () => child.kill('SIGKILL'))
  const url = `http://127.0.0.1:${port}`
  const login = { kind: 'user', user: USER, password: PASSWORD } as const
  const rpc = nodeRpc({ name: 'litecoind', url, login }, { timeoutMs: 120_000 })
  await answers(rpc, child)
  await rpc.call('createwallet', 'payer')
  const address = (): Promise<string> => rpc.call<string>('getnewaddress', '', 'bech32')
  const own = await address()
  const mine = (blocks = 1): Promise<string[]> => rpc.call<string[]>('generatetoaddress', blocks, own)
  await mine(110)
  return {
    ...{ url, rpc, address, mine },
    send: (to, sat) => rpc.call<string>('sendtoaddress', to, coins(sat)),
    async reorg(depth, { keepPool }) {
      const height = await rpc.call<number>('getblockcount')
      await rpc.call('invalidateblock', await rpc.call<string>('getblockhash', height - depth + 1))
      // To a new address: the same block again would be the invalid one.
      const other = await address()
      for (let n = 0; n <= depth; n++) {
        if (keepPool) await rpc.call('generatetoaddress', 1, other)
        else await rpc.call('generateblock', other, [])
      }
    },
    async stop() {
      await rpc.call('stop').catch(() => undefined)
      await new Promise<void>((resolve) => {
        if (child.exitCode !== null) return resolve()
        child.once('exit', () => resolve())
      })
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** As JSON-RPC takes amounts: text with eight places. */
export const coins = (sat: bigint): string => `${sat / 10n ** 8n}.${String(sat % 10n ** 8n).padStart(8, '0')}`

async function answers(rpc: NodeRpc, child: ChildProcess): Promise<void> {
  const until = performance.now() + 60_000
  for (;;) {
    try {
      await rpc.call('getblockcount')
      return
    } catch (error) {
      if (child.exitCode !== null || performance.now() > until) throw error
      await wait(100)
    }
  }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise<void>((resolve) => server.close(() => resolve()))
  return port
}
