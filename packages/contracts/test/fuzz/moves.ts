// What the actors of a fuzz run try: mostly sensible calls, often by the wrong party, at the wrong time or with wrong values.
import type { Address } from 'viem'
import { zeroAddress } from 'viem'
import { testUsdcAbi } from '../../src/test-tokens.ts'
import type { Contract } from '../chain.ts'
import type { Ledger, Proposal, ScheduledRole } from './ledger.ts'
import { DAY, NATIVE, type Order, orderOf, type World } from './world.ts'

export interface Settling {
  order: Order
  token: Address
  gross: bigint
  feeBps: number
}
interface Refunding {
  order: Order
  token: Address
  to: Address
  amount: bigint
}
interface RoleChange {
  role: number
  who: Address
  on: boolean
}

export type Move = { by: Address } & (
  | { kind: 'deposit'; order: Order; token: Address; amount: bigint }
  | ({ kind: 'settle' } & Settling)
  | { kind: 'settleBatch'; items: Settling[]; gas: number | undefined }
  | ({ kind: 'settleItem' } & Settling)
  | { kind: 'settleOpen'; order: Order }
  | { kind: 'settleOpenNoFee'; order: Order; token: Address }
  | { kind: 'rescue'; order: Order; token: Address; gas: number | undefined }
  | ({ kind: 'pushItem'; back: boolean; keep: boolean } & Settling)
  | { kind: 'refundBound'; order: Order; token: Address; amount: bigint }
  | ({ kind: 'proposeRefund' | 'vetoRefund' | 'executeRefund' } & Refunding)
  | { kind: 'pauseRefunds' | 'unpauseRefunds' }
  | ({ kind: 'scheduleRole' | 'applyRole' | 'cancelRole' } & RoleChange)
  | { kind: 'dropRefunder'; who: Address }
  | { kind: 'payDirect'; target: Address; token: Address; amount: bigint }
  | { kind: 'block'; token: Address; who: Address; on: boolean }
  | { kind: 'pauseToken'; on: boolean }
  | { kind: 'wait'; seconds: number }
  | { kind: 'newOrder' }
)

const WEIGHTS: Record<Move['kind'], number> = {
  deposit: 26,
  settle: 14,
  settleBatch: 10,
  settleItem: 1,
  settleOpen: 7,
  settleOpenNoFee: 5,
  rescue: 12,
  pushItem: 1,
  refundBound: 7,
  proposeRefund: 9,
  vetoRefund: 3,
  executeRefund: 15,
  pauseRefunds: 2,
  unpauseRefunds: 5,
  scheduleRole: 2,
  applyRole: 3,
  cancelRole: 0.7,
  dropRefunder: 0.7,
  payDirect: 4,
  block: 6,
  pauseToken: 3,
  wait: 8,
  newOrder: 4,
}

const WAITS = { 60: 10, 7200: 10, [DAY - 60]: 20, [DAY]: 30, [2 * DAY]: 20, [8 * DAY]: 15, [40 * DAY]: 6 }

export function drawMove(world: World, ledger: Ledger): Move {
  const { random, keys } = world
  const kind = random.weighted(WEIGHTS)
  const anyone = random.pick(world.actors)
  const rightly = (key: Address) => (random.chance(75) ? key : anyone)
  const { order, token } = drawTarget(world, ledger, kind)
  const amount = drawAmount(world, ledger.balance(order.vault, token))
  switch (kind) {
    case 'deposit':
      return { kind, by: anyone, order, token, amount: BigInt(1 + random.below(3_000)) }
    case 'settle': {
      const failed = random.chance(50) ? drawFailed(world, ledger, true) : undefined
      const gross = failed ? ledger.balance(failed.order.vault, failed.token) : 0n
      const settling = failed ? { ...failed, gross, feeBps: 0 } : drawSettling(world, ledger)
      return { kind, by: rightly(keys.relayer), ...settling }
    }
    case 'settleItem':
      return { kind, by: anyone, ...drawSettling(world, ledger) }
    case 'settleBatch': {
      const items = Array.from({ length: 1 + random.below(5) }, () => drawSettling(world, ledger))
      const gas = random.chance(25) ? 60_000 + random.below(900_000) : undefined
      return { kind, by: rightly(keys.relayer), items, gas }
    }
    case 'settleOpen':
      return { kind, by: anyone, order }
    case 'settleOpenNoFee':
      return { kind, by: anyone, order, token }
    case 'rescue': {
      const gas = random.chance(20) ? 100_000 + random.below(2_300_000) : undefined
      return { kind, by: anyone, ...(drawStuck(world, ledger) ?? { order, token }), gas }
    }
    case 'pushItem':
      return { kind, by: anyone, ...drawSettling(world, ledger), back: random.chance(50), keep: random.chance(70) }
    case 'refundBound':
      return { kind, by: rightly(keys.refunder), order, token, amount }
    case 'proposeRefund': {
      const to = random.chance(95) ? random.pick([...world.payers, anyone]) : random.pick([zeroAddress, order.vault])
      const part = random.chance(50) ? BigInt(1 + random.below(200)) : amount
      return { kind, by: rightly(keys.refunder), order, token, to, amount: part }
    }
    case 'vetoRefund':
    case 'executeRefund': {
      const announced = drawProposal(world, ledger)
      const refund = announced ?? { order, token, to: anyone, amount }
      const by = kind === 'executeRefund' ? anyone : random.pick([keys.guardian, refund.order.route.merchant, anyone])
      return { kind, by, order: refund.order, token: refund.token, to: refund.to, amount: refund.amount }
    }
    case 'pauseRefunds':
      return { kind, by: rightly(random.pick([keys.guardian, keys.owner])) }
    case 'unpauseRefunds':
      return { kind, by: rightly(keys.owner) }
    case 'scheduleRole':
      // The first four keys keep their roles, so that the run goes on.
      return {
        kind,
        by: rightly(keys.owner),
        role: random.below(3),
        who: random.pick(world.actors.slice(4)),
        on: random.chance(70),
      }
    case 'applyRole':
    case 'cancelRole': {
      const change = drawScheduled(world, ledger) ?? { role: 0, who: anyone, on: true }
      return { kind, by: rightly(keys.owner), role: change.role, who: change.who, on: change.on }
    }
    case 'dropRefunder':
      return { kind, by: rightly(random.pick([keys.owner, keys.guardian])), who: random.pick(world.actors.slice(4)) }
    case 'payDirect': {
      const target = random.chance(80) ? order.vault : world.impl.address
      return { kind, by: anyone, target, token, amount: 1n }
    }
    case 'block': {
      // Often one that was recorded as failed is freed again.
      const failed = ledger.failures().at(-1 - random.below(3))
      if (failed && random.chance(30)) return { kind, by: anyone, token: world.usdc, who: failed.to, on: false }
      const stands = random.chance(50) ? drawOpenUsdc(world, ledger) : undefined
      if (stands) {
        const who = random.pick([
          stands.route.merchant,
          stands.route.merchant,
          stands.route.collector,
          stands.route.refundTo,
        ])
        return { kind, by: anyone, token: world.usdc, who, on: !ledger.isBlocked(world.usdc, who) }
      }
      const { merchant, collector, refundTo } = order.route
      const who = random.pick([order.vault, merchant, merchant, collector, collector, refundTo])
      const issuer = random.chance(70) ? world.usdc : world.usdt
      return { kind, by: anyone, token: issuer, who, on: random.chance(40) }
    }
    case 'pauseToken':
      return { kind, by: anyone, on: !ledger.tokenPaused && random.chance(40) }
    case 'wait':
      return { kind, by: anyone, seconds: Number(random.weighted(WAITS)) }
    case 'newOrder':
      return { kind, by: anyone }
  }
}

/** Mostly an order and a token with which the move can work. */
function drawTarget(world: World, ledger: Ledger, kind: Move['kind']): { order: Order; token: Address } {
  const { random, orders } = world
  const suits = (order: Order): boolean => {
    if (kind === 'deposit') return true
    if (kind === 'refundBound' && order.route.refundTo === zeroAddress) return false
    if (kind === 'proposeRefund' && order.route.refundTo !== zeroAddress) return false
    if (kind === 'payDirect' && !ledger.opened.has(order.vault)) return false
    return world.tokens.some((token) => ledger.balance(order.vault, token) > 0n)
  }
  const suited = random.chance(85) ? orders.filter(suits) : []
  const order = random.pick(suited.length > 0 ? suited : orders)
  const held = world.tokens.filter((token) => ledger.balance(order.vault, token) > 0n)
  const wrong = kind === 'deposit' ? random.chance(10) : random.chance(5)
  if (wrong) return { order, token: random.pick(world.tokens) }
  return { order, token: kind === 'deposit' || held.length === 0 ? order.route.token : random.pick(held) }
}

/** Often all there is, sometimes a part, seldom more than there is or nothing. */
function drawAmount({ random }: World, held: bigint): bigint {
  if (random.chance(45) && held > 0n) return held
  return BigInt(random.below(Number(held > 2_000n ? 2_000n : held) + 3))
}

function drawSettling(world: World, ledger: Ledger): Settling {
  const { random } = world
  const { order, token } = drawTarget(world, ledger, 'settle')
  const gross = drawAmount(world, ledger.balance(order.vault, token))
  const feeBps = random.chance(80) ? Math.min(order.route.feeBps, 1_000) : random.below(1_200)
  if (random.chance(95)) return { order, token, gross, feeBps }
  return { order: orderOf(world, { ...order.route, merchant: random.pick(world.actors) }), token, gross, feeBps }
}

/** Mostly one that is ripe, else any: vetoed, executed, forgotten; the younger ones more often. */
function drawProposal({ random }: World, ledger: Ledger): Proposal | undefined {
  const all = [...ledger.proposals.values()]
  const ripe = all.filter((p) => {
    const inTime = ledger.now >= p.at + DAY && ledger.now < p.at + 7 * DAY
    return p.state === 'open' && inTime && ledger.balance(p.order.vault, p.token) >= p.amount
  })
  if (ripe.length > 0 && random.chance(60)) return random.pick(ripe)
  return all.at(-1 - Math.min(random.below(12), random.below(12), all.length - 1))
}

/** Money whose push was recorded as failed; `isFree`: and could go through now. */
function drawFailed(
  { random, byVault }: World,
  ledger: Ledger,
  isFree = false,
): { order: Order; token: Address } | undefined {
  const failures = ledger
    .failures()
    .filter(({ vault, token }) => ledger.balance(vault, token) > 0n)
    .filter(({ token, to }) => !isFree || !ledger.isBlocked(token, to))
  if (failures.length === 0) return undefined
  const { vault, token } = random.pick(failures)
  const order = byVault.get(vault)
  return order && { order, token }
}

/** An order with USDC that two sides can get, and that is open. */
function drawOpenUsdc({ random, orders, usdc }: World, ledger: Ledger): Order | undefined {
  const open = orders.filter(({ vault, route }) => {
    const isOpen = route.token === usdc && route.refundTo !== zeroAddress && ledger.now >= route.openAfter
    return isOpen && ledger.balance(vault, usdc) > 0n
  })
  return open.length > 0 ? random.pick(open) : undefined
}

/** Money that a rescue is for: recorded as failed, or on an open order with a party that is blocked. */
function drawStuck(world: World, ledger: Ledger): { order: Order; token: Address } | undefined {
  const { random, orders, usdc, rejector } = world
  const failed = random.chance(50) ? drawFailed(world, ledger) : undefined
  if (failed) return failed
  const stuck = orders.filter(({ vault, route }) => {
    const { token, merchant, collector, refundTo } = route
    const cannot = (who: Address) =>
      token === usdc ? ledger.isBlocked(token, who) : token === NATIVE && who === rejector
    const isStuck = [merchant, collector, refundTo].some(cannot)
    return isStuck && ledger.now >= route.openAfter && ledger.balance(vault, token) > 0n
  })
  if (stuck.length === 0 || random.chance(30)) return undefined
  const order = random.pick(stuck)
  return { order, token: order.route.token }
}

function drawScheduled({ random }: World, ledger: Ledger): ScheduledRole | undefined {
  const all = [...ledger.scheduled.values()]
  const ripe = all.filter((change) => ledger.now >= change.at + 2 * DAY && ledger.now < change.at + 9 * DAY)
  if (ripe.length > 0 && random.chance(50)) return random.pick(ripe)
  return all.length > 0 ? random.pick(all) : undefined
}

export interface Call {
  contract: Contract
  functionName: string
  args: readonly unknown[]
  value?: bigint
  gas?: number
}

/** The contract call of a move, or null for those that are not calls of a contract. */
export function callOf(world: World, move: Move): Call | null {
  const at = (functionName: string, ...args: unknown[]): Call => ({ contract: world.factory, functionName, args })
  const onToken = (address: Address, functionName: string, ...args: unknown[]): Call => ({
    contract: { address, abi: testUsdcAbi },
    functionName,
    args,
  })
  const item = (s: Settling) => ({ route: s.order.route, token: s.token, gross: s.gross, feeBps: s.feeBps })
  switch (move.kind) {
    case 'deposit':
      return move.token === NATIVE ? null : onToken(move.token, 'mint', move.order.vault, move.amount)
    case 'settle':
      return at('settle', move.order.route, move.token, move.gross, move.feeBps)
    case 'settleItem':
      return at('settleItem', item(move))
    case 'settleBatch':
      return { ...at('settleBatch', move.items.map(item), 300_000n), ...(move.gas ? { gas: move.gas } : {}) }
    case 'settleOpen':
      return at('settleOpen', move.order.route)
    case 'settleOpenNoFee':
      return at('settleOpenNoFee', move.order.route, move.token)
    case 'rescue':
      return { ...at('rescue', move.order.route, move.token), ...(move.gas ? { gas: move.gas } : {}) }
    case 'pushItem':
      return at('pushItem', item(move), move.back, move.keep)
    case 'refundBound':
      return at('refundBound', move.order.route, move.token, move.amount)
    case 'proposeRefund':
    case 'vetoRefund':
    case 'executeRefund':
      return at(move.kind, move.order.route, move.token, move.to, move.amount)
    case 'pauseRefunds':
    case 'unpauseRefunds':
      return at(move.kind)
    case 'scheduleRole':
    case 'applyRole':
    case 'cancelRole':
      return at(move.kind, move.role, move.who, move.on)
    case 'dropRefunder':
      return at('dropRefunder', move.who)
    case 'payDirect': {
      const args = [move.token, move.by, move.amount, move.by, 0n]
      return { contract: { ...world.impl, address: move.target }, functionName: 'pay', args }
    }
    case 'block':
      return onToken(move.token, 'setBlacklisted', move.who, move.on)
    case 'pauseToken':
      return onToken(world.usdc, 'setPaused', move.on)
    case 'wait':
    case 'newOrder':
      return null
  }
}

/** The tokens a move may bring a vault to pay out. */
export function tokensOf(move: Move): Address[] {
  if (move.kind === 'deposit' || move.kind === 'block') return []
  if (move.kind === 'settleBatch') return move.items.map((item) => item.token)
  if (move.kind === 'settleOpen') return [move.order.route.token]
  return 'token' in move ? [move.token] : []
}

/** The orders whose money a move may move. */
export function ordersOf(move: Move): Order[] {
  if (move.kind === 'settleBatch') return move.items.map(({ order }) => order)
  return move.kind !== 'deposit' && 'order' in move ? [move.order] : []
}

/** One line that says what was tried. */
export function describe(move: Move): string {
  const replacer = (key: string, value: unknown) => {
    if (key === 'order') return (value as Order).vault
    return typeof value === 'bigint' ? value.toString() : value
  }
  return JSON.stringify(move, replacer)
}
