// Cookies that only the server reads. Under https another host of the domain cannot set them (`__Host-`).
import type { FastifyReply, FastifyRequest } from 'fastify'

type WithHeaders = Pick<FastifyRequest, 'headers'>

const nameOf = (name: string, isHttps: boolean): string => (isHttps ? `__Host-${name}` : name)

/**
 * Two cookies of one name count as none: another host of the domain may have set one of them.
 * @param pattern the form of our own values; anything else counts as absent.
 */
export function readCookie(
  request: WithHeaders,
  a: { name: string; isHttps: boolean; pattern: RegExp },
): string | null {
  const name = nameOf(a.name, a.isHttps)
  const [found, ...more] = pairsOf(request).filter((pair) => pair.name === name)
  return found !== undefined && more.length === 0 && a.pattern.test(found.value) ? found.value : null
}

/** Names of the cookies that begin like this, the oldest first, as browsers send them. */
function listCookies(request: WithHeaders, a: { prefix: string; isHttps: boolean }): string[] {
  const whole = nameOf(a.prefix, a.isHttps)
  return pairsOf(request)
    .filter(({ name }) => name.startsWith(whole))
    .map(({ name }) => name.slice(whole.length - a.prefix.length))
}

/** @param maxAgeS 0 removes it. */
export function setCookie(
  reply: FastifyReply,
  a: { name: string; isHttps: boolean; value: string; maxAgeS: number },
): void {
  const secure = a.isHttps ? '; Secure' : ''
  reply.header(
    'Set-Cookie',
    `${nameOf(a.name, a.isHttps)}=${a.value}; Path=/; Max-Age=${a.maxAgeS}; HttpOnly; SameSite=Strict${secure}`,
  )
}

/** Removes the oldest cookies that begin like this, so that with `keeps` there are `max`. */
export function forgetOldest(
  { request, reply }: { request: WithHeaders; reply: FastifyReply },
  a: { prefix: string; isHttps: boolean; keeps: string; max: number },
): void {
  const others = listCookies(request, a).filter((name) => name !== a.keeps)
  for (const name of others.slice(0, Math.max(0, others.length + 1 - a.max)))
    setCookie(reply, { name, isHttps: a.isHttps, value: '', maxAgeS: 0 })
}

function pairsOf(request: WithHeaders): { name: string; value: string }[] {
  return (request.headers.cookie ?? '').split(';').flatMap((text) => {
    const at = text.indexOf('=')
    return at < 0 ? [] : [{ name: bare(text.slice(0, at)), value: bare(text.slice(at + 1)) }]
  })
}

/** trim() also takes away U+00A0, which a browser keeps in a name that it therefore does not protect as `__Host-`. */
const bare = (text: string): string => text.replace(/^[ \t]+|[ \t]+$/g, '')
