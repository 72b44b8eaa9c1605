// What a revert of the forwarder says to a person. Pure.
import { keccak_256 } from '@noble/hashes/sha3.js'
import { hexOf } from './proof.ts'

const words: Readonly<Record<string, string>> = {
  'TooEarly(uint256,uint256)': 'it is too early for this call',
  'ZeroAmount()': 'nothing lies there any more',
  'WrongChain(uint256,uint256)': 'it settles on another chain',
  'BadAddress(address)': 'the receiver cannot be paid',
  'NotRole(uint8,address)': 'this key does not have the role that the call needs',
  'TooLate(uint256,uint256)': 'it was to be carried out earlier, and can only be announced anew',
  'NoProposal(bytes32)': 'it is not announced, or was struck out or carried out since',
  'RefundsArePaused()': 'refunds are paused',
  'TokenTransferFailed(address,address,uint256,bytes)':
    'the token refused the transfer; its issuer may have blocked an address or paused it',
  'NativeTransferFailed(address,uint256)': 'the receiver refuses native coins',
}

const bySelector = new Map<string, string>(
  Object.entries(words).map(([signature, said]) => [
    hexOf(keccak_256(new TextEncoder().encode(signature)).subarray(0, 4)),
    said,
  ]),
)

/** @param data revert data; null for what is not known here. */
export const refusalWords = (data: string | null): string | null => bySelector.get(data?.slice(0, 10) ?? '') ?? null
