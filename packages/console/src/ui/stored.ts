// Small settings that the browser remembers. Storage may be forbidden or hold what another version wrote, so each
// value is parsed and has a default.
import { useSyncExternalStore } from 'react'

export interface Stored<T> {
  get(): T
  set(value: T): void
  use(): T
}

export function stored<T extends string>(key: string, allowed: readonly T[], initial: T): Stored<T> {
  const listeners = new Set<() => void>()
  let value = read()

  function read(): T {
    try {
      const text = localStorage.getItem(key)
      return allowed.find((each) => each === text) ?? initial
    } catch {
      return initial
    }
  }

  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  const get = () => value

  return {
    get,
    set(next) {
      value = next
      try {
        localStorage.setItem(key, next)
      } catch {
        // The choice then lasts as long as the page.
      }
      for (const listener of listeners) listener()
    },
    use: () => useSyncExternalStore(subscribe, get),
  }
}
