// A provider that stands before a real node and lies: empty lists, refusals, silence, as a test wants.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'

interface Call {
  id: number
  method: string
  params: readonly unknown[]
}

/** null: the truth. A number is the status of an answer without a body. */
export type Lie = (call: Call) => { result: unknown } | { error: { code: number; message: string } } | number | null

export interface LyingNode {
  url: string
  /** How often it lied. */
  lies(): number
}

export async function aLyingNode(t: TestContext, truth: string, lie: Lie): Promise<LyingNode> {
  let lies = 0
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request.setEncoding('utf8')) text += String(chunk)
    const call: Call = { params: [], ...(JSON.parse(text) as Omit<Call, 'params'>) }
    const answer = lie(call)
    if (answer !== null) lies++
    if (typeof answer === 'number') {
      response.writeHead(answer).end()
      return
    }
    const headers = { 'content-type': 'application/json' }
    const body =
      answer === null
        ? await (await fetch(truth, { method: 'POST', headers, body: text })).text()
        : JSON.stringify({ jsonrpc: '2.0', id: call.id, ...answer })
    response.writeHead(200, headers).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, lies: () => lies }
}
