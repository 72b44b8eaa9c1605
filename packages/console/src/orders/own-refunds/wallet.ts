// A wallet of this browser (EIP-1193) that pays a transaction which the server wrote, and an amount as it is typed.
import { parseUnits } from '@florin/protocol'

interface Wallet {
  request(call: { method: string; params?: readonly unknown[] }): Promise<unknown>
}

export const walletOf = (): Wallet | null => {
  const found = (globalThis as { ethereum?: Wallet }).ethereum
  return typeof found?.request === 'function' ? found : null
}

/** @returns the transaction's hash. @throws what the wallet says, or that there is none. */
export async function sendWithWallet(a: {
  chain_id: number
  to: string
  data: string
  value: string
}): Promise<string> {
  const wallet = walletOf()
  if (wallet === null) throw new Error('There is no wallet in this browser.')
  const [from] = (await wallet.request({ method: 'eth_requestAccounts' })) as string[]
  const chainId = `0x${a.chain_id.toString(16)}`
  const now = await wallet.request({ method: 'eth_chainId' })
  if (String(now).toLowerCase() !== chainId) {
    await wallet.request({ method: 'wallet_switchEthereumChain', params: [{ chainId }] })
  }
  const { to, data, value } = a
  return String(await wallet.request({ method: 'eth_sendTransaction', params: [{ from, to, data, value }] }))
}

/** Smallest units as text; a comma is a point. null: it is no such amount. */
export function parseAmount(text: string, decimals: number): string | null {
  const plain = text.trim().replace(',', '.')
  if (!/^\d{1,30}(\.\d{1,30})?$/.test(plain)) return null
  try {
    const units = parseUnits(plain, decimals)
    return BigInt(units) > 0n ? String(units) : null
  } catch {
    return null
  }
}
