// Plays random moves on a real node and holds what happened against the rules: each transaction by its own transfers, the
// whole world by its balances.
import { type Address, type Hex, isHex, keccak256, zeroHash } from 'viem'
import { vaultCodeHash } from '../../src/index.ts'
import type { Chain, Receipt } from '../chain.ts'
import { eventsOf, transfersOf } from '../logs.ts'
import { type Flow, Ledger } from './ledger.ts'
import { callOf, describe, drawMove, type Move, ordersOf, tokensOf } from './moves.ts'
import { Random } from './random.ts'
import { ruleOn } from './rules.ts'
import { addOrder, buildWorld, lower, NATIVE, type World } from './world.ts'

export interface FuzzResult {
  /** What broke a promise, with the move that did; null when nothing did. The run ends there. */
  violation: string | null
  steps: number
  /** Moves that went through and that were refused, by kind. */
  counts: Record<string, { through: number; refused: number }>
  orders: number
}

const SWEEP_EVERY = 50
const GAS = 3_000_000

/** A run is the same for the same bytecode, seed and number of steps. */
export async function fuzz(chain: Chain, factoryBytecode: Hex, seed: string, steps: number): Promise<FuzzResult> {
  const world = await buildWorld(chain, new Random(seed), factoryBytecode)
  const ledger = new Ledger(world.keys)
  const result: FuzzResult = { violation: null, steps: 0, counts: {}, orders: 0 }
  while (result.steps < steps && !result.violation) {
    const move = drawMove(world, ledger)
    result.steps++
    const { violation, through } = await play(world, ledger, move)
    result.counts[move.kind] ??= { through: 0, refused: 0 }
    const count = result.counts[move.kind]
    if (count) count[through ? 'through' : 'refused']++
    if (violation) result.violation = `${violation}: ${describe(move)}`
    else if (result.steps % SWEEP_EVERY === 0 || result.steps === steps) result.violation = await sweep(world, ledger)
  }
  result.orders = world.byVault.size
  return result
}

async function play(world: World, ledger: Ledger, move: Move): Promise<{ violation: string | null; through: boolean }> {
  const { chain } = world
  if (move.kind === 'wait') {
    await chain.warpBy(move.seconds)
    ledger.now += move.seconds
    return { violation: null, through: true }
  }
  if (move.kind === 'newOrder') {
    addOrder(world, await chain.now())
    return { violation: null, through: true }
  }
  const call = callOf(world, move)
  const receipt = call
    ? await chain.send(call.contract, call.functionName, call.args, { from: move.by, gas: call.gas ?? GAS })
    : await payNative(world, move)
  ledger.now = receipt.at
  const ruling = ruleOn(world, ledger, move, receipt.at)

  if (!receipt.ok) {
    // A call with too little gas may revert as a whole. It may not pretend that a push failed.
    const short = (move.kind === 'settleBatch' || move.kind === 'rescue') && move.gas !== undefined
    const violation = 'refuse' in ruling || short ? null : 'refused although nothing speaks against it'
    return { violation, through: false }
  }
  if ('refuse' in ruling) return { violation: `went through although ${ruling.refuse}`, through: true }
  const happened = await flowsOf(world, receipt, move)
  const [seen, expected] = [show(sorted(happened)), show(sorted(ruling.flows))]
  if (seen !== expected) return { violation: `moved ${seen} instead of ${expected}`, through: true }
  const events = show({
    settled: eventsOf(receipt, 'Settled').map((event) => lower(event.vault)),
    failed: eventsOf(receipt, 'SettleFailed').map((event) => lower(event.vault)),
    recorded: eventsOf(receipt, 'PushFailed').map((event) => lower(event.vault)),
  })
  const { settled = [], failed = [], recorded = [] } = ruling
  const announced = show({ settled, failed, recorded })
  if (events !== announced) return { violation: `reported ${events} instead of ${announced}`, through: true }

  for (const flow of ruling.flows) {
    ledger.move(flow)
    ledger.opened.add(flow.vault)
  }
  ruling.remember?.()
  return { violation: await wrongRecord(world, ledger, move), through: true }
}

function payNative(world: World, move: Move): Promise<Receipt> {
  if (move.kind !== 'deposit') throw new Error(`${move.kind} is no payment`)
  return world.chain.transact({ from: move.by, to: move.order.vault, value: move.amount, gas: 100_000 })
}

interface Trace {
  type: string
  from: Address
  to?: Address
  value?: Hex
  error?: string
  calls?: Trace[]
}

/** What left vaults in a transaction: tokens by their logs, native coins by the calls that carried them. */
async function flowsOf(world: World, receipt: Receipt, move: Move): Promise<Flow[]> {
  const flows = transfersOf(receipt)
    .filter((transfer) => world.byVault.has(transfer.from))
    .map(({ from, token, to, amount }): Flow => ({ vault: from, token: lower(token), to, amount }))
  // Tracing is dear. Native coins that a move had no business with are found by the next sweep.
  if (!tokensOf(move).includes(NATIVE)) return flows
  const walk = (trace: Trace) => {
    if (trace.error) return
    const amount = isHex(trace.value) ? BigInt(trace.value) : 0n
    // A delegatecall repeats the value of the call around it and moves nothing.
    if (trace.type === 'CALL' && trace.to && amount > 0n && world.byVault.has(trace.from)) {
      flows.push({ vault: trace.from, token: NATIVE, to: trace.to, amount })
    }
    for (const inner of trace.calls ?? []) walk(inner)
  }
  walk(await world.chain.rpc<Trace>('debug_traceTransaction', [receipt.hash, { tracer: 'callTracer' }]))
  return flows
}

/** What the factory remembers of failed pushes of the orders that a move was about is what the rules remember. */
async function wrongRecord(world: World, ledger: Ledger, move: Move): Promise<string | null> {
  for (const { route, vault } of ordersOf(move)) {
    // A record of one token or receiver must not show up at another.
    for (const [to, token] of [route.merchant, route.refundTo].flatMap((to) =>
      world.tokens.map((t) => [to, t] as const),
    )) {
      const found = await world.chain.read<number>(world.factory, 'failedPushAt', [route, token, to])
      const expected = ledger.failure(vault, token, to)
      if (found !== expected) return `remembers a failure at ${found} instead of ${expected}`
    }
  }
  return null
}

/** Every balance is what the seen transfers add up to, and every vault runs the one code it can run. */
async function sweep(world: World, ledger: Ledger): Promise<string | null> {
  const vaults = [...world.byVault.keys()]
  const receivers = [...world.merchants, ...world.collectors, ...world.payers]
  const who = [...vaults, ...receivers, ...world.actors]
  const balances = await world.chain.read<bigint[]>(world.probe, 'balances', [world.tokens, who])
  for (const [t, token] of world.tokens.entries()) {
    for (const [w, address] of who.entries()) {
      // Actors pay native deposits out of their own pockets.
      if (token === NATIVE && world.actors.includes(address)) continue
      const expected = w < vaults.length ? ledger.balance(address, token) : ledger.received(address, token)
      const found = balances[t * who.length + w]
      if (found !== expected) return `${address} has ${found} of ${token}, the transfers say ${expected}`
    }
  }
  const clone = vaultCodeHash(world.impl.address)
  const hashes = await world.chain.read<Hex[]>(world.probe, 'codeHashes', [vaults])
  for (const [v, vault] of vaults.entries()) {
    const none = hashes[v] === zeroHash || hashes[v] === keccak256('0x')
    if (ledger.opened.has(vault) ? hashes[v] !== clone : !none) return `${vault} has the wrong code`
  }
  return null
}

/** The order in which transfers were found says nothing. */
function sorted(flows: readonly Flow[]): Flow[] {
  return [...flows].sort((a, b) => (show(a) < show(b) ? -1 : 1))
}

function show(value: unknown): string {
  return JSON.stringify(value, (_, inner) => (typeof inner === 'bigint' ? inner.toString() : inner))
}
