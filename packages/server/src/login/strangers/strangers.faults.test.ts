// The flood at full length: 10,000 wrong codes in an hour from 100 addresses, while the owner keeps signing in.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sendDueMail } from '@florin/platform/mail/send'
import { HOUR_MS } from '@florin/protocol'
import { aMerchant } from '../../../test/factories.ts'
import { testApp } from '../../../test/harness.ts'
import { flood } from './strangers.fixture.ts'

test('10,000 wrong codes within an hour from 100 addresses: the owner signs in each time at the first try', async (t) => {
  const at = await testApp(t)
  const email = 'ann@shop.example'
  await aMerchant(at.deps, email)
  const owner = async (n: number): Promise<number> => {
    const post = (path: string, payload: object) =>
      at.app.inject({ method: 'POST', url: `/api/v1/auth/${path}`, payload })
    const nonce = `the owner of this mailbox ${n}`
    assert.equal((await post('code', { email, nonce })).statusCode, 200)
    for (let batch = 0; batch < 10; batch++) await sendDueMail(at.deps)
    const mail = at.mailbox.mails.filter((one) => /^[0-9A-Z-]+\n\n/.test(one.text)).at(-1)
    const code = mail?.text.split('\n')[0] ?? ''
    return (await post('login', { email, nonce, code })).statusCode
  }
  await flood(at, { email, wrongCodes: 10_000, addresses: 100, hour: HOUR_MS, owner, ownerTimes: 20 })
})
