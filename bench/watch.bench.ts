// Measures what a block costs the watcher: 200 transfers to watched addresses, 100,000 open orders, 200 blocks. Time is
// CPU time of the watcher's own thread; the node runs on another. First parsing and matching alone, then with what
// the node is asked, which has a limit; then the whole way of a block, with both looks and their commits.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { makeVaultSet } from '../packages/rail-evm/src/address/vaults.ts'
import { readHead, readLogs } from '../packages/rail-evm/src/node/blocks.ts'
import { matchTransfers, type RawLog } from '../packages/rail-evm/src/node/match.ts'
import { openRpc } from '../packages/rail-evm/src/node/rpc.ts'
import { insertCursors } from '../packages/rail-evm/src/watch/cursors.store.ts'
import { makeWatcher } from '../packages/rail-evm/src/watch/watch.ts'
import { benchChain } from './bench-chain.ts'
import { orSmoke, verdict } from './smoke.ts'
import { benchDatabase } from './webhooks/database.ts'

const ORDERS = orSmoke(100_000, 1_000)
const TRANSFERS = 200
const BLOCKS = orSmoke(200, 3)
const WARM_UP = orSmoke(20, 1)
const LIMIT_MS = 10

const token = `0x${'cc'.repeat(20)}`
const factory = `0x${'fa'.repeat(20)}`
const plan = { factory, token, transfers: TRANSFERS, blocks: BLOCKS + WARM_UP, vaults: ORDERS }
const node = new Worker(join(import.meta.dirname, 'watch-node.ts'), { workerData: plan })
const [{ url, logs }] = (await once(node, 'message')) as [{ url: string; logs: string }]
const mine = async (height: number): Promise<void> => {
  node.postMessage(height)
  await once(node, 'message')
}

const chain = benchChain({ url, factory, token })
const database = await benchDatabase()
const { sql, clock, log, wake } = database.deps
const now = clock.now()
const later = new Date(now.getTime() + 86_400_000)
await sql`
  insert into forwarder_vaults (leg_ref, order_ref, chain, livemode, vault, factory, impl, route, asset, contract,
    decimals, amount_due, opened, deadline, hot_until, watch_until, created_at)
  select 'leg' || n, 'ref' || n, 'base', false, '0x' || lpad(to_hex(n), 40, '0'), ${factory}, ${factory}, '{}', 'USDC',
    ${token}, 6, 50000000, '{}', ${later}, ${later}, ${later}, ${now}
  from generate_series(1, ${ORDERS}) n`
const before = { height: 0n, hash: `0xbb${'0'.repeat(62)}`, parent: `0x${'0'.repeat(64)}`, time: now } as const
await insertCursors(sql, { chain: 'base', chainId: 31_337, livemode: false, head: 0n, before, now })

const parts = { sql, clock, log, wake }
const vaults = makeVaultSet(sql, false)
await vaults.refresh(now)
assert.equal(vaults.byAddress.size, ORDERS)

/** CPU and wall milliseconds of each block, sorted. */
async function measure(work: (height: number) => Promise<void> | void): Promise<{ cpu: number[]; wall: number[] }> {
  const cpu: number[] = []
  const wall: number[] = []
  for (let n = 1; n <= WARM_UP + BLOCKS; n++) {
    await mine(n)
    const began = performance.now()
    const { user, system } = process.threadCpuUsage()
    await work(n)
    const spent = process.threadCpuUsage()
    if (n <= WARM_UP) continue
    cpu.push((spent.user - user + spent.system - system) / 1000)
    wall.push(performance.now() - began)
  }
  const ascending = (a: number, b: number): number => a - b
  return { cpu: cpu.sort(ascending), wall: wall.sort(ascending) }
}

const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
const show = (name: string, { cpu, wall }: { cpu: number[]; wall: number[] }): void => {
  const line = (sorted: number[]): string =>
    [0.5, 0.99, 1].map((share) => at(sorted, share).toFixed(2).padStart(8)).join('')
  process.stdout.write(`${name.padEnd(37)} CPU${line(cpu)}   wall${line(wall)}\n`)
}

try {
  process.stdout.write(
    `${ORDERS} open orders, ${TRANSFERS} transfers a block, ${BLOCKS} blocks; ms a block: median, 99 %, most\n`,
  )
  const alone = await measure(() => {
    const { result } = JSON.parse(`{"result":${logs}}`) as { result: RawLog[] }
    assert.equal(matchTransfers(result, vaults.byAddress).length, TRANSFERS)
  })
  show('parse and match', alone)

  const rpc = openRpc(chain)
  const read = await measure(async (height) => {
    const block = await readHead(rpc.client, BigInt(height))
    assert.ok(block)
    const { transfers } = await readLogs(rpc.client, chain, { block }, vaults.byAddress)
    assert.equal(transfers.length, TRANSFERS)
  })
  show('the same, asked of a node over HTTP', read)

  const link = { rpc, verified: () => Promise.resolve() }
  const watcher = makeWatcher(link, vaults, parts, 'bench')
  const whole = await measure(async () => {
    while ((await watcher.run()) > 0);
  })
  show('both looks, with their commits', whole)
  const [seen] = await sql<{ count: bigint }[]>`select count(*) from forwarder_observations`
  assert.equal(Number(seen?.count), (WARM_UP + BLOCKS) * TRANSFERS)

  const p99 = at(read.cpu, 0.99)
  process.stdout.write(`\nlimit: asked, parsed and matched at 99 % within ${LIMIT_MS} ms: ${p99.toFixed(2)} ms\n`)
  process.exitCode = verdict([p99 <= LIMIT_MS])
} finally {
  await database.drop()
  await node.terminate()
}
