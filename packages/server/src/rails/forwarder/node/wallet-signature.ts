// Whether a wallet signed a text: an account by EIP-191, a contract by EIP-1271. A contract is asked through two
// providers where there are two, so that one dishonest provider moves nothing.
import {
  type Address,
  BaseError,
  ContractFunctionRevertedError,
  ContractFunctionZeroDataError,
  getAddress,
  type Hex,
  hashMessage,
  isAddress,
  isAddressEqual,
  type PublicClient,
  parseAbi,
  recoverAddress,
} from 'viem'
import { NoQuorum } from './quorum.ts'
import type { ChainRpc } from './rpc.ts'

const walletAbi = parseAbi(['function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)'])
/** What a contract returns when it accepts the signature. */
const VALID = '0x1626ba7e'

/** @throws whatever the client throws when no node answers. */
export async function isSignedBy(
  rpc: Pick<ChainRpc, 'chain' | 'readers'>,
  a: { account: string; text: string; signature: string },
): Promise<boolean> {
  if (!isAddress(a.account, { strict: false })) return false
  const account = getAddress(a.account)
  const hash = hashMessage(a.text)
  const signature: Hex = `0x${a.signature.slice(2)}`
  if (await isAccounts(account, hash, signature)) return true
  const asked = rpc.readers().slice(0, rpc.chain.quorum)
  if (asked.length < rpc.chain.quorum)
    throw new NoQuorum('too few providers answer to ask a contract for its signature')
  const answers = await Promise.all(asked.map(({ client }) => isContracts(client, account, hash, signature)))
  return answers.every(Boolean)
}

async function isAccounts(account: Address, hash: Hex, signature: Hex): Promise<boolean> {
  if (signature.length !== 2 + 2 * 65) return false
  const signer = await recoverAddress({ hash, signature }).catch(() => null)
  return signer !== null && isAddressEqual(signer, account)
}

async function isContracts(client: PublicClient, address: Address, hash: Hex, signature: Hex): Promise<boolean> {
  try {
    const args = [hash, signature] as const
    return (await client.readContract({ address, abi: walletAbi, functionName: 'isValidSignature', args })) === VALID
  } catch (error) {
    // No contract there, or one that refuses: both are an answer.
    if (!(error instanceof BaseError)) throw error
    const isAnswer = (cause: unknown): boolean =>
      cause instanceof ContractFunctionZeroDataError || cause instanceof ContractFunctionRevertedError
    if (error.walk(isAnswer) !== null) return false
    throw error
  }
}
