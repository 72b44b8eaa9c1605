// The order that this browser started from a link with a stock before. The payer who holds the last piece is led to that
// order, and is not told that somebody else bought the piece.
import type { Sql } from '@florin/platform/db/pool'
import { forgetOldest, readCookie, setCookie } from '@florin/platform/http/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { findOrderByToken } from '../../orders/store.ts'
import type { Config } from '../../settings.ts'
import type { LinkPage } from '../links/store.ts'

type OwnDeps = { sql: Sql; config: Config }

const PREFIX = 'florin_link_'
/** As long as starts are counted (`limits/`). */
const KEPT_S = 2 * 24 * 3_600
/** A browser sends the cookies of all links at once, and a request has 16 KiB for its headers. */
const LINKS_MAX = 20

const isHttpsOf = ({ config }: OwnDeps): boolean => config.baseUrl.startsWith('https:')

export function keepOwn(
  deps: OwnDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  { link, started }: { link: LinkPage; started: string },
): void {
  if (link.stock === null) return
  const isHttps = isHttpsOf(deps)
  const name = `${PREFIX}${link.token}`
  forgetOldest({ request, reply }, { prefix: PREFIX, isHttps, keeps: name, max: LINKS_MAX })
  setCookie(reply, { name, isHttps, value: started, maxAgeS: KEPT_S })
}

/** @returns the token of its checkout; null where there is none, or where it gave its pieces back. */
export async function findOwn(deps: OwnDeps, request: FastifyRequest, link: LinkPage): Promise<string | null> {
  const name = `${PREFIX}${link.token}`
  const token = readCookie(request, { name, isHttps: isHttpsOf(deps), pattern: /^[0-9A-Za-z]{32}$/ })
  const order = token === null ? null : await findOrderByToken(deps.sql, token)
  if (order === null || order.paymentLinkId !== link.id) return null
  return order.status === 'expired' || order.status === 'refunded' ? null : order.checkoutToken
}
