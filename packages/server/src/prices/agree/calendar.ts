// Days on which sources publish and markets trade: the clock of an exchange rate. Pure. Days are UTC.
import { DAY_MS, HOUR_MS } from '@florin/protocol'

/** Whose working days count. */
export type Calendar = 'target' | 'canada' | 'czech' | 'weekdays'

/** When and how often a bank fixes: the hour of the day that its date stands for, and when it is out at the latest. */
export interface Fixing {
  calendar: Calendar
  /** Hours after midnight UTC; in summer an hour earlier, so an answer is never taken for younger than it is. */
  observedAtHour: number
  publishedByHour: number
}

/** What a source's date label stands for. Its own times, an hour to spare for summer. */
export const fixings = {
  ecb: { calendar: 'target', observedAtHour: 12.25, publishedByHour: 15.5 },
  boc: { calendar: 'canada', observedAtHour: 20.5, publishedByHour: 22 },
  cnb: { calendar: 'czech', observedAtHour: 12.5, publishedByHour: 14 },
  /** Banks of all the world: the whole day may pass. */
  any: { calendar: 'target', observedAtHour: 0, publishedByHour: 24 },
} as const satisfies Record<string, Fixing>

const dayOf = (at: Date): number => Math.floor(at.getTime() / DAY_MS)

/** Gauss and Meeus: Easter Sunday as a day number. */
function easterOf(year: number): number {
  const a = year % 19
  const b = Math.floor(year / 100)
  const c = year % 100
  const e = (b - Math.floor(b / 4) - Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3) + 19 * a + 15) % 30
  const l = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - e - (c % 4)) % 7
  const m = Math.floor((a + 11 * e + 22 * l) / 451)
  const month = Math.floor((e + l - 7 * m + 114) / 31)
  const day = ((e + l - 7 * m + 114) % 31) + 1
  return Date.UTC(year, month - 1, day) / DAY_MS
}

const fixed: Readonly<Record<Calendar, readonly string[]>> = {
  target: ['01-01', '05-01', '12-25', '12-26'],
  canada: ['01-01', '07-01', '09-30', '11-11', '12-25', '12-26'],
  czech: ['01-01', '05-01', '05-08', '07-05', '07-06', '09-28', '10-28', '11-17', '12-24', '12-25', '12-26'],
  weekdays: [],
}

export function isWorkingDay(day: number, calendar: Calendar): boolean {
  // Day 0 was a Thursday.
  const weekday = (day + 4) % 7
  if (weekday === 0 || weekday === 6) return false
  const date = new Date(day * DAY_MS)
  if (fixed[calendar].includes(date.toISOString().slice(5, 10))) return false
  if (calendar === 'weekdays') return true
  const easter = easterOf(date.getUTCFullYear())
  return day !== easter - 2 && !(day === easter + 1 && calendar !== 'canada')
}

/** The time that a date label of a fixing stands for. */
export function observedAt(date: string, fixing: Fixing): Date {
  return new Date(Date.parse(`${date}T00:00:00.000Z`) + fixing.observedAtHour * HOUR_MS)
}

/** When the publication after this one is out at the latest. */
export function nextPublication(observed: Date, fixing: Fixing): Date {
  let day = dayOf(observed) + 1
  // A year without a working day does not exist.
  while (!isWorkingDay(day, fixing.calendar)) day++
  return new Date(day * DAY_MS + fixing.publishedByHour * HOUR_MS)
}

/** How many publications may lie between two observations: the more, the further the market may have gone. */
export function publicationsBetween(a: Date, b: Date): number {
  const [first, last] = [dayOf(a), dayOf(b)].sort((x, y) => x - y) as [number, number]
  let count = 0
  for (let day = first + 1; day <= last && count < 30; day++) if (isWorkingDay(day, 'weekdays')) count++
  return count
}

/** Whether currencies trade between banks: Sunday 22:00 to Friday 22:00, not on the first of January or at Christmas. */
export function isMarketOpen(at: Date): boolean {
  const date = at.toISOString().slice(5, 10)
  if (date === '01-01' || date === '12-25') return false
  const hours = ((dayOf(at) + 4) % 7) * 24 + at.getUTCHours()
  return hours >= 22 && hours < 5 * 24 + 22
}
