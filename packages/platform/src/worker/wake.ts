// Signals from "a row was written" to "the job that handles it". They only shorten waiting: a lost wake costs one
// polling interval, never the work.

export interface Wake {
  fire(): void
  /** @returns a function that stops listening. */
  on(listener: () => void): () => void
}

export function makeWake(): Wake {
  const listeners = new Set<() => void>()
  return {
    fire() {
      for (const listener of listeners) listener()
    },
    on(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
