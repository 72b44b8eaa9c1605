// The console token: a JWT that names a merchant and a session. It proves nothing alone: the guard looks up the session
// on each request, so ending a session ends its token everywhere.
import { jwtVerify, SignJWT } from 'jose'
import type { Secrets } from '../platform/secrets.ts'

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

export function makeTokens(secrets: Secrets): Tokens {
  const key = secrets.derive('console token')
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
      try {
        const { payload } = await jwtVerify(token, key, {
          algorithms: [alg],
          typ: 'JWT',
          requiredClaims: ['sub', 'jti', 'exp'],
          currentDate: now,
        })
        const { sub, jti } = payload
        return sub === undefined || jti === undefined ? null : { merchantId: sub, sessionId: jti }
      } catch {
        return null
      }
    },
  }
}
