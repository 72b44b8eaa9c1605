// Notices to merchants: when they write a moment, whose clock it is.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aMerchant } from '../../../server/test/factories.ts'
import { testApp } from '../../../server/test/harness.ts'
import { withTx } from '../db/tx.ts'
import { enqueueNotice } from './notices.ts'
import { sendDueMail } from './send.ts'

test('notices: a moment in a mail → in the time zone of the merchant, with its name', async (t) => {
  const at = await testApp(t)
  const merchant = await aMerchant(at.deps)
  await at.deps.sql`update merchants set time_zone = 'Asia/Kathmandu' where id = ${merchant.id}`
  const notice = { merchantId: merchant.id, to: merchant.email, weight: 'matters' as const }
  const moment = '2026-11-26T23:30:00.000Z'
  const text = [`Time:    ${moment}`, '9999-99-99T99:99:99.999Z']
  await withTx(at.deps.sql, (tx) =>
    enqueueNotice(tx, at.deps, { ...notice, subject: `It changes on ${moment}`, text }, at.clock.now()),
  )
  while ((await sendDueMail(at.deps)) > 0);
  const mail = at.mailbox.mails.find(({ to }) => to === merchant.email)
  assert.equal(mail?.subject, 'It changes on 27 November 2026 at 05:15 GMT+5:45')
  assert.equal(mail?.text, 'Time:    27 November 2026 at 05:15 GMT+5:45\n9999-99-99T99:99:99.999Z')
})
