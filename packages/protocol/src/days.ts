// Days of a time zone: a day may have 23, 24 or 25 hours, begin at one o'clock, or be skipped. Pure; the zones are those of Intl.

/** Names of Java's that Intl takes too. Some mean another zone than people think: `BST` is Bangladesh. */
const NOT_IANA =
  /^(?:SystemV\/.*|ACT|AET|AGT|ART|AST|BET|BST|CAT|CNT|CST|CTT|EAT|ECT|IET|IST|JST|MIT|NET|NST|PLT|PNT|PRT|PST|SST|VST)$/i

const known = new Map<string, Intl.DateTimeFormat | null>()

/** The clock of a zone; null: no IANA time zone that is known here has the name. */
function clockOf(zone: string): Intl.DateTimeFormat | null {
  const found = known.get(zone)
  if (found !== undefined) return found
  let clock: Intl.DateTimeFormat | null = null
  try {
    // An offset such as +05:45 is taken by Intl and is no zone: it has no summer time.
    if (/^[A-Za-z]/.test(zone) && !NOT_IANA.test(zone))
      clock = new Intl.DateTimeFormat('en-US', {
        ...{ timeZone: zone, hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric' },
        ...{ hour: 'numeric', minute: 'numeric', second: 'numeric' },
      })
  } catch {
    // A RangeError says that the name is unknown.
  }
  // Names that are not known may be anything: only those of zones are kept.
  if (clock !== null) known.set(zone, clock)
  return clock
}

/** @returns the name with its capital letters, such as `Europe/Berlin`; null where no zone has it. */
export function timeZoneNamed(name: string): string | null {
  const clock = clockOf(name)
  if (clock === null) return null
  // A zone may have two names: the given one stays.
  const { timeZone } = clock.resolvedOptions()
  return timeZone.toLowerCase() === name.toLowerCase() ? timeZone : name
}

/** The zone that a name stands for here; `UTC` where none was set, or where this runtime does not know it. */
export const zoneOr = (name: string | null | undefined): string =>
  name === null || name === undefined || clockOf(name) === null ? 'UTC' : name

/** What the clock on the wall shows, as if it were UTC, in milliseconds. */
function wallMs(zone: string, ms: number): number {
  const clock = clockOf(zone) ?? clockOf('UTC')
  const part: Record<string, number> = {}
  for (const { type, value } of clock?.formatToParts(ms) ?? []) part[type] = Number(value)
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part
  return Date.UTC(year, month - 1, day, hour, minute, second) + (((ms % 1000) + 1000) % 1000)
}

const HOUR_MS = 3_600_000
const isoDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

/** @example addDays('2026-02-28', 1) // '2026-03-01' */
export const addDays = (day: string, days: number): string => isoDay(Date.parse(day) + days * 24 * HOUR_MS)

/**
 * The first moment of a day, such as `2026-12-31`, in a zone. Of a day that the zone skipped, the first moment of the next one. Each
 * day ends where the next one begins, also where a clock that was set back shows minutes of the day before again.
 */
export const startOfDay = (day: string, zone: string): Date => momentAt(`${day}T00:00`, zone)

/** When the clock of a zone first shows at least a time, such as `2026-12-31T18:30`; of a time that it shows twice, one of both. */
export function momentAt(local: string, zone: string): Date {
  const wall = Date.parse(`${local}Z`)
  const offsetAt = (ms: number): number => wallMs(zone, ms) - ms
  // No clock is further from UTC than 14 hours, nor was set by more than a day.
  let [low, high] = [wall - 40 * HOUR_MS, wall + 40 * HOUR_MS]
  const offset = offsetAt(low)
  if (offsetAt(high) === offset) return new Date(wall - offset)
  // A clock was set between the two: zones do it at whole seconds.
  while (high - low > 1000) {
    const middle = Math.floor((low + high) / 2000) * 1000
    if (wallMs(zone, middle) >= wall) high = middle
    else low = middle
  }
  return new Date(high)
}

/** The day of a moment in a zone. @example dayOf(new Date('2026-11-26T23:30:00Z'), 'Asia/Tokyo') // '2026-11-27' */
export function dayOf(at: Date, zone: string): string {
  const day = isoDay(wallMs(zone, at.getTime()))
  const next = addDays(day, 1)
  if (startOfDay(next, zone) <= at) return next
  return startOfDay(day, zone) > at ? addDays(day, -1) : day
}

/** The first moment of the Monday or of the month that a day is in. */
export const mondayOf = (day: string): string => addDays(day, -((new Date(day).getUTCDay() + 6) % 7))
export const firstOfMonth = (day: string): string => `${day.slice(0, 7)}-01`
/** @example addMonths('2026-12-01', 1) // '2027-01-01' */
export const addMonths = (first: string, months: number): string =>
  isoDay(Date.UTC(Number(first.slice(0, 4)), Number(first.slice(5, 7)) - 1 + months, 1))

/** ISO 8601 with the zone's offset at that moment. @example '2026-11-27T08:30:00.000+09:00'; `Z` where it is none. */
export function isoIn(at: Date, zone: string): string {
  const minutes = Math.round((wallMs(zone, at.getTime()) - at.getTime()) / 60_000)
  if (minutes === 0) return at.toISOString()
  const two = (n: number): string => String(Math.trunc(n)).padStart(2, '0')
  const size = Math.abs(minutes)
  const wall = new Date(at.getTime() + minutes * 60_000).toISOString().slice(0, -1)
  return `${wall}${minutes < 0 ? '-' : '+'}${two(size / 60)}:${two(size % 60)}`
}

interface Reader {
  zone: string
  locale: string
}

/** What a zone is called at a moment. @example 'GMT+9' */
export function zoneNameAt(at: Date, { zone, locale }: Reader): string {
  const parts = new Intl.DateTimeFormat(locale, { timeZone: zoneOr(zone), timeZoneName: 'short' }).formatToParts(at)
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? 'UTC'
}

/** A day for people, with the zone that it is a day of. @example 'November 27, 2026 (GMT+9)' */
export const dayText = (at: Date, reader: Reader): string =>
  `${new Intl.DateTimeFormat(reader.locale, { dateStyle: 'long', timeZone: zoneOr(reader.zone) }).format(at)} (${zoneNameAt(at, reader)})`

/** A moment for people, with its zone. @example 'November 27, 2026 at 08:30 AM GMT+9' */
export const momentText = (at: Date, { zone, locale }: Reader): string =>
  new Intl.DateTimeFormat(locale, {
    ...{ year: 'numeric', month: 'long', day: 'numeric', hour: '2-digit', minute: '2-digit' },
    ...{ timeZone: zoneOr(zone), timeZoneName: 'short' },
  }).format(at)

/** The noon of a day in a zone, for a text that says the day. */
export const noonOf = (day: string, zone: string): Date => new Date(startOfDay(day, zone).getTime() + 12 * HOUR_MS)
