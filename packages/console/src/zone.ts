// The time zone that days and times of the console are of: the merchant's. Until that is read, the one of the last visit; where none
// was ever set, or this browser does not know it, the browser's own.
import { timeZoneNamed, zoneOr } from '@florin/protocol'
import { useSyncExternalStore } from 'react'

const storageKey = 'florin.zone'
const listeners = new Set<() => void>()

/** Some browsers call theirs what no zone is called. */
export const browserZone = (): string => zoneOr(new Intl.DateTimeFormat().resolvedOptions().timeZone)

const orBrowsers = (name: string | null): string => (name === null ? null : timeZoneNamed(name)) ?? browserZone()

let current = read()

function read(): string {
  try {
    return orBrowsers(localStorage.getItem(storageKey))
  } catch {
    return browserZone()
  }
}

/** @param name what the merchant set; null: nothing. */
export function setZone(name: string | null): void {
  current = orBrowsers(name)
  try {
    localStorage.setItem(storageKey, current)
  } catch {
    // The stored zone is read again with the merchant.
  }
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useZone = (): string => useSyncExternalStore(subscribe, () => current)
