// Puts the contracts on a chain and proves that what stands there is what was compiled. Safe to run again: what is already
// there is checked, not sent.
import { setTimeout } from 'node:timers/promises'
import {
  type Account,
  type Address,
  type Chain,
  type Hex,
  keccak256,
  type PublicClient,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
  type Transport,
  type WalletClient,
} from 'viem'
import { depositVaultAbi, feeVaultAbi, payFactoryAbi } from '../src/index.ts'
import { DETERMINISTIC_DEPLOYER, type DeployConfig, type DeployPlan, deployPlan } from '../src/plan.ts'

export interface DeployInput {
  /** Reads of the chain. */
  client: PublicClient
  /** Pays the gas. Any account will do: it gets no right in what it deploys. */
  wallet: WalletClient<Transport, Chain | undefined, Account>
  /** The chain this must be; a node that says otherwise is refused. */
  chainId: number
  config: DeployConfig
  /** Devnets only: put the deterministic deployer there where it is missing. */
  installDeployer?: boolean
}

export interface Deployment {
  chainId: number
  factory: Address
  impl: Address
  feeVault: Address
  plan: DeployPlan
  /** What this run sent; empty when everything was there already. */
  sent: { what: string; hash: Hex; gasUsed: bigint }[]
}

const MINED_WITHIN_MS = 600_000
// keccak-256 of the deployer's 69 bytes of code, the same on every chain.
const DEPLOYER_CODE_HASH = '0x2fa86add0aed31f33a762c9d88e807c475bd51d0f52bd0955754b2608f7e4989'
// The deployer was made by a transaction nobody holds the key of: signed once for every chain, sent by whoever funds it.
const DEPLOYER_SIGNER: Address = '0x3fab184622dc19b6109349b94811493bf2a45362'
const DEPLOYER_COST = 10_000_000_000_000_000n
const DEPLOYER_TRANSACTION: Hex = `0xf8a58085174876e800830186a08080b853604580600e600039806000f350fe7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe03601600081602082378035828234f58015156039578182fd5b8082525050506014600cf31ba0${'22'.repeat(32)}a0${'22'.repeat(32)}`

/**
 * Deploys FeeVault and PayFactory where they are missing, then verifies chain, code and bindings of all three contracts.
 *
 * @throws Error saying what does not fit: chain id, missing deployer, code hash, binding.
 * @example
 * const { factory } = await deployFactory({ client, wallet, chainId: 31337, config, installDeployer: true })
 */
export async function deployFactory(input: DeployInput): Promise<Deployment> {
  const { client, wallet, config } = input
  const plan = deployPlan(config)
  const sent: Deployment['sent'] = []
  const send = async (what: string, to: Address, data: Hex, value = 0n) => {
    const hash = await wallet.sendTransaction({ account: wallet.account, chain: null, to, data, value })
    const receipt = await receiptOf(client, hash)
    sent.push({ what, hash, gasUsed: receipt.gasUsed })
  }

  const chainId = await client.getChainId()
  if (chainId !== input.chainId) throw new Error(`the node is on chain ${chainId}, not on ${input.chainId}`)
  if ((await codeHashAt(client, DETERMINISTIC_DEPLOYER)) === null) {
    if (!input.installDeployer) throw new Error(`chain ${chainId} has no deterministic deployer at ${plan.deployer}`)
    await send('fund the signer of the deployer', DEPLOYER_SIGNER, '0x', DEPLOYER_COST)
    const hash = await client.sendRawTransaction({ serializedTransaction: DEPLOYER_TRANSACTION })
    const receipt = await receiptOf(client, hash)
    sent.push({ what: 'deterministic deployer', hash, gasUsed: receipt.gasUsed })
  }
  await expectCode(client, 'deterministic deployer', DETERMINISTIC_DEPLOYER, DEPLOYER_CODE_HASH)

  for (const [what, contract] of [['FeeVault', plan.feeVault] as const, ['PayFactory', plan.factory] as const]) {
    // Losing a race to another run is fine: the code is there then, and is checked below like our own.
    if ((await codeHashAt(client, contract.address)) === null) await send(what, plan.deployer, contract.data)
  }
  await verifyDeployment(client, plan)
  return {
    chainId,
    factory: plan.factory.address,
    impl: plan.impl.address,
    feeVault: plan.feeVault.address,
    plan,
    sent,
  }
}

/**
 * Checks that the planned contracts stand on the chain with the planned code and point at each other. Reads only.
 *
 * @throws Error naming the first contract that differs.
 */
export async function verifyDeployment(client: PublicClient, plan: DeployPlan): Promise<void> {
  await expectCode(client, 'PayFactory', plan.factory.address, plan.factory.codeHash)
  await expectCode(client, 'DepositVault', plan.impl.address, plan.impl.codeHash)
  await expectCode(client, 'FeeVault', plan.feeVault.address, plan.feeVault.codeHash)
  const [impl, boundTo, feeOwner] = await Promise.all([
    client.readContract({ address: plan.factory.address, abi: payFactoryAbi, functionName: 'IMPL' }),
    client.readContract({ address: plan.impl.address, abi: depositVaultAbi, functionName: 'FACTORY' }),
    client.readContract({ address: plan.feeVault.address, abi: feeVaultAbi, functionName: 'owner' }),
  ])
  if (impl !== plan.impl.address) throw new Error(`PayFactory.IMPL() is ${impl}, not ${plan.impl.address}`)
  if (boundTo !== plan.factory.address) throw new Error(`DepositVault.FACTORY() is ${boundTo}`)
  if (BigInt(feeOwner) === 0n) throw new Error('FeeVault has no owner')
}

/**
 * Polls until the transaction is mined. viem's own waiting looks again only when a block follows, and on a devnet that mines
 * one block a transaction none does.
 */
async function receiptOf(client: PublicClient, hash: Hex): Promise<TransactionReceipt> {
  const deadline = Date.now() + MINED_WITHIN_MS
  for (let wait = 25; ; wait = Math.min(wait * 2, client.pollingInterval)) {
    try {
      return await client.getTransactionReceipt({ hash })
    } catch (error) {
      if (!(error instanceof TransactionReceiptNotFoundError)) throw error
      if (Date.now() > deadline)
        throw new Error(`transaction ${hash} was not mined within ${MINED_WITHIN_MS / 60_000} minutes`)
      await setTimeout(wait)
    }
  }
}

async function codeHashAt(client: PublicClient, address: Address): Promise<Hex | null> {
  const code = await client.getCode({ address })
  return code === undefined || code === '0x' ? null : keccak256(code)
}

async function expectCode(client: PublicClient, what: string, address: Address, hash: Hex): Promise<void> {
  const found = await codeHashAt(client, address)
  if (found === null) throw new Error(`${what}: no code at ${address}`)
  if (found !== hash) throw new Error(`${what} at ${address}: code hash ${found}, expected ${hash}`)
}
