// /.well-known/security.txt (RFC 9116): whom to tell about a vulnerability of this installation. Only where the operator named
// a contact; the file's end is always half a year ahead, so that it never lapses while the service runs.
import { DAY_MS } from '@florin/protocol'
import type { Clock } from '../../clock.ts'
import { AppError } from '../../errors.ts'
import type { App } from '../server.ts'

const VALID_MS = 180 * DAY_MS

/** @returns the contacts as addresses of a scheme; an email gets `mailto:`. What is wrong is added to `faults`. */
export function readSecurityContact(given: readonly string[], faults: string[]): readonly string[] {
  return given.map((text) => {
    if (/^[^@\s/:]+@[^@\s/:]+$/.test(text)) return `mailto:${text}`
    if (/^https:\/\/[^/?#]*@/.test(text)) {
      faults.push('SECURITY_CONTACT has an address with a user or a password in it, and everybody may read it.')
      return text
    }
    const isAddress = /^(?:https:\/\/|mailto:|tel:\+)[\x21-\x7e]+$/.test(text) && URL.canParse(text)
    if (!isAddress) {
      faults.push(
        `SECURITY_CONTACT has "${text}"; it takes email addresses and https:// addresses, such as security@shop.example.`,
      )
    }
    return text
  })
}

export function securityTxtRoute(
  app: App,
  { clock, config }: { clock: Clock; config: { securityContact: readonly string[]; baseUrl: string } },
): void {
  const path = '/.well-known/security.txt'
  app.get(path, { schema: { hide: true } }, (_request, reply) => {
    if (config.securityContact.length === 0) throw new AppError('not_found')
    const end = new Date(Math.floor((clock.now().getTime() + VALID_MS) / DAY_MS) * DAY_MS)
    const lines = [
      ...config.securityContact.map((contact) => `Contact: ${contact}`),
      `Expires: ${end.toISOString()}`,
      'Preferred-Languages: en',
      `Canonical: ${config.baseUrl}${path}`,
    ]
    return reply
      .type('text/plain; charset=utf-8')
      .header('Cache-Control', 'public, max-age=86400')
      .serializer((text: string) => text)
      .send(`${lines.join('\n')}\n`)
  })
}
