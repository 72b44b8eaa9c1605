// A wire between a client and PostgreSQL that a test can cut or let fall silent. Cut, every connection is reset at once: what
// a failover, or a pooler that restarts, looks like to a client. Silent, bytes vanish and nothing is closed: what a lost
// route or a firewall that forgot looks like. Until it is mended new connections fare the same.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

interface Pair {
  near: Socket
  far: Socket
  isSilent: boolean
}

export interface Wire {
  /** The same database, over the wire. */
  url: string
  cut(): void
  silence(): void
  /** For new connections; one that fell silent stays so. */
  mend(): void
}

export async function aWire(t: { after(close: () => void): void }, databaseUrl: string): Promise<Wire> {
  const real = new URL(databaseUrl)
  const pairs = new Set<Pair>()
  let state: 'whole' | 'cut' | 'silent' = 'whole'
  const server = createServer((near) => {
    near.on('error', () => undefined)
    if (state === 'cut') {
      near.resetAndDestroy()
      return
    }
    const far = connect(Number(real.port), real.hostname)
    far.on('error', () => undefined)
    const pair = { near, far, isSilent: state === 'silent' }
    pairs.add(pair)
    near.on('data', (bytes) => pair.isSilent || far.write(bytes))
    far.on('data', (bytes) => pair.isSilent || near.write(bytes))
    for (const socket of [near, far]) {
      socket.on('close', () => {
        if (pair.isSilent) return
        pairs.delete(pair)
        near.destroy()
        far.destroy()
      })
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    for (const { near, far } of pairs) {
      near.destroy()
      far.destroy()
    }
    server.close()
  })
  return {
    url: Object.assign(new URL(databaseUrl), { host: `127.0.0.1:${(server.address() as AddressInfo).port}` }).href,
    cut() {
      state = 'cut'
      for (const { near, far } of pairs) {
        near.resetAndDestroy()
        far.destroy()
      }
    },
    silence() {
      state = 'silent'
      for (const pair of pairs) pair.isSilent = true
    },
    mend() {
      state = 'whole'
    },
  }
}
