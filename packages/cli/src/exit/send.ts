// Signs and sends a call with a key from a file. The key signs this one transaction and pays its gas; nothing can make the
// call pay anybody but whom the vault is bound to, so any key will do.
import { readFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { type Call, type Exit, type Hex, quantity } from '@florin/exit'
import { Failure, UsageFailure } from '../failure.ts'
import type { Cost } from './cost.ts'
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
  send(a: { exit: Exit; chainId: number; call: Call; cost: Cost }): Promise<string>
  /** Resolves once it is in a block and did what it should. */
  mined(hash: string): Promise<void>
}

/** Transactions of one account over one node, each with the next nonce, so that many need not wait for each other's block. */
export function senderOf(node: Node, key: Key): Sender {
  let next = 0n
  return {
    async send({ exit, chainId, call, cost }) {
      const waiting = await node.request({ method: 'eth_getTransactionCount', params: [key.address, 'pending'] })
      const pending = quantity(waiting)
      // Not every node counts what waits.
      const nonce = pending > next ? pending : next
      const { signTransaction } = await signing()
      const raw = await signTransaction({
        privateKey: key.privateKey,
        transaction: {
          ...{ type: 'eip1559', chainId, nonce: Number(nonce), to: exit.factory, value: 0n, data: call.data },
          ...{ gas: cost.gas, maxPriorityFeePerGas: cost.tip, maxFeePerGas: cost.maxFee },
        },
      })
      const hash = await node.request({ method: 'eth_sendRawTransaction', params: [raw] })
      next = nonce + 1n
      if (typeof hash === 'string' && /^0x[0-9a-f]{64}$/i.test(hash)) return hash
      throw new Failure(`${node.host} was sent the call and answered no hash of a transaction. Look again later.`)
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
