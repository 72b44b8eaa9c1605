// The relay's calls to the factory: from items to calldata. Pure. packages/contracts/src/IFlorin.sol says what each
// call promises.
import { type Item, payFactoryAbi, type Route } from '@florin/contracts'
import { type Address, encodeFunctionData, type Hex, zeroAddress } from 'viem'

/** Gas that one item of a batch may use: the contract's minimum, four times the most expensive measured settlement. */
export const ITEM_GAS = 300_000n

export interface SettleCall {
  route: Route
  token: string | null
  gross: bigint
  feeBps: number
}

export interface RefundCall {
  route: Route
  token: string | null
  to: string
  amount: bigint
}

export const settleBatchData = (calls: readonly SettleCall[]): Hex =>
  encodeFunctionData({ abi: payFactoryAbi, functionName: 'settleBatch', args: [calls.map(itemOf), ITEM_GAS] })

/** One item as the factory's call to itself: simulated from the factory's own address, it returns why it fails. */
export const settleItemData = (call: SettleCall): Hex =>
  encodeFunctionData({ abi: payFactoryAbi, functionName: 'settleItem', args: [itemOf(call)] })

export const refundBoundData = (call: RefundCall): Hex =>
  encodeFunctionData({
    abi: payFactoryAbi,
    functionName: 'refundBound',
    args: [call.route, tokenOf(call.token), call.amount],
  })

export const announcedRefundData = (functionName: 'proposeRefund' | 'executeRefund', call: RefundCall): Hex =>
  encodeFunctionData({
    abi: payFactoryAbi,
    functionName,
    args: [call.route, tokenOf(call.token), hexOf(call.to), call.amount],
  })

const itemOf = (call: SettleCall): Item => ({
  route: call.route,
  token: tokenOf(call.token),
  gross: call.gross,
  feeBps: call.feeBps,
})

export const tokenOf = (token: string | null): Address => (token === null ? zeroAddress : hexOf(token))

/** Text from the database that is known to be hexadecimal. */
export const hexOf = (text: string): Hex => `0x${text.slice(2)}`
