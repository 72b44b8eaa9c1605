// The merchant's side in tests: a real server on loopback that does to a webhook what it is told, byte by byte.
// It reads requests itself, so that it can break every rule of HTTP and so that what arrived is what was sent.
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import type { TestContext } from 'node:test'
import { createServer as createTlsServer, type TlsOptions } from 'node:tls'

export interface Received {
  method: string
  path: string
  /** Names in lower case. */
  headers: Record<string, string>
  body: Buffer
  /** Counted from 1 over all connections. */
  n: number
  atMs: number
}

/** What is done with one request. */
export type Answer = (socket: Socket, request: Received) => void

export interface Receiver {
  readonly port: number
  /** `http://127.0.0.1:<port>/hook`, or https where certificates were given. */
  readonly url: string
  readonly requests: Received[]
  /** Connections ever accepted, and those open now. */
  readonly accepted: number
  readonly open: number
  /** From now on. A list is used in turn, its last one for all further requests. */
  answer(...answers: Answer[]): void
  /** Resolves once `n` requests have arrived in all. */
  received(n: number): Promise<Received[]>
  close(): Promise<void>
}

/** Each further request that is waited for. */
const RECEIVED_WITHIN_MS = 60_000

export interface ReceiverOptions {
  /** Loopback only; 127.0.0.1 where left out. */
  host?: string
  port?: number
  tls?: TlsOptions
}

export async function receiver(t: TestContext, options: ReceiverOptions = {}, ...answers: Answer[]): Promise<Receiver> {
  const made = await startReceiver(options, ...answers)
  t.after(() => made.close())
  return made
}

export async function startReceiver(options: ReceiverOptions = {}, ...first: Answer[]): Promise<Receiver> {
  let answers = first.length === 0 ? [ok] : first
  const requests: Received[] = []
  const sockets = new Set<Socket>()
  const waiting = new Set<() => void>()
  let accepted = 0

  const onSocket = (socket: Socket): void => {
    accepted += 1
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
    readRequests(socket, (read) => {
      const request = { ...read, n: requests.length + 1, atMs: performance.now() }
      requests.push(request)
      const answer = answers.length > 1 ? answers.shift() : answers[0]
      answer?.(socket, request)
      for (const check of [...waiting]) check()
    })
  }
  const server: Server = options.tls ? createTlsServer(options.tls, onSocket) : createServer(onSocket)
  server.on('tlsClientError', () => undefined)
  const host = options.host ?? '127.0.0.1'
  server.listen(options.port ?? 0, host)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  return {
    port,
    url: `${options.tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}/hook`,
    requests,
    get accepted() {
      return accepted
    },
    get open() {
      return sockets.size
    },
    answer(...next) {
      answers = next
    },
    async received(n) {
      while (requests.length < n) {
        const { promise, resolve, reject } = Promise.withResolvers<void>()
        const late = () => reject(new Error(`${requests.length} of ${n} requests came within ${RECEIVED_WITHIN_MS} ms`))
        const timer = setTimeout(late, RECEIVED_WITHIN_MS)
        waiting.add(resolve)
        try {
          await promise
        } finally {
          clearTimeout(timer)
          waiting.delete(resolve)
        }
      }
      return requests
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      if (!server.listening) return
      server.close()
      await once(server, 'close')
    },
  }
}

type Read = Pick<Received, 'method' | 'path' | 'headers' | 'body'>

function readRequests(socket: Socket, onRequest: (request: Read) => void): void {
  let held = Buffer.alloc(0)
  socket.on('data', (chunk: Buffer) => {
    held = Buffer.concat([held, chunk])
    for (;;) {
      const end = held.indexOf('\r\n\r\n')
      if (end < 0) return
      const [line = '', ...lines] = held.subarray(0, end).toString('latin1').split('\r\n')
      const headers: Record<string, string> = {}
      for (const header of lines) {
        const colon = header.indexOf(':')
        headers[header.slice(0, colon).toLowerCase()] = header.slice(colon + 1).trim()
      }
      const total = end + 4 + Number(headers['content-length'] ?? 0)
      if (held.length < total) return
      const body = Buffer.from(held.subarray(end + 4, total))
      held = held.subarray(total)
      const [method = '', path = ''] = line.split(' ')
      onRequest({ method, path, headers, body })
    }
  })
}

const head = (status: number, more = ''): string => `HTTP/1.1 ${status} Whatever\r\n${more}`

/** A complete answer; the connection stays open for the next request. */
export const status =
  (code: number, body = '', more = ''): Answer =>
  (socket) =>
    socket.write(`${head(code, more)}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)

export const ok: Answer = status(200, 'ok')

/** Takes the request and never answers. */
export const hang: Answer = () => undefined

/** Answers after a while. */
export const after =
  (ms: number, then: Answer): Answer =>
  (socket, request) => {
    const timer = setTimeout(() => then(socket, request), ms)
    socket.on('close', () => clearTimeout(timer))
  }

const repeat = (socket: Socket, everyMs: number, bytes: string): void => {
  const timer = setInterval(() => socket.write(bytes), everyMs)
  socket.on('close', () => clearInterval(timer))
}

export const dripHeaders: Answer = (socket) => {
  socket.write(`${head(200)}X-Slow: `)
  repeat(socket, 50, 'y')
}

export const dripBody: Answer = (socket) => {
  socket.write(`${head(200)}Content-Length: 1000000\r\n\r\n`)
  repeat(socket, 50, 'x')
}

export const endless1xx: Answer = (socket) => repeat(socket, 20, 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n')

export const headerFlood: Answer = (socket) => {
  socket.write(head(200))
  for (let i = 0; i < 2_000; i++) socket.write(`X-Flood-${i}: ${'z'.repeat(100)}\r\n`)
}

/** Sends a body as fast as it is taken, without end. `declared`: with a length of 10 GB, else in chunks. */
export const bodyBomb =
  (declared: boolean): Answer =>
  (socket) => {
    const piece = Buffer.alloc(65_536, 'b')
    const chunk = declared ? piece : Buffer.concat([Buffer.from('10000\r\n'), piece, Buffer.from('\r\n')])
    socket.write(`${head(200)}${declared ? 'Content-Length: 10000000000' : 'Transfer-Encoding: chunked'}\r\n\r\n`)
    const pour = (): void => {
      while (!socket.destroyed && socket.write(chunk));
    }
    socket.on('drain', pour)
    pour()
  }

/** What a decompressing client would blow up to fifty megabytes. */
export const gzipBomb =
  (zipped: Buffer): Answer =>
  (socket) => {
    socket.write(`${head(200)}Content-Encoding: gzip\r\nContent-Length: ${zipped.length}\r\n\r\n`)
    socket.write(zipped)
  }

export const chunkGarbage: Answer = (socket) =>
  socket.write(`${head(200)}Transfer-Encoding: chunked\r\n\r\nzzzz\r\nnot a chunk`)
export const notHttp: Answer = (socket) => socket.write('220 mail.example ESMTP ready\r\n')
export const reset: Answer = (socket) => void socket.resetAndDestroy()
/** Ends its side without an answer and keeps reading. */
export const halfClose: Answer = (socket) => void socket.end()
export const redirect = (to: string): Answer => status(307, '', `Location: ${to}\r\n`)

/** Answers once, then closes the connection as soon as the next request arrives on it. */
export const closesNext = (): Answer => {
  const seen = new Set<Socket>()
  return (socket, request) => {
    if (seen.has(socket)) return void socket.destroy()
    seen.add(socket)
    ok(socket, request)
  }
}
