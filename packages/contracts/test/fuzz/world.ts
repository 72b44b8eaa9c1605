// Where a fuzz run plays: one factory, three tokens, actors with and without keys, and a changing set of orders.
import { type Abi, type Address, type Hex, zeroAddress } from 'viem'
import { depositVaultAbi, payFactoryAbi, type Route, vaultOf } from '../../src/index.ts'
import { testUsdcAbi, testUsdcBytecode, testUsdtAbi, testUsdtBytecode } from '../../src/test-tokens.ts'
import { probeAbi, probeBytecode } from '../abi/probe.ts'
import { rejectorAbi, rejectorBytecode } from '../abi/rejector.ts'
import type { Chain, Contract } from '../chain.ts'
import type { Random } from './random.ts'

export const NATIVE: Address = zeroAddress
export const DAY = 86_400
const CHAIN_ID = 31337n
const OPEN_ORDERS = 16

export interface Order {
  route: Route
  vault: Address
}

export interface World {
  chain: Chain
  random: Random
  factory: Contract
  impl: Contract
  probe: Contract
  usdc: Address
  usdt: Address
  tokens: readonly Address[]
  keys: { owner: Address; relayer: Address; refunder: Address; guardian: Address }
  /** Everybody who may try something, keys included. */
  actors: readonly Address[]
  /** The last of them is a contract that refuses native coins. */
  merchants: readonly Address[]
  rejector: Address
  collectors: readonly Address[]
  payers: readonly Address[]
  /** The orders moves are drawn for; older ones stay in `byVault`. */
  orders: Order[]
  byVault: Map<Address, Order>
}

/** Builds a world around a factory's creation code: ours, or one with a bug planted in it. */
export async function buildWorld(chain: Chain, random: Random, factoryBytecode: Hex): Promise<World> {
  const [owner, relayer, refunder, guardian] = [0, 1, 2, 3].map((i) => chain.account(i)) as [
    Address,
    Address,
    Address,
    Address,
  ]
  const deploy = (abi: Abi, bytecode: Hex) => chain.deploy(abi, bytecode)
  const factory = await chain.deploy(payFactoryAbi, factoryBytecode, [owner, [relayer], [refunder], [guardian]])
  const usdc = (await deploy(testUsdcAbi, testUsdcBytecode)).address
  const usdt = (await deploy(testUsdtAbi, testUsdtBytecode)).address
  const rejector = (await deploy(rejectorAbi, rejectorBytecode)).address
  const several = (count: number) => Array.from({ length: count }, () => random.address())
  const impl = lower(await chain.read<Address>(factory, 'IMPL'))
  const world: World = {
    chain,
    random,
    factory,
    impl: { address: impl, abi: depositVaultAbi },
    probe: await deploy(probeAbi, probeBytecode),
    usdc,
    usdt,
    tokens: [usdc, usdt, NATIVE],
    keys: { owner, relayer, refunder, guardian },
    actors: chain.accounts,
    merchants: [...several(6), rejector],
    rejector,
    collectors: several(2),
    payers: several(4),
    orders: [],
    byVault: new Map(),
  }
  const now = await chain.now()
  for (let i = 0; i < OPEN_ORDERS; i++) addOrder(world, now)
  return world
}

/** Adds an order, and lets the oldest go when there are enough. */
export function addOrder(world: World, now: number): void {
  const { random } = world
  const route: Route = {
    chainId: random.chance(90) ? CHAIN_ID : 1n,
    ref: random.bytes32(),
    token: random.pick(world.tokens),
    merchant: random.pick(world.merchants),
    collector: random.chance(90) ? random.pick(world.collectors) : zeroAddress,
    feeBps: random.pick([0, 50, 100, 1_000, 1_001, 65_535]),
    minAmount: random.pick([0n, 1_000n, 2_000n]),
    openAfter: now + random.pick([-100 * DAY, 0, DAY, 3 * DAY, 30 * DAY]),
    refundTo: random.chance(45) ? random.pick(world.payers) : zeroAddress,
  }
  const order = orderOf(world, route)
  world.orders.push(order)
  world.byVault.set(order.vault, order)
  if (world.orders.length > OPEN_ORDERS) world.orders.shift()
}

export function orderOf(world: World, route: Route): Order {
  return { route, vault: vaultOf(world.factory.address, world.impl.address, route) }
}

export function lower(address: Address): Address {
  return `0x${address.slice(2).toLowerCase()}`
}
