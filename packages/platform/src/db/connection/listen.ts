// Listens for NOTIFY on a dedicated connection, which is reopened whenever it is lost. LISTEN is repeated every few
// seconds: the answer tells a quiet connection from a dead one.
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { clientConfig } from './client.ts'
import { type ConnectionOptions, Session } from './session.ts'

export interface Listener {
  unlisten(): Promise<void>
}

const CONNECT_MS = 5_000
const HEARTBEAT_MS = 5_000
const ANSWER_MS = 5_000
const PAUSE_MS = 1_000

/**
 * @param onNotify also called whenever listening begins or resumes: notifications in between were lost.
 * @param onTrouble called once when listening is lost or impossible, however many tries follow, and again only after it worked.
 */
export function listen(
  options: ConnectionOptions,
  channel: string,
  onNotify: () => void,
  onTrouble: (error: Error) => void,
): Listener {
  const stopping = new AbortController()
  const { signal } = stopping
  let isInTrouble = false
  const trouble = (error: Error): void => {
    if (!isInTrouble) onTrouble(error)
    isInTrouble = true
  }

  /** @returns false if retrying is pointless. */
  async function hear(): Promise<boolean> {
    const client = new pg.Client(clientConfig(options, CONNECT_MS))
    const session = new Session(client, options)
    const destroy = (): void => session.destroy()
    signal.addEventListener('abort', destroy)
    try {
      await client.connect()
      await session.open()
      if (!session.isDirect) {
        trouble(new Error('A connection pooler stands before the database; it passes no notifications on.'))
        return false
      }
      client.on('notification', onNotify)
      await session.listen(channel, ANSWER_MS)
      isInTrouble = false
      onNotify()
      const { promise: lost, reject: lose } = Promise.withResolvers<never>()
      lost.catch(() => undefined)
      session.onLost(lose)
      for (;;) {
        await Promise.race([lost, wait(HEARTBEAT_MS, undefined, { signal, ref: false })])
        await session.listen(channel, ANSWER_MS)
      }
    } finally {
      signal.removeEventListener('abort', destroy)
      session.destroy()
    }
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      try {
        if (!(await hear())) return
      } catch (error) {
        if (signal.aborted) return
        trouble(error instanceof Error ? error : new Error(String(error)))
        await wait(PAUSE_MS, undefined, { signal, ref: false }).catch(() => undefined)
      }
    }
  }

  const running = run()
  return {
    async unlisten() {
      stopping.abort()
      await running
    },
  }
}
