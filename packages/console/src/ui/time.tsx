// How moments are shown: always with both the relative and the exact time at hand, and counted on by one clock.
import { Tooltip } from '@mantine/core'
import { useSyncExternalStore } from 'react'
import { absolute, absoluteShort, relative, utc } from './format.ts'

const TICK_MS = 5_000
let now = Date.now()
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= setInterval(() => {
    now = Date.now()
    for (const each of listeners) each()
  }, TICK_MS)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** The present moment in milliseconds, five seconds coarse: one timer for the whole page. */
export const useNow = (): number => useSyncExternalStore(subscribe, () => now)

/** In lists: the short moment, with relative and exact time on hover. In text: `relative` first. */
export function When({ at, as = 'short' }: { at: string; as?: 'short' | 'full' | 'relative' }) {
  const present = useNow()
  const text =
    as === 'relative'
      ? relative(at, present)
      : as === 'short'
        ? absoluteShort(at, present)
        : `${absolute(at)} · ${relative(at, present)}`
  const hint = as === 'relative' ? `${absolute(at)} · ${utc(at)}` : `${relative(at, present)} · ${utc(at)}`
  return (
    <Tooltip label={hint}>
      <time dateTime={at} className="nums">
        {text}
      </time>
    </Tooltip>
  )
}
