// Selects items for the next transaction: those whose money is there and whose call would succeed. Failing items are
// set apart with the reason before anything is sent, so that one bad item never affects the others.
import { payFactoryAbi } from '@florin/contracts'
import { decodeFunctionResult, type Hex, type PublicClient } from 'viem'
import { announcedRefundData, refundBoundData, type SettleCall, settleBatchData, settleItemData } from './calls.ts'
import type { RelayItem } from './items.store.ts'
import { type Call, confirmedBalance, describeFailure, estimateGas, simulate } from './node.ts'
import type { Purpose } from './outbox.store.ts'
import type { SignerTrouble } from './trouble.ts'

export interface Prepared {
  purpose: Purpose
  itemIds: string[]
  data: Hex
  gas: bigint
}

/** not_yet: nothing is wrong, it waits. announced: the announcement is on the chain already. */
export type Deferral =
  | { item: RelayItem; kind: 'not_yet' | 'failure'; why: string }
  | { item: RelayItem; kind: 'announced'; proposalId: string; executableAt: Date }

export interface Preparation {
  prepared: Prepared | null
  deferrals: Deferral[]
  /** An error of the key or the contracts, not of an item. */
  error: SignerTrouble | null
}

export interface RelayContext {
  client: PublicClient
  factory: string
  signer: string
  /** The newest block that counts as confirmed. */
  confirmedHeight: bigint
}

/** Transactions above 16.7 M gas are not accepted by every chain. */
const GAS_PER_TRANSACTION = 16_000_000n

type Planned = SettleCall & { item: RelayItem }

export async function prepareSettlements(context: RelayContext, items: readonly RelayItem[]): Promise<Preparation> {
  const deferrals: Deferral[] = []
  const planned: Planned[] = []
  const balances = await Promise.all(items.map((item) => balanceOf(context, item)))
  for (const [n, item] of items.entries()) {
    const balance = balances[n] ?? 0n
    const gross = balance < item.amount ? balance : item.amount
    // A token may keep a small fee of its own; more is missing only when a payment left the chain or a third party
    // settled, and then the watcher will report it.
    if (gross * 100n < item.amount * 99n) {
      deferrals.push({ item, kind: 'not_yet', why: `the address holds ${balance} of ${item.amount}` })
    } else {
      const feeBps = Math.min(item.feeBps, item.route.feeBps)
      planned.push({ item, route: item.route, token: item.token, gross, feeBps })
    }
  }
  const found = await largestThatGoes(context, planned, deferrals)
  return { ...found, deferrals }
}

async function largestThatGoes(
  context: RelayContext,
  planned: Planned[],
  deferrals: Deferral[],
): Promise<Pick<Preparation, 'prepared' | 'error'>> {
  if (planned.length === 0) return { prepared: null, error: null }
  const call = { from: context.signer, to: context.factory, data: settleBatchData(planned) }
  const outcome = await simulate(context.client, call)
  if (!outcome.ok && outcome.failure.error === 'NotRole') {
    const text = `${context.signer} is not a relayer of the factory ${context.factory}`
    return { prepared: null, error: { kind: 'role_missing', text } }
  }
  const done = outcome.ok
    ? decodeFunctionResult({ abi: payFactoryAbi, functionName: 'settleBatch', data: outcome.data })
    : 0n
  if (done === BigInt(planned.length)) {
    const gas = await estimateGas(context.client, call)
    if (gas <= GAS_PER_TRANSACTION || planned.length === 1) {
      const itemIds = planned.map(({ item }) => item.id)
      return { prepared: { purpose: 'settle', itemIds, data: call.data, gas }, error: null }
    }
  } else {
    const good = await setBadApart(context, planned, deferrals)
    if (good.length < planned.length || good.some((plan, n) => plan !== planned[n])) {
      return largestThatGoes(context, good, deferrals)
    }
    const [only] = planned
    if (planned.length === 1 && only !== undefined) {
      const why = outcome.ok ? 'it needs more gas than an item gets' : describeFailure(outcome.failure)
      deferrals.push({ item: only.item, kind: 'failure', why })
      return { prepared: null, error: null }
    }
  }
  // Each succeeds alone but not all together: half of them now, the rest in the next transaction.
  return largestThatGoes(context, planned.slice(0, Math.ceil(planned.length / 2)), deferrals)
}

/** Simulates each item as the factory's call to itself. */
async function setBadApart(
  context: RelayContext,
  planned: readonly Planned[],
  deferrals: Deferral[],
): Promise<Planned[]> {
  const good: Planned[] = []
  const tryOne = (plan: Planned) =>
    simulate(context.client, { from: context.factory, to: context.factory, data: settleItemData(plan) })
  const outcomes = await Promise.all(planned.map(tryOne))
  for (const [n, plan] of planned.entries()) {
    const outcome = outcomes[n]
    if (outcome === undefined || outcome.ok) {
      good.push(plan)
      continue
    }
    const refuser = String(outcome.failure.args[outcome.failure.error === 'NativeTransferFailed' ? 0 : 1] ?? '')
    const isCollector = refuser.toLowerCase() === plan.route.collector.toLowerCase()
    // A collector that cannot be paid must not hold up a merchant's money.
    const free = { ...plan, feeBps: 0 }
    if (isCollector && plan.feeBps > 0 && (await tryOne(free)).ok) good.push(free)
    else deferrals.push({ item: plan.item, kind: 'failure', why: describeFailure(outcome.failure) })
  }
  return good
}

/** A refund is sent in its own transaction: it is rare and uses another key. */
export async function prepareRefund(context: RelayContext, item: RelayItem): Promise<Preparation> {
  const none = { prepared: null, error: null }
  const deferral = (kind: 'not_yet' | 'failure', why: string): Preparation => ({
    ...none,
    deferrals: [{ item, kind, why }],
  })
  const to = item.to ?? ''
  if (item.kind === 'refund_bound' && item.route.refundTo.toLowerCase() !== to) {
    return deferral('failure', 'the deposit address is bound to another refund address')
  }
  const balance = await balanceOf(context, item)
  if (balance < item.amount) return deferral('not_yet', `the address holds ${balance} of ${item.amount}`)
  const refund = { route: item.route, token: item.token, to, amount: item.amount }
  const [purpose, data]: [Purpose, Hex] =
    item.kind === 'refund_bound'
      ? ['refund_bound', refundBoundData(refund)]
      : item.proposalId === null
        ? ['propose', announcedRefundData('proposeRefund', refund)]
        : ['execute', announcedRefundData('executeRefund', refund)]
  const call: Call = { from: context.signer, to: context.factory, data }
  const outcome = await simulate(context.client, call)
  if (outcome.ok) {
    const gas = await estimateGas(context.client, call)
    return { ...none, prepared: { purpose, itemIds: [item.id], data, gas }, deferrals: [] }
  }
  const { error, args } = outcome.failure
  if (error === 'NotRole') {
    const text = `${context.signer} is not a refunder of the factory ${context.factory}`
    return { prepared: null, deferrals: [{ item, kind: 'not_yet', why: text }], error: { kind: 'role_missing', text } }
  }
  if (error === 'RefundsArePaused') {
    const paused = { kind: 'refunds_paused', text: 'refunds are paused' } as const
    return { prepared: null, deferrals: [{ item, kind: 'not_yet', why: error }], error: paused }
  }
  if (error === 'AlreadyProposed') {
    const executableAt = new Date(Number(args[1]) * 1000)
    return { ...none, deferrals: [{ item, kind: 'announced', proposalId: String(args[0]), executableAt }] }
  }
  if (error === 'TooEarly') return deferral('not_yet', 'the chain says that the delay has not passed')
  return deferral('failure', describeFailure(outcome.failure))
}

const balanceOf = (context: RelayContext, item: RelayItem): Promise<bigint> =>
  confirmedBalance(context.client, { vault: item.vault, token: item.token, height: context.confirmedHeight })
