// HTTP to a node of a chain: bounded in time and size, never redirected. A key in its address gets into no error.
import { AnswerTooLong, askServer } from '@florin/platform/ask'

const ANSWER_MAX_BYTES = 4 << 20

/** It does not answer as a node does; says nothing of what was asked about. */
export class NodeAway extends Error {}

export type Json = Readonly<Record<string, unknown>>
export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
export const listOf = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : [])

/** @returns null: it knows nothing of it. @throws NodeAway */
export type AskNode = (path: string, body?: unknown) => Promise<unknown>

export function nodeAt(url: string, timeoutMs: number): AskNode {
  return (path, body) => ask(`${url}${path}`, timeoutMs, body)
}

/** Its result. @throws NodeAway */
export async function rpc(node: AskNode, method: string, params: readonly unknown[]): Promise<unknown> {
  const answer = await node('', { jsonrpc: '2.0', id: 1, method, params })
  if (isObject(answer) && isObject(answer.error)) throw new NodeAway('it refused what was asked')
  if (isObject(answer) && 'result' in answer) return answer.result
  throw new NodeAway('it answered without a result')
}

async function ask(url: string, timeoutMs: number, body: unknown): Promise<unknown> {
  try {
    const answer = await askServer({
      ...{ url, timeoutMs, maxBytes: ANSWER_MAX_BYTES },
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    })
    if (answer.status === 404) return null
    if (answer.status !== 200) throw new NodeAway(`it answered ${answer.status}`)
    return JSON.parse(answer.body.toString('utf8'))
  } catch (error) {
    if (error instanceof NodeAway) throw error
    if (error instanceof AnswerTooLong) throw new NodeAway(error.message)
    throw new NodeAway('it does not answer with JSON')
  }
}
