// JSON-RPC to the operator's own node, by user and password or by the cookie file, which changes whenever the node
// restarts. Only these few calls are made, so that a node can allow them alone (rpcwhitelist).
import { readFile } from 'node:fs/promises'
import type { NodeSettings } from '../settings/config.ts'
import { askHost, HostFailed } from './http.ts'

/** The node understood and refused: its number tells why. */
export class NodeRefused extends Error {
  readonly code: number
  constructor(message: string, code: number) {
    super(message)
    this.code = code
  }
}

export interface NodeRpc {
  call<T>(method: string, ...params: unknown[]): Promise<T>
  /** Many calls in one request; null where one of them was refused. */
  batch<T>(calls: readonly { method: string; params: readonly unknown[] }[]): Promise<(T | null)[]>
}

interface Answer {
  id: number
  result: unknown
  error: { code: number; message: string } | null
}

export function nodeRpc(node: NodeSettings, a: { timeoutMs: number }): NodeRpc {
  let cookie: string | null = null

  async function authorization(): Promise<string> {
    const { login } = node
    if (login.kind === 'user') return basic(`${login.user}:${login.password}`)
    cookie ??= (await readFile(login.file, 'utf8').catch(() => null))?.trim() ?? null
    if (cookie === null) throw new HostFailed(`${node.name}: its cookie file cannot be read; is the node running?`)
    return basic(cookie)
  }

  async function post(body: string, isAgain = false): Promise<Buffer> {
    const headers = { authorization: await authorization(), 'content-type': 'application/json' }
    const answer = await askHost({ name: node.name, url: node.url, method: 'POST', headers, body, ...a })
    if (answer.status === 401 && node.login.kind === 'cookie' && !isAgain) {
      cookie = null
      return post(body, true)
    }
    if (answer.status === 401) throw new HostFailed(`${node.name}: it refuses the user and password of the rails file`)
    if (answer.status === 403)
      throw new HostFailed(`${node.name}: it does not allow a call (rpcallowip, rpcwhitelist) that Florin needs`)
    if (answer.status === 503) throw new HostFailed(`${node.name}: too many calls wait for it (rpcworkqueue)`)
    // Refusals of Bitcoin's family come with 404 and 500, and a body.
    return answer.body
  }

  return {
    async call<T>(method: string, ...params: unknown[]): Promise<T> {
      const answer = parse(await post(JSON.stringify({ jsonrpc: '1.0', id: 0, method, params })), node.name) as Answer
      if (answer.error != null)
        throw new NodeRefused(`${node.name}: ${method}: ${answer.error.message}`, answer.error.code)
      return answer.result as T
    },
    async batch<T>(calls: readonly { method: string; params: readonly unknown[] }[]): Promise<(T | null)[]> {
      if (calls.length === 0) return []
      const body = JSON.stringify(calls.map((call, id) => ({ jsonrpc: '1.0', id, ...call })))
      const answers = parse(await post(body), node.name)
      if (!Array.isArray(answers)) throw new HostFailed(`${node.name}: it does not answer as a node does`)
      const found = new Map((answers as Answer[]).map((one) => [one.id, one.error == null ? (one.result as T) : null]))
      return calls.map((_, id) => found.get(id) ?? null)
    },
  }
}

const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`

/** Amounts are JSON numbers; they are kept as the text that was sent, so that no coin is counted in floating point. */
function parse(body: Buffer, name: string): unknown {
  try {
    const text = body.toString('utf8')
    // Only answers with amounts are walked through: a raw block is one long text.
    if (!text.includes('"value":')) return JSON.parse(text)
    return JSON.parse(text.replace(/"value":\s*(-?[\d.]+(?:[eE][-+]?\d+)?)/g, '"value":"$1"'))
  } catch {
    throw new HostFailed(`${name}: it does not answer in JSON`)
  }
}
