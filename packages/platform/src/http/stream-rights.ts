// Whether those who hold open streams may still read them. The database is asked once for all streams of a process, so a
// right that ends anywhere ends its streams everywhere. It knows nothing of what a right is.
import { SECOND_MS } from '@florin/protocol'
import { chunksOf } from '../chunks.ts'
import type { Clock } from '../clock.ts'
import type { Log } from '../worker/job.ts'
import { makePoller } from '../worker/poller.ts'

/** With the pause's jitter and one question to the database well below what a stream may outlive its right. */
const CHECK_MS = 2 * SECOND_MS
/** For how long an answer counts. A database that is away ends no stream, but nothing is told meanwhile. */
const TRUST_MS = 5 * SECOND_MS
/** Rights asked for in one statement. */
const ASKED_AT_ONCE = 1_000

/** @returns those of these rights that stand. */
export type Standing = (rights: readonly string[]) => Promise<readonly string[]>

export interface HeldRight {
  /** False while it is too long ago that the right was seen to stand. */
  isSure(): boolean
  release(): void
}

export interface StreamRights {
  /** For a right that has just been seen to stand. `lost` is called at most once, `confirmed` each time it is seen again. */
  hold(right: string, told: { lost(): void; confirmed(): void }): HeldRight
  close(): Promise<void>
}

interface Holder {
  right: string
  seenAt: number
  lost(): void
  confirmed(): void
}

export function makeStreamRights(deps: { clock: Clock; log: Log }, standing: Standing): StreamRights {
  const holders = new Set<Holder>()
  const now = (): number => deps.clock.now().getTime()

  async function look(): Promise<void> {
    // Of those who come while the question is asked nothing is known yet.
    const asked = [...holders]
    const rights = [...new Set(asked.map(({ right }) => right))]
    for (const some of chunksOf(rights, ASKED_AT_ONCE)) {
      const askedAt = now()
      const found = new Set(await standing(some))
      const these = new Set(some)
      for (const holder of asked.filter(({ right }) => these.has(right))) {
        if (!holders.has(holder)) continue
        if (!found.has(holder.right)) holder.lost()
        else {
          holder.seenAt = askedAt
          holder.confirmed()
        }
      }
    }
  }

  const poller = makePoller(deps, { name: 'look up the rights of streams', everyMs: CHECK_MS, wakes: [], look })
  return {
    hold(right, told) {
      const holder = { right, seenAt: now(), ...told }
      holders.add(holder)
      const stop = poller.hold()
      return {
        isSure: () => now() - holder.seenAt <= TRUST_MS,
        release() {
          holders.delete(holder)
          stop()
        },
      }
    },
    close: () => poller.close(),
  }
}
