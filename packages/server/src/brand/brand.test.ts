// Promises: a logo is encoded anew before anybody sees it and nothing but a small still PNG or WebP is taken; the support
// contact needs a fresh sign-in; another merchant's brand is untouched; payers see what was set, pictures can be cached
// for ever because their address changes with them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateSync } from 'node:zlib'
import { Transformer } from '@napi-rs/image'
import { aMerchant, freshen } from '../../test/factories.ts'
import { testApp } from '../../test/harness.ts'
import { aCaller, anOrder } from '../../test/orders.ts'

interface Answer {
  accent: string | null
  colors: { light: { press: string } } | null
  logo: { url: string; width: number; height: number } | null
  card_url: string
  support_email: string | null
  support_url: string | null
}

const picture = (width: number, height: number): Transformer =>
  Transformer.fromRgbaPixels(new Uint8Array(width * height * 4).fill(200), width, height)

/** A PNG of a few kilobytes that says it is small and unpacks to far more than it says. */
function bomb(png: Buffer): Buffer {
  const data = deflateSync(Buffer.alloc(50_000_000))
  const at = png.indexOf('IDAT') - 4
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  return Buffer.concat([png.subarray(0, at), length, Buffer.from('IDAT'), data, Buffer.alloc(4), png.subarray(-12)])
}

test('a brand from the console to the payer', async (t) => {
  const { app, deps, clock } = await testApp(t)
  const caller = await aCaller(deps)
  const order = await anOrder(deps, caller)
  const other = await aMerchant(deps)
  const signedIn = await aMerchant(deps)
  const call = async (method: 'GET' | 'PATCH' | 'PUT' | 'DELETE', path: string, payload?: object, type?: string) => {
    const headers = { ...signedIn.headers, ...(type === undefined ? {} : { 'content-type': type }) }
    const reply = await app.inject({
      method,
      url: `/api/v1/boss/brand${path}`,
      headers,
      ...(payload === undefined ? {} : { payload }),
    })
    const { data, error } = reply.json() as { data: Answer; error?: { code: string; param: string; message: string } }
    return { status: reply.statusCode, data, error }
  }
  // The order becomes that of a merchant who can sign in.
  await deps.sql`update orders set merchant_id = ${signedIn.id} where order_no = ${order.orderNo}`

  await t.test('nothing set: nothing shown, and the pictures of the service', async () => {
    const { data } = await call('GET', '')
    assert.deepEqual([data.accent, data.colors, data.logo, data.support_email], [null, null, null, null])
    const card = await app.inject(new URL(data.card_url).pathname)
    assert.equal(card.headers['content-type'], 'image/png')
    const size = await new Transformer(card.rawPayload).metadata()
    assert.deepEqual([size.width, size.height], [1200, 630])
  })

  await t.test('PNG and WebP are taken, made smaller and encoded anew', async () => {
    const webp = await picture(1000, 500).webp(80)
    const { data } = await call('PUT', '/logo', webp, 'image/webp')
    assert.deepEqual([data.logo?.width, data.logo?.height], [512, 256])
    const served = await app.inject(new URL(data.logo?.url ?? '').pathname)
    assert.equal(served.headers['content-type'], 'image/png')
    assert.match(String(served.headers['cache-control']), /immutable/)
    const kept = await new Transformer(served.rawPayload).metadata()
    assert.deepEqual([kept.format, kept.width, kept.height], ['png', 512, 256])

    const secret = Buffer.from('gps=52.5,13.4')
    const png = await picture(40, 40).png()
    const text = Buffer.concat([Buffer.from([0, 0, 0, secret.length]), Buffer.from('tEXt'), secret, Buffer.alloc(4)])
    const marked = Buffer.concat([png.subarray(0, 33), text, png.subarray(33)])
    const [mails] = await deps.sql<{ png: Uint8Array }[]>`select mail_logo as png from merchant_brands`
    const inMail = await new Transformer(Buffer.from(mails?.png ?? [])).metadata()
    assert.deepEqual([inMail.width, inMail.height], [256, 128], 'small enough to go along')

    const after = await call('PUT', '/logo', marked, 'image/png')
    assert.equal(after.status, 200)
    const clean = await app.inject(new URL(after.data.logo?.url ?? '').pathname)
    assert.ok(!clean.rawPayload.includes(secret), 'where and with what it was taken stays behind')
    assert.notEqual(after.data.logo?.url, data.logo?.url)
    assert.equal((await app.inject(new URL(data.logo?.url ?? '').pathname)).statusCode, 404)
  })

  await t.test('what is no small still picture is refused and says why', async () => {
    const png = await picture(64, 64).png()
    const cases: [Buffer, string, number, RegExp][] = [
      [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'), 'image/png', 422, /PNG or WebP/],
      [bomb(png), 'image/png', 422, /cannot be read/],
      [png.subarray(0, 60), 'image/png', 422, /cut off/],
      [await picture(4_100, 20).png(), 'image/png', 422, /4096 pixels/],
      [Buffer.alloc(1024 * 1024 + 1, 1), 'image/png', 413, /^A logo has at most 1 MiB/],
      [png, 'image/svg+xml', 415, /image\/png or image\/webp/],
      [Buffer.alloc(0), 'image/png', 422, /Send the picture/],
    ]
    for (const [bytes, type, status, says] of cases) {
      const { status: got, error } = await call('PUT', '/logo', bytes, type)
      assert.equal(got, status, String(says))
      assert.match(error?.message ?? '', says)
    }
    assert.equal((await call('GET', '')).data.logo?.width, 40, 'the one before stays')
  })

  await t.test('colour and contact are parsed, told to payers, and cleared', async () => {
    const set = { accent: '#FD0', support_email: 'Help@Shop.example', support_url: 'https://shop.example/help' }
    const { status, data } = await call('PATCH', '', set)
    assert.equal(status, 200)
    assert.equal(data.accent, '#ffdd00')
    assert.notEqual(data.colors?.light.press, '#ffdd00', 'yellow on white is darkened')
    assert.equal(data.support_email, 'help@shop.example')
    const checkout = (await app.inject(`/checkout/${order.checkoutToken}`)).json().merchant
    assert.deepEqual(
      [checkout.support_email, checkout.support_url, checkout.logo.width],
      ['help@shop.example', 'https://shop.example/help', 40],
    )
    const manifest = await app.inject(new URL(data.card_url).pathname.replace('card.png', 'manifest.webmanifest'))
    assert.equal(manifest.json().theme_color, '#ffdd00')
    for (const [field, value] of [
      ['accent', 'red'],
      ['accent', '#12345'],
      ['support_email', 'nobody'],
      ['support_url', 'http://shop.example'],
      ['support_url', 'javascript:alert(1)'],
      ['support_url', 'https://user:secret@shop.example'],
    ] as const) {
      const refused = await call('PATCH', '', { [field]: value })
      assert.equal(refused.status, 422, value)
      assert.equal(refused.error?.param, field)
    }
    assert.equal((await call('PATCH', '', { accent: null })).data.support_email, 'help@shop.example')
    const theirs = await app.inject({ url: '/api/v1/boss/brand', headers: other.headers })
    assert.equal(theirs.json().data.support_email, null)
  })

  await t.test('an old sign-in changes the colour but not where payers ask for help', async () => {
    clock.advance(3_600_000)
    assert.equal((await call('PATCH', '', { accent: '#0a7d4f' })).status, 200)
    const refused = await call('PATCH', '', { support_email: 'thief@evil.example' })
    assert.equal(refused.error?.code, 'confirmation_required')
    assert.equal((await call('PATCH', '', { support_email: 'help@shop.example' })).status, 200, 'the same one again')
  })

  await t.test('changes at the same moment all count', async () => {
    const answers = await Promise.all([
      call('PATCH', '', { accent: '#111111' }),
      call('PATCH', '', { support_url: null }),
      call('PUT', '/logo', await picture(80, 20).png(), 'image/png'),
    ])
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 403, 200],
    )
    await freshen(deps, signedIn)
    await Promise.all([call('PATCH', '', { accent: '#333333' }), call('PATCH', '', { support_url: null })])
    const { data } = await call('GET', '')
    assert.deepEqual([data.logo?.width, data.accent, data.support_url], [80, '#333333', null])
    assert.equal((await call('DELETE', '/logo')).data.logo, null)
  })

  const audit = await deps.sql<{ action: string }[]>`
    select distinct action from audit_log where merchant_id = ${signedIn.id} order by action`
  assert.deepEqual(
    audit.map((row) => row.action),
    ['brand.changed', 'brand.logo_removed', 'brand.logo_set'],
  )
})
