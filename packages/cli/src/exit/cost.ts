// What a call may cost in fees of the network. Nodes say what gas costs and how much of it a call takes, and a node may lie:
// whatever it says, no more is signed than the bound allows.
import { blockOf, type Hex, LookFault, quantity, refusalWords } from '@florin/exit'
import { RpcRefusal } from '@florin/exit/rpc'
import { Failure, UsageFailure } from '../failure.ts'
import { formatUnits } from '../sdk.ts'
import type { Node } from './nodes.ts'

export interface Cost {
  gas: bigint
  /** Wei for a unit of gas, tip included. */
  maxFee: bigint
  tip: bigint
}

/** The node asks for more than may be signed. No other call to the same vault would be cheaper. */
export class CostRefusal extends Failure {
  override readonly name = 'CostRefusal'
}

const GWEI = 1_000_000_000n
/** The dearest call takes less than 2.6 million and the 21,000 of every transaction; rollups count their data as gas on top. */
const GAS_MAX = 6_000_000n
/** Well above what busy days cost there, by chain id. */
const boundsGwei: Readonly<Record<number, bigint>> = {
  ...{ 1: 200n, 10: 5n, 56: 10n, 137: 1_000n, 8453: 5n, 42161: 5n, 43114: 200n },
}
const BOUND_GWEI = 500n

/** @returns wei; null where the option was not given. @throws UsageFailure */
export function readMaxFee(text: string | undefined): bigint | null {
  if (text === undefined) return null
  const [, whole, part = ''] = /^(\d{1,9})(?:\.(\d{1,9}))?$/.exec(text) ?? []
  const wei = whole === undefined ? 0n : BigInt(whole) * GWEI + BigInt(part.padEnd(9, '0'))
  if (wei === 0n) throw new UsageFailure('--max-fee-gwei takes what a unit of gas may cost, in gwei: 40 or 0.5.')
  return wei
}

/**
 * Of several nodes the lower answer counts each time.
 * @param a.bound wei for a unit of gas; null: that of the chain.
 * @throws CostRefusal above the bounds, Failure where the chain refuses the call.
 */
export async function costOf(
  nodes: readonly [Node, ...Node[]],
  a: { chainId: number; from: Hex | null; to: Hex; data: Hex; bound: bigint | null },
): Promise<Cost> {
  const { from, to, data } = a
  const request = { ...(from === null ? {} : { from }), to, value: '0x0', data }
  const said = await Promise.all(
    nodes.map(async (node) => {
      const estimate = node.request({ method: 'eth_estimateGas', params: [request] })
      const gas = await estimate.then(quantity, (error: unknown) => {
        throw refusalOf(error)
      })
      const [tip, { baseFee }] = await Promise.all([
        node.request({ method: 'eth_maxPriorityFeePerGas' }).then(quantity, () => GWEI),
        blockOf(node),
      ])
      if (baseFee === null) {
        throw new Failure('This chain knows no EIP-1559 transactions. Send the printed call with a wallet.')
      }
      return { gas, tip, baseFee }
    }),
  )
  const [gas, tip, baseFee] = [
    least(said.map((one) => one.gas)),
    least(said.map((one) => one.tip)),
    least(said.map((one) => one.baseFee)),
  ]
  const hosts = nodes.map(({ host }) => host).join(' and ')
  if (gas > GAS_MAX) {
    throw new CostRefusal(
      `Nothing is sent: by ${hosts} the call takes ${gas} gas. No call of the factory takes half of ${GAS_MAX}, and more is never signed: ask another node with --rpc.`,
    )
  }
  const bound = a.bound ?? (boundsGwei[a.chainId] ?? BOUND_GWEI) * GWEI
  const needed = baseFee + tip
  if (needed > bound) {
    throw new CostRefusal(
      `Nothing is sent: by ${hosts} a unit of gas costs ${gwei(needed)} gwei, and at most ${gwei(bound)} are paid. ` +
        `If the chain is that dear now, --max-fee-gwei ${gwei(needed)} allows it; else ask another node with --rpc.`,
    )
  }
  return {
    // A fifth more than estimated, for a state that changes meanwhile; twice the base fee, for one that rises.
    ...{ gas: lower(gas + gas / 5n, GAS_MAX), tip, maxFee: lower(2n * baseFee + tip, bound) },
  }
}

export const costWei = ({ gas, maxFee }: Cost): bigint => gas * maxFee

export const costWords = (cost: Cost): string =>
  `network fee at most ${formatUnits(costWei(cost).toString(), 18)} (native coin): ${cost.gas} gas at up to ${gwei(cost.maxFee)} gwei`

const gwei = (wei: bigint): string => formatUnits(wei.toString(), 9)

const lower = (a: bigint, b: bigint): bigint => (a < b ? a : b)

const least = (values: readonly bigint[]): bigint => values.reduce(lower)

function refusalOf(error: unknown): unknown {
  if (!(error instanceof LookFault)) return error
  const words = error instanceof RpcRefusal ? refusalWords(error.data) : null
  return words === null ? error : new Failure(`The chain refuses the call: ${words}.`)
}
