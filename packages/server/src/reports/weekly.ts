// The summary of a week, on Mondays from six in the morning on, to merchants with live orders in it: each in its time zone.
import type { Clock } from '@florin/platform/clock'
import type { Sql } from '@florin/platform/db/pool'
import { withTx } from '@florin/platform/db/tx'
import { firstIdAt } from '@florin/platform/ids'
import { composeMail } from '@florin/platform/mail/compose'
import { enqueueMail } from '@florin/platform/mail/enqueue'
import { offOf } from '@florin/platform/mail/switches'
import { isWanted } from '@florin/platform/mail/switches.store'
import type { Secrets } from '@florin/platform/secrets'
import type { Job } from '@florin/platform/worker/job'
import {
  addDays,
  DAY_MS,
  dayOf,
  dayText,
  HOUR_MS,
  minorText,
  mondayOf,
  noonOf,
  startOfDay,
  zoneOr,
} from '@florin/protocol'
import type { Config } from '../settings.ts'
import type { Wakes } from '../wakes.ts'
import { claimWeeks, listZones, readWeek, type WeekFigures } from './weekly.store.ts'

type WeeklyDeps = { sql: Sql; clock: Clock; secrets: Secrets; config: Config; wake: Wakes }

const BATCH = 20
const FROM_HOUR = 6
/** Later in the week nobody is written to about the last one. */
const UNTIL_DAY = 3

export function weeklyJob(deps: WeeklyDeps): Job {
  return { name: 'weekly-mails', everyMs: HOUR_MS / 4, run: () => sendWeekly(deps) }
}

export interface Week {
  zone: string
  from: Date
  to: Date
  /** Its Monday. */
  week: string
}

/** The last whole week of a zone, Monday to Monday. Pure. @returns null while it is not the time there. */
export function weekToTell(now: Date, zone: string): Week | null {
  const today = dayOf(now, zone)
  const monday = mondayOf(today)
  const isEarly = today === monday && now.getTime() < startOfDay(monday, zone).getTime() + FROM_HOUR * HOUR_MS
  if (isEarly || today >= addDays(monday, UNTIL_DAY)) return null
  const week = addDays(monday, -7)
  return { zone, from: startOfDay(week, zone), to: startOfDay(monday, zone), week }
}

/** @returns how many merchants were looked at. */
export async function sendWeekly(deps: WeeklyDeps): Promise<number> {
  const now = deps.clock.now()
  const weeks = (await listZones(deps.sql)).map((name) => ({ ...weekToTell(now, zoneOr(name)), name }))
  const due = weeks.filter((week) => week.zone !== undefined) as (Week & { name: string | null })[]
  if (due.length === 0) return 0
  const done = await withTx(deps.sql, async (tx) => {
    const claimed = await claimWeeks(tx, { weeks: due, limit: BATCH })
    for (const { merchantId, email, zone } of claimed) {
      const range = due.find(({ name }) => name === zone)
      if (range === undefined || !(await isWanted(tx, merchantId, 'weekly'))) continue
      const figures = await readWeek(tx, { ...range, merchantId, firstDelivery: firstIdAt('dlv', range.from) })
      const off = offOf(deps, merchantId, 'weekly')
      const mail = weeklyMail(figures, { ...range, baseUrl: deps.config.baseUrl, off })
      await enqueueMail(
        tx,
        deps.secrets,
        { to: email, ...mail },
        { now, dropAfter: new Date(now.getTime() + 2 * DAY_MS) },
      )
    }
    return claimed.length
  })
  if (done > 0) deps.wake.mail.fire()
  return done
}

const counted = (n: number, one: string, many: string): string => `${n} ${n === 1 ? one : many}`

export function weeklyMail(
  figures: WeekFigures,
  { zone, week, baseUrl, off }: Pick<Week, 'zone' | 'week'> & { baseUrl: string; off: { label: string; url: string } },
): ReturnType<typeof composeMail> {
  const day = (name: string): string => dayText(noonOf(name, zone), { zone, locale: 'en' })
  return composeMail({
    subject: `Your week: ${counted(figures.paid, 'order was paid', 'orders were paid')}`,
    from: 'Florin',
    paragraphs: [`${day(week)} to ${day(addDays(week, 6))}, live orders.`],
    facts: [
      ['Orders made', String(figures.made)],
      ['Orders paid', String(figures.paid)],
      ...figures.settled.map(({ currency, orders, minor, exponent }) => {
        // Dollars of the API may have six decimals; cents are shown where they are whole.
        const isCents = currency === 'USD' && exponent === 6 && minor % 10_000n === 0n
        const text = isCents ? minorText(minor / 10_000n, 2) : minorText(minor, exponent)
        return [`Settled, ${currency}`, `${text} in ${counted(orders, 'order', 'orders')}`] as const
      }),
      ['All refunded', figures.refunded === 0 ? null : String(figures.refunded)],
      ['Webhooks given up', figures.dead === 0 ? null : String(figures.dead)],
      ['Needs attention', figures.open === 0 ? null : String(figures.open)],
    ],
    button: { label: 'Open the console', url: `${baseUrl}/console/` },
    foot: [],
    off,
  })
}
