// Email addresses: in the one form that names an account, as a payer or a shop wrote them, and the mailbox behind them.
import { domainToASCII } from 'node:url'
import { AppError } from './errors.ts'

declare const email: unique symbol
/** An address in the one form that is stored, compared and mailed to as an account's. Only parseEmail makes it. */
export type Email = string & { readonly [email]: true }

const EMAIL_MAX = 254
const LOCAL_MAX = 64
const localPart = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/
const label = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/

/**
 * The canonical form: lower case throughout, an international domain as punycode. Two spellings that differ in case
 * only are one merchant; dots and `+tags` are kept, since only some providers ignore them. Quoted local parts, address
 * literals, comments and local parts outside ASCII are refused: hardly anybody has one, and each is a way to smuggle
 * something into a mail's header. A domain has a dot, but for `localhost`.
 * @throws AppError validation_failed that names `param`.
 * @example parseEmail('Ann@Müller.example') // 'ann@xn--mller-kva.example'
 */
export function parseEmail(text: string, param = 'email'): Email {
  return parseMailTo(text, param).toLowerCase() as Email
}

/**
 * As `parseEmail`, for an address that is only mailed to: before the @ it keeps its letters as they are, since they are its
 * mail server's to read. @example parseMailTo('Ann@Shop.EXAMPLE') // 'Ann@shop.example'
 */
export function parseMailTo(text: string, param: string): string {
  const at = text.lastIndexOf('@')
  // Before anything is lower-cased: some letters outside ASCII lower-case into it.
  const local = text.slice(0, Math.max(0, at))
  if (at < 1 || at === text.length - 1) throw refused(param, 'It needs the form name@domain.')
  if (/[^\x21-\x7e]/.test(local)) throw refused(param, 'The part before the @ takes printable ASCII characters only.')
  if (local.length > LOCAL_MAX) throw refused(param, `The part before the @ takes at most ${LOCAL_MAX} characters.`)
  if (!localPart.test(local.toLowerCase()))
    throw refused(param, 'The part before the @ has a character or dot out of place.')
  const domain = asciiDomain(text.slice(at + 1))
  if (domain === null) throw refused(param, 'The part after the @ is not a domain name.')
  const address = `${local}@${domain}`
  if (address.length > EMAIL_MAX) throw refused(param, `It takes at most ${EMAIL_MAX} characters.`)
  return address
}

/**
 * The mailbox that an address is counted for: without what stands behind a `+` before the @, by which one mailbox has as many
 * addresses as it likes. @example mailboxAddress('Ann+shop@shop.example') // 'ann@shop.example'
 */
export const mailboxAddress = (email: string): string => email.toLowerCase().replace(/^([^+@]+)\+[^@]*@/, '$1@')

function refused(param: string, why: string): AppError {
  return new AppError('validation_failed', { param, message: `This is not an email address. ${why}` })
}

export function asciiDomain(text: string): string | null {
  if (text.length > EMAIL_MAX) return null
  // The conversion parses a host as URLs do; what only a URL may contain is refused before.
  const isAscii = /^[\x21-\x7e]+$/.test(text)
  const ascii = isAscii ? text.toLowerCase() : /[\s%:/?#@[\]\\]/.test(text) ? '' : domainToASCII(text)
  if (ascii === 'localhost') return ascii
  const labels = ascii.split('.')
  if (labels.length < 2 || !labels.every((part) => label.test(part))) return null
  // An all-digit last label makes it an IPv4 address.
  return /^\d+$/.test(labels.at(-1) ?? '') ? null : ascii
}
