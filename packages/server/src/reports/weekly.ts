// The summary of a week, on Mondays from six in the morning (UTC) on, to merchants with live orders in it.
import { DAY_MS, HOUR_MS, minorText } from '@florin/protocol'
import type { Deps } from '../deps.ts'
import { withTx } from '../platform/db/tx.ts'
import { firstIdAt } from '../platform/ids.ts'
import { composeMail } from '../platform/mail/compose.ts'
import { enqueueMail } from '../platform/mail/enqueue.ts'
import { isWanted } from '../platform/mail/switches.store.ts'
import { offOf } from '../platform/mail/switches.ts'
import type { Job } from '../platform/worker/loop.ts'
import { claimWeek, readWeek, type WeekFigures } from './weekly.store.ts'

type WeeklyDeps = Pick<Deps, 'sql' | 'clock' | 'secrets' | 'config' | 'wake'>

const BATCH = 20
const FROM_HOUR = 6
/** Later in the week nobody is written to about the last one. */
const UNTIL_DAY = 3

export function weeklyJob(deps: WeeklyDeps): Job {
  return { name: 'weekly-mails', everyMs: HOUR_MS / 4, run: () => sendWeekly(deps) }
}

/** The last whole week, Monday to Monday in UTC. Pure. @returns null while it is not the time. */
export function weekToTell(now: Date): { from: Date; to: Date; week: string } | null {
  const midnight = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate())
  const day = (now.getUTCDay() + 6) % 7
  if (day >= UNTIL_DAY || (day === 0 && now.getUTCHours() < FROM_HOUR)) return null
  const to = new Date(midnight - day * DAY_MS)
  const from = new Date(to.getTime() - 7 * DAY_MS)
  return { from, to, week: from.toISOString().slice(0, 10) }
}

/** @returns how many merchants were looked at. */
export async function sendWeekly(deps: WeeklyDeps): Promise<number> {
  const now = deps.clock.now()
  const range = weekToTell(now)
  if (range === null) return 0
  const done = await withTx(deps.sql, async (tx) => {
    const due = await claimWeek(tx, { ...range, limit: BATCH })
    for (const { merchantId, email } of due) {
      if (!(await isWanted(tx, merchantId, 'weekly'))) continue
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
    return due.length
  })
  if (done > 0) deps.wake.mail.fire()
  return done
}

const counted = (n: number, one: string, many: string): string => `${n} ${n === 1 ? one : many}`

export function weeklyMail(
  figures: WeekFigures,
  a: { from: Date; to: Date; baseUrl: string; off: { label: string; url: string } },
): ReturnType<typeof composeMail> {
  const last = new Date(a.to.getTime() - DAY_MS).toISOString().slice(0, 10)
  return composeMail({
    subject: `Your week: ${counted(figures.paid, 'order was paid', 'orders were paid')}`,
    from: 'Florin',
    paragraphs: [`${a.from.toISOString().slice(0, 10)} to ${last}, in UTC, live orders.`],
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
    button: { label: 'Open the console', url: `${a.baseUrl}/console/` },
    foot: [],
    off: a.off,
  })
}
