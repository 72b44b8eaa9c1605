// The one transaction a wallet is asked for: the exact amount to the order's address, as the token's own transfer or
// as the native coin. Pure. What is no address or no amount is refused here and never reaches a wallet.

export interface Transfer {
  chainId: number
  /** Token contract, or null for the native coin. */
  contract: string | null
  to: string
  /** In smallest units, digits. */
  amount: string
}

export interface Transaction {
  from: string
  to: string
  value: string
  data?: string
  chainId: string
}

const ADDRESS = /^0x[0-9a-fA-F]{40}$/
/** First four bytes of keccak256("transfer(address,uint256)"). */
const TRANSFER = '0xa9059cbb'
/** First four bytes of keccak256("balanceOf(address)"). */
const BALANCE_OF = '0x70a08231'
const UINT256_MAX = 2n ** 256n - 1n

export const hexOf = (number: number | bigint): string => `0x${number.toString(16)}`

/** @throws RangeError */
function word(value: bigint): string {
  if (value <= 0n || value > UINT256_MAX) throw new RangeError('This is no amount that can be sent.')
  return value.toString(16).padStart(64, '0')
}

/** @throws RangeError */
function addressWord(address: string): string {
  if (!ADDRESS.test(address)) throw new RangeError(`"${address}" is not an address of an EVM chain.`)
  return address.slice(2).toLowerCase().padStart(64, '0')
}

/**
 * @throws RangeError for what is not an address or an amount above nothing.
 * @example transactionOf({ chainId: 8453, contract: usdc, to: '0x52…9EE7', amount: '5000000' }, account).data // '0xa9059cbb…'
 */
export function transactionOf({ chainId, contract, to, amount }: Transfer, from: string): Transaction {
  const receiver = addressWord(to)
  const units = word(BigInt(amount))
  addressWord(from)
  const chain = hexOf(chainId)
  if (contract === null) return { from, to, value: hexOf(BigInt(amount)), chainId: chain }
  addressWord(contract)
  return { from, to: contract, value: '0x0', data: `${TRANSFER}${receiver}${units}`, chainId: chain }
}

/** The question what an account holds of a token. */
export const balanceCall = (contract: string, account: string): { to: string; data: string } => ({
  to: contract,
  data: `${BALANCE_OF}${addressWord(account)}`,
})
