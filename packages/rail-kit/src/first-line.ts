import { RpcRequestError } from 'viem'

/** viem's messages go on with the request. */
export function firstLine(error: unknown): string {
  const text = error instanceof RpcRequestError ? error.details : error instanceof Error ? error.message : String(error)
  return text.split('\n')[0]?.slice(0, 200) ?? ''
}
