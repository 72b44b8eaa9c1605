// The glue of the signature checker: what a person pastes, made into what the check takes. Nothing leaves the page.
import { explainSignature, type SignatureVerdict } from '@florin/protocol/signature-web'

export interface CheckInput {
  /** As pasted, or the bytes of a file. */
  body: string | Uint8Array
  header: string
  /** One secret a line, while one is being replaced. */
  secrets: string
  /** False for a webhook from a log, whose age says nothing. */
  checkAge: boolean
  /** Unix seconds. */
  now: number
}

/** A pasted header often comes with its name; the library says so, but a form may simply understand. */
export function headerValue(pasted: string): string {
  return pasted.trim().replace(/^x-service-signature\s*:\s*/i, '')
}

/** White space within a secret is kept, because it is a mistake worth finding; empty lines are not secrets. */
export function secretLines(pasted: string): string[] {
  const lines = pasted.split(/\r?\n/).filter((line) => line.trim() !== '')
  return lines.length === 0 ? [''] : lines
}

export function checkSignature(input: CheckInput): Promise<SignatureVerdict> {
  return explainSignature({
    body: input.body,
    header: headerValue(input.header),
    secrets: secretLines(input.secrets),
    now: input.now,
    toleranceSeconds: input.checkAge ? undefined : Number.POSITIVE_INFINITY,
  })
}
