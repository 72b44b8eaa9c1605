// Asks one request after another on one connection, and says how long each took. A process of its own that holds next to nothing:
// in the benchmark's, full of plans and of what filling left, collecting took up to 12 ms of one answer in a hundred.
import { Agent, get } from 'node:http'

export interface Request {
  url: string
  headers: Record<string, string>
}

export type Asked = { ms: number[] } | { wrong: string }

const agent = new Agent({ keepAlive: true, maxSockets: 1 })

/** What was answered is received and not kept. @throws what it was, unless it is a 200 */
function ask({ url, headers }: Request): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, { headers, agent }, (reply) => {
      const pieces: Buffer[] = []
      const isWrong = reply.statusCode !== 200
      reply.on('data', (piece: Buffer) => isWrong && pieces.push(piece)).once('error', reject)
      reply.once('end', () =>
        isWrong ? reject(new Error(`${url}: ${reply.statusCode} ${Buffer.concat(pieces)}`)) : resolve(),
      )
    }).once('error', reject)
  })
}

async function timed(requests: readonly Request[]): Promise<Asked> {
  const ms: number[] = []
  try {
    for (const request of requests) {
      const began = performance.now()
      await ask(request)
      ms.push(performance.now() - began)
    }
    return { ms }
  } catch (error) {
    return { wrong: String(error) }
  }
}

process.on('message', async (requests: Request[]) => process.send?.(await timed(requests)))
