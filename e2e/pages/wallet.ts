// A payer's wallet for pages under test: it announces itself as EIP-6963 says, answers as EIP-1193 says, and passes
// what it is asked for on to a real node, on which its account is unlocked. It begins on another network.
import type { BrowserContext } from 'playwright-core'

export interface TestWallet {
  /** Methods in the order they were asked for. */
  asked: string[]
  /** The next transaction is declined, as a person would. */
  declineNext(): void
  /** The next token transfer sends so much more than it was asked for, as a hand that types does. */
  addToNext(units: bigint): void
}

interface Call {
  method: string
  params: unknown[]
}

const ELSEWHERE = '0x1'

/** Must be called before a page is opened. @param a.rpc the node's address @param a.names under which it announces itself */
export async function giveWallet(
  context: BrowserContext,
  a: { rpc: string; account: string; names: readonly string[] },
): Promise<TestWallet> {
  const asked: string[] = []
  let chainId = ELSEWHERE
  let declines = false
  let more = 0n

  async function answer({ method, params }: Call): Promise<unknown> {
    asked.push(method)
    switch (method) {
      case 'eth_requestAccounts':
        return [a.account]
      case 'eth_chainId':
        return chainId
      case 'wallet_switchEthereumChain':
        chainId = (params as [{ chainId: string }])[0].chainId
        return null
      case 'eth_sendTransaction':
        if (!declines) return ask(method, params.map(withMore))
        declines = false
        throw Object.assign(new Error('The user declined.'), { code: 4001 })
      default:
        return ask(method, params)
    }
  }

  /** The amount is the last word of what a token's `transfer` is called with. */
  function withMore(transaction: unknown): unknown {
    if (more === 0n) return transaction
    const { data, ...rest } = transaction as { data: string }
    const amount = BigInt(`0x${data.slice(-64)}`) + more
    more = 0n
    return { ...rest, data: `${data.slice(0, -64)}${amount.toString(16).padStart(64, '0')}` }
  }

  async function ask(method: string, params: unknown[]): Promise<unknown> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const response = await fetch(a.rpc, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    const { result, error } = (await response.json()) as { result?: unknown; error?: { code: number; message: string } }
    if (error !== undefined) throw Object.assign(new Error(error.message), { code: error.code })
    return result
  }

  // The page's policy lets it ask nobody else, and it does not: the answer comes from outside, as from an extension.
  await context.exposeBinding('florinWallet', async (_source, call: Call) => {
    try {
      return { result: await answer(call) }
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : -32603
      return { error: { code, message: String(error) } }
    }
  })
  await context.addInitScript((names) => {
    type Answer = { result: unknown } | { error: { code: number; message: string } }
    const { florinWallet } = window as unknown as { florinWallet(call: unknown): Promise<Answer> }
    const provider = {
      async request({ method, params = [] }: { method: string; params?: unknown[] }) {
        const said = await florinWallet({ method, params })
        if ('error' in said) throw Object.assign(new Error(said.error.message), { code: said.error.code })
        return said.result
      },
    }
    const icon = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg"/>')}`
    const announce = (): void => {
      for (const [n, name] of names.entries()) {
        const info = Object.freeze({
          uuid: `0a1b2c3d-0000-4000-8000-00000000000${n}`,
          name,
          icon,
          rdns: 'example.wallet',
        })
        const detail = Object.freeze({ info, provider })
        window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
      }
    }
    window.addEventListener('eip6963:requestProvider', announce)
    announce()
  }, a.names)
  return {
    asked,
    declineNext: () => {
      declines = true
    },
    addToNext: (units) => {
      more = units
    },
  }
}
