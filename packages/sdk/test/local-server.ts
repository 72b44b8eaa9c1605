// A scripted HTTP server on loopback that answers as contract.md says; each test gives it the answers it is about.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { type ErrorCode, errorTable } from '@florin/protocol'

export interface Received {
  method: string
  path: string
  query: URLSearchParams
  headers: IncomingHttpHeaders
  body: string
  /** When it arrived, in milliseconds of `performance.now()`. */
  atMs: number
}

/** Gets each request with its number, counted from 1. */
export type Script = (request: Received, response: ServerResponse, count: number) => void

export async function localServer(t: TestContext, script: Script): Promise<{ baseUrl: string; received: Received[] }> {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    const atMs = performance.now()
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://local')
    const { method = '', headers } = request
    const body = Buffer.concat(chunks).toString()
    received.push({ method, path: pathname, query: searchParams, headers, body, atMs })
    script(received.at(-1) as Received, response, received.length)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received }
}

export function answer(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'req_1', ...headers })
  response.end(JSON.stringify(body))
}

/** An error as contract.md 8 shapes it. */
export function fail(
  response: ServerResponse,
  code: ErrorCode,
  headers: Record<string, string> = {},
  param: string | null = null,
) {
  const { status, type, message } = errorTable[code]
  answer(response, status, { error: { type, code, message, param, request_id: 'req_1' } }, headers)
}

export function drop(response: ServerResponse): void {
  response.destroy()
}
