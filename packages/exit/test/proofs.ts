// Proofs as the service makes them, over the addresses that a deployment would have.
import { deployPlan } from '@florin/contracts'
import { type Route, vaultOf } from '@florin/contracts/route'
import { type Exit, type Hex, writeProof, ZERO } from '../src/index.ts'

const address = (digit: string): Hex => `0x${digit.repeat(40)}`

const plan = deployPlan({
  ...{ owner: address('1'), relayers: [address('2')], refunders: [address('3')], guardians: [address('4')] },
})
const lower = (text: string): Hex => text.toLowerCase() as Hex

export const MERCHANT = address('a')
export const PAYER = address('b')
export const TOKEN = address('c')
export const OPENS = 1_800_000_000

export function anExit(route: Partial<Route> = {}): Exit {
  const full: Route = {
    ...{ chainId: 8453n, ref: `0x${'ef'.repeat(32)}`, token: TOKEN, merchant: MERCHANT, collector: address('d') },
    ...{ feeBps: 100, minAmount: 10_000_000n, openAfter: OPENS, refundTo: ZERO },
    ...route,
  }
  const factory = lower(plan.factory.address)
  const impl = lower(plan.impl.address)
  return { chainId: Number(full.chainId), factory, impl, vault: vaultOf(factory, impl, full), route: full }
}

export const aProof = (route: Partial<Route> = {}) => writeProof(anExit(route))
