// Nodes of the payers' chains for tests: one that stands before another node and misbehaves as it is told.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'

export interface Call {
  id?: number
  method: string
  params: readonly unknown[]
}

/** `silence`: it never answers. A number: an HTTP status. `refusal`: a JSON-RPC error. Otherwise the result itself. */
export type Misdeed = 'silence' | 'refusal' | number | { result: unknown }

export interface Before {
  url: string
  /** Methods that it was asked for. */
  asked: string[]
  /** What it does instead of asking the node; null: it asks. */
  instead: (call: Call | Call[]) => Misdeed | null
  /** Ends it, as a node that is gone. */
  close(): void
}

/** @param node null: nobody stands behind it */
export async function aNodeBefore(t: TestContext, node: string | null): Promise<Before> {
  const before: Before = { url: '', asked: [], instead: () => null, close: () => undefined }
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const body = Buffer.concat(parts).toString('utf8')
    const call = (body === '' ? { method: request.url, params: [] } : JSON.parse(body)) as Call | Call[]
    before.asked.push(Array.isArray(call) ? `batch ${call[0]?.method}` : call.method)
    const misdeed = before.instead(call)
    if (misdeed === 'silence') return
    const send = (status: number, json: unknown): void => void response.writeHead(status).end(JSON.stringify(json))
    if (typeof misdeed === 'number') return send(misdeed, {})
    if (misdeed === 'refusal') return send(200, { id: 1, error: { code: -32005, message: 'query exceeds limit' } })
    if (misdeed !== null) return send(200, { id: 1, result: misdeed.result })
    if (node === null) return send(404, {})
    const answer = await fetch(node, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    send(answer.status, await answer.json())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  before.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  before.close = () => {
    server.closeAllConnections()
    server.close()
  }
  t.after(before.close)
  return before
}
