// Reading the signature vectors, which were written by tools that share no code with Florin.
import { readFileSync } from 'node:fs'

export interface SignVector {
  name: string
  secrets: string[]
  timestamp: number
  body: Buffer
  header: string
}

export interface CheckVector {
  name: string
  header: string | null
  body: Buffer
  secrets: string[]
  now: number
  /** The reason, with its variant after a colon where it has one; null where the signature is accepted. */
  reason: string | null
}

type Raw<Vector> = Omit<Vector, 'body'> & { body_base64: string }
const file = new URL('../vectors/signatures.json', import.meta.url)
const raw: { sign: Raw<SignVector>[]; check: Raw<CheckVector>[]; explain: Raw<CheckVector>[] } = JSON.parse(
  readFileSync(file, 'utf8'),
)

function withBody<Vector extends { body_base64: string }>(vector: Vector) {
  return { ...vector, body: Buffer.from(vector.body_base64, 'base64') }
}

export const signVectors: SignVector[] = raw.sign.map(withBody)
export const checkVectors: CheckVector[] = raw.check.map(withBody)
export const explainVectors: CheckVector[] = raw.explain.map(withBody)
