// A shop on loopback: the page that payers come back to, and the receiver of its webhooks, which first fails.
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'

export interface Shop {
  origin: string
  /** What the next webhooks are answered with. */
  answer(status: number): void
  /** What came, in its order. */
  received: { headers: IncomingHttpHeaders; body: string }[]
  close(): Promise<void>
}

export async function openShop(): Promise<Shop> {
  const received: Shop['received'] = []
  let status = 200
  const server = createServer((request, response) => {
    if (request.method === 'POST') {
      let body = ''
      request.setEncoding('utf8')
      request.on('data', (chunk: string) => {
        body += chunk
      })
      request.on('end', () => {
        received.push({ headers: request.headers, body })
        response.writeHead(status).end(status === 200 ? 'got it' : 'the shop is being rebuilt')
      })
      return
    }
    if (request.url === '/favicon.ico') return void response.writeHead(204).end()
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><html lang="en"><h1>Thank you</h1>')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('no port')
  return {
    origin: `http://127.0.0.1:${address.port}`,
    answer: (next) => {
      status = next
    },
    received,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
