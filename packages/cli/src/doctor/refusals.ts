// The checks of what a receiver must refuse. They mean something only because a genuine webhook was accepted before.
// Anything that is not 2xx refuses; a crash refuses too, but shows that nobody foresaw it.
import { SIGNATURE_TOLERANCE_S } from '@florin/protocol'
import { type Answer, isAccepted } from '../post.ts'
import { freshSecret } from '../webhook.ts'
import { inWords, isRefusal, listed } from './answers.ts'
import { type Check, good, mend, type Outcome, verifyCode, warn } from './check.ts'
import { withPayload } from './samples.ts'

const noCheckMend =
  'Verify the signature before anything else, and answer 400 when it does not fit. verifyWebhook of @florin/sdk does it in constant time.'

/** Florin tells its own failures from a refusal by nothing but the status, and so does whoever reads the receiver's log. */
function refused(answers: readonly Answer[]): Outcome {
  if (answers.every(isRefusal)) return good(`refused with ${listed(answers)}`)
  return warn(
    `refused, but by falling over: ${listed(answers)}`,
    'Catch the error of the check and answer 400: what anyone can send should not fill the log with crashes.',
    'if (error instanceof WebhookVerificationError) return response.writeHead(400).end()',
  )
}

export const forgedCheck: Check = {
  id: 'forged',
  title: 'a forged signature',
  should: 'refuse it with 400, and remember nothing of it',
  why: 'whoever knows the address could otherwise say that an order is paid',
  async run(visit) {
    const sample = visit.sample()
    const forged = await visit.probe(sample, { secrets: [freshSecret()] })
    if (isAccepted(forged)) {
      return mend(`${inWords(forged)}: it takes a signature made with another secret`, noCheckMend, verifyCode)
    }
    const genuine = await visit.send(sample)
    if (!isAccepted(genuine) || visit.reportOf(genuine) === 'duplicate') {
      return mend(
        `refused it, but then did not take the genuine event with that id (${inWords(genuine)})`,
        'Note the id of an event only after its signature has been verified: else anyone can make you drop events.',
        verifyCode,
      )
    }
    return refused([forged])
  },
}

export const tamperedCheck: Check = {
  id: 'tampered',
  title: 'a changed body',
  should: 'refuse a genuine signature over another body with 400',
  why: 'a signature seen once could otherwise be put on any body',
  async run(visit) {
    const genuine = visit.sample({ kind: 'order.expired' })
    const order = { ...(genuine.payload.order as object), status: 'success' }
    const changed = withPayload({ ...genuine.payload, event: 'order.success', order })
    const answer = await visit.probe(changed, { signedBody: genuine.body })
    if (!isAccepted(answer)) return refused([answer])
    return mend(
      `${inWords(answer)}: it takes a signature of another body`,
      `${noCheckMend} It covers the whole raw body.`,
      verifyCode,
    )
  },
}

export const unsignedCheck: Check = {
  id: 'unsigned',
  title: 'no signature',
  should: 'refuse with 400 when the header is missing, empty or has nothing after v1=',
  why: 'a check that is skipped when there is nothing to check is no check',
  async run(visit) {
    const without = await visit.probe(visit.sample(), { signature: null })
    const empty = await visit.probe(visit.sample(), { signature: '' })
    const hollow = await visit.probe(visit.sample(), { signature: `t=${Math.floor(Date.now() / 1_000)},v1=` })
    const all = [without, empty, hollow]
    if (!all.some(isAccepted)) return refused(all)
    const which = [
      isAccepted(without) ? 'no header' : null,
      isAccepted(empty) ? 'an empty header' : null,
      isAccepted(hollow) ? 'an empty v1' : null,
    ]
    const named = which.filter((each) => each !== null).join(', ')
    return mend(`accepted a webhook with ${named}`, noCheckMend, verifyCode)
  },
}

/** Twice what is recommended: no slip of a clock makes it right. */
const FAR_S = 2 * SIGNATURE_TOLERANCE_S
/** Well within what is recommended: as far off as clocks are now and then. */
const NEAR_S = 120

export const staleCheck: Check = {
  id: 'stale',
  title: 'a stale timestamp',
  should: `refuse a genuine signature that is ${FAR_S / 60} minutes old with 400`,
  why: 'whoever recorded a webhook could otherwise send it again at any time; real retries are signed anew and never stale',
  async run(visit) {
    const answer = await visit.probe(visit.sample(), { shiftS: -FAR_S })
    if (!isAccepted(answer)) return refused([answer])
    return mend(
      `${inWords(answer)}: it takes a signature that is ${FAR_S / 60} minutes old`,
      'Refuse when t, the time in the signature header, is more than 5 minutes from now. verifyWebhook does.',
      'if (Math.abs(Date.now() / 1000 - t) > 300) refuse()   // or verifyWebhook, which does',
    )
  },
}

export const futureCheck: Check = {
  id: 'future',
  title: 'a timestamp in the future',
  should: `refuse a genuine signature that is ${FAR_S / 60} minutes ahead with 400`,
  why: 'one that is dated ahead could be sent again for as long as it is ahead',
  async run(visit) {
    const answer = await visit.probe(visit.sample(), { shiftS: FAR_S })
    if (!isAccepted(answer)) return refused([answer])
    return warn(
      `${inWords(answer)}: it takes a signature that is ${FAR_S / 60} minutes ahead`,
      'Compare the distance to now in both directions.',
      'if (Math.abs(Date.now() / 1000 - t) > 300) refuse()',
    )
  },
}

export const clockCheck: Check = {
  id: 'clock',
  title: 'a clock that is a little off',
  should: `accept a signature that is ${NEAR_S / 60} minutes old or ahead`,
  why: 'clocks differ; a tolerance that is too narrow, or a clock that is wrong here, loses genuine webhooks',
  async run(visit) {
    const old = await visit.send(visit.sample(), { shiftS: -NEAR_S })
    const ahead = await visit.send(visit.sample(), { shiftS: NEAR_S })
    if (isAccepted(old) && isAccepted(ahead)) return good('accepted both')
    const which = isAccepted(old) ? 'ahead' : isAccepted(ahead) ? 'old' : 'old and one as much ahead'
    return warn(
      `refused one that is ${NEAR_S / 60} minutes ${which}`,
      'Allow 5 minutes in both directions, and let the machine set its clock by the network (NTP).',
      'verifyWebhook({ …, toleranceSeconds: 300 })',
    )
  },
}
