// The console token: a JWT that names a merchant and a session. It proves nothing alone: the guard looks up the session
// on each request, so ending a session ends its token everywhere.
import { hash } from 'node:crypto'
import type { Secrets } from '@florin/platform/secrets'
import { jwtVerify, SignJWT } from 'jose'

export interface TokenSubject {
  merchantId: string
  sessionId: string
}

export interface Tokens {
  sign(subject: TokenSubject, issuedAt: Date, expiresAt: Date): Promise<string>
  /** @returns null for anything that is not a valid token of ours. */
  verify(token: string, now: Date): Promise<TokenSubject | null>
}

// Pinned on both sides: a token that names another algorithm, or none, is refused before its signature is checked.
const alg = 'HS256'

/** Tokens whose signature was verified lately: to verify it costs a turn of a thread's queue, and consoles ask often. */
const KEPT_MAX = 1_000

interface Verified extends TokenSubject {
  /** Seconds since 1970. */
  exp: number
}

export function makeTokens(secrets: Secrets): Tokens {
  const key = secrets.derive('console token')
  // By its hash, since a look-up compares what it is asked for byte by byte.
  const kept = new Map<string, Verified>()

  async function verified(token: string, now: Date): Promise<Verified | null> {
    const { payload } = await jwtVerify(token, key, {
      algorithms: [alg],
      typ: 'JWT',
      requiredClaims: ['sub', 'jti', 'exp'],
      currentDate: now,
    })
    const { sub, jti, exp } = payload
    return sub === undefined || jti === undefined || exp === undefined ? null : { merchantId: sub, sessionId: jti, exp }
  }

  return {
    sign: ({ merchantId, sessionId }, issuedAt, expiresAt) =>
      new SignJWT()
        .setProtectedHeader({ alg, typ: 'JWT' })
        .setSubject(merchantId)
        .setJti(sessionId)
        .setIssuedAt(issuedAt)
        .setExpirationTime(expiresAt)
        .sign(key),
    async verify(token, now) {
      const name = hash('sha256', token)
      const found = kept.get(name) ?? (await verified(token, now).catch(() => null))
      if (found === null || found.exp <= Math.floor(now.getTime() / 1000)) {
        kept.delete(name)
        return null
      }
      if (kept.size >= KEPT_MAX && !kept.has(name)) kept.delete(kept.keys().next().value ?? '')
      kept.set(name, found)
      return { merchantId: found.merchantId, sessionId: found.sessionId }
    },
  }
}
