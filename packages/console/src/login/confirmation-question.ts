// Whether a mailed code is being asked for. A call that needs a fresh sign-in waits for the answer and is sent again;
// calls that meet the question side by side wait for the one answer.
import { useSyncExternalStore } from 'react'

let waiting: ((isConfirmed: boolean) => void)[] = []
const listeners = new Set<() => void>()

function tell(): void {
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const confirmationQuestion = {
  /** @returns whether the session was confirmed; at once no where no page could ask. */
  ask(): Promise<boolean> {
    if (listeners.size === 0) return Promise.resolve(false)
    return new Promise((resolve) => {
      waiting = [...waiting, resolve]
      tell()
    })
  },
  answer(isConfirmed: boolean): void {
    const asked = waiting
    waiting = []
    for (const resolve of asked) resolve(isConfirmed)
    tell()
  },
  use: (): boolean => useSyncExternalStore(subscribe, () => waiting.length > 0),
}
