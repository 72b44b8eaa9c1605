// The devnet: a local chain with the contracts on it, a test USDC and USDT, and a payer with plenty of all. Its
// keys are anvil's published ones: nothing of worth may ever be sent to them on another chain.

import {
  type Address,
  createPublicClient,
  createTestClient,
  createWalletClient,
  encodeFunctionData,
  type Hex,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { testUsdcAbi, testUsdcBytecode, testUsdtAbi, testUsdtBytecode } from '../src/test-tokens.ts'
import { anvilAccount, anvilKey } from './accounts.ts'
import { startAnvil, toAnvil } from './anvil.ts'
import { deployFactory } from './deploy-factory.ts'

const OWNER = 0
const RELAYER = 1
const REFUNDER = 2
const GUARDIAN = 3
const PAYER = 5
const PLENTY = 1_000_000_000_000n

export const DEVNET_CHAIN_ID = 31337
export const DEVNET_PORT = 8545

export interface Devnet {
  url: string
  payer: { address: Address; key: Hex }
  usdc: Address
  usdt: Address
  /** What the rails file says of it, in test mode. */
  railsConfig: string
  stop(): Promise<void>
}

/**
 * Starts it on port 8545, or on a free one where that is taken; a block a second.
 *
 * @param a.chain the chain it stands in for. @param a.chainId its own id.
 * @throws Error when the node is not installed for this platform.
 * @example const devnet = await startDevnet(); …; await devnet.stop()
 */
export async function startDevnet({ chain = 'base', chainId = DEVNET_CHAIN_ID } = {}): Promise<Devnet> {
  const options = { chainId, ownGroup: true }
  const anvil = await startAnvil({ ...options, port: DEVNET_PORT }).catch(() => startAnvil(options))
  try {
    const transport = toAnvil(anvil.url)
    const client = createPublicClient({ transport, pollingInterval: 20 })
    const wallet = createWalletClient({ transport, account: anvilAccount(OWNER) })
    const deployment = await deployFactory({
      ...{ client, wallet, chainId, installDeployer: true },
      config: {
        owner: anvilAccount(OWNER).address,
        relayers: [anvilAccount(RELAYER).address],
        refunders: [anvilAccount(REFUNDER).address],
        guardians: [anvilAccount(GUARDIAN).address],
      },
    })
    const deployToken = async (abi: typeof testUsdcAbi | typeof testUsdtAbi, bytecode: Hex): Promise<Address> => {
      const hash = await wallet.deployContract({ abi: [...abi], bytecode, args: [], chain: null })
      const { contractAddress } = await client.waitForTransactionReceipt({ hash })
      if (!contractAddress) throw new Error('a test token was not deployed')
      const args = [anvilAccount(PAYER).address, PLENTY] as const
      const data = encodeFunctionData({ abi: testUsdcAbi, functionName: 'mint', args })
      await client.waitForTransactionReceipt({
        hash: await wallet.sendTransaction({ to: contractAddress, data, chain: null }),
      })
      return contractAddress
    }
    const usdc = await deployToken(testUsdcAbi, testUsdcBytecode)
    const usdt = await deployToken(testUsdtAbi, testUsdtBytecode)
    await createTestClient({ mode: 'anvil', transport }).setIntervalMining({ interval: 1 })
    const fields = {
      ...{ mode: 'test', chainId, rpc: [anvil.url], pollMs: 250, maxReorg: 32, reorgWindow: 64 },
      ...{ factory: deployment.factory, impl: deployment.impl, collector: deployment.feeVault },
      tokens: [
        { asset: 'USDC', contract: usdc, decimals: 6 },
        { asset: 'USDT', contract: usdt, decimals: 6, noReturn: true },
      ],
      confirmations: { seen: 1, settle: 2 },
      finality: { depth: 4 },
      prices: { sources: [{ kind: 'fixed', usd: '3000' }] },
      relayer: { privateKey: anvilKey(RELAYER), maxFeeGwei: '100', batchWaitMs: 500 },
      refunder: { privateKey: anvilKey(REFUNDER) },
    }
    return {
      ...{ url: anvil.url, usdc, usdt, stop: anvil.stop, payer: payerOf(anvilKey(PAYER)) },
      railsConfig: JSON.stringify({ chains: { [chain]: fields } }),
    }
  } catch (error) {
    await anvil.stop()
    throw error
  }
}

const payerOf = (key: Hex) => ({ key, address: privateKeyToAccount(key).address })

/**
 * Sends what an EIP-681 address of the devnet asks for, as the payer's wallet would.
 *
 * @returns the transaction's hash, once it is in a block.
 * @throws Error when the address is of another kind or another chain.
 * @example await payOnDevnet('ethereum:0x…@31337/transfer?address=0x…&uint256=5000000', 'http://127.0.0.1:8545')
 */
export async function payOnDevnet(uri: string, url = `http://127.0.0.1:${DEVNET_PORT}`): Promise<Hex> {
  const match = /^ethereum:(?:pay-)?(0x[0-9a-fA-F]{40})@(\d+)(\/transfer)?\?(.+)$/.exec(uri)
  const transport = toAnvil(url)
  const client = createPublicClient({ transport, pollingInterval: 100 })
  if (match === null || Number(match[2]) !== (await client.getChainId())) {
    throw new Error(`this is nothing to pay here: ${uri}`)
  }
  const [, target = '', , isToken, query] = match
  const asked = new URLSearchParams(query)
  const to: Address = `0x${target.slice(2)}`
  const account = anvilAccount(PAYER)
  const wallet = createWalletClient({ transport, account })
  const receiver: Address = `0x${(asked.get('address') ?? '').slice(2)}`
  const hash =
    isToken === undefined
      ? await wallet.sendTransaction({ to, value: BigInt(asked.get('value') ?? 0), chain: null })
      : await wallet.sendTransaction({
          ...{ to, chain: null },
          data: encodeFunctionData({
            abi: testUsdtAbi,
            functionName: 'transfer',
            args: [receiver, BigInt(asked.get('uint256') ?? 0)],
          }),
        })
  const receipt = await client.waitForTransactionReceipt({ hash })
  if (receipt.status !== 'success') throw new Error(`the payment ${hash} was reverted`)
  return hash
}
