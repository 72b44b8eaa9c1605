// Balances of many addresses in an EVM chain's native coin by one call, without a contract on the chain. Pure.
import { wordOf } from './transfer-log.ts'

/**
 * A program that eth_call runs without deploying it: it returns the native balance of each address word that follows
 * it. Backwards over the words: mstore(i, balance(mload(i))); then return all.
 */
const PROGRAM = '601f380380601f600039805b8015601d57602090038051318152600b565bf3'
/** The node treats the result as a contract's code, which may have 24,576 bytes: 768 words. */
export const ADDRESSES_A_CALL = 750

/** What eth_call is given as `data`, without a `to`. @param addresses in hexadecimal, at most ADDRESSES_A_CALL */
export function balancesCall(addresses: readonly string[]): `0x${string}` {
  return `0x${PROGRAM}${addresses.map(wordOf).join('')}`
}

/** In the order of the addresses; null: it is no answer to so many. */
export function readBalancesAnswer(answer: unknown, count: number): bigint[] | null {
  if (typeof answer !== 'string' || !/^0x[0-9a-f]*$/i.test(answer) || answer.length !== 2 + count * 64) return null
  return Array.from({ length: count }, (_, n) => BigInt(`0x${answer.slice(2 + n * 64, 66 + n * 64)}`))
}
