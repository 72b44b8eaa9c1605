// The search for why a receiver refuses a genuine webhook. Each probe signs in one of the ways that receivers wrongly
// expect; the one that is accepted names the mistake. Every probe is signed with the secret, so none is a way past the check.
import { createHmac } from 'node:crypto'
import { isAccepted } from '../post.ts'
import { unixNow } from '../webhook.ts'
import { respellings } from './respellings.ts'
import type { Sample } from './samples.ts'
import type { Sending, Visit } from './visit.ts'

export interface Mistake {
  readonly did: string
  readonly mend: string
}

interface Probe extends Mistake {
  sending(sample: Sample, secret: string): Sending | null
}

const hmac = (key: string | Buffer, ...parts: (string | Uint8Array)[]): Buffer => {
  const digest = createHmac('sha256', key)
  for (const part of parts) digest.update(part)
  return digest.digest()
}

/** A signature header whose digest is made in another way. */
const signedBy =
  (make: (t: string, body: Uint8Array, secret: string) => string) => (sample: Sample, secret: string) => {
    const t = String(unixNow())
    return { signature: `t=${t},v1=${make(t, sample.body, secret)}` }
  }

export const rawBodyMend =
  'Verify the bytes as they arrived, before any JSON parser: express.raw(), a buffer parser in Fastify, request.arrayBuffer() elsewhere.'
const theText = 'What is signed is "<t>.<raw body>", keyed with the whole secret as text, in hex.'

const probes: readonly Probe[] = [
  ...['\n', '\r', '\r\n', ' '].map((space) => ({
    did: 'it accepts one that is signed with white space at the end of the secret',
    mend: 'The secret that the receiver holds ends with white space or a newline. Remove it where the secret is stored, or trim it.',
    sending: (_: Sample, secret: string) => ({ secrets: [secret + space] }),
  })),
  {
    did: 'it accepts one that is signed with the secret in quotation marks',
    mend: 'The setting that holds the secret has quotation marks in it. Remove them.',
    sending: (_, secret) => ({ secrets: [`"${secret}"`] }),
  },
  {
    did: 'it accepts one that is signed with the secret without "whsec_"',
    mend: `The receiver cuts "whsec_" off the secret. ${theText}`,
    sending: (_, secret) => ({ secrets: [secret.replace(/^whsec_/, '')] }),
  },
  {
    did: 'it accepts one that is signed with the secret decoded from base64',
    mend: `The receiver decodes the secret from base64. ${theText}`,
    sending: signedBy((t, body, secret) => {
      return hmac(Buffer.from(secret.replace(/^whsec_/, ''), 'base64'), `${t}.`, body).toString('hex')
    }),
  },
  {
    did: 'it accepts one that is signed over the body alone',
    mend: `The receiver leaves the time out of what is signed, so an old webhook could be sent again for ever. ${theText}`,
    sending: signedBy((_, body, secret) => hmac(secret, body).toString('hex')),
  },
  {
    did: 'it accepts one that is signed without the dot between time and body',
    mend: theText,
    sending: signedBy((t, body, secret) => hmac(secret, t, body).toString('hex')),
  },
  {
    did: 'it accepts a digest in base64',
    mend: `The receiver compares the digest in base64. ${theText}`,
    sending: signedBy((t, body, secret) => hmac(secret, `${t}.`, body).toString('base64')),
  },
  ...respellings.map(({ how, respell }) => ({
    did: `it accepts one whose signature covers another spelling of the body (${how})`,
    mend: `The receiver decodes the body and encodes it again before it checks. ${rawBodyMend}`,
    sending(sample: Sample) {
      const signedBody = respell(sample.body)
      return signedBody === null || Buffer.from(signedBody).equals(sample.body) ? null : { signedBody }
    },
  })),
]

/** The mistake that explains the refusal of a genuine webhook, or null. */
export async function soughtMistake(visit: Visit): Promise<Mistake | null> {
  for (const { did, mend, sending } of probes) {
    // Habits of languages differ in how they write what is not ASCII.
    const sample = visit.sample({ order: { title: 'Cr\u00e8me br\u00fbl\u00e9e' } })
    const asked = sending(sample, visit.options.secret)
    if (asked !== null && isAccepted(await visit.probe(sample, asked))) return { did, mend }
  }
  return null
}
