// The wallets of this browser: those that announce themselves (EIP-6963), and the one that stands in the window.
import type { Provider } from '../src/index.ts'

export interface Wallet {
  name: string
  provider: Provider
}

interface Announced extends Event {
  detail?: { info?: { uuid?: unknown; name?: unknown }; provider?: Provider }
}

/** Calls `onChange` with all that are known, now and whenever another one answers. */
export function findWallets(onChange: (wallets: readonly Wallet[]) => void): void {
  const known = new Map<string, Wallet>()
  const add = (id: string, name: string, provider: Provider): void => {
    if ([...known.values()].some((one) => one.provider === provider)) return
    known.set(id, { name, provider })
    onChange([...known.values()])
  }
  window.addEventListener('eip6963:announceProvider', (event: Announced) => {
    const { info, provider } = event.detail ?? {}
    if (provider !== undefined) add(String(info?.uuid), String(info?.name ?? 'Wallet').slice(0, 40), provider)
  })
  window.dispatchEvent(new Event('eip6963:requestProvider'))
  const injected = (window as { ethereum?: Provider }).ethereum
  if (injected !== undefined) add('window', 'Browser wallet', injected)
  onChange([...known.values()])
}
