// The promises of the contracts written down a second time, as plain rules over what a run knows. For every move they answer
// either why it must not go through, or exactly which money moves and what is remembered.
import { type Address, zeroAddress } from 'viem'
import type { Flow, Ledger } from './ledger.ts'
import type { Move, Settling } from './moves.ts'
import { DAY, NATIVE, type Order, type World } from './world.ts'

const RELAYER = 0
const REFUNDER = 1
const GUARDIAN = 2
const CHAIN_ID = 31337n
const HOUR = 3_600

export type Ruling =
  | { refuse: string }
  | { flows: Flow[]; settled?: Address[]; failed?: Address[]; recorded?: Address[]; remember?: () => void }

/** `at` is the time of the block the move was mined in. */
export function ruleOn(world: World, ledger: Ledger, move: Move, at: number): Ruling {
  const { owner } = world.keys
  const is = (role: number) => ledger.hasRole(role, move.by)
  switch (move.kind) {
    case 'deposit':
      return { flows: [], remember: () => ledger.deposit(move.order.vault, move.token, move.amount) }
    case 'wait':
    case 'newOrder':
      return { flows: [] }
    case 'block':
      return { flows: [], remember: () => ledger.setBlocked(move.token, move.who, move.on) }

    case 'settle':
      if (!is(RELAYER)) return { refuse: 'only a relayer settles' }
      return settling(world, ledger, move)
    case 'settleBatch':
      if (!is(RELAYER)) return { refuse: 'only a relayer settles' }
      return batch(world, ledger, move.items)
    case 'payDirect':
      // A call of an address without code goes through and does nothing.
      if (move.target !== world.impl.address && !ledger.opened.has(move.target)) return { flows: [] }
      return { refuse: 'a vault obeys the factory only' }
    case 'settleItem':
    case 'pushItem':
      return { refuse: 'a vault obeys the factory only' }
    case 'pauseToken':
      return {
        flows: [],
        remember: () => {
          ledger.tokenPaused = move.on
        },
      }

    case 'settleOpen':
      if (at < move.order.route.openAfter) return { refuse: 'the open path waits until openAfter' }
      return pushing(world, ledger, move.order, move.order.route.token, ceilingOf(move.order))
    case 'settleOpenNoFee':
      if (at < move.order.route.openAfter + 90 * DAY) return { refuse: 'the path without fee waits 90 days more' }
      return pushing(world, ledger, move.order, move.token, 0)

    case 'rescue':
      if (move.gas !== undefined && move.gas < 2_000_000)
        return { refuse: 'each push of a rescue gets two million gas' }
      return rescuing(world, ledger, move.order, move.token, at)
    case 'refundBound':
      if (!is(REFUNDER)) return { refuse: 'only a refunder refunds' }
      if (ledger.paused) return { refuse: 'refunds are paused' }
      if (move.order.route.refundTo === zeroAddress) return { refuse: 'no refund address is bound' }
      return refunding(world, ledger, { ...move, to: move.order.route.refundTo })
    case 'proposeRefund': {
      if (!is(REFUNDER)) return { refuse: 'only a refunder announces refunds' }
      if (ledger.paused) return { refuse: 'refunds are paused' }
      if (move.order.route.refundTo !== zeroAddress) return { refuse: 'a bound refund address cannot be got round' }
      if (move.amount === 0n || isNoTarget(world, move.order, move.to)) return { refuse: 'the refund makes no sense' }
      const known = ledger.proposal(move)
      if (known?.state === 'open' && at <= known.at + 7 * DAY) return { refuse: 'it is announced already' }
      const { order, token, to, amount } = move
      return { flows: [], remember: () => ledger.propose({ order, token, to, amount, at, state: 'open' }) }
    }
    case 'vetoRefund': {
      if (move.by !== move.order.route.merchant && !is(GUARDIAN)) return { refuse: 'only merchant and guardian veto' }
      const known = ledger.proposal(move)
      if (known?.state !== 'open') return { refuse: 'there is nothing to veto' }
      return { flows: [], remember: () => ledger.propose({ ...known, state: 'vetoed' }) }
    }
    case 'executeRefund': {
      if (ledger.paused) return { refuse: 'refunds are paused' }
      const known = ledger.proposal(move)
      if (!known) return { refuse: 'it was never announced' }
      if (known.state !== 'open') return { refuse: `it was ${known.state}` }
      if (at < known.at + 24 * HOUR) return { refuse: 'an announced refund waits 24 h' }
      if (at > known.at + 7 * DAY) return { refuse: 'an announced refund lapses after 7 days' }
      const ruling = refunding(world, ledger, move)
      return 'refuse' in ruling
        ? ruling
        : { ...ruling, remember: () => ledger.propose({ ...known, state: 'executed' }) }
    }

    case 'pauseRefunds':
    case 'unpauseRefunds': {
      const pause = move.kind === 'pauseRefunds'
      if (move.by !== owner && !(pause && is(GUARDIAN)))
        return { refuse: 'pausing takes a guardian, ending it the owner' }
      return {
        flows: [],
        remember: () => {
          ledger.paused = pause
        },
      }
    }
    case 'scheduleRole': {
      if (move.by !== owner) return { refuse: 'only the owner names keys' }
      const known = ledger.scheduledRole(move)
      if (known && at <= known.at + 48 * HOUR + 7 * DAY) return { refuse: 'it is announced already' }
      const { role, who, on } = move
      return { flows: [], remember: () => ledger.schedule({ role, who, on, at }) }
    }
    case 'applyRole': {
      if (move.by !== owner) return { refuse: 'only the owner names keys' }
      const known = ledger.scheduledRole(move)
      if (!known) return { refuse: 'the role change was not announced' }
      if (at < known.at + 48 * HOUR) return { refuse: 'a role change waits 48 h' }
      if (at > known.at + 48 * HOUR + 7 * DAY) return { refuse: 'a role change lapses after 7 days' }
      return {
        flows: [],
        remember: () => {
          ledger.unschedule(known)
          ledger.setRole(known.role, known.who, known.on)
        },
      }
    }
    case 'cancelRole': {
      const known = ledger.scheduledRole(move)
      if (move.by !== owner && !(is(GUARDIAN) && move.on)) return { refuse: 'a guardian calls off grants only' }
      if (!known) return { refuse: 'the role change was not announced' }
      return { flows: [], remember: () => ledger.unschedule(known) }
    }
    case 'dropRefunder':
      if (move.by !== owner && !is(GUARDIAN)) return { refuse: 'only owner and guardian drop a refunder' }
      return { flows: [], remember: () => ledger.setRole(REFUNDER, move.who, false) }
  }
}

function settling(world: World, ledger: Ledger, s: Settling, spent: readonly Flow[] = []): Ruling {
  const { route, vault } = s.order
  if (route.chainId !== CHAIN_ID) return { refuse: 'settling happens on the chain of the route only' }
  if (s.feeBps > ceilingOf(s.order)) return { refuse: 'no fee above the bound' }
  if (s.gross === 0n) return { refuse: 'there is nothing to settle' }
  const fee = (s.gross * BigInt(s.feeBps)) / 10_000n
  const parts = [
    { vault, token: s.token, to: route.merchant, amount: s.gross - fee },
    { vault, token: s.token, to: route.collector, amount: fee },
  ]
  const ruling = paying(world, ledger, parts, spent)
  return 'refuse' in ruling ? ruling : { ...ruling, settled: [vault] }
}

/** Each item by itself: what one may do depends on what those before it took, and on nothing else of theirs. */
function batch(world: World, ledger: Ledger, items: readonly Settling[]): Ruling {
  const flows: Flow[] = []
  const settled: Address[] = []
  const failed: Address[] = []
  for (const item of items) {
    const ruling = settling(world, ledger, item, flows)
    if ('refuse' in ruling) failed.push(item.order.vault)
    else {
      flows.push(...ruling.flows)
      settled.push(item.order.vault)
    }
  }
  return { flows, settled, failed }
}

function pushing(world: World, ledger: Ledger, order: Order, token: Address, feeBps: number): Ruling {
  const { route, vault } = order
  const gross = ledger.balance(vault, token)
  const paid = route.chainId === CHAIN_ID && token === route.token && gross >= route.minAmount
  if (paid || route.refundTo === zeroAddress) return settling(world, ledger, { order, token, gross, feeBps })
  return refunding(world, ledger, { order, token, to: route.refundTo, amount: gross })
}

/** To whom it belongs; else to the other side, after two failures that were its own, 7 to 30 days apart. */
function rescuing(world: World, ledger: Ledger, order: Order, token: Address, at: number): Ruling {
  const { route, vault } = order
  const withoutFee = at >= route.openAfter + 90 * DAY
  if (at < route.openAfter) return { refuse: 'a rescue waits until openAfter' }
  if (token !== route.token && !withoutFee) return { refuse: 'a rescue of another token waits 90 days more' }
  const amount = ledger.balance(vault, token)
  const toPayer = (): Ruling => refunding(world, ledger, { order, token, to: route.refundTo, amount })
  const toMerchant = (): Ruling => {
    const feeBps = withoutFee ? 0 : ceilingOf(order)
    const ruling = settling(world, ledger, { order, token, gross: amount, feeBps })
    return 'refuse' in ruling ? settling(world, ledger, { order, token, gross: amount, feeBps: 0 }) : ruling
  }
  const paid = route.chainId === CHAIN_ID && token === route.token && amount >= route.minAmount
  const isBack = !paid && route.refundTo !== zeroAddress
  const first = isBack ? toPayer() : toMerchant()
  if (!('refuse' in first)) return first
  const other = isBack ? toMerchant() : toPayer()
  if ('refuse' in other) return { refuse: 'a failure counts only where the other side can be paid' }
  const to = isBack ? route.refundTo : route.merchant
  const known = ledger.failure(vault, token, to)
  if (known !== 0 && at < known + 7 * DAY) return { refuse: 'two failures lie seven days apart' }
  if (known !== 0 && at <= known + 30 * DAY) {
    return { ...other, remember: () => ledger.forgetFailure(vault, token, to) }
  }
  const remember = () => {
    ledger.recordFailure(vault, token, to, at)
    ledger.opened.add(vault)
  }
  return { flows: [], recorded: [vault], remember }
}

function refunding(
  world: World,
  ledger: Ledger,
  refund: { order: Order; token: Address; to: Address; amount: bigint },
): Ruling {
  const { order, token, to, amount } = refund
  if (amount === 0n || isNoTarget(world, order, to)) return { refuse: 'the refund makes no sense' }
  return paying(world, ledger, [{ vault: order.vault, token, to, amount }])
}

/** Whether the vault has it and the token, or the receiver of native coins, lets it pass. */
function paying(world: World, ledger: Ledger, parts: readonly Flow[], spent: readonly Flow[] = []): Ruling {
  const flows = parts.filter((part) => part.amount > 0n)
  for (const { vault, token, to } of flows) {
    const sameCoins = (flow: Flow) => flow.vault === vault && flow.token === token
    const wanted = [...spent, ...flows].filter(sameCoins).reduce((sum, flow) => sum + flow.amount, 0n)
    if (wanted > ledger.balance(vault, token)) return { refuse: 'a vault cannot pay what it does not have' }
    const usdcBlocks = token === world.usdc && (ledger.tokenPaused || ledger.isBlocked(token, to))
    const blocked = ledger.isBlocked(token, vault) || usdcBlocks
    if (blocked || (token === NATIVE && to === world.rejector)) return { refuse: 'the transfer is blocked' }
  }
  return { flows }
}

function ceilingOf({ route }: Order): number {
  return route.collector === zeroAddress ? 0 : Math.min(route.feeBps, 1_000)
}

function isNoTarget(world: World, order: Order, to: Address): boolean {
  return to === zeroAddress || to === world.factory.address || to === order.vault
}
