// Whether a wallet signed a text: an account by EIP-191, in 65 bytes or in the 64 of EIP-2098; a contract by EIP-1271. A
// contract is asked through two providers where there are two, so that one dishonest provider moves nothing.
import {
  type Address,
  BaseError,
  compactSignatureToSignature,
  encodeFunctionData,
  getAddress,
  type Hex,
  hashMessage,
  isAddress,
  isAddressEqual,
  type PublicClient,
  parseAbi,
  parseCompactSignature,
  recoverAddress,
  serializeSignature,
} from 'viem'
import { NoQuorum } from './quorum.ts'
import type { ChainRpc } from './rpc.ts'

const walletAbi = parseAbi(['function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)'])
/** What a contract returns when it accepts the signature: four bytes, filled up to a word. */
const VALID = `0x1626ba7e${'0'.repeat(56)}`
/**
 * Whoever pays a cent from a contract of his own may have it asked, so it is given this much and no more. A passkey that is
 * checked in Solidity needs less than a million, ten owners' signatures a tenth of that.
 */
const GAS = 5_000_000n
/** In the words of the usual nodes: the contract's code ran, and ended in no answer. */
const HALTED =
  /revert|out of ?gas|invalid (opcode|jump)|opcode not found|stack|write protection|static|aborted|VM exec|EVM error/i

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
  const whole = signature.length === 2 + 2 * 64 ? wholeOf(signature) : signature
  if (whole.length !== 2 + 2 * 65) return false
  const signer = await recoverAddress({ hash, signature: whole }).catch(() => null)
  return signer !== null && isAddressEqual(signer, account)
}

/** EIP-2098: the parity stands in the highest bit of the second word. */
const wholeOf = (compact: Hex): Hex => serializeSignature(compactSignatureToSignature(parseCompactSignature(compact)))

async function isContracts(client: PublicClient, account: Address, hash: Hex, signature: Hex): Promise<boolean> {
  const data = encodeFunctionData({ abi: walletAbi, functionName: 'isValidSignature', args: [hash, signature] })
  try {
    const answer = await client.call({ to: account, data, gas: GAS })
    // Nothing comes back where there is no contract. A longer answer is read as a caller on the chain would read it.
    return answer.data?.slice(0, VALID.length).toLowerCase() === VALID
  } catch (error) {
    if (isHalt(error)) return false
    throw error
  }
}

/** Whether a node answered that the contract's code failed, and not that it could not be asked. */
function isHalt(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    // Not the whole message: it quotes the provider's URL.
    if (cause instanceof BaseError && 'code' in cause && HALTED.test(cause.details)) return true
  }
  return false
}
