// The Idempotency-Key of a request (contract.md 4.1): the key, and the hash of the body that it stands for.
import { IDEMPOTENCY_KEY_MAX } from '@florin/protocol'
import type { FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'
import { sha256 } from '../secrets.ts'

export interface IdempotentRequest {
  key: string
  bodyHash: Uint8Array
}

/**
 * @param call what is called, where several calls share the keys: a key of one is no key of another.
 * @returns null where the request has none. @throws AppError malformed_idempotency_key
 */
export function readIdempotencyKey(request: FastifyRequest, call = ''): IdempotentRequest | null {
  const key = request.headers['idempotency-key']
  if (key === undefined) return null
  if (typeof key !== 'string' || key.length > IDEMPOTENCY_KEY_MAX || !/^[\x20-\x7e]+$/.test(key)) {
    throw new AppError('malformed_idempotency_key', { param: 'Idempotency-Key' })
  }
  return { key, bodyHash: sha256(call + canonical(request.body)) }
}

/** The same where a row keeps it: hashes, since a key may be any text. */
export interface Once {
  key: string
  body: string
  /** Called where the answer is of the first request. */
  onReplay?: () => void
}

/** @param owner whose keys they are: an API key, or a merchant in the console. */
export function onceOf(owner: string, idempotent: IdempotentRequest | null, onReplay: () => void): Once | null {
  if (idempotent === null) return null
  const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
  return { key: hex(sha256(`${owner} ${idempotent.key}`)), body: hex(idempotent.bodyHash), onReplay }
}

/** There is one with this key: the request gets it. @throws AppError idempotency_key_reused where it came with another body. */
export function requireSameBody(known: Pick<Once, 'body'>, asked: Once): void {
  if (known.body !== asked.body) throw new AppError('idempotency_key_reused', { param: 'Idempotency-Key' })
  asked.onReplay?.()
}

/** The order of fields does not matter: the same fields rearranged are the same body. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )
}
