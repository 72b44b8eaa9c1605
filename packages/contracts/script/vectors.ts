// Writes vectors/routes.json: routes with the salts and addresses that Solidity and TypeScript must both arrive at. Worked out
// with viem's general encoder, which shares no code with the fast path in src/route.ts.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type Address,
  concatHex,
  encodeAbiParameters,
  getAddress,
  getContractAddress,
  type Hex,
  keccak256,
  maxUint128,
  maxUint256,
  slice,
  toHex,
  zeroAddress,
  zeroHash,
} from 'viem'
import { payFactoryAbi, type Route } from '../src/index.ts'

interface RouteVector {
  name: string
  factory: Address
  impl: Address
  /** Integers too large for JSON numbers are decimal strings. */
  route: Omit<Route, 'chainId' | 'minAmount'> & { chainId: string; minAmount: string }
  salt: Hex
  vault: Address
}

const saltOf = payFactoryAbi.find((entry) => entry.type === 'function' && entry.name === 'saltOf')
const ROUTE = [{ type: 'tuple', components: saltOf?.inputs[0]?.components ?? [] }]

const hash = (words: string): Hex => keccak256(toHex(words))
const address = (words: string): Address => getAddress(slice(hash(words), 12))

const plain: Route = {
  chainId: 8453n,
  ref: hash('order 1'),
  token: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  merchant: address('merchant'),
  collector: address('collector'),
  feeBps: 100,
  minAmount: 10_000_000n,
  openAfter: 1_800_000_000,
  refundTo: zeroAddress,
}
const top: Address = '0xFFfFfFffFFfffFFfFFfFFFFFffFFFffffFfFFFfF'

const cases: [name: string, route: Route][] = [
  ['USDC on Base, no refund address', plain],
  ['bound refund address', { ...plain, refundTo: address('payer') }],
  ['native coin of Ethereum', { ...plain, chainId: 1n, token: zeroAddress, minAmount: 10n ** 18n }],
  ['lower-case addresses', { ...plain, merchant: lower(plain.merchant), collector: lower(plain.collector) }],
  ['no collector, no fee', { ...plain, collector: zeroAddress, feeBps: 0 }],
  ['all zero', { ...plain, ...zeros() }],
  ['all at their largest', { ...plain, ...largest() }],
  ['amount of 2^64', { ...plain, minAmount: 2n ** 64n }],
  ['amount of 2^64 - 1', { ...plain, minAmount: 2n ** 64n - 1n }],
  ['chain id of 2^200 + 1', { ...plain, chainId: 2n ** 200n + 1n }],
  ['opens at 2^32', { ...plain, openAfter: 2 ** 32 }],
  ['opens at 2^32 - 1', { ...plain, openAfter: 2 ** 32 - 1 }],
  ...Array.from({ length: 12 }, (_, i): [string, Route] => [
    `drawn ${i}`,
    {
      chainId: BigInt([1, 10, 56, 137, 8453, 42161, 43114][i % 7] ?? 1),
      ref: hash(`ref ${i}`),
      token: address(`token ${i}`),
      merchant: address(`merchant ${i}`),
      collector: address(`collector ${i}`),
      feeBps: Number(BigInt(hash(`fee ${i}`)) % 65_536n),
      minAmount: BigInt(hash(`amount ${i}`)) % 2n ** 128n,
      openAfter: Number(BigInt(hash(`open ${i}`)) % 2n ** 40n),
      refundTo: i % 2 === 0 ? zeroAddress : address(`payer ${i}`),
    },
  ]),
]

/** The text of vectors/routes.json. */
export function renderVectors(): string {
  const vectors = cases.map(([name, route], i): RouteVector => {
    const factory = address(`factory ${i % 3}`)
    const impl = address(`impl ${i % 3}`)
    const salt = keccak256(encodeAbiParameters(ROUTE, [route]))
    const bytecode = concatHex(['0x3d602d80600a3d3981f3363d3d373d3d3d363d73', impl, '0x5af43d82803e903d91602b57fd5bf3'])
    const vault = getContractAddress({ opcode: 'CREATE2', from: factory, salt, bytecode })
    return {
      name,
      factory,
      impl,
      route: { ...route, chainId: route.chainId.toString(), minAmount: route.minAmount.toString() },
      salt,
      vault,
    }
  })
  return `${JSON.stringify(vectors, null, 2)}\n`
}

function lower(given: Address): Address {
  return `0x${given.slice(2).toLowerCase()}`
}

function zeros(): Partial<Route> {
  const none = { chainId: 0n, ref: zeroHash, feeBps: 0, minAmount: 0n, openAfter: 0 }
  return { ...none, token: zeroAddress, merchant: zeroAddress, collector: zeroAddress, refundTo: zeroAddress }
}

function largest(): Partial<Route> {
  const most = { chainId: maxUint256, feeBps: 65_535, minAmount: maxUint128, openAfter: 2 ** 40 - 1 }
  return { ...most, ref: `0x${'ff'.repeat(32)}`, token: top, merchant: top, collector: top, refundTo: top }
}

if (import.meta.main) {
  writeFileSync(join(import.meta.dirname, '../vectors/routes.json'), renderVectors())
  console.log(`wrote vectors/routes.json (${cases.length} routes)`)
}
