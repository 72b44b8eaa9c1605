// What follows from a quote that is not what was asked for: its address is shown to nobody, and no process takes another one for a
// while. Payers are told the same of all of it.
import { AppError } from '@florin/platform/errors'
import { MINUTE_MS, SECOND_MS } from '@florin/protocol'
import { saveDistrust } from '../catalogue/store.ts'
import type { QuoteReply } from '../client/wire.ts'
import type { IntentsContext } from '../context.ts'

/** The whole rail stays out for so long after a quote that was not what was asked for. */
export const LIED_FOR_MS = 10 * MINUTE_MS

type Parts = Pick<IntentsContext, 'sql' | 'clock' | 'log'>

/** Whichever process was told a lie, and whenever it began. */
export function outUntil({ clock }: Pick<Parts, 'clock'>, until: Date): AppError {
  const retryAfterS = Math.max(1, Math.ceil((until.getTime() - clock.now().getTime()) / SECOND_MS))
  return new AppError('rail_unavailable', { cause: new Error('a quote was not what was asked for'), retryAfterS })
}

export async function distrusted(
  { sql, clock, log }: Parts,
  faults: readonly string[],
  { correlationId }: Pick<QuoteReply, 'correlationId'>,
): Promise<AppError> {
  const now = clock.now()
  log.error(
    { faults, correlation_id: correlationId },
    'a quote is not what was asked for; its address is shown to nobody',
  )
  const note = `A quote was not what was asked for: it had ${faults.join(', ')}.`
  await saveDistrust(sql, { note, until: new Date(now.getTime() + LIED_FOR_MS) }, now)
  return new AppError('rail_unavailable', { cause: new Error(note), retryAfterS: LIED_FOR_MS / SECOND_MS })
}
