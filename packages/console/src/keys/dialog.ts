// Whether the making of a key is open. The dialog hangs on the frame, not on a page: a page may change under it when
// the new key appears in its data, and would take the secrets that are shown once with it.
import { useSyncExternalStore } from 'react'

let isOpen = false
const listeners = new Set<() => void>()

function set(next: boolean): void {
  isOpen = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const keyDialog = {
  open: (): void => set(true),
  close: (): void => set(false),
  use: (): boolean => useSyncExternalStore(subscribe, () => isOpen),
}
