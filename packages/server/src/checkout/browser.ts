// Identifies the browser that a payer pays in (docs/decisions/0020-refund-address.md): a secret of its own for one
// order, so that access to a refund address it bound does not depend on the link. The database stores only the secret's
// hash.
import { DAY_MS } from '@florin/protocol'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Viewer } from '../orders/model/shown.ts'
import { AppError } from '../platform/errors.ts'
import { clientOf } from '../platform/http/server.ts'
import { randomOctets } from '../platform/ids.ts'
import { sha256 } from '../platform/secrets.ts'
import type { Actor } from './door/limit.ts'

const NAME = 'florin_payer'
/** As long as the addresses of an order are watched. */
const KEPT_S = (90 * DAY_MS) / 1000

const hashOf = (secret: string): string => Buffer.from(sha256(`payer ${secret}`)).toString('hex')

export function viewerOf(request: FastifyRequest): Viewer {
  const secret = /(?:^|;\s*)florin_payer=([\w-]{22})(?:;|$)/.exec(request.headers.cookie ?? '')?.[1]
  return secret === undefined ? null : hashOf(secret)
}

export const actorOf = (request: FastifyRequest): Actor => ({ viewer: viewerOf(request), client: clientOf(request.ip) })

/** Creates a secret if there is none. Both paths of the order get it: the page's own and that of its calls. */
export function holderOf(request: FastifyRequest, reply: FastifyReply, a: { token: string; baseUrl: string }): string {
  const known = viewerOf(request)
  if (known !== null) return known
  const secret = Buffer.from(randomOctets(16)).toString('base64url')
  const { pathname, protocol } = new URL(a.baseUrl)
  const under = pathname.replace(/\/$/, '')
  const end = `; Max-Age=${KEPT_S}; HttpOnly; SameSite=Strict${protocol === 'https:' ? '; Secure' : ''}`
  reply.header(
    'Set-Cookie',
    ['pay', 'checkout'].map((place) => `${NAME}=${secret}; Path=${under}/${place}/${a.token}${end}`),
  )
  return hashOf(secret)
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
