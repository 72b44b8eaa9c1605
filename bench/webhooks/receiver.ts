// A receiver in a process of its own, as cheap as one can be in Node, so that what is measured is the sender.
// Started by startReceiver below. It answers every request 200 after `delayMs`; below /hang it never answers.
// Tells its parent how many requests came, and of paths below /timed when they came (monotonic ms, as all processes see).
import { fork } from 'node:child_process'
import { type AddressInfo, createServer } from 'node:net'

export interface BenchReceiver {
  port: number
  /** Requests so far, and the times of those below /timed by the rest of their path. */
  ask(): Promise<{ requests: number; timed: [string, number][] }>
  stop(): void
}

/** Milliseconds on the clock that all processes of this machine share. */
export const machineMs = (): number => Number(process.hrtime.bigint() / 1_000n) / 1_000

export async function startReceiver(delayMs = 0): Promise<BenchReceiver> {
  const child = fork(import.meta.filename, [String(delayMs)], { stdio: 'inherit' })
  const next = () => new Promise<unknown>((resolve) => child.once('message', resolve))
  const port = (await next()) as number
  return {
    port,
    async ask() {
      const answer = next()
      child.send('ask')
      return (await answer) as { requests: number; timed: [string, number][] }
    },
    stop: () => void child.kill(),
  }
}

function serve(delayMs: number): void {
  const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'
  let requests = 0
  let timed: [string, number][] = []
  const server = createServer({ noDelay: true }, (socket) => {
    let held = ''
    socket.on('error', () => undefined)
    socket.setEncoding('latin1')
    socket.on('data', (chunk: string) => {
      held += chunk
      for (;;) {
        const end = held.indexOf('\r\n\r\n')
        if (end < 0) return
        const length = /content-length: (\d+)/i.exec(held.slice(0, end))?.[1] ?? '0'
        const total = end + 4 + Number(length)
        if (held.length < total) return
        const path = held.slice(5, held.indexOf(' ', 5))
        held = held.slice(total)
        requests += 1
        if (path.startsWith('/timed/')) timed.push([path.slice(7), machineMs()])
        if (path.startsWith('/hang')) continue
        if (delayMs === 0) socket.write(ok)
        else setTimeout(() => socket.write(ok), delayMs)
      }
    })
  })
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
  process.on('message', () => {
    process.send?.({ requests, timed })
    timed = []
  })
  process.on('disconnect', () => process.exit(0))
}

if (process.argv[1] === import.meta.filename) serve(Number(process.argv[2]))
