// The cast and the scenery of the contract tests: a node with the forwarder deployed the way it is deployed for real, tokens
// shaped like those payers hold, and one account for each role.
import {
  type Address,
  createPublicClient,
  createWalletClient,
  getAddress,
  type Hex,
  keccak256,
  toHex,
  zeroAddress,
} from 'viem'
import type { AnvilOptions } from '../script/anvil.ts'
import { toAnvil } from '../script/anvil.ts'
import { type Deployment, deployFactory } from '../script/deploy-factory.ts'
import {
  type DeployConfig,
  deployPlan,
  depositVaultAbi,
  feeVaultAbi,
  type Item,
  payFactoryAbi,
  type Route,
  vaultOf,
} from '../src/index.ts'
import { testUsdcAbi, testUsdcBytecode, testUsdtAbi, testUsdtBytecode } from '../src/test-tokens.ts'
import { testProxyAbi, testProxyBytecode } from './abi/test-proxy.ts'
import { Chain, type Contract } from './chain.ts'
import { type Build, build } from './trace.ts'

export const DAY = 86_400
export const NATIVE: Address = zeroAddress

export interface Stage {
  chain: Chain
  deployment: Deployment
  factory: Contract
  impl: Contract
  feeVault: Contract
  /** USDC shape behind a proxy, as on every real chain. */
  usdc: Contract
  /** USDT shape: answers nothing. */
  usdt: Contract
  owner: Address
  relayer: Address
  refunder: Address
  guardian: Address
  payer: Address
  merchant: Address
  stranger: Address
}

export async function openStage(options: AnvilOptions = {}): Promise<Stage> {
  const chain = await Chain.start(options)
  const roles = {
    owner: chain.account(0),
    relayer: chain.account(1),
    refunder: chain.account(2),
    guardian: chain.account(3),
    payer: chain.account(4),
    stranger: chain.account(5),
    merchant: chain.account(6),
  }
  const config = {
    owner: roles.owner,
    relayers: [roles.relayer],
    refunders: [roles.refunder],
    guardians: [roles.guardian],
  }
  const chainId = options.chainId ?? 31337
  const deployment = build
    ? await deployTraced(chain, build, chainId, config)
    : await deployFactory({ ...clientsOf(chain, roles.owner), chainId, config })
  const behind = await chain.deploy(testUsdcAbi, testUsdcBytecode)
  const proxy = await chain.deploy(testProxyAbi, testProxyBytecode, [behind.address])
  return {
    chain,
    deployment,
    factory: { address: deployment.factory, abi: payFactoryAbi },
    impl: { address: deployment.impl, abi: depositVaultAbi },
    feeVault: { address: deployment.feeVault, abi: feeVaultAbi },
    usdc: { address: proxy.address, abi: testUsdcAbi },
    usdt: await chain.deploy(testUsdtAbi, testUsdtBytecode),
    ...roles,
  }
}

/** The build whose coverage is measured, which has other code and so other addresses than the real one. */
async function deployTraced(chain: Chain, code: Build, chainId: number, config: DeployConfig): Promise<Deployment> {
  const make = async (name: string, args: readonly unknown[]): Promise<Address> => {
    const contract = code[name]
    if (!contract) throw new Error(`${name} is not in the build`)
    return (await chain.deploy(contract.abi, contract.bytecode, args)).address
  }
  const { owner, relayers, refunders, guardians } = config
  const feeVault = await make('FeeVault', [owner])
  const factory = await make('PayFactory', [owner, relayers, refunders, guardians])
  const impl = await chain.read<Address>({ address: factory, abi: payFactoryAbi }, 'IMPL')
  return { chainId, factory, feeVault, impl, plan: deployPlan(config), sent: [] }
}

/** viem clients over the node's unlocked account, as the deployment takes them. */
export function clientsOf(chain: Chain, account: Address) {
  const transport = toAnvil(chain.url)
  return {
    client: createPublicClient({ transport, pollingInterval: 10 }),
    wallet: createWalletClient({ transport, account }),
  }
}

let drawn = 0

/** An address or reference that no other test uses. Counted, so every run makes the same ones. */
export function fresh(words: string): Hex {
  return keccak256(toHex(`${words} ${drawn++}`))
}

export function freshAddress(words: string): Address {
  return getAddress(`0x${fresh(words).slice(26)}`)
}

/** A route of an order for 10 USDC with a 1 % fee that opens in the year 2100, and what the test changes. */
export function routeOn(stage: Stage, changes: Partial<Route> = {}): Route {
  return {
    chainId: BigInt(stage.deployment.chainId),
    ref: fresh('ref'),
    token: stage.usdc.address,
    merchant: freshAddress('merchant'),
    collector: freshAddress('collector'),
    feeBps: 100,
    minAmount: 10_000_000n,
    openAfter: 4_102_444_800,
    refundTo: zeroAddress,
    ...changes,
  }
}

export function itemOf(route: Route, gross = 10_000_000n, feeBps = 100): Item {
  return { route, token: route.token, gross, feeBps }
}

export function vaultAt(stage: Stage, route: Route): Address {
  return vaultOf(stage.factory.address, stage.impl.address, route)
}

/** Puts money on a route's deposit address: minted tokens, or native coins of the payer. */
export async function fund(stage: Stage, route: Route, amount = 10_000_000n, token = route.token): Promise<void> {
  const to = vaultAt(stage, route)
  if (token === NATIVE) await stage.chain.transact({ from: stage.payer, to, value: amount })
  else await stage.chain.do({ address: token, abi: testUsdcAbi }, 'mint', [to, amount], { from: stage.payer })
}

export async function unitsOf(stage: Stage, token: Address, who: Address): Promise<bigint> {
  if (token === NATIVE) return stage.chain.balance(who)
  return stage.chain.read({ address: token, abi: testUsdcAbi }, 'balanceOf', [who])
}
