// Signs and sends a call with a key from a file. The key signs this one transaction and pays its gas; nothing can make the
// call pay anybody but whom the vault is bound to, so any key will do.
import { readFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { blockOf, type Call, type Exit, type Hex, LookFault, quantity, refusalWords } from '@florin/exit'
import { RpcRefusal } from '@florin/exit/rpc'
import { Failure, UsageFailure } from '../failure.ts'
import type { Node } from './nodes.ts'

export interface Key {
  readonly address: Hex
  readonly privateKey: Hex
}

/** @throws UsageFailure; the file's text is never in it. */
export async function readKey(path: string): Promise<Key> {
  const text = await readFile(path, 'utf8').catch(() => {
    throw new UsageFailure(`${path} cannot be read: --key-file takes a file with a private key in it.`)
  })
  const digits = /^(?:0x)?([0-9a-fA-F]{64})$/.exec(text.trim())?.[1]
  if (digits === undefined) throw new UsageFailure(`${path} holds no private key: 64 hexadecimal digits on one line.`)
  const privateKey: Hex = `0x${digits}`
  const { privateKeyToAddress } = await signing()
  try {
    return { privateKey, address: privateKeyToAddress(privateKey).toLowerCase() as Hex }
  } catch {
    throw new UsageFailure(`${path} holds no private key: the number is not one of the curve.`)
  }
}

/** Only this command signs, so no other pays for loading it. */
const signing = () => import('./signing.ts')

const RECEIPT_EVERY_MS = 500
const RECEIPT_LOOKS = 240

export interface Sender {
  /** @returns the hash; the transaction is with the node and not yet in a block. */
  send(a: { exit: Exit; chainId: number; call: Call }): Promise<string>
  /** Resolves once it is in a block and did what it should. */
  mined(hash: string): Promise<void>
}

/** Transactions of one account over one node, each with the next nonce, so that many need not wait for each other's block. */
export function senderOf(node: Node, key: Key): Sender {
  let next = 0n
  return {
    async send({ exit, chainId, call }) {
      const from = key.address
      const request = { from, to: exit.factory, value: '0x0', data: call.data }
      const estimate = node.request({ method: 'eth_estimateGas', params: [request] })
      const gas = await estimate.then(quantity, (error: unknown) => {
        throw refusalOf(error)
      })
      const [pending, tip, block] = await Promise.all([
        node.request({ method: 'eth_getTransactionCount', params: [from, 'pending'] }).then(quantity),
        node.request({ method: 'eth_maxPriorityFeePerGas' }).then(quantity, () => 1_000_000_000n),
        blockOf(node),
      ])
      if (block.baseFee === null) {
        throw new Failure('This chain knows no EIP-1559 transactions. Send the printed call with a wallet.')
      }
      // Not every node counts what waits.
      const nonce = pending > next ? pending : next
      const { signTransaction } = await signing()
      const raw = await signTransaction({
        privateKey: key.privateKey,
        transaction: {
          ...{ type: 'eip1559', chainId, nonce: Number(nonce), to: exit.factory, value: 0n, data: call.data },
          // A fifth more than estimated, for a state that changes meanwhile.
          ...{ gas: gas + gas / 5n, maxPriorityFeePerGas: tip, maxFeePerGas: 2n * block.baseFee + tip },
        },
      })
      const hash = String(await node.request({ method: 'eth_sendRawTransaction', params: [raw] }))
      next = nonce + 1n
      return hash
    },
    async mined(hash) {
      for (let looks = 0; looks < RECEIPT_LOOKS; looks++) {
        const receipt = await node.request({ method: 'eth_getTransactionReceipt', params: [hash] })
        if (typeof receipt === 'object' && receipt !== null && 'status' in receipt) {
          if (quantity(receipt.status) === 1n) return
          throw new Failure(`${hash} was reverted: somebody else may have moved the money first. Look again.`)
        }
        await wait(RECEIPT_EVERY_MS)
      }
      throw new Failure(`${hash} is not in a block yet. It was sent; look again later.`)
    },
  }
}

function refusalOf(error: unknown): unknown {
  if (!(error instanceof LookFault)) return error
  const words = error instanceof RpcRefusal ? refusalWords(error.data) : null
  return words === null ? error : new Failure(`The chain refuses the call: ${words}.`)
}
