// The load of a benchmark: so many connections, each sending its next request when it has its answer.
import { Pool } from 'undici'

export interface Request {
  method: 'GET' | 'POST'
  path: string
  headers: Record<string, string>
  body?: string
}

/** Throws when an answer is not of the status that was expected. */
export async function measure(
  origin: string,
  makeRequest: (n: number) => Request,
  a: { connections: number; seconds: number; status: number },
): Promise<{ sent: number; seconds: number }> {
  const pool = new Pool(origin, { connections: a.connections, pipelining: 1 })
  let sent = 0
  const until = performance.now() + a.seconds * 1000
  const began = performance.now()
  const worker = async (): Promise<void> => {
    while (performance.now() < until) {
      const { method, path, headers, body } = makeRequest(sent++)
      const answer = await pool.request({ method, path, headers, ...(body === undefined ? {} : { body }) })
      await answer.body.dump()
      if (answer.statusCode !== a.status) throw new Error(`${method} ${path} answered ${answer.statusCode}`)
    }
  }
  await Promise.all(Array.from({ length: a.connections }, worker))
  const seconds = (performance.now() - began) / 1000
  await pool.close()
  return { sent, seconds }
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}
