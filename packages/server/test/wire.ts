// A wire between a client and PostgreSQL that a test can cut: every connection is reset at once, and until it is
// mended nobody gets a new one. What a failover, or a pooler that restarts, looks like to a client.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { TestContext } from 'node:test'

export interface Wire {
  /** The same database, over the wire. */
  url: string
  cut(): void
  mend(): void
}

export async function aWire(t: TestContext, databaseUrl: string): Promise<Wire> {
  const real = new URL(databaseUrl)
  const pairs = new Set<readonly [Socket, Socket]>()
  let isCut = false
  const server = createServer((near) => {
    near.on('error', () => undefined)
    if (isCut) {
      near.resetAndDestroy()
      return
    }
    const far = connect(Number(real.port), real.hostname)
    far.on('error', () => undefined)
    const pair = [near, far] as const
    pairs.add(pair)
    near.pipe(far).pipe(near)
    for (const socket of pair) {
      socket.on('close', () => {
        pairs.delete(pair)
        for (const each of pair) each.destroy()
      })
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    for (const pair of pairs) for (const socket of pair) socket.destroy()
    server.close()
  })
  return {
    url: Object.assign(new URL(databaseUrl), { host: `127.0.0.1:${(server.address() as AddressInfo).port}` }).href,
    cut() {
      isCut = true
      for (const [near, far] of pairs) {
        near.resetAndDestroy()
        far.destroy()
      }
    },
    mend() {
      isCut = false
    },
  }
}
