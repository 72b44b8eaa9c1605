// Is there a curve point with this coordinate? Needed to warn about (or refuse) addresses no key can exist for.
// Each answer costs one or two modular powers of 256 bits, well under a millisecond, and runs only after a checksum.

function power(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n
  let factor = base % modulus
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * factor) % modulus
    factor = (factor * factor) % modulus
  }
  return result
}

/** Euler's criterion; zero counts as a square. */
export function isSquare(value: bigint, prime: bigint): boolean {
  const reduced = ((value % prime) + prime) % prime
  return reduced === 0n || power(reduced, (prime - 1n) / 2n, prime) === 1n
}

const secp256k1Prime = 2n ** 256n - 2n ** 32n - 977n

/** True where x is the first coordinate of a secp256k1 point (y² = x³ + 7), as a Taproot key must be. */
export function onSecp256k1(x: bigint): boolean {
  return x < secp256k1Prime && isSquare(x * x * x + 7n, secp256k1Prime)
}

const ed25519Prime = 2n ** 255n - 19n
const ed25519D = 37095705934669439343138083508754565189542113879843219016388785533085940283555n

/** True where 32 little-endian bytes are a compressed ed25519 point: x² = (y² − 1) / (d·y² + 1) must be a square. */
export function onEd25519(compressed: bigint): boolean {
  const y = compressed & (2n ** 255n - 1n)
  const y2 = (y * y) % ed25519Prime
  // u/v is a square exactly when u·v is.
  return isSquare((y2 - 1n) * (ed25519D * y2 + 1n), ed25519Prime)
}
