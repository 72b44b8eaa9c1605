// How moments are shown: always with both the relative and the exact time at hand, and counted on by one clock.
import { zoneNameAt } from '@florin/protocol'
import { Text, Tooltip } from '@mantine/core'
import { useSyncExternalStore } from 'react'
import { useZone } from '../zone.ts'
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
  const timeZone = useZone()
  const text =
    as === 'relative'
      ? relative(at, present)
      : as === 'short'
        ? absoluteShort(at, present, { timeZone })
        : `${absolute(at, { timeZone })} · ${relative(at, present)}`
  const first = as === 'relative' ? absolute(at, { timeZone }) : relative(at, present)
  const hint = `${first} · ${zoneNameAt(new Date(at), { zone: timeZone, locale: 'en-GB' })} · ${utc(at)}`
  return (
    <Tooltip label={hint}>
      <time dateTime={at} className="nums">
        {text}
      </time>
    </Tooltip>
  )
}

/** The merchant's time zone, for beside fields that take a day or a time. @example 'Europe/Berlin (CET)' */
export function useZoneText(): string {
  const zone = useZone()
  const name = zoneNameAt(new Date(useNow()), { zone, locale: 'en-GB' })
  return name === zone ? zone : `${zone.replaceAll('_', ' ')} (${name})`
}

export function ZoneNote({ className }: { className?: string | undefined }) {
  return (
    <Text span size="xs" c="dimmed" {...(className === undefined ? {} : { className })}>
      Days of {useZoneText()}
    </Text>
  )
}
