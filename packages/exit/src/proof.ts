// Reads a proof and holds it against itself: the vault must be the address that factory, impl and route make. Pure, for
// browsers too. A proof can be given to anybody: whatever it says, its calls move the money of its vault alone, and only to
// whom that address is bound.

import { type Route, vaultOf } from '@florin/contracts/route'
import type { Proof, ProofRoute } from '@florin/protocol'
import { keccak_256 } from '@noble/hashes/sha3.js'

export type Hex = `0x${string}`

/** A proof that was checked. Addresses in lower case. */
export interface Exit {
  chainId: number
  factory: Hex
  impl: Hex
  vault: Hex
  route: Route
}

export const ZERO: Hex = `0x${'0'.repeat(40)}`

/** Its message is a sentence for whoever gave the proof. */
export class BadProof extends Error {}

const addressFields = ['token', 'merchant', 'collector', 'refundTo'] as const
const numberFields = ['chainId', 'feeBps', 'minAmount', 'openAfter'] as const

/**
 * @param text a proof as JSON; an order, a webhook's body or a checkout that holds one is taken too.
 * @throws BadProof that says what is wrong with it.
 */
export function readProof(text: string): Exit {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new BadProof('This is not JSON. A proof begins with { and names kind, factory, impl, route and vault.')
  }
  return checkProof(findProof(value))
}

function findProof(value: unknown): unknown {
  let at = value
  for (const field of ['order', 'pay', 'proof']) if (isRecord(at) && field in at) at = at[field]
  if (isRecord(at) && at.kind !== undefined) return at
  throw new BadProof(
    'There is no proof in this. It stands in an order as pay.proof; an order whose payer has not chosen how to pay has none yet.',
  )
}

/** @throws BadProof */
export function checkProof(value: unknown): Exit {
  if (!isRecord(value)) throw new BadProof('A proof is an object with kind, factory, impl, route and vault.')
  if (value.kind !== 'evm-route') {
    throw new BadProof(`Proofs of the kind "${printable(String(value.kind), 60)}" are not known here.`)
  }
  const route = readRoute(value.route)
  const factory = addressOf(value.factory, 'factory')
  const impl = addressOf(value.impl, 'impl')
  const vault = addressOf(value.vault, 'vault')
  if (Number(value.chain_id) !== Number(route.chainId)) throw new BadProof('chain_id is not that of the route.')
  if (impl !== implOf(factory)) throw new BadProof('impl is not the vault code of this factory: the proof was changed.')
  if (vault !== vaultOf(factory, impl, route)) {
    throw new BadProof('The vault is not the address of this route: a field of the proof was changed.')
  }
  return { chainId: Number(route.chainId), factory, impl, vault, route }
}

function readRoute(value: unknown): Route {
  if (!isRecord(value)) throw new BadProof('route is missing.')
  const text = (field: keyof ProofRoute): string => {
    const found = value[field]
    if (typeof found !== 'string') throw new BadProof(`route.${field} is missing, or is no text.`)
    return found
  }
  for (const field of numberFields) {
    if (!/^\d{1,39}$/.test(text(field))) throw new BadProof(`route.${field} takes a whole number.`)
  }
  const [token, merchant, collector, refundTo] = addressFields.map((field) => addressOf(text(field), `route.${field}`))
  const ref = text('ref').toLowerCase()
  if (!/^0x[0-9a-f]{64}$/.test(ref)) throw new BadProof('route.ref takes 0x and 64 hexadecimal digits.')
  const route: Route = {
    ...{ token: token ?? ZERO, merchant: merchant ?? ZERO, collector: collector ?? ZERO, refundTo: refundTo ?? ZERO },
    ref: ref as Hex,
    chainId: BigInt(text('chainId')),
    feeBps: Number(text('feeBps')),
    minAmount: BigInt(text('minAmount')),
    openAfter: Number(text('openAfter')),
  }
  if (route.chainId > BigInt(Number.MAX_SAFE_INTEGER)) throw new BadProof('route.chainId is no chain.')
  try {
    vaultOf(ZERO, ZERO, route)
  } catch (error) {
    throw new BadProof(`${error instanceof Error ? error.message : String(error)}.`)
  }
  return route
}

/** A factory makes its vault code first of all: CREATE with nonce 1. */
function implOf(factory: Hex): Hex {
  const bytes = Uint8Array.from([0xd6, 0x94, ...bytesOf(factory), 0x01])
  return hexOf(keccak_256(bytes).subarray(12))
}

/** The wire form again, as an order shows it. */
export function writeProof({ chainId, factory, impl, vault, route }: Exit): Proof {
  return {
    ...{ kind: 'evm-route', chain_id: chainId, factory: shown(factory), impl: shown(impl), vault: shown(vault) },
    route: {
      ...route,
      chainId: route.chainId.toString(),
      feeBps: String(route.feeBps),
      minAmount: route.minAmount.toString(),
      openAfter: String(route.openAfter),
    },
  }
}

/** An address as people compare it, with the checksum of EIP-55 in its case. */
export function shown(address: Hex): Hex {
  const digits = address.slice(2).toLowerCase()
  const hash = hexOf(keccak_256(new TextEncoder().encode(digits)))
  return `0x${[...digits].map((digit, n) => (Number.parseInt(hash[n + 2] ?? '0', 16) > 7 ? digit.toUpperCase() : digit)).join('')}`
}

export function addressOf(value: unknown, name: string): Hex {
  if (typeof value !== 'string' || !/^0x[0-9a-fA-F]{40}$/.test(value)) {
    throw new BadProof(`${name} takes an address: 0x and 40 hexadecimal digits.`)
  }
  const lower = value.toLowerCase() as Hex
  // One case alone has no checksum.
  if (!/^0x([0-9a-f]+|[0-9A-F]+)$/.test(value) && value !== shown(lower)) {
    throw new BadProof(`${name} has a mistyped character: its checksum does not hold.`)
  }
  return lower
}

export function bytesOf(hex: string): Uint8Array {
  const bytes = new Uint8Array((hex.length - 2) / 2)
  for (let n = 0; n < bytes.length; n++) bytes[n] = Number.parseInt(hex.slice(2 + 2 * n, 4 + 2 * n), 16)
  return bytes
}

export function hexOf(bytes: Uint8Array): Hex {
  return `0x${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

/** Text that somebody else wrote, for a terminal: nothing in it moves the cursor, colours the screen or turns the reading. */
export const printable = (text: string, max: number): string => text.slice(0, max).replace(/\p{C}/gu, '\ufffd')

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
