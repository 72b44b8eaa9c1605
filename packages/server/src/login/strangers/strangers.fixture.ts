// A stranger who tries wrong codes for an email through an hour of false time, while its owner signs in now and then.
import assert from 'node:assert/strict'
import type { TestApp } from '../../../test/harness.ts'

export async function flood(
  at: TestApp,
  a: {
    email: string
    wrongCodes: number
    addresses: number
    /** Milliseconds. */
    hour: number
    owner: (n: number) => Promise<number>
    ownerTimes: number
  },
): Promise<void> {
  let signedIn = 0
  for (let n = 0; n < a.wrongCodes; n++) {
    const remoteAddress = `198.51.100.${n % a.addresses}`
    // Half of them ask for codes of their own first, as far as the limits let them.
    const nonce = n % 2 === 0 ? undefined : `a stranger's browser ${n % a.addresses}`
    const who = { email: a.email, ...(nonce === undefined ? {} : { nonce }) }
    if (n % 50 === 1) await at.app.inject({ method: 'POST', url: '/api/v1/auth/code', payload: who, remoteAddress })
    const payload = { ...who, code: String(n).padStart(6, '0') }
    const answer = await at.app.inject({ method: 'POST', url: '/api/v1/auth/login', payload, remoteAddress })
    assert.equal(answer.statusCode, 401)
    at.clock.advance(a.hour / a.wrongCodes)
    if ((n + 1) % Math.floor(a.wrongCodes / a.ownerTimes) !== 0) continue
    assert.equal(await a.owner(n), 200, `after ${n + 1} wrong codes`)
    signedIn += 1
  }
  assert.equal(signedIn, a.ownerTimes)
}
