// A text signed by one account of a wallet (EIP-191, or a contract's own way). Total: whatever a wallet does is an answer.
import type { Provider } from './discover.ts'

export type Signed = { kind: 'signed'; signature: string } | { kind: 'not_signed' }

/** The wallet must hold this very account: no other can sign for it. */
export async function signByWallet(provider: Provider, account: string, text: string): Promise<Signed> {
  try {
    const accounts = await provider.request({ method: 'eth_requestAccounts' })
    const own = Array.isArray(accounts)
      ? accounts.find((one) => String(one).toLowerCase() === account.toLowerCase())
      : null
    if (typeof own !== 'string') return { kind: 'not_signed' }
    const bytes = new TextEncoder().encode(text)
    const hex = `0x${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
    const signature = await provider.request({ method: 'personal_sign', params: [hex, own] })
    const isHex = typeof signature === 'string' && /^0x([0-9a-f]{2})+$/i.test(signature)
    return isHex ? { kind: 'signed', signature } : { kind: 'not_signed' }
  } catch {
    return { kind: 'not_signed' }
  }
}
