// Which Florin a database is of, and whether it is a copy that sleeps: one that was restored for practice would send webhooks
// and mails of what it believes, and move money beside the one that it was saved from.
import { type Check, warning } from '../check.ts'
import { OperatorError } from '../errors.ts'
import { newId } from '../ids.ts'
import type { Tag } from './sql.ts'

export interface Installation {
  id: string
  /** Of a copy: what it is a copy of. */
  formerId: string | null
  asleepSince: Date | null
  /** Since when this database is the one in use: its first start, or when a restored copy took the place of the other one. */
  inUseSince: Date
}

/** The first who asks names it: a start does, so that a session that only reads finds the name. */
export async function readInstallation(sql: Tag, now: Date): Promise<Installation> {
  for (;;) {
    const [named] = await sql<Installation[]>`
      select id, former_id as "formerId", asleep_since as "asleepSince", created_at as "inUseSince" from installation`
    if (named !== undefined) return named
    // Another may name it in the same moment.
    await sql`
      insert into installation (id, created_at) values (${newId('ins', now)}, ${now}) on conflict (one) do nothing`
  }
}

const CURE =
  'Look at it with MODE=api, which sends nothing. If it replaces that Florin, no process of which runs any more: npm run backup -- activate.'

/** What its operator should know; null: it is no copy. */
export const asleepCheck = ({ asleepSince }: Installation): Check | null =>
  asleepSince === null
    ? null
    : {
        ...warning(
          'installation',
          `This database is a copy for practice since ${asleepSince.toISOString()}: nothing is sent or settled.`,
          CURE,
        ),
        since: asleepSince,
      }

/** For a process that sends and settles. @throws OperatorError where it is a copy. */
export function refuseAsleep({ asleepSince }: Installation): void {
  if (asleepSince === null) return
  throw new OperatorError(
    `This database is a copy of another Florin's since ${asleepSince.toISOString()}: started so, it would send webhooks and mails and settle beside that one. ${CURE}`,
    { docs: 'docs/operations.md#data' },
  )
}
