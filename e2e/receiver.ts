// A merchant's receiver on loopback: keeps every request with its raw bytes and answers as it is told.

import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'

export interface Received {
  path: string
  headers: IncomingHttpHeaders
  /** The bytes as they came. */
  body: Buffer
  event: {
    id: string
    event: string
    created_at: string
    order: Record<string, unknown> & { order_no: string; status: string; version: number }
  }
}

export interface Receiver {
  url: string
  received: Received[]
  of(orderNo: string): Received[]
  close(): Promise<void>
}

/** @param answer decides by what came and how often this event came before. Default: 200. */
export async function startReceiver(
  answer: (received: Received, before: number, response: ServerResponse) => void = (_r, _n, response) =>
    void response.end(),
): Promise<Receiver> {
  const received: Received[] = []
  const times = new Map<string, number>()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks)
      const one: Received = {
        path: request.url ?? '',
        headers: request.headers,
        body,
        event: JSON.parse(body.toString('utf8')) as Received['event'],
      }
      const before = times.get(one.event.id) ?? 0
      times.set(one.event.id, before + 1)
      received.push(one)
      answer(one, before, response)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    received,
    of: (orderNo) => received.filter((one) => one.event.order.order_no === orderNo),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
