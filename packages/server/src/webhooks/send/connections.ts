// The open connections: one undici client each, one request at a time, kept for the next delivery to the same receiver.
// A small pool of our own, because only then is it known whether a connection is being reused: if the receiver has just
// closed a reused one, that costs a silent reconnect and not one of five attempts.
import { Client } from 'undici'
import type { Dial, Dialler } from './target.ts'

export interface Connection {
  readonly origin: string
  readonly client: Client
  /** null until undici requested the connection. */
  dial: Dial | null
  /** Requests that were answered on it. */
  used: number
  /** Closes it, whatever its state. */
  kill(): void
}

export interface Connections {
  /** An idle open one, most recently used first, or a new one. */
  take(origin: string): Connection
  fresh(origin: string): Connection
  /** After a complete answer: keeps it for the next request. */
  keep(connection: Connection): void
  idle(): number
  close(): Promise<void>
}

/** Below the 5 s after which Node servers close, the shortest among common ones. */
const KEEP_ALIVE_MS = 4_000
const HEADERS_MAX_BYTES = 16 * 1024

/** @param idleMax idle connections kept in all; beyond it the longest idle one is closed. */
export function makeConnections(dial: Dialler, idleMax: number): Connections {
  const idleOf = new Map<string, Connection[]>()
  // The same connections in the order in which they became idle.
  const idle = new Set<Connection>()

  const forget = (connection: Connection): void => {
    const list = idleOf.get(connection.origin)
    if (list === undefined || !idle.delete(connection)) return
    // Nearly always the last one.
    list.splice(list.lastIndexOf(connection), 1)
    if (list.length === 0) idleOf.delete(connection.origin)
  }

  const fresh = (origin: string): Connection => {
    const url = new URL(origin)
    const isTls = url.protocol === 'https:'
    const target = {
      hostname: url.hostname.replace(/^\[|\]$/g, ''),
      port: url.port === '' ? (isTls ? 443 : 80) : Number(url.port),
      isTls,
    }
    const connection: Connection = {
      origin,
      dial: null,
      used: 0,
      kill() {
        forget(connection)
        connection.dial?.kill()
        client.destroy().catch(() => undefined)
      },
      client: new Client(origin, {
        connect: (_options, done) => {
          connection.dial = dial(target, (error, socket) =>
            socket ? done(null, socket) : done(error ?? new Error(), null),
          )
        },
        allowH2: false,
        pipelining: 1,
        keepAliveTimeout: KEEP_ALIVE_MS,
        keepAliveMaxTimeout: KEEP_ALIVE_MS,
        maxHeaderSize: HEADERS_MAX_BYTES,
        // The one deadline of send.ts covers all of it; these only apply between two chunks.
        headersTimeout: 0,
        bodyTimeout: 0,
      }),
    }
    const { client } = connection
    // Closed by the receiver or by its keep-alive timeout while idle.
    client.on('disconnect', () => connection.kill())
    return connection
  }

  return {
    fresh,
    take(origin) {
      const found = idleOf.get(origin)?.at(-1)
      if (found === undefined) return fresh(origin)
      forget(found)
      return found
    },
    keep(connection) {
      if (connection.client.destroyed) return
      connection.used += 1
      const list = idleOf.get(connection.origin) ?? []
      list.push(connection)
      idleOf.set(connection.origin, list)
      idle.add(connection)
      const [oldest] = idle
      if (idle.size > idleMax) oldest?.kill()
    },
    idle: () => idle.size,
    async close() {
      for (const connection of [...idle]) connection.kill()
    },
  }
}
