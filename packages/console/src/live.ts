// The console's live updates: it follows the stream of changes and makes stale what they concern. After a gap
// everything on the screen is read again, because what happened meanwhile is not told twice.
import { type ConsoleChange, serverMessages } from '@florin/protocol'
import type { QueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { ApiError, boss } from './api.ts'
import { type Key, parseChange, staleAfter } from './query-keys.ts'
import { reconnectWait } from './reconnect.ts'

/** Changes within this time are one reading. */
const GATHER_MS = 400
const STATS_MS = 5_000
/** The server sends a comment at least every 15 s or so; a line that is silent for longer is dead. */
const SILENCE_MS = 60_000

export type LiveState = 'connecting' | 'open' | 'waiting'
let state: LiveState = 'connecting'
const listeners = new Set<() => void>()
function tell(next: LiveState): void {
  if (next === state) return
  state = next
  for (const listener of listeners) listener()
}
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useLiveState = (): LiveState => useSyncExternalStore(subscribe, () => state)

/** Follows the stream until the answer is called. */
export function followChanges(client: QueryClient): () => void {
  const stop = new AbortController()
  const refresh = makeRefresher(client, stop.signal)
  void follow(stop.signal, refresh, () => void client.invalidateQueries())
  return () => stop.abort()
}

async function follow(signal: AbortSignal, onChange: (change: ConsoleChange) => void, onGap: () => void) {
  let failures = 0
  let isFirst = true
  while (!signal.aborted) {
    try {
      tell('connecting')
      await readOnce(signal, onChange, () => {
        tell('open')
        if (!isFirst) onGap()
        isFirst = false
        failures = 0
      })
      failures = Math.max(1, failures)
    } catch (error) {
      if (signal.aborted) return
      // A refused token has ended the session, and with it this page.
      if (error instanceof ApiError && error.status === 401) return
      failures++
    }
    tell('waiting')
    await pause(reconnectWait(failures, Math.random()), signal)
  }
}

async function readOnce(outer: AbortSignal, onChange: (change: ConsoleChange) => void, onOpen: () => void) {
  const own = new AbortController()
  const { signal } = own
  outer.addEventListener('abort', () => own.abort(), { once: true, signal })
  const response = await boss.open('/stream', {}, { accept: 'text/event-stream', signal })
  onOpen()
  if (response.body === null) return
  let silence = setTimeout(() => own.abort(), SILENCE_MS)
  const heard = (): void => {
    clearTimeout(silence)
    silence = setTimeout(() => own.abort(), SILENCE_MS)
  }
  try {
    for await (const { event, data } of serverMessages(response.body, heard)) {
      const change = event === 'change' ? parseChange(data) : null
      if (change !== null) onChange(change)
    }
  } finally {
    clearTimeout(silence)
    own.abort()
  }
}

function makeRefresher(client: QueryClient, signal: AbortSignal): (change: ConsoleChange) => void {
  let gathered: ConsoleChange[] = []
  let later = new Map<string, Key>()
  const invalidate = (found: Iterable<Key>) => {
    for (const queryKey of found) void client.invalidateQueries({ queryKey })
  }
  return (change) => {
    gathered.push(change)
    if (gathered.length > 1) return
    setTimeout(() => {
      const stale = staleAfter(gathered)
      gathered = []
      if (signal.aborted) return
      invalidate(stale.soon)
      const isRunning = later.size > 0
      for (const key of stale.later) later.set(JSON.stringify(key), key)
      if (isRunning || later.size === 0) return
      setTimeout(() => {
        const due = later
        later = new Map()
        if (!signal.aborted) invalidate(due.values())
      }, STATS_MS)
    }, GATHER_MS)
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    const stop = () => {
      clearTimeout(timer)
      resolve()
    }
    signal.addEventListener('abort', stop, { once: true })
  })
}
