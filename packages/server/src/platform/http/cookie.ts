// Cookies that only the server reads. Under https another host of the domain cannot set them (`__Host-`).
import type { FastifyReply, FastifyRequest } from 'fastify'

const nameOf = (name: string, isHttps: boolean): string => (isHttps ? `__Host-${name}` : name)

/** @param pattern the form of our own values; anything else counts as absent. */
export function readCookie(
  request: Pick<FastifyRequest, 'headers'>,
  a: { name: string; isHttps: boolean; pattern: RegExp },
): string | null {
  const name = nameOf(a.name, a.isHttps)
  for (const pair of request.headers.cookie?.split(';') ?? []) {
    const at = pair.indexOf('=')
    if (pair.slice(0, at).trim() !== name) continue
    const value = pair.slice(at + 1).trim()
    if (a.pattern.test(value)) return value
  }
  return null
}

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
