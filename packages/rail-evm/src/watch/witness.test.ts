// What one provider alone tells of a real node's blocks, and what becomes of it.

import assert from 'node:assert/strict'
import { after, type TestContext } from 'node:test'
import { payFactoryAbi } from '@florin/contracts'
import { toAnvil } from '@florin/contracts/anvil'
import type { OrderState } from '@florin/order-model/state'
import { isOk } from '@florin/platform/check'
import { randomOctets } from '@florin/platform/ids'
import { MINUTE_MS } from '@florin/protocol'
import { TRANSFER, topicOf } from '@florin/rail-kit/transfer-log'
import {
  createWalletClient,
  encodeAbiParameters,
  encodeEventTopics,
  getAddress,
  type Hex,
  keccak256,
  padHex,
  toHex,
  zeroHash,
} from 'viem'
import { slowTest, quickTest as test } from '../../../../scripts/sizes.ts'
import { refundOrder } from '../../../server/src/orders/acts.ts'
import { expireDue } from '../../../server/src/orders/expire.ts'
import { getOrder } from '../../../server/src/orders/store.ts'
import { settleDue } from '../../../server/test/orders.ts'
import { readRoute, type StoredRoute } from '../address/stored-route.ts'
import type { RawLog } from '../node/match.ts'
import { advance } from '../test/lies.fixture.ts'
import { aLyingNode, type Call, type Lie } from '../test/lying-node.fixture.ts'
import { aWorld, chainOver, relayer, stopNodes, testNode, type World } from '../test/world.fixture.ts'

after(stopNodes)

const PAYER = '0x8617E340B3D01FA5F11F306F4090FD50E238070D'

interface Attacked {
  world: World
  /**
   * What the attacker's provider says; null: the truth. `late`: the next one has no logs yet, none of the others receipts, or
   * none of them the factory's logs.
   */
  attacker: { lie: Lie | null; late: 'second' | 'all' | 'factory' | null }
  /** Host and port of the attacker's provider. */
  name: string
  /** Everything that is to be done, and some blocks. */
  work(blocks?: number): Promise<void>
  again(order: OrderState): Promise<OrderState>
  vaultOf(order: OrderState): Hex
  alarms(order: OrderState): Promise<{ kind: string; isOpen: boolean }[]>
}

/** The attacker's provider stands first, before so many honest ones. */
async function attacked(t: TestContext, honest: 1 | 2, fields: object = {}): Promise<Attacked> {
  const node = await testNode()
  const attacker: Attacked['attacker'] = { lie: null, late: null }
  const first = await aLyingNode(t, node.url, (call) => attacker.lie?.(call) ?? null)
  const late = (call: Call, n: number): ReturnType<Lie> => {
    if (attacker.late === 'second' && n === 0) return withoutLogs(call)
    if (attacker.late === 'factory') return withoutLogsOf(node.factory)(call)
    return attacker.late === 'all' ? withoutReceipts(call) : null
  }
  const others = await Promise.all(
    Array.from({ length: honest }, (_, n) => aLyingNode(t, node.url, (call) => late(call, n))),
  )
  const rpc = [first, ...others].map((one) => one.url)
  const world = await aWorld(t, { node, chains: [chainOver(node, { rpc, rpcTimeoutMs: 2_000, ...fields })] })
  await world.forwarder.check()
  const run = async (): Promise<void> => {
    for (const job of world.forwarder.jobs.filter(({ name }) => /^(watch|relay)-/.test(name))) {
      for (let n = 0; n < 50; n++) if ((await job.run(new AbortController().signal).catch(() => 0)) === 0) break
    }
    await settleDue(world.deps)
  }
  return {
    ...{ world, attacker, name: new URL(first.url).host },
    async work(blocks = 0) {
      for (let n = 0; n < 3; n++) {
        await run()
        await world.mine(blocks)
        world.clock.advance(11_000)
        await world.anvil.increaseTime({ seconds: 11 })
      }
      await run()
    },
    again: ({ orderNo }) => getOrder(world.deps.sql, orderNo),
    vaultOf: ({ legs }) => (legs.at(-1)?.address ?? '').toLowerCase() as Hex,
    alarms: ({ orderNo }) => world.deps.sql`
      select kind, resolved_at is null as "isOpen" from attention where order_no = ${orderNo} order by id`,
  }
}

const withoutReceipts: Lie = ({ method }) => (/Receipts?$/.test(method) ? { result: null } : null)
const withoutLogs: Lie = (call) => (call.method === 'eth_getLogs' ? { result: [] } : withoutReceipts(call))

const withoutLogsOf =
  (factory: Hex): Lie =>
  ({ method, params }) => {
    const { address } = (params[0] ?? {}) as { address?: unknown }
    return method === 'eth_getLogs' && address === factory.toLowerCase() ? { result: [] } : null
  }

/** Adds a log, and the receipt that shows it, to what the node tells of the first block that is asked for. */
function adding(make: (at: Pick<RawLog, 'blockHash' | 'blockNumber'>) => Partial<RawLog>): Lie {
  const numbers = new Map<string, string>()
  let chosen: string | null = null
  let told: Record<string, unknown> | null = null
  return ({ method, params }: Call) => {
    if (method === 'eth_getTransactionReceipt' && params[0] === told?.transactionHash)
      return { result: { ...told, status: '0x1', logs: [told] } }
    if (method === 'eth_getBlockByNumber') {
      return {
        edit(block) {
          const { hash, number } = (block ?? {}) as { hash?: string; number?: string }
          if (hash !== undefined && number !== undefined) numbers.set(hash, number)
          return block
        },
      }
    }
    if (method !== 'eth_getLogs') return null
    const { blockHash = '', address } = params[0] as { blockHash?: string; address: string | string[] }
    const blockNumber = numbers.get(blockHash)
    if (blockNumber === undefined) return null
    chosen ??= blockHash
    const place = { blockHash, blockNumber }
    const log = { ...place, logIndex: '0x0', transactionHash: keccak256(blockHash as Hex), ...make(place) }
    const isAsked = [address].flat().includes(log.address ?? '')
    if (blockHash !== chosen || !isAsked) return null
    told = log
    return { edit: (logs) => [log, ...(logs as RawLog[])] }
  }
}

const transfer = (token: Hex, to: Hex, amount: bigint): Pick<RawLog, 'address' | 'topics' | 'data'> => ({
  address: token,
  topics: [TRANSFER, zeroHash, topicOf(to)],
  data: padHex(`0x${amount.toString(16)}`),
})

const paymentsOf = (order: OrderState) => order.payments.map((row) => [row.status, row.amount])

const wrongIn = async ({ forwarder }: World): Promise<string> =>
  (await forwarder.rail.checks()).flatMap((check) => (isOk(check) ? [] : check.summary)).join('\n')

test('a payment that one of two invents is shown, never counts, and is an alarm until it is taken back', async (t) => {
  const { world, attacker, work, again, vaultOf, alarms, name } = await attacked(t, 1)
  const order = await world.order()
  await work(1)
  attacker.lie = adding(() => transfer(world.node.usdc, vaultOf(order), 50_000_000n))
  await work(5)
  assert.deepEqual(paymentsOf(await again(order)), [['detected', 50_000_000n]])
  assert.match(await wrongIn(world), new RegExp(`contradicts ${name} about transaction 0x`))
  assert.deepEqual(await alarms(order), [])
  await advance(world, 31 * MINUTE_MS)
  await work(1)
  await expireDue(world.deps)
  assert.deepEqual(await alarms(order), [{ kind: 'providers_contradict', isOpen: true }])
  const during = await again(order)
  assert.deepEqual([during.status, during.settlements], ['processing', []])
  attacker.lie = null
  await work(1)
  assert.equal((await again(order)).payments[0]?.status, 'orphaned')
  assert.deepEqual(await alarms(order), [{ kind: 'providers_contradict', isOpen: false }])
})

test('two of three decide when it has lasted; who lied is set aside, said aloud, and comes back', async (t) => {
  const { world, attacker, work, again, vaultOf, name } = await attacked(t, 2)
  const order = await world.order()
  await work(1)
  attacker.lie = adding(() => transfer(world.node.usdc, vaultOf(order), 50_000_000n))
  await work(2)
  assert.deepEqual(paymentsOf(await again(order)), [['detected', 50_000_000n]])
  await advance(world, 2 * MINUTE_MS)
  await work(1)
  assert.deepEqual(paymentsOf(await again(order)), [['orphaned', 50_000_000n]])
  const noted = () => wrongIn(world)
  assert.match(await noted(), new RegExp(`base: ${name} is contradicted by two others: .*; it is set aside until 20`))
  attacker.lie = null
  await advance(world, 10 * MINUTE_MS)
  await work(1)
  assert.equal(await noted(), '')
})

slowTest('receipts that come late on every provider refute nothing and set nobody aside', async (t) => {
  const { world, attacker, work, again, vaultOf } = await attacked(t, 2)
  const order = await world.order()
  const due = order.legs[0]?.amountDue ?? 0n
  await work(1)
  attacker.lie = withoutReceipts
  attacker.late = 'all'
  await world.pay(vaultOf(order), world.node.usdc, due)
  await work(1)
  assert.deepEqual(paymentsOf(await again(order)), [['detected', due]])
  assert.doesNotMatch(await wrongIn(world), /set aside/)
  attacker.lie = null
  attacker.late = null
  for (let n = 0; n < 3; n++) await work(3)
  assert.equal((await again(order)).status, 'success')
})

slowTest('what two deny for minutes is gone, and comes back by itself when one of them has it after all', async (t) => {
  const { world, attacker, work, again, vaultOf } = await attacked(t, 2)
  const paid = async (): Promise<OrderState> => {
    const order = await world.order()
    await work(1)
    await world.pay(vaultOf(order), world.node.usdc, order.legs[0]?.amountDue ?? 0n)
    await work(1)
    return again(order)
  }
  attacker.lie = withoutLogs
  attacker.late = 'second'
  // Each block is told by two of the three, in turn: where both were those that deny, nobody tells of it yet.
  let order = await paid()
  for (let n = 0; n < 20 && order.payments.length === 0; n++) order = await paid()
  const due = order.legs[0]?.amountDue ?? 0n
  await advance(world, 2 * MINUTE_MS)
  await work(1)
  assert.deepEqual(paymentsOf(await again(order)), [['orphaned', due]])
  attacker.lie = null
  attacker.late = null
  await advance(world, 5 * MINUTE_MS)
  for (let n = 0; n < 3; n++) await work(3)
  const done = await again(order)
  assert.deepEqual([done.status, paymentsOf(done)], ['success', [['confirmed', due]]])
})

slowTest('where one tells another payment at the place of the true one, the true one counts', async (t) => {
  const { world, attacker, work, again, vaultOf } = await attacked(t, 1)
  const [first, second, other] = [await world.order(), await world.order(), await world.order()]
  await work(1)
  const lying = ({ method }: Call): ReturnType<Lie> => {
    if (method !== 'eth_getLogs') return null
    // The same place in the same block, another address and amount.
    return {
      edit: (logs) => (logs as RawLog[]).map((log) => ({ ...log, ...transfer(world.node.usdc, vaultOf(other), 7n) })),
    }
  }
  attacker.lie = lying
  const due = first.legs[0]?.amountDue ?? 0n
  // Of two blocks the attacker is asked first about one.
  for (const order of [first, second]) await world.pay(vaultOf(order), world.node.usdc, due)
  await work(2)
  attacker.lie = null
  await advance(world, 2 * MINUTE_MS)
  await work(1)
  for (const order of [first, second]) {
    const counted = paymentsOf(await again(order)).filter(([status]) => status !== 'orphaned')
    assert.deepEqual(counted, [['confirmed', due]])
  }
  const told = paymentsOf(await again(other))
  assert.ok(told.length > 0 && told.every(([status]) => status === 'orphaned'), String(told))
})

slowTest('a settlement counts with what two receipts say that the merchant got', async (t) => {
  const { world, attacker, work, again, vaultOf } = await attacked(t, 1)
  const order = await world.order()
  const due = order.legs[0]?.amountDue ?? 0n
  await work(1)
  await world.pay(vaultOf(order), world.node.usdc, due)
  attacker.lie = ({ method }) => {
    if (method !== 'eth_getTransactionReceipt') return null
    const isOut = (log: RawLog): boolean => log.topics[0] === TRANSFER && log.topics[1] === topicOf(vaultOf(order))
    return {
      edit(receipt) {
        const { logs } = (receipt ?? { logs: [] }) as { logs: RawLog[] }
        const less = logs.map((log) => (isOut(log) ? { ...log, data: padHex('0x5') } : log))
        return receipt === null ? null : { ...(receipt as object), logs: less }
      },
    }
  }
  await work(5)
  const told = await again(order)
  assert.deepEqual([told.status, told.settlements[0]?.status], ['processing', 'broadcast'])
  attacker.lie = null
  for (let n = 0; n < 2; n++) await work(3)
  const done = await again(order)
  assert.deepEqual([done.status, done.amountOut], ['success', due - due / 100n])
})

slowTest('what one leaves out is found by the second scan, though a run failed between the two', async (t) => {
  const { world, attacker, work, again, vaultOf } = await attacked(t, 1)
  const orders = [await world.order(), await world.order()]
  await work(1)
  attacker.lie = withoutLogs
  // Of two blocks the attacker is asked first about one.
  for (const order of orders) await world.pay(vaultOf(order), world.node.usdc, order.legs[0]?.amountDue ?? 0n)
  await world.look()
  await world.mine(3)
  attacker.lie = () => 500
  await assert.rejects(world.look())
  attacker.lie = withoutLogs
  world.clock.advance(31_000)
  await world.look()
  const found = await world.deps.sql<{ foundBy: string }[]>`
    select found_by as "foundBy" from forwarder_observations order by found_by`
  assert.deepEqual(
    found.map((row) => row.foundBy),
    ['first', 'second'],
  )
  attacker.lie = null
  for (let n = 0; n < 3; n++) await work(3)
  for (const order of orders) assert.equal((await again(order)).status, 'success')
})

slowTest('a settlement and a refund of ours that no scan shows are known by their receipts', async (t) => {
  const { world, attacker, work, again, vaultOf } = await attacked(t, 1)
  const refundTo = getAddress(toHex(randomOctets(20)))
  const order = await world.order({ refund_address: refundTo })
  const due = order.legs.at(-1)?.amountDue ?? 0n
  await work(1)
  attacker.lie = withoutLogsOf(world.node.factory)
  attacker.late = 'factory'
  await world.pay(vaultOf(order), world.node.usdc, 2n * due)
  for (let n = 0; n < 4; n++) await work(3)
  const done = await again(order)
  assert.deepEqual([done.status, done.amountOut], ['success', due - due / 100n])
  assert.deepEqual(
    done.refunds.map(({ status, amount }) => [status, amount]),
    [['succeeded', due]],
  )
  assert.equal(await world.unitsOf(world.node.usdc, refundTo), due)
  const logs = await world.deps.sql<{ event: string; saidBy: string; state: string }[]>`
    select event, said_by as "saidBy", state from forwarder_factory_logs order by height`
  assert.deepEqual(
    logs.map((row) => [row.event, row.saidBy, row.state]),
    [
      ['Settled', '', 'final'],
      ['Refunded', '', 'final'],
    ],
  )
})

slowTest(
  'a payment that was denied and comes back is settled, where its money has gone to the merchant meanwhile',
  async (t) => {
    const { world, attacker, work, again, vaultOf } = await attacked(t, 2)
    const order = await world.order()
    const due = order.legs[0]?.amountDue ?? 0n
    await work(1)
    attacker.lie = withoutLogs
    attacker.late = 'second'
    await world.pay(vaultOf(order), world.node.usdc, due)
    await work(1)
    await advance(world, 2 * MINUTE_MS)
    await work(1)
    assert.deepEqual(paymentsOf(await again(order)), [['orphaned', due]])
    // Everything is told again, and the denied payment is asked about only later.
    attacker.lie = null
    attacker.late = null
    await world.deps
      .sql`update forwarder_observations set ask_at = ${new Date(world.clock.now().getTime() + 9 * MINUTE_MS)}`
    const [row] = await world.deps.sql<{ route: StoredRoute }[]>`select route from forwarder_vaults`
    assert.ok(row)
    const wallet = createWalletClient({ transport: toAnvil(world.node.url), account: relayer })
    const call = { address: world.node.factory, abi: payFactoryAbi, functionName: 'settle', chain: null } as const
    await wallet.writeContract({ ...call, args: [readRoute(row.route), world.node.usdc, due, 0] })
    for (let n = 0; n < 2; n++) await work(3)
    const during = await again(order)
    assert.deepEqual(
      [during.status, during.detail],
      ['processing', 'reorged'],
      'what was settled is not known to have come',
    )
    await advance(world, 10 * MINUTE_MS)
    for (let n = 0; n < 3; n++) await work(3)
    const done = await again(order)
    assert.deepEqual([done.status, done.amountOut, paymentsOf(done)], ['success', due, [['confirmed', due]]])
  },
)

slowTest('a failure of our own transaction that one provider invents does not end the order', async (t) => {
  const { world, attacker, work, again, vaultOf } = await attacked(t, 1)
  const factory = world.node.factory.toLowerCase()
  const order = await world.order()
  const due = order.legs[0]?.amountDue ?? 0n
  await work(1)
  await world.pay(vaultOf(order), world.node.usdc, due)
  attacker.lie = ({ method, params }) => {
    const isOfFactory = method === 'eth_getLogs' && (params[0] as { address: unknown }).address === factory
    if (!isOfFactory && method !== 'eth_getTransactionReceipt') return null
    const topics = encodeEventTopics({
      abi: payFactoryAbi,
      eventName: 'SettleFailed',
      args: { vault: vaultOf(order), ref: zeroHash },
    }) as string[]
    const data = encodeAbiParameters([{ type: 'bytes' }], ['0x'])
    const withFailure = (logs: RawLog[]): RawLog[] => {
      const [ours] = logs.filter((log) => log.address === factory)
      return ours === undefined ? logs : [...logs, { ...ours, topics, data, logIndex: '0x63' }]
    }
    if (isOfFactory) return { edit: (logs) => withFailure(logs as RawLog[]) }
    return {
      edit: (receipt) =>
        receipt === null ? null : { ...(receipt as object), logs: withFailure((receipt as { logs: RawLog[] }).logs) },
    }
  }
  await work(2)
  const rows = await world.deps.sql<{ event: string; relayed: string | null }[]>`
    select event, relayed from forwarder_factory_logs where event = 'SettleFailed'`
  assert.ok(rows.length > 0 && rows.every((row) => row.relayed === null), 'it was told, and not acted on')
  const [item] = await world.deps.sql<{ failures: number; state: string }[]>`select failures, state from relay_items`
  assert.deepEqual([item?.failures, item?.state], [0, 'sent'])
  attacker.lie = null
  for (let n = 0; n < 3; n++) await work(3)
  assert.equal((await again(order)).status, 'success')
})

slowTest('logs that are malformed, doubled or of other blocks are not taken, and hold nothing up', async (t) => {
  const { world, attacker, work, again, vaultOf } = await attacked(t, 2)
  const edits: ((logs: RawLog[]) => unknown)[] = [
    (logs) => [...logs, null],
    (logs) => logs.flatMap((log) => [log, log]),
    (logs) => logs.map((log) => ({ ...log, blockNumber: '0x1' })),
    (logs) => logs.map((log) => ({ ...log, transactionHash: 'x\u0000' })),
    (logs) => logs.map((log) => ({ ...log, logIndex: '0xffffffffff' })),
    () => ({ not: 'a list' }),
  ]
  for (const edit of edits) {
    const order = await world.order()
    const due = order.legs[0]?.amountDue ?? 0n
    attacker.lie = ({ method }) => (method === 'eth_getLogs' ? { edit: (logs) => edit(logs as RawLog[]) } : null)
    await world.pay(vaultOf(order), world.node.usdc, due)
    await work(2)
    assert.deepEqual(paymentsOf(await again(order)), [['confirmed', due]])
  }
})

slowTest('while the head is old nothing expires and nothing is refunded, and both go on by themselves', async (t) => {
  const { world, attacker, work, again, vaultOf } = await attacked(t, 1, { headMaxAgeS: 300 })
  const unpaid = await world.order()
  const paid = await world.order({ refund_address: PAYER })
  await work(1)
  // Tests before this one share the node, and may have sent something there.
  const had = await world.unitsOf(world.node.usdc, PAYER)
  const half = (paid.legs.at(-1)?.amountDue ?? 0n) / 2n
  await world.pay(vaultOf(paid), world.node.usdc, half)
  await work(3)
  const tip = await world.client.request({ method: 'eth_getBlockByNumber', params: ['latest', false] })
  attacker.lie = ({ method, params: [which] }) =>
    method === 'eth_getBlockByNumber' && which === 'latest' ? { result: tip } : null
  await refundOrder(world.deps, await again(paid), { actor: 'test', reason: null })
  await advance(world, 31 * MINUTE_MS)
  await work(1)
  await expireDue(world.deps)
  assert.equal((await again(unpaid)).status, 'pending')
  assert.equal(await world.unitsOf(world.node.usdc, PAYER), had)
  await assert.rejects(
    world.forwarder.rail.recheck(unpaid.orderRef),
    /the newest block that its providers agree on is \d+ s old/,
  )
  assert.match(await wrongIn(world), /base: the newest block .* is \d+ s old: nothing expires and nothing is refunded/)
  attacker.lie = null
  await work(5)
  await advance(world, MINUTE_MS)
  await work(5)
  await expireDue(world.deps)
  assert.equal((await again(unpaid)).status, 'expired')
  assert.equal(await world.unitsOf(world.node.usdc, PAYER), had + half)
})

test('coins: one of three invents a balance → refuted, and it stays so when the others are asked again', async (t) => {
  const { world, attacker, work, again } = await attacked(t, 2)
  const order = await world.order({ pay_asset: 'ETH', settle_asset: 'ETH' })
  const due = order.legs[0]?.amountDue ?? 0n
  await work(1)
  attacker.lie = ({ method, params: [call] }) =>
    method === 'eth_call' && (call as { to?: unknown }).to === undefined ? { result: padHex(toHex(due)) } : null
  await work(3)
  assert.deepEqual(paymentsOf(await again(order)), [['detected', due]])
  await advance(world, 3 * MINUTE_MS)
  await work(1)
  assert.deepEqual(paymentsOf(await again(order)), [['orphaned', due]])
  attacker.lie = null
  for (let n = 0; n < 3; n++) {
    await advance(world, 3 * MINUTE_MS)
    await work(3)
  }
  assert.deepEqual(paymentsOf(await again(order)), [['orphaned', due]])
})
