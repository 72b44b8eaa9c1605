// The course of an examination: what stands on what. Where a genuine webhook is not accepted, a refusal of a forged one
// would mean nothing, so what stands on it is skipped and said to be.
import { isAccepted } from '../post.ts'
import type { Check, Finding, Outcome } from './check.ts'
import {
  addressCheck,
  connectionCheck,
  genuineCheck,
  judgeAddress,
  judgeConnection,
  judgeGenuine,
  judgePace,
  judgeRedirect,
  paceCheck,
  redirectCheck,
} from './contact.ts'
import { clockCheck, forgedCheck, futureCheck, staleCheck, tamperedCheck, unsignedCheck } from './refusals.ts'
import { duplicateCheck, orderCheck, raceCheck } from './repeats.ts'
import {
  contentTypeCheck,
  crowdCheck,
  fieldsCheck,
  kindCheck,
  largeCheck,
  reuseCheck,
  rotationCheck,
  spellingCheck,
} from './varieties.ts'
import { readReport, type Visit } from './visit.ts'

/** In the order in which they are made and told: what matters most first. */
const furtherChecks: readonly Check[] = [
  forgedCheck,
  tamperedCheck,
  unsignedCheck,
  staleCheck,
  futureCheck,
  clockCheck,
  duplicateCheck,
  raceCheck,
  orderCheck,
  rotationCheck,
  kindCheck,
  fieldsCheck,
  spellingCheck,
  largeCheck,
  contentTypeCheck,
  crowdCheck,
  reuseCheck,
]

type About = Omit<Check, 'run'>

/** Every check there is, in the order in which they are made. */
export const allChecks: readonly About[] = [
  addressCheck,
  connectionCheck,
  redirectCheck,
  genuineCheck,
  ...furtherChecks,
  paceCheck,
]

const finding = ({ id, title, should, why }: About, outcome: Outcome): Finding => ({
  id,
  title,
  should,
  why,
  ...outcome,
})

const skipped = (did: string): Outcome => ({ verdict: 'skipped', did })

/** Examines a receiver; yields each finding as soon as it stands. */
export async function* examine(visit: Visit): AsyncGenerator<Finding, void, undefined> {
  const { url, timeoutMs } = visit.options
  yield finding(addressCheck, judgeAddress(url))

  const first = await visit.send(visit.sample())
  visit.speaks = readReport(first) === 'applied'
  yield finding(connectionCheck, judgeConnection(first))
  const isBroken = first.kind === 'broken'
  yield finding(redirectCheck, isBroken ? skipped('there was no answer') : judgeRedirect(first))
  const isRedirect = first.kind === 'answered' && first.status >= 300 && first.status < 400
  if (isBroken || isRedirect)
    yield finding(genuineCheck, skipped(isBroken ? 'there was no answer' : 'it was redirected'))
  else yield finding(genuineCheck, await judgeGenuine(visit, first))

  for (const check of furtherChecks) {
    if (isAccepted(first)) yield finding(check, await check.run(visit))
    else yield finding(check, skipped('a genuine webhook is not accepted, so this would tell nothing'))
  }
  const isTimed = isAccepted(first) || first.kind === 'timeout'
  yield finding(paceCheck, isTimed ? judgePace(visit.genuine, timeoutMs) : skipped('there was nothing to time'))
}
