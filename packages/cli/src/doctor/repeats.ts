// The checks of what delivery at least once asks of a receiver: the same event again, at the same time, and out of order.
// A receiver's inside is seen only where it says in its answer what it did; without that the verdict is `unseen`.
import { freshId } from '../webhook.ts'
import { allAccepted, inWords, listed } from './answers.ts'
import { type Check, good, mend, type Outcome, unseen } from './check.ts'
import type { Visit } from './visit.ts'

const onceCode = 'insert into events (id) values ($1) on conflict do nothing   // nothing inserted: answer 200 and stop'
const onceMend =
  "Keep the event's id under a unique key, in one transaction with the change of your order; when it is there already, answer 200 and do nothing."
const hidden = 'whether it counted once cannot be seen from outside'

export const duplicateCheck: Check = {
  id: 'duplicate',
  title: 'the same event again',
  should: 'answer 2xx and count the event once, by the id in its body',
  why: 'an answer that is lost on the way makes Florin send again; a shop that counts twice ships twice',
  async run(visit) {
    const sample = visit.sample()
    const delivery = freshId('dlv')
    const first = await visit.send(sample, { delivery })
    const retried = await visit.send(sample, { delivery, attempt: 2 })
    // A resend is another delivery of the same event: who counts deliveries instead of events counts twice here.
    const resent = await visit.send(sample, { delivery: freshId('dlv') })
    const all = [first, retried, resent]
    if (!allAccepted(all)) {
      return mend(`answered the event, its retry and its resend with ${listed(all)}`, onceMend, onceCode)
    }
    if (visit.reportOf(retried) === 'applied') return mend('applied the same event twice', onceMend, onceCode)
    if (visit.reportOf(resent) === 'applied') {
      return mend(
        'applied a resent event a second time: it goes by the id of the delivery (X-Service-Delivery)',
        onceMend,
        onceCode,
      )
    }
    const [word, other] = [visit.reportOf(retried), visit.reportOf(resent)]
    if (word === null || other === null) return unseen(`answered ${listed(all)}; ${hidden}`)
    return good(`applied it once and said "${word}" to its retry and "${other}" to its resend`)
  },
}

const AT_ONCE = 5

export const raceCheck: Check = {
  id: 'race',
  title: `the same event ${AT_ONCE} times at once`,
  should: 'answer 2xx to all and count the event once',
  why: 'a retry can meet the first try that is still at work; looking first and writing then counts both',
  async run(visit) {
    const sample = visit.sample()
    const all = await Promise.all(Array.from({ length: AT_ONCE }, () => visit.send(sample)))
    const how = `Let the database decide which is first, not a look before the write. ${onceMend}`
    if (!allAccepted(all)) return mend(`answered ${listed(all)}`, how, onceCode)
    const applied = all.filter((answer) => visit.reportOf(answer) === 'applied').length
    if (applied > 1) return mend(`applied the same event ${applied} times`, how, onceCode)
    if (applied === 1) return good('applied it once')
    return unseen(`answered ${listed(all)}; ${hidden}`)
  },
}

export const orderCheck: Check = {
  id: 'order',
  title: 'an older event after a newer one',
  should: 'answer 2xx and leave the order as the newer one made it',
  why: 'a retry can arrive after what came later: a paid order must not fall back to processing',
  async run(visit) {
    const newer = visit.sample({ kind: 'order.success', order: { version: 3 } })
    const older = visit.sample({ kind: 'order.processing', order: { order_no: newer.orderNo, version: 2 } })
    const first = await visit.send(newer)
    const late = await visit.send(older)
    return judgeOrder(visit, first, late)
  },
}

function judgeOrder(visit: Visit, ...[first, late]: [first: Answered, late: Answered]): Outcome {
  const how =
    'Keep order.version with your order and change nothing when the one that comes is lower; answer 200 all the same.'
  const code = 'update orders set status = $2, version = $3 where order_no = $1 and version <= $3'
  if (!allAccepted([first, late])) return mend(`the older one: ${inWords(late)}`, how, code)
  const report = visit.reportOf(late)
  if (report === 'applied') return mend('applied the older event over the newer one', how, code)
  if (report !== null) return good(`said "${report}" to the older one`)
  return unseen(`answered ${listed([first, late])}; what the order shows now cannot be seen from outside`)
}

type Answered = Awaited<ReturnType<Visit['send']>>
