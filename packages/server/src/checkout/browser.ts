// Identifies the browser that a payer pays in (docs/decisions/0020-refund-address.md): a secret of its own for one
// order, so that access to a refund address it bound does not depend on the link. The database stores only the secret's
// hash.
import type { Viewer } from '@florin/order-model/shown'
import { AppError } from '@florin/platform/errors'
import { forgetOldest, readCookie, setCookie } from '@florin/platform/http/cookie'
import { clientOf } from '@florin/platform/http/server'
import { randomOctets } from '@florin/platform/ids'
import { equalSecret, type Secrets, sha256 } from '@florin/platform/secrets'
import { DAY_MS } from '@florin/protocol'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../settings.ts'
import type { Actor } from './door/limit.ts'

const PREFIX = 'florin_payer_'
const PATTERN = /^[\w-]{22}\.[\w-]{22}$/
/** As long as the addresses of an order are watched. */
const KEPT_S = (90 * DAY_MS) / 1000
/** Orders whose cookies a browser keeps: it sends all of them, and a request has 16 KiB for its headers. */
export const ORDERS_OF_A_BROWSER_MAX = 20

type BrowserDeps = { config: Config; secrets: Secrets }
type PayerRequest = FastifyRequest<{ Params: { token: string } }>

const cookieOf = ({ config }: BrowserDeps, token: string) => ({
  // The cookies of several orders lie side by side.
  name: `${PREFIX}${hashOf(`order ${token}`).slice(0, 10)}`,
  isHttps: config.baseUrl.startsWith('https:'),
})
const hashOf = (text: string): string => Buffer.from(sha256(text)).toString('hex')
const viewerFrom = (value: string): string => hashOf(`payer ${value}`)

/** A random text and its keyed hash for this order, so that no one can make up a value and plant it in a browser. */
function signed(deps: BrowserDeps, token: string, random: string): string {
  const mac = Buffer.from(deps.secrets.keyedHash('payer cookie', `${token} ${random}`)).toString('base64url')
  return `${random}.${mac.slice(0, 22)}`
}

export function viewerOf(deps: BrowserDeps, request: PayerRequest): Viewer {
  const { token } = request.params
  const value = readCookie(request, { ...cookieOf(deps, token), pattern: PATTERN })
  const [random = ''] = value?.split('.') ?? []
  return value !== null && equalSecret(value, signed(deps, token, random)) ? viewerFrom(value) : null
}

export const actorOf = (deps: BrowserDeps, request: PayerRequest): Actor => ({
  viewer: viewerOf(deps, request),
  client: clientOf(request.ip),
})

/** Creates a secret if there is none. */
export function holderOf(deps: BrowserDeps, request: PayerRequest, reply: FastifyReply): string {
  const known = viewerOf(deps, request)
  if (known !== null) return known
  const { token } = request.params
  const { name, isHttps } = cookieOf(deps, token)
  const value = signed(deps, token, Buffer.from(randomOctets(16)).toString('base64url'))
  forgetOldest({ request, reply }, { prefix: PREFIX, isHttps, keeps: name, max: ORDERS_OF_A_BROWSER_MAX })
  setCookie(reply, { name, isHttps, value, maxAgeS: KEPT_S })
  return viewerFrom(value)
}

/**
 * A page of another site could post a thief's address from the payer's own browser, which would then hold it as its
 * own. Browsers send the origin of a post; a client that sends none is no browser that a foreign page can use.
 * @throws AppError foreign_page
 */
export function refuseForeignPage(request: FastifyRequest, baseUrl: string): void {
  const { 'sec-fetch-site': site, origin } = request.headers
  if (site !== undefined) {
    if (site === 'same-origin' || site === 'none') return
    throw new AppError('foreign_page')
  }
  if (origin === undefined) return
  const host = URL.canParse(origin) ? new URL(origin).host : null
  if (host === null || (host !== request.host && host !== new URL(baseUrl).host)) throw new AppError('foreign_page')
}
