// Time on the page: it is the server's. The payer's clock may be wrong by hours, so it is only used to count how
// long ago the server last told the time.

/** The server's time at an instant of the page's own monotonic clock. */
export interface ServerTime {
  readonly serverMs: number
  readonly pageMs: number
}

/** @returns the server's time now, in milliseconds since 1970 */
export function serverNow(told: ServerTime, pageMs: number): number {
  return told.serverMs + Math.max(0, pageMs - told.pageMs)
}

/** What is left until `until`, as h:mm:ss or m:ss; never below 0:00. Rounded up, so 0:00 means that it is over. */
export function countdownText(untilMs: number, nowMs: number): string {
  const seconds = Math.max(0, Math.ceil((untilMs - nowMs) / 1000))
  const two = (n: number): string => String(n).padStart(2, '0')
  const minutes = Math.floor(seconds / 60) % 60
  const hours = Math.floor(seconds / 3600)
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`
}

/** The same for a screen reader, which would read 4:05 as a time of day. */
export function durationWords(untilMs: number, nowMs: number, locale: string): string {
  const seconds = Math.max(0, Math.ceil((untilMs - nowMs) / 1000))
  const say = (n: number, unit: 'hour' | 'minute' | 'second'): string =>
    new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(n)
  if (seconds >= 7200) return say(Math.round(seconds / 3600), 'hour')
  if (seconds >= 120) return say(Math.round(seconds / 60), 'minute')
  return say(seconds, 'second')
}

/** Moments at which a screen reader is told the time left; in between it is left in peace. */
const announcedAt = [30, 60, 120, 300, 600]

/** The announcement that is due between two looks at the clock: its seconds left, or null. */
export function announcementDue(untilMs: number, beforeMs: number, nowMs: number): number | null {
  const left = (ms: number): number => Math.ceil((untilMs - ms) / 1000)
  return announcedAt.find((at) => left(nowMs) <= at && left(beforeMs) > at) ?? null
}

/** A moment for people, in their own time zone, which it names. */
export function momentText(iso: string, locale: string, style: 'full' | 'time' = 'full'): string {
  const day = { year: 'numeric', month: 'short', day: 'numeric' } as const
  return new Intl.DateTimeFormat(locale, {
    ...(style === 'time' ? {} : day),
    ...{ hour: '2-digit', minute: '2-digit', timeZoneName: 'short' },
  }).format(new Date(iso))
}
