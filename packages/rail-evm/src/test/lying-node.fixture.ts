// A provider that stands before a real node and lies as a test wants: it invents, leaves out, contradicts, stands still,
// goes back, is slow or silent, or answers without end. It may also lie about what the node said.
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { setImmediate } from 'node:timers/promises'

export interface Call {
  id: number
  method: string
  params: readonly unknown[]
}

/**
 * null: the truth. A number is the status of an answer without a body. `bytes`: so much of a body, with its length told
 * or not. `never`: no answer. `edit`: what to make of the truth.
 */
export type Lie = (
  call: Call,
) =>
  | { result: unknown }
  | { error: { code: number; message: string; data?: string } }
  | { bytes: number; isTold: boolean }
  | { edit: (result: unknown) => unknown }
  | 'never'
  | number
  | null

export interface LyingNode {
  url: string
  /** How often it lied. */
  lies(): number
}

export async function aLyingNode(t: TestContext, truth: string, lie: Lie): Promise<LyingNode> {
  let lies = 0
  const headers = { 'content-type': 'application/json' }
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request.setEncoding('utf8')) text += String(chunk)
    const call: Call = { params: [], ...(JSON.parse(text) as Omit<Call, 'params'>) }
    const answer = lie(call)
    if (answer !== null) lies++
    if (answer === 'never') return
    if (typeof answer === 'number') {
      response.writeHead(answer).end()
      return
    }
    if (answer !== null && 'bytes' in answer) return pour(response, answer)
    const ask = async (): Promise<string> => (await fetch(truth, { method: 'POST', headers, body: text })).text()
    const body =
      answer === null
        ? await ask()
        : 'edit' in answer
          ? edited(await ask(), answer.edit)
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

function edited(text: string, edit: (result: unknown) => unknown): string {
  const answer = JSON.parse(text) as { result?: unknown }
  return 'result' in answer ? JSON.stringify({ ...answer, result: edit(answer.result) }) : text
}

/** Until the reader has had enough. */
async function pour(response: ServerResponse, { bytes, isTold }: { bytes: number; isTold: boolean }): Promise<void> {
  response.writeHead(200, isTold ? { 'content-length': bytes } : {})
  const part = Buffer.alloc(65_536, '0')
  for (let sent = 0; sent < bytes && !response.destroyed; sent += part.length) {
    if (response.write(part)) continue
    while (response.writableNeedDrain && !response.destroyed) await setImmediate()
  }
  response.end()
}
