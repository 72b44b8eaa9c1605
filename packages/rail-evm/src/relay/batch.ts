// Selects items for the next transaction: those whose money is there and whose call would succeed. Failing items are
// set apart with the reason before anything is sent, so that one bad item never affects the others.
import { type Failure, payFactoryAbi } from '@florin/contracts'
import { decodeFunctionResult, type Hex, type PublicClient } from 'viem'
import { noQuorumIn } from '../node/quorum.ts'
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

/**
 * not_yet: nothing is wrong, it waits. apart: a transaction that carried it with others failed, which is nobody's
 * failure yet; it is sent again with its receiver's own (1) or alone (2). failure: it failed alone, on the chain
 * (`isBurnt`: gas was paid) or in a simulation. announced: the announcement is on the chain already.
 */
export type Deferral =
  | { item: RelayItem; kind: 'not_yet'; why: string }
  | { item: RelayItem; kind: 'apart'; level: 1 | 2; isBurnt: boolean; why: string }
  | { item: RelayItem; kind: 'failure'; isBurnt: boolean; why: string }
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
  /** A transaction for several items has at most so much: a block has to take it, and the key to pay for it. */
  gasMax: bigint
}

/**
 * A receiver may use more than it did in the estimate: it can know a simulation by its gas price, or change from block
 * to block. In a native transfer that is at most the vault's 60,000 and the stipend of 2,300, and the report of its
 * failure; of a token, the writing of a balance that was none.
 */
const NATIVE_TRANSFER_GAS = 65_000n
const TOKEN_TRANSFER_GAS = 25_000n

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
  const isOne = planned.length === 1
  // A receiver that answers each provider otherwise makes them disagree about all of the batch.
  const outcome = await tryBatch(context, planned).catch(doubtOf)
  if (outcome.kind === 'refused' && outcome.failure.error === 'NotRole') {
    const text = `${context.signer} is not a relayer of the factory ${context.factory}`
    return { prepared: null, error: { kind: 'role_missing', text } }
  }
  const isWhole = outcome.kind === 'done' && outcome.count === planned.length
  if (!isWhole) {
    const good = await setBadApart(context, planned, deferrals)
    if (good.length < planned.length || good.some((plan, n) => plan !== planned[n])) {
      return largestThatGoes(context, good, deferrals)
    }
  }
  // What succeeds alone and fails beside others fails for itself: the factory says so of that item, and of no other.
  const gas = outcome.kind === 'done' ? await gasFor(context, planned) : null
  if (typeof gas === 'bigint' && (gas <= context.gasMax || isOne)) {
    const itemIds = planned.map(({ item }) => item.id)
    return { prepared: { purpose: 'settle', itemIds, data: settleBatchData(planned), gas }, error: null }
  }
  const [only] = planned
  if (isOne && only !== undefined) {
    if (gas !== null && typeof gas !== 'bigint') deferrals.push({ item: only.item, kind: 'not_yet', why: gas.why })
    return { prepared: null, error: null }
  }
  return largestThatGoes(context, planned.slice(0, Math.ceil(planned.length / 2)), deferrals)
}

interface Doubt {
  kind: 'doubt'
  why: string
}
type Tried = { kind: 'done'; count: number } | { kind: 'refused'; failure: Failure } | Doubt

/** Simulated as the relayer sends it: a receiver can see who began the transaction. */
async function tryBatch(context: RelayContext, planned: readonly Planned[]): Promise<Tried> {
  const call = { from: context.signer, to: context.factory, data: settleBatchData(planned) }
  const outcome = await simulate(context.client, call)
  if (!outcome.ok) return { kind: 'refused', failure: outcome.failure }
  const count = decodeFunctionResult({ abi: payFactoryAbi, functionName: 'settleBatch', data: outcome.data })
  return { kind: 'done', count: Number(count) }
}

/** @throws the error, unless providers answered differently. */
function doubtOf(error: unknown): Doubt {
  const found = noQuorumIn(error)
  if (found?.isContradiction === true) return { kind: 'doubt', why: found.message }
  throw error
}

/** @returns null when a node has no estimate for several: fewer may go. */
async function gasFor(context: RelayContext, planned: readonly Planned[]): Promise<bigint | Doubt | null> {
  const call = { from: context.signer, to: context.factory, data: settleBatchData(planned) }
  const more = planned.reduce((sum, plan) => sum + transferGas(plan.token) * (plan.feeBps > 0 ? 2n : 1n), 0n)
  try {
    return (await estimateGas(context.client, call)) + more
  } catch (error) {
    return planned.length > 1 ? null : doubtOf(error)
  }
}

const transferGas = (token: string | null): bigint => (token === null ? NATIVE_TRANSFER_GAS : TOKEN_TRANSFER_GAS)

const FAILS_IN_BATCH = 'it fails with the gas that an item gets, or because the relayer sends it'

/** Simulates each item in a batch of its own, and those that fail as the factory's call to itself, which says why. */
async function setBadApart(
  context: RelayContext,
  planned: readonly Planned[],
  deferrals: Deferral[],
): Promise<Planned[]> {
  const good: Planned[] = []
  const tryOne = async (plan: Planned): Promise<Tried> => tryBatch(context, [plan]).catch(doubtOf)
  const isGood = (tried: Tried | undefined): boolean => tried?.kind === 'done' && tried.count === 1
  const outcomes = await Promise.all(planned.map(tryOne))
  for (const [n, plan] of planned.entries()) {
    const { item } = plan
    const outcome = outcomes[n]
    if (isGood(outcome)) {
      good.push(plan)
      continue
    }
    if (outcome?.kind === 'doubt') {
      const { why } = outcome
      // Alone it holds up nobody else, and costs no more looks at the others.
      deferrals.push(
        planned.length > 1 ? { item, kind: 'apart', level: 2, isBurnt: false, why } : { item, kind: 'not_yet', why },
      )
      continue
    }
    const call = { from: context.factory, to: context.factory, data: settleItemData(plan) }
    const reason = await simulate(context.client, call).catch(doubtOf)
    const failure = 'failure' in reason ? reason.failure : null
    const refuser = String(failure?.args[failure.error === 'NativeTransferFailed' ? 0 : 1] ?? '')
    const isCollector = refuser.toLowerCase() === plan.route.collector.toLowerCase()
    // A collector that cannot be paid must not hold up a merchant's money.
    const free = { ...plan, feeBps: 0 }
    if (isCollector && plan.feeBps > 0 && isGood(await tryOne(free))) good.push(free)
    else {
      const why = failure === null ? FAILS_IN_BATCH : describeFailure(failure)
      deferrals.push({ item, kind: 'failure', isBurnt: false, why })
    }
  }
  return good
}

/** A refund is sent in its own transaction: it is rare and uses another key. */
export async function prepareRefund(context: RelayContext, item: RelayItem): Promise<Preparation> {
  try {
    return await refundOf(context, item)
  } catch (error) {
    // It must not hold up the refunds behind it.
    const { why } = doubtOf(error)
    return { prepared: null, deferrals: [{ item, kind: 'not_yet', why }], error: null }
  }
}

async function refundOf(context: RelayContext, item: RelayItem): Promise<Preparation> {
  const none = { prepared: null, error: null }
  const deferral = (kind: 'not_yet' | 'failure', why: string): Preparation => ({
    ...none,
    deferrals: [kind === 'failure' ? { item, kind, isBurnt: false, why } : { item, kind, why }],
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
    const more = purpose === 'propose' ? 0n : transferGas(item.token)
    const gas = (await estimateGas(context.client, call)) + more
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
