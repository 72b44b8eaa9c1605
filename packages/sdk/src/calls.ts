// What the calls of the client have in common: ids in paths, keys, reads and lists.
import { randomUUID } from 'node:crypto'
import { IDEMPOTENCY_KEY_MAX } from '@florin/protocol'
import { List, type Page } from './pages.ts'
import type { Call, CallOptions, Query, Transport } from './transport.ts'

/** One id in a path. Anything else could name another call, or the list where an id is missing. */
export function segment(id: string, what: string): string {
  if (typeof id === 'string' && /^[\w-]+$/.test(id)) return id
  throw new TypeError(`${what} is not an id such as the service gives out.`)
}

export function idempotencyKey(key: string): string {
  if (key.length <= IDEMPOTENCY_KEY_MAX && /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(key)) return key
  throw new TypeError(`idempotencyKey takes 1 to ${IDEMPOTENCY_KEY_MAX} printable ASCII characters.`)
}

export type CreateOptions = CallOptions & { idempotencyKey?: string | undefined }

/** A POST that makes a thing: every try of it carries the same key, so one thing comes of it. */
export const creation = (path: string, body: object, options: CreateOptions): Call => ({
  ...{ method: 'POST', path, body, repeatable: true },
  headers: { 'idempotency-key': idempotencyKey(options.idempotencyKey ?? randomUUID()) },
})

export const read = (path: string, query: Query = {}): Call => ({ method: 'GET', path, query, repeatable: true })

export function listOf<Item>(
  transport: Transport,
  path: string,
  filters: Query & { cursor?: string | undefined },
  options?: CallOptions,
): List<Item> {
  const { cursor: start, ...rest } = filters
  return new List<Item>(start, (cursor) => transport.send<Page<Item>>(read(path, { ...rest, cursor }), options))
}
