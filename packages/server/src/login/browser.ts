// Recognizes the browser that a merchant signs in with, by a random cookie that no script can read. A token used
// without it, or with a cookie first seen only recently, is not yet trusted as the merchant's own browser.
import { forgetOldest, readCookie, setCookie } from '@florin/platform/http/cookie'
import { randomBase62 } from '@florin/platform/ids'
import { sha256 } from '@florin/platform/secrets'
import { BROWSER_KNOWN_AFTER_MS, DAY_MS } from '@florin/protocol'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../settings.ts'

/** A browser that was not seen for this long becomes unknown again. */
export const BROWSER_KEPT_MS = 180 * DAY_MS

const PREFIX = 'florin_browser_'
const PATTERN = /^[0-9A-Za-z]{32}$/
/** Accounts whose cookies a browser keeps: it sends all of them, and a request has 16 KiB for its headers. */
const ACCOUNTS_OF_A_BROWSER_MAX = 20

type CookieDeps = { config: Config }

/** Each account has a cookie of its own, so what another account's sign-in set is not taken for it. */
const cookieOf = ({ config }: CookieDeps, merchantId: string) => ({
  name: `${PREFIX}${Buffer.from(sha256(`merchant ${merchantId}`))
    .toString('hex')
    .slice(0, 10)}`,
  isHttps: config.baseUrl.startsWith('https:'),
})

/** What is stored of it: the value has 190 random bits, so its plain hash is not undone. */
export const browserHash = (value: string): Uint8Array => sha256(`browser ${value}`)

export const newBrowser = (): string => randomBase62(32)

/** What the browser sends for this account. Anybody may have planted it: it counts only where a sign-in made it. */
export const sentBrowser = (deps: CookieDeps, request: FastifyRequest, merchantId: string): string | null =>
  readCookie(request, { ...cookieOf(deps, merchantId), pattern: PATTERN })

export function readBrowser(deps: CookieDeps, request: FastifyRequest, merchantId: string): Uint8Array | null {
  const value = sentBrowser(deps, request, merchantId)
  return value === null ? null : browserHash(value)
}

export function rememberBrowser(
  deps: CookieDeps,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  { merchantId, value }: { merchantId: string; value: string },
): void {
  const { name, isHttps } = cookieOf(deps, merchantId)
  forgetOldest({ request, reply }, { prefix: PREFIX, isHttps, keeps: name, max: ACCOUNTS_OF_A_BROWSER_MAX })
  setCookie(reply, { name, isHttps, value, maxAgeS: BROWSER_KEPT_MS / 1000 })
}

export const isKnown = (since: Date | null, now: Date): boolean =>
  since !== null && since.getTime() + BROWSER_KNOWN_AFTER_MS <= now.getTime()
