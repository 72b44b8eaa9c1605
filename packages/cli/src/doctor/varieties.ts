// The checks of what is legal though not usual: two signatures, kinds and fields that are new, bodies that are large or
// oddly written, another spelling of the content type. A receiver must take them all.
import { type Answer, isAccepted } from '../post.ts'
import { freshSecret } from '../webhook.ts'
import { inWords, listed } from './answers.ts'
import { type Check, good, mend, type Outcome, verifyCode, warn } from './check.ts'
import { rawBodyMend } from './mistakes.ts'
import { respellings } from './respellings.ts'
import { large, oddlySpelled, unknownFields, unknownKind } from './samples.ts'

export const rotationCheck: Check = {
  id: 'rotation',
  title: 'two signatures',
  should: 'accept when any of the v1 values fits, wherever it stands',
  why: 'while a webhook secret is being replaced, each webhook is signed with both; who reads only one of them loses events',
  async run(visit) {
    const { secret } = visit.options
    const last = await visit.send(visit.sample(), { secrets: [freshSecret(), secret] })
    const first = await visit.send(visit.sample(), { secrets: [secret, freshSecret()] })
    if (isAccepted(last) && isAccepted(first)) return good('accepted both, whichever came first')
    const which = isAccepted(first)
      ? 'only the first v1'
      : isAccepted(last)
        ? 'only the last v1'
        : 'no header with two v1'
    return mend(
      `it reads ${which} (${listed([last, first])})`,
      'Compare with each v1 of the header and accept when one fits.',
      verifyCode,
    )
  },
}

export const kindCheck: Check = {
  id: 'kind',
  title: 'a kind of event that is new',
  should: 'answer 2xx and ignore it',
  why: 'a later Florin may add kinds; a failure here is tried again five times and then counted as dead',
  async run(visit) {
    const answer = await visit.send(unknownKind(visit.sample()))
    if (isAccepted(answer)) return good(inWords(answer))
    return mend(
      inWords(answer),
      'Give the choice by event kind a default that answers 200.',
      "default: return response.writeHead(200).end('ignored')",
    )
  },
}

export const fieldsCheck: Check = {
  id: 'fields',
  title: 'fields that are new',
  should: 'answer 2xx and pass over what it does not know, at the top and in the order',
  why: 'a later Florin may add fields without a new version',
  async run(visit) {
    const answer = await visit.send(unknownFields(visit.sample()))
    if (isAccepted(answer)) return good(inWords(answer))
    return mend(
      inWords(answer),
      'Let the schema that parses the body strip or ignore what it does not know.',
      'z.looseObject({ … })   // not z.strictObject',
    )
  },
}

export const spellingCheck: Check = {
  id: 'spelling',
  title: 'a body that is oddly written',
  should: 'verify the bytes as they arrived, whatever their white space, escapes and numbers',
  why: 'who decodes the body and encodes it again before the check has other bytes, and loses events that look like any other',
  async run(visit) {
    const answer = await visit.send(oddlySpelled(visit.sample()))
    if (isAccepted(answer)) return good(inWords(answer))
    for (const { how, respell } of respellings) {
      const sample = oddlySpelled(visit.sample())
      const signedBody = respell(sample.body)
      if (signedBody === null || !isAccepted(await visit.probe(sample, { signedBody }))) continue
      return mend(
        `${inWords(answer)}; it accepts one whose signature covers the body encoded again, ${how}`,
        `The receiver checks the body that it encoded again. ${rawBodyMend}`,
        verifyCode,
      )
    }
    return mend(inWords(answer), `${rawBodyMend} Mind the encoding too: the bytes are UTF-8.`, verifyCode)
  },
}

export const largeCheck: Check = {
  id: 'large',
  title: 'a large body',
  should: 'accept a body of 64 KiB',
  why: 'an order with full metadata and fifty payments is that large',
  async run(visit) {
    const sample = large(visit.sample())
    const answer = await visit.send(sample)
    const size = `${Math.round(sample.body.byteLength / 1_024)} KiB`
    if (isAccepted(answer)) return good(`${size}: ${inWords(answer)}`)
    return mend(
      `${size}: ${inWords(answer)}`,
      'Raise the limit on bodies to 100 kB, in the receiver and in the proxy before it.',
      "express.raw({ type: 'application/json', limit: '100kb' })   // nginx: client_max_body_size 100k",
    )
  },
}

export const contentTypeCheck: Check = {
  id: 'content-type',
  title: 'the content type in other words',
  should: 'accept application/json; charset=utf-8, and not fall over at a wrong type',
  why: 'proxies rewrite this header; the signature says what a body is worth',
  async run(visit) {
    const spelled = await visit.send(visit.sample(), { contentType: 'application/json; charset=utf-8' })
    const wrong = await visit.probe(visit.sample(), { contentType: 'text/plain' })
    return judgeContentType(spelled, wrong)
  },
}

function judgeContentType(spelled: Answer, wrong: Answer): Outcome {
  if (!isAccepted(spelled)) {
    return warn(
      `application/json; charset=utf-8: ${inWords(spelled)}`,
      'Compare the type without its parameters, or read every body on this path as raw bytes.',
      'express.raw({ type: () => true })',
    )
  }
  const fellOver = wrong.kind !== 'answered' || wrong.status >= 500
  if (fellOver) {
    return warn(
      `text/plain: ${inWords(wrong)}`,
      'Answer 400 or 415 where the body is not read: whatever anyone sends should not make it fall over.',
    )
  }
  return good(`accepted the first; answered text/plain with ${wrong.status}, and either is right`)
}

const CROWD = 16

export const crowdCheck: Check = {
  id: 'crowd',
  title: `${CROWD} events at once`,
  should: 'answer 2xx to all, about as fast as to one',
  why: 'orders are paid at the same moment now and then, and after an outage everything comes together',
  async run(visit) {
    const answers = await Promise.all(Array.from({ length: CROWD }, () => visit.send(visit.sample())))
    const slowest = Math.max(...answers.map((answer) => answer.latencyMs))
    if (!answers.every(isAccepted)) {
      return mend(
        `answered ${listed(answers)}`,
        'Take deliveries side by side: no lock over the whole receiver, enough database connections, no limit on requests that bites at a few dozen a second.',
      )
    }
    if (slowest > visit.options.timeoutMs * 0.3) {
      return warn(
        `answered ${listed(answers)}, the slowest after ${slowest} ms`,
        'It takes one after the other. Note the event and answer; do the slow work afterwards.',
      )
    }
    return good(`answered ${listed(answers)}, the slowest after ${slowest} ms`)
  },
}

export const reuseCheck: Check = {
  id: 'reuse',
  title: 'a connection used again',
  should: 'answer several webhooks on one connection',
  why: 'a new connection, and over https a new handshake, for each webhook costs both sides time',
  async run(visit) {
    const answers: Answer[] = []
    // Made one after the other, so that each finds the connection of the one before.
    for (let n = 0; n < 3; n++) answers.push(await visit.send(visit.sample()))
    if (!answers.every(isAccepted)) {
      return mend(`answered ${listed(answers)}`, 'Read each request to its end, and answer it whole, before the next.')
    }
    const isReused = answers.some((answer) => answer.kind === 'answered' && answer.isReusedConnection)
    return good(
      isReused
        ? 'answered three on one connection'
        : 'closes the connection after each answer; it works, and costs a new one each time',
    )
  },
}
