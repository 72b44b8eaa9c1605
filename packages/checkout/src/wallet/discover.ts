// Which wallets live in this browser: those that announce themselves (EIP-6963), else the one object that older
// wallets leave on the window. Names and drawings come from extensions: text stays text, a drawing is only ever an image.

/** What a wallet answers requests with (EIP-1193). */
export interface Provider {
  request(call: { method: string; params?: readonly unknown[] }): Promise<unknown>
}

export interface Wallet {
  id: string
  /** null: it said no name. */
  name: string | null
  /** A data: image, or null. */
  icon: string | null
  provider: Provider
}

export interface Wallets {
  get(): readonly Wallet[]
  subscribe(onChange: () => void): () => void
}

/** More than anybody has; a page script that announces on and on fills no list. */
const WALLETS_MAX = 20
const NAME_MAX = 40

/** While somebody listens, all wallets are asked to announce themselves, and those that do so later are heard too. */
export function watchWallets(page: EventTarget & { ethereum?: unknown }): Wallets {
  let announced: readonly Wallet[] = []
  const fallback: readonly Wallet[] = isProvider(page.ethereum)
    ? [{ id: 'window.ethereum', name: null, icon: null, provider: page.ethereum }]
    : []
  const listeners = new Set<() => void>()
  const hear = (event: Event): void => {
    const wallet = walletOf('detail' in event ? event.detail : null)
    if (wallet === null || announced.length >= WALLETS_MAX) return
    if (announced.some((known) => known.id === wallet.id)) return
    announced = [...announced, wallet]
    for (const listener of listeners) listener()
  }
  return {
    get: () => (announced.length > 0 ? announced : fallback),
    subscribe(onChange) {
      listeners.add(onChange)
      page.addEventListener('eip6963:announceProvider', hear)
      page.dispatchEvent(new Event('eip6963:requestProvider'))
      return () => {
        listeners.delete(onChange)
        if (listeners.size === 0) page.removeEventListener('eip6963:announceProvider', hear)
      }
    },
  }
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

const isProvider = (value: unknown): value is Provider => isObject(value) && typeof value.request === 'function'

function walletOf(detail: unknown): Wallet | null {
  if (!isObject(detail) || !isObject(detail.info) || !isProvider(detail.provider)) return null
  const { uuid, name, icon } = detail.info
  if (typeof uuid !== 'string' || typeof name !== 'string' || name.trim() === '') return null
  const isImage = typeof icon === 'string' && /^data:image\/[a-z+.-]+[;,]/i.test(icon)
  return { id: uuid, name: name.trim().slice(0, NAME_MAX), icon: isImage ? icon : null, provider: detail.provider }
}
