// Promises: a click that ends a session names each API key that this session may still know, with a link that revokes it:
// nobody else's keys, and none that are refused already.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sendDueMail } from '@florin/platform/mail/send'
import { MINUTE_MS } from '@florin/protocol'
import { type TestApp, testApp } from '../../test/harness.ts'

const OWNER = 'owner@shop.example'
const ADDRESS = '0x8617E340B3D01FA5F11F306F4090FD50E238070D'

async function mails(at: TestApp) {
  while ((await sendDueMail(at.deps)) > 0);
  return at.mailbox.mails
}

/** A session of the owner's account, with calls as it makes them. */
async function signIn(at: TestApp) {
  at.clock.advance(MINUTE_MS)
  const auth = (path: string, payload: object) =>
    at.app.inject({ method: 'POST', url: `/api/v1/auth/${path}`, payload })
  await auth('code', { email: OWNER })
  const code = /^(\d{6})\n\n/.exec((await mails(at)).findLast((mail) => /^\d{6}\n\n/.test(mail.text))?.text ?? '')?.[1]
  const { token } = (await auth('login', { email: OWNER, code })).json().data
  const headers = { authorization: `Bearer ${token}` }
  return async (method: 'POST' | 'PUT' | 'DELETE' | 'GET', path: string, payload?: object) => {
    const url = `/api/v1/boss/${path}`
    const reply = await at.app.inject({ method, url, headers, ...(payload === undefined ? {} : { payload }) })
    return { status: reply.statusCode, data: reply.json().data }
  }
}

test('whoever undoes what a session did is shown the keys that it knows, and revokes each by its link', async (t) => {
  const at = await testApp(t)
  const owner = await signIn(at)
  const shop = (await owner('POST', 'appkeys', { name: 'shop' })).data
  const server = (await owner('POST', 'appkeys', { name: 'server' })).data
  const thief = await signIn(at)
  const spy = (await thief('POST', 'appkeys', { name: '<b>spy</b> evil.example' })).data
  const gone = (await thief('POST', 'appkeys', { name: 'gone' })).data
  await thief('DELETE', `appkeys/${gone.id}`)
  at.clock.advance(1000)
  const rotated = (await thief('POST', `appkeys/${server.id}/rotate`, {})).data
  assert.equal((await thief('PUT', 'addresses', { chain: 'base', address: ADDRESS })).status, 200)

  const mail = (await mails(at)).findLast((one) => one.subject === 'A receiving address was set')
  const undo = /\/mail\/[0-9A-Za-z]{32}/.exec(mail?.text ?? '')?.[0] ?? assert.fail('no link')
  const before = await at.app.inject(undo)
  assert.ok(!before.body.includes('spy'), 'before the click it tells nothing')
  const page = (await at.app.inject({ method: 'POST', url: undo })).body
  assert.equal((await thief('GET', 'merchant')).status, 401)
  const items = [...page.matchAll(/<li>(.*?)<br><a href="[^"]*(\/mail\/[0-9A-Za-z]{32})">Revoke this key<\/a><\/li>/g)]
  const escaped = (text: string): string => text.replace(/[<>"]/g, (char) => `&#${char.charCodeAt(0)};`)
  assert.deepEqual(
    items.map(([, text]) => text),
    [
      escaped(`"<b>spy</b> evil[dot]example" (${spy.prefix}...${spy.last4}), test, made ${spy.created_at}`),
      escaped(`"server" (${rotated.prefix}...${rotated.last4}), test, rotated ${at.clock.now().toISOString()}`),
    ],
  )

  const status = async (apiKey: string) =>
    (await at.app.inject({ url: '/v1/orders', headers: { 'x-api-key': apiKey } })).statusCode
  const keys = [spy.api_key, rotated.api_key, shop.api_key]
  assert.deepEqual(await Promise.all(keys.map(status)), [200, 200, 200])
  for (const [, , link = ''] of items) {
    assert.match((await at.app.inject(link)).body, /Revoke an API key[\s\S]*It is refused from then on\.</)
    assert.deepEqual(await Promise.all(keys.map(status)).then((all) => all[2]), 200, 'looking revokes nothing')
    assert.match((await at.app.inject({ method: 'POST', url: link })).body, /The key is revoked\./)
    assert.match((await at.app.inject({ method: 'POST', url: link })).body, /not good any more/)
  }
  assert.deepEqual(await Promise.all(keys.map(status)), [401, 401, 200])
  assert.equal((await owner('GET', 'merchant')).status, 200, 'its own session goes on')
})
