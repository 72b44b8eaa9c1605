// Measures what a flood of dust to one order costs everybody else: ten blocks with a thousand transfers of one unit
// each, then three thousand in one transaction, beside twenty merchants who are paid in every block. Watcher, inbox and
// hand-over run in this process as in a worker's; the node runs on another thread. A delay is the time from a block
// with a payment to its `order.processing`; a stall is what this thread works between two ticks of a timer.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { OrderState } from '../packages/order-model/src/state.ts'
import { startJobs } from '../packages/platform/src/worker/loop.ts'
import { makeVaultSet } from '../packages/rail-evm/src/address/vaults.ts'
import { openRpc } from '../packages/rail-evm/src/node/rpc.ts'
import { insertCursors } from '../packages/rail-evm/src/watch/cursors.store.ts'
import { makeWatcher } from '../packages/rail-evm/src/watch/watch.ts'
import { orderJobs } from '../packages/server/src/orders/jobs.ts'
import { getOrder } from '../packages/server/src/orders/store.ts'
import { aCaller, anOrder } from '../packages/server/test/orders.ts'
import { benchChain } from './bench-chain.ts'
import type { MinedTransfer } from './dust-node.ts'
import { orSmoke, verdict } from './smoke.ts'
import { benchDatabase } from './webhooks/database.ts'

const MERCHANTS = 20
const BLOCKS = orSmoke(10, 2)
const DUST_A_BLOCK = orSmoke(1_000, 100)
const DUST_AT_ONCE = orSmoke(3_000, 200)
const BLOCK_MS = orSmoke(1_000, 100)
const DELAY_LIMIT_MS = 2_000
const STALL_LIMIT_MS = 100

const token = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
const factory = `0x${'fa'.repeat(20)}`
const node = new Worker(join(import.meta.dirname, 'dust-node.ts'), {
  workerData: { factory, token: token.toLowerCase() },
})
const [url] = (await once(node, 'message')) as [string]
const chain = benchChain({ url, factory, token })
const database = await benchDatabase()
const { deps } = database
const { sql, clock, log, wake } = deps
const now = clock.now()

// An address is the number of its order here, from 1 on; the first is the flooded one.
const target = await anOrder(deps, await aCaller(deps))
const paying: OrderState[] = []
for (let merchant = 0; merchant < MERCHANTS; merchant++) {
  const caller = await aCaller(deps)
  for (let n = 0; n < BLOCKS + 1; n++) paying.push(await anOrder(deps, caller))
}
const watched = [target, ...paying].map(({ orderRef, legs }) => ({ orderRef, legRef: legs[0]?.ref ?? '' }))
const later = new Date(now.getTime() + 86_400_000)
await sql`
  insert into forwarder_vaults (leg_ref, order_ref, chain, livemode, vault, factory, impl, route, asset, contract,
    decimals, amount_due, opened, deadline, hot_until, watch_until, created_at)
  select leg_ref, order_ref, 'base', false, '0x' || lpad(to_hex(n), 40, '0'), ${factory}, ${factory}, '{}', 'USDC',
    ${token.toLowerCase()}, 6, 50000000, '{}', ${later}, ${later}, ${later}, ${now}
  from unnest(${watched.map((one) => one.legRef)}::text[], ${watched.map((one) => one.orderRef)}::text[])
    with ordinality as given (leg_ref, order_ref, n)`
const before = { height: 0n, hash: `0xbb${'0'.repeat(62)}`, parent: `0x${'0'.repeat(64)}`, time: now } as const
await insertCursors(sql, { chain: 'base', chainId: 31_337, livemode: false, head: 0n, before, now })

/** When the block of a paying order was mined. */
const minedAt = new Map<string, Date>()

async function mine(dust: number, isOneTransaction: boolean): Promise<void> {
  const payers = Array.from({ length: MERCHANTS }, (_, merchant) => merchant * (BLOCKS + 1) + round)
  const floods = Array.from({ length: dust }, (_, n): MinedTransfer => {
    return { to: 1, amount: 1 + (n % 5), transaction: isOneTransaction ? 0 : n }
  })
  const payments = payers.map((n): MinedTransfer => ({ to: n + 2, amount: 50_000_000, transaction: 90_000 + n }))
  node.postMessage([...floods, ...payments])
  await once(node, 'message')
  for (const n of payers) minedAt.set(paying[n]?.orderNo ?? '', clock.now())
  round++
}
let round = 0

/** This thread's own time, so that other work of the machine is not counted. */
const ownMs = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
let stall = 0
let late = 0
let last = { at: performance.now(), own: ownMs() }
const timer = setInterval(() => {
  const tick = { at: performance.now(), own: ownMs() }
  stall = Math.max(stall, tick.own - last.own)
  late = Math.max(late, tick.at - last.at - 5)
  last = tick
}, 5)

/** Until every fact was applied. */
async function atRest(): Promise<void> {
  for (;;) {
    const [left] = await sql<{ n: number; height: bigint }[]>`
      select (select count(*)::int from rail_facts) as n, (select height from chain_cursors where pass = 'seen') as height`
    if (left?.n === 0 && Number(left.height) === round + extra) return
    await wait(50)
  }
}
let extra = 0

async function delays(orderNos: readonly string[]): Promise<number[]> {
  const rows = await sql<{ orderNo: string; at: Date }[]>`
    select order_no as "orderNo", created_at as at from order_events
    where event = 'order.processing' and order_no = any(${orderNos}::text[])`
  assert.equal(rows.length, orderNos.length, 'every payer was seen')
  return rows.map((row) => row.at.getTime() - (minedAt.get(row.orderNo)?.getTime() ?? 0)).sort((a, b) => a - b)
}

const parts = { sql, clock, log, wake }
const rpc = openRpc(chain)
const watcher = makeWatcher({ rpc, verified: () => Promise.resolve() }, makeVaultSet(sql, false), parts, 'bench')
const jobs = startJobs([{ name: 'watch', everyMs: 100, run: (signal) => watcher.run(signal) }, ...orderJobs(deps)], {
  clock,
  log,
})
const figures: boolean[] = []
try {
  for (const flood of [
    { name: `${BLOCKS} blocks of ${DUST_A_BLOCK}`, blocks: BLOCKS, dust: DUST_A_BLOCK, isOne: false },
    { name: `${DUST_AT_ONCE} in one transaction`, blocks: 1, dust: DUST_AT_ONCE, isOne: true },
  ]) {
    stall = 0
    late = 0
    const began = performance.now()
    const known = minedAt.size
    for (let n = 0; n < flood.blocks; n++) {
      await mine(flood.dust, flood.isOne)
      await wait(BLOCK_MS)
    }
    // Deep enough to be confirmed as well.
    node.postMessage([])
    await once(node, 'message')
    extra++
    await atRest()
    const took = (performance.now() - began) / 1000
    const found = await delays([...minedAt.keys()].slice(known))
    const [median, most] = [found[Math.floor(found.length / 2)] ?? Number.NaN, found.at(-1) ?? Number.NaN]
    process.stdout.write(
      `${flood.name.padEnd(28)} beside ${MERCHANTS} merchants, ${found.length} payments: delay ${median.toFixed(0)} ms median, ` +
        `${most.toFixed(0)} ms most; stall ${stall.toFixed(0)} ms of this thread at most, ` +
        `a timer ${late.toFixed(0)} ms late; all applied after ${took.toFixed(1)} s\n`,
    )
    figures.push(most <= DELAY_LIMIT_MS, stall <= STALL_LIMIT_MS)
  }
  const flooded = await getOrder(sql, target.orderNo)
  const [transfers, amount] = [
    flooded.payments.reduce((sum, row) => sum + row.transfers, 0),
    flooded.payments.reduce((sum, row) => sum + row.amount, 0n),
  ]
  assert.equal(transfers, BLOCKS * DUST_A_BLOCK + DUST_AT_ONCE, 'every transfer is counted')
  process.stdout.write(
    `the flooded order: ${transfers} transfers of ${amount} units in ${flooded.payments.length} rows, version ${flooded.version}\n` +
      `\nlimits: no other order later than ${DELAY_LIMIT_MS} ms, no stall above ${STALL_LIMIT_MS} ms\n`,
  )
  process.exitCode = verdict(figures)
} finally {
  clearInterval(timer)
  await jobs.stop()
  await database.drop()
  await node.terminate()
}
