// What can be said of a webhook URL without the network (contract.md 7): whether it is accepted at creation, and which
// lane its deliveries share. Pure. The addresses that a name resolves to are checked per connection, by target.ts.
import { createHash } from 'node:crypto'
import { isIP } from 'node:net'
import { AppError } from '@florin/platform/errors'
import { URL_MAX } from '@florin/protocol'
import { makePolicy, type TargetPolicy, type TargetSettings } from './send/policy.ts'

/** A task for each delivery that was given up: its merchant is told. */
export const DELIVERY_DEATH = 'tell-deaths'

/**
 * The queue lane of a target: a signed 64-bit hash of tenant, scheme, host and port. Deliveries of one lane share a
 * cap, so a receiver that is slow holds up its own lane alone.
 */
export function laneOf(tenant: number, url: string): bigint {
  const { protocol, host } = new URL(url)
  return createHash('sha256').update(`${tenant} ${protocol}//${host}`).digest().readBigInt64BE(0)
}

/**
 * Reads a webhook URL as a caller gave it.
 * @param rule `livemode` and the two WEBHOOK_ALLOW settings of Config; `param` is the field named in the error.
 * @returns the URL in the one form that is stored and sent to: host in lower case ASCII, no final dot.
 * @throws AppError invalid_webhook_url with what is wrong and what would be right.
 * @example parseWebhookUrl('https://Shop.example/hook', { livemode: true, ...config }) // 'https://shop.example/hook'
 */
export function parseWebhookUrl(text: string, rule: TargetSettings & { livemode: boolean; param?: string }): string {
  const fault = (what: string): AppError =>
    new AppError('invalid_webhook_url', { param: rule.param ?? 'webhook_url', message: what })
  // Checked before the parser, which silently drops tabs and newlines and reads a backslash as a slash.
  if (text.length > URL_MAX) throw fault(`A webhook URL has at most ${URL_MAX} characters.`)
  if (/[\s\p{C}\\]/u.test(text)) {
    throw fault('A webhook URL has no spaces, control or invisible characters and no backslash.')
  }
  if (!/^https?:\/\/[^/]/i.test(text) || !URL.canParse(text)) {
    throw fault('A webhook URL is a full address such as https://shop.example/florin/webhook.')
  }
  const url = new URL(text)
  if (url.protocol !== 'https:' && rule.livemode) throw fault('In live mode a webhook URL starts with https://.')
  if (url.username !== '' || url.password !== '') {
    throw fault('A webhook URL carries no user name or password; verify the signature instead.')
  }
  if (text.includes('#')) throw fault('A webhook URL has no fragment: the part from # on would never be sent.')
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port)
  if (port !== 80 && port !== 443 && port < 1024) {
    throw fault('The port of a webhook URL is 80, 443, or 1024 and above.')
  }
  url.hostname = url.hostname.replace(/\.$/, '')
  const wrong = hostFault(url.hostname, port, makePolicy(rule))
  if (wrong !== null) throw fault(wrong)
  if (url.href.length > URL_MAX) throw fault(`A webhook URL has at most ${URL_MAX} characters once it is encoded.`)
  return url.href
}

const reservedEndings = ['localhost', 'local', 'internal', 'intranet', 'lan', 'home.arpa', 'onion', 'invalid', 'alt']
const metadataNames = ['metadata.google.internal', 'metadata.goog', 'instance-data', 'metadata']

function hostFault(host: string, port: number, policy: TargetPolicy): string | null {
  const literal = host.replace(/^\[|\]$/g, '')
  if (isIP(literal) !== 0) {
    return policy.permits(literal, literal, port)
      ? null
      : 'The address in this webhook URL is not one on the public internet.'
  }
  if (metadataNames.includes(host)) return 'Webhooks are never sent to a metadata service.'
  const isName =
    host.length <= 253 && host.split('.').every((label) => /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/.test(label))
  if (!isName) return 'The host of this webhook URL is not a well-formed name.'
  if (policy.allowPrivate || policy.names(host, port)) return null
  const isReserved = reservedEndings.some((ending) => host === ending || host.endsWith(`.${ending}`))
  return isReserved || !host.includes('.') ? 'The host of this webhook URL is not a name on the public internet.' : null
}
