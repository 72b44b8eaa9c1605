// The parts with arithmetic of their own, checked against another derivation: a slower algorithm, the forward direction of an
// inverse, or a published pair of key and address.

import assert from 'node:assert/strict'
import { createHash, generateKeyPairSync } from 'node:crypto'
import { test } from 'node:test'
import { blake2b } from '@noble/hashes/blake2.js'
import { base58 } from '@scure/base'
import fc from 'fast-check'
import { onEd25519, onSecp256k1 } from '../src/encoding/curves.ts'
import { aleoAddress, isAleoCoordinate } from '../src/families/aleo.ts'
import { hederaChecksum } from '../src/families/hedera.ts'
import { unjumble } from '../src/families/utxo/zcash.ts'
import { checkAddress, parseAddress } from '../src/index.ts'

const p = 8444461749428370424248824938781546531375899335154063827935233455917409239041n
const order = 2111115437357092606062206234695386632838870926408408195193685246394721360383n
const d = 3021n

function mod(value: bigint): bigint {
  return ((value % p) + p) % p
}

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n
  for (let factor = mod(base), rest = exponent; rest > 0n; rest >>= 1n, factor = mod(factor * factor))
    if (rest & 1n) result = mod(result * factor)
  return result
}

/** Tonelli and Shanks; null for a non-residue. */
function root(value: bigint): bigint | null {
  if (mod(value) === 0n) return 0n
  if (power(value, (p - 1n) / 2n) !== 1n) return null
  let odd = p - 1n
  let twos = 0
  for (; odd % 2n === 0n; odd /= 2n) twos++
  let witness = 2n
  while (power(witness, (p - 1n) / 2n) === 1n) witness++
  let generator = power(witness, odd)
  let result = power(value, (odd + 1n) / 2n)
  let rest = power(value, odd)
  while (rest !== 1n) {
    let least = 0
    for (let square = rest; square !== 1n; square = mod(square * square)) least++
    const factor = power(generator, 1n << BigInt(twos - least - 1))
    twos = least
    generator = mod(factor * factor)
    rest = mod(rest * generator)
    result = mod(result * factor)
  }
  return result
}

type Point = readonly [bigint, bigint, bigint]

/** Adds in projective coordinates by the complete law of twisted Edwards curves, a = -1. */
function add([x1, y1, z1]: Point, [x2, y2, z2]: Point): Point {
  const a = mod(z1 * z2)
  const b = mod(a * a)
  const c = mod(x1 * x2)
  const e = mod(y1 * y2)
  const f = mod(d * c * e)
  return [mod(a * (b - f) * ((x1 + y1) * (x2 + y2) - c - e)), mod(a * (b + f) * (e + c)), mod((b - f) * (b + f))]
}

/** The textbook check: find y, then multiply (x, y) and (x, -y) by the order of the subgroup. */
function inSubgroup(x: bigint): boolean {
  if (x >= p) return false
  const y = root((1n + x * x) * power(1n - d * x * x, p - 2n))
  if (y === null) return false
  return [y, mod(-y)].some((candidate) => {
    let sum: Point = [0n, 1n, 1n]
    let factor: Point = [x, candidate, 1n]
    for (let rest = order; rest > 0n; rest >>= 1n) {
      if (rest & 1n) sum = add(sum, factor)
      factor = add(factor, factor)
    }
    return sum[0] === 0n && sum[1] === sum[2]
  })
}

test('Aleo: two squares say the same as a multiplication by the group order', (context) => {
  let inside = 0
  let tried = 0
  // Hashes as coordinates: of those below the modulus about one in four is in the subgroup.
  for (let at = 0n; at < 300n; at++) {
    const x = BigInt(`0x${createHash('sha256').update(String(at)).digest('hex')}`) % (p + 1000n)
    const slow = inSubgroup(x)
    assert.equal(isAleoCoordinate(x), slow, String(x))
    tried++
    if (slow) {
      inside++
      const bytes = Uint8Array.from({ length: 32 }, (_, byte) => Number((x >> BigInt(8 * byte)) & 255n))
      assert.ok(checkAddress('aleo', aleoAddress(bytes)).valid)
    }
  }
  context.diagnostic(`${tried} coordinates, ${inside} in the subgroup`)
  assert.ok(inside > 50)
})

function mask(input: Uint8Array, kind: string, index: number, length: number): Uint8Array {
  const out: number[] = []
  for (let counter = 0; out.length < length; counter++) {
    const personalization = Buffer.concat([
      Buffer.from(`UA_F4Jumble_${kind}`),
      Buffer.from([index, counter & 255, counter >> 8]),
    ])
    out.push(...blake2b(input, { dkLen: kind === 'H' ? length : 64, personalization }))
  }
  return Uint8Array.from(out.slice(0, length))
}

/** ZIP-316's F4Jumble, forward. */
function jumble(message: Uint8Array): Uint8Array {
  const xor = (a: Uint8Array, b: Uint8Array) => a.map((byte, at) => byte ^ (b[at] ?? 0))
  const size = Math.min(64, message.length >> 1)
  const a = message.slice(0, size)
  const b = message.slice(size)
  const x = xor(b, mask(a, 'G', 0, b.length))
  const y = xor(a, mask(x, 'H', 0, size))
  const right = xor(x, mask(y, 'G', 1, b.length))
  const left = xor(y, mask(right, 'H', 1, size))
  return Uint8Array.from([...left, ...right])
}

test('Zcash: the inverse of F4Jumble undoes it for every length', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 48, maxLength: 300 }), (message) => {
      assert.deepEqual(unjumble(jumble(message)), message)
    }),
    { numRuns: 100 },
  )
})

test('Solana: real public keys lie on the curve, and about half of random bytes do', () => {
  const little = (bytes: Uint8Array) => BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`)
  for (let run = 0; run < 20; run++) {
    const { publicKey } = generateKeyPairSync('ed25519')
    const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)
    assert.ok(onEd25519(little(raw)))
    const verdict = checkAddress('sol', base58.encode(raw))
    assert.ok(verdict.valid && verdict.kind === 'wallet')
  }
  const hits = Array.from({ length: 200 }, (_, at) => createHash('sha256').update(`ed${at}`).digest()).filter((bytes) =>
    onEd25519(little(bytes)),
  )
  assert.ok(hits.length > 60 && hits.length < 140)
})

test('Bitcoin: the public key of BIP-173 hashes to its published addresses, real keys have a Taproot coordinate', () => {
  const key = Buffer.from('0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798', 'hex')
  const hash = createHash('ripemd160').update(createHash('sha256').update(key).digest()).digest()
  assert.equal(hash.toString('hex'), '751e76e8199196d454941c45d1b3a323f1433bd6')
  assert.equal(
    parseAddress('btc', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'),
    'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
  )
  for (let run = 0; run < 20; run++) {
    const jwk = generateKeyPairSync('ec', { namedCurve: 'secp256k1' }).publicKey.export({ format: 'jwk' })
    assert.ok(onSecp256k1(BigInt(`0x${Buffer.from(jwk.x ?? '', 'base64url').toString('hex')}`)))
  }
  assert.ok(!onSecp256k1(0n))
})

test('Internet Computer: a principal and its published account id meet', () => {
  // The ledger canister's own principal; the account id is SHA-224 over the domain, the principal and a zero subaccount.
  const principal = Buffer.from('00000000000000020101', 'hex')
  const hash = createHash('sha224')
    .update(Buffer.concat([Buffer.from([10]), Buffer.from('account-id'), principal, Buffer.alloc(32)]))
    .digest('hex')
  assert.equal(parseAddress('icp', 'ryjl3-tyaaa-aaaaa-aaaba-cai').slice(8), hash)
})

test('Hedera: the checksum of HIP-15 on the ledgers of its own examples', () => {
  assert.equal(hederaChecksum('0.0.123'), 'vfmkw')
  assert.equal(hederaChecksum('0.0.123', [1]), 'esxsf')
  assert.equal(hederaChecksum('0.0.123', [0xa1, 0xff, 0x01]), 'pzmtv')
})
