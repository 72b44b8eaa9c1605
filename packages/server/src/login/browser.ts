// Recognizes the browser that a merchant signs in with, by a random cookie that no script can read. A token used
// without it, or with a cookie first seen only recently, is not yet trusted as the merchant's own browser.
import { BROWSER_KNOWN_AFTER_MS, DAY_MS } from '@florin/protocol'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { readCookie, setCookie } from '../platform/http/cookie.ts'
import { randomBase62 } from '../platform/ids.ts'
import { sha256 } from '../platform/secrets.ts'
import type { Config } from '../settings.ts'

/** A browser that was not seen for this long becomes unknown again. */
export const BROWSER_KEPT_MS = 180 * DAY_MS

const cookie = { name: 'florin_browser', pattern: /^[0-9A-Za-z]{32}$/ }
type CookieDeps = { config: Config }
const isHttps = (deps: CookieDeps): boolean => deps.config.baseUrl.startsWith('https:')

/** What is stored of it: the value has 190 random bits, so its plain hash is not undone. */
export const browserHash = (value: string): Uint8Array => sha256(`browser ${value}`)

export function readBrowser(deps: CookieDeps, request: FastifyRequest): Uint8Array | null {
  const value = readCookie(request, { ...cookie, isHttps: isHttps(deps) })
  return value === null ? null : browserHash(value)
}

/** The cookie of this browser, or a new one; to be passed to `rememberBrowser` once the sign-in succeeded. */
export const browserValue = (deps: CookieDeps, request: FastifyRequest): string =>
  readCookie(request, { ...cookie, isHttps: isHttps(deps) }) ?? randomBase62(32)

export function rememberBrowser(deps: CookieDeps, reply: FastifyReply, value: string): void {
  setCookie(reply, { name: cookie.name, isHttps: isHttps(deps), value, maxAgeS: BROWSER_KEPT_MS / 1000 })
}

export const isKnown = (since: Date | null, now: Date): boolean =>
  since !== null && since.getTime() + BROWSER_KNOWN_AFTER_MS <= now.getTime()
