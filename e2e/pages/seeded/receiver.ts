// The receiver of the seeded merchants' webhooks: it takes what goes to /webhooks, and fails at /down.
import { once } from 'node:events'
import { createServer } from 'node:http'

export interface Receiver {
  up: string
  down: string
  close(): Promise<void>
}

export async function openReceiver(): Promise<Receiver> {
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(request.url === '/down' ? 503 : 200).end(request.url === '/down' ? 'being rebuilt' : 'ok')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const origin = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
  return {
    ...{ up: `${origin}/webhooks`, down: `${origin}/down` },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
