import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expireDue } from '../../orders/expire.ts'
import { aSeller } from '../selling.fixture.ts'

const onceOf = (html: string): string => /name="once" value="([0-9A-Za-z]{22})"/.exec(html)?.[1] ?? ''

test('last piece: the same page is sent again, from another address too → the same order', async (t) => {
  const at = await aSeller(t)
  const link = await at.link({ stock: 1 })
  const once = onceOf((await at.open(link.url)).html)
  assert.notEqual(once, '')
  const first = await at.submit(link.url, { once }, '203.0.113.7')
  const again = await at.submit(link.url, { once }, '198.51.100.20')
  assert.deepEqual([first.status, again.status, again.location], [303, 303, first.location])
  await at.boss('POST', `payment_links/${link.id}`, { active: false })
  assert.equal((await at.submit(link.url, { once })).location, first.location)
})

test('last piece: its payer comes back to the page → led to the own order; anybody else → sold out', async (t) => {
  const at = await aSeller(t)
  const [link, other] = [await at.link({ stock: 1 }), await at.link({ stock: 1 })]
  const { location, cookie } = await at.submit(link.url)
  assert.match(cookie, /^florin_link_/)
  for (const headers of [{ cookie }, { cookie: `a=b; ${cookie}` }]) {
    assert.equal((await at.open(link.url, headers)).location, location)
    assert.equal((await at.submit(link.url, {}, '198.51.100.20', headers)).location, location)
  }
  const stranger = await at.open(link.url)
  assert.deepEqual([stranger.status, stranger.location], [200, null])
  assert.equal((await at.submit(link.url)).status, 409)
  // A cookie of one link says nothing of another.
  await at.submit(other.url)
  const forged = cookie.replace(/_[0-9A-Za-z]{22}=/, `_${other.url.slice(-22)}=`)
  assert.equal((await at.submit(other.url, {}, '198.51.100.20', { cookie: forged })).status, 409)
  // What the order gave back may be bought anew.
  at.clock.advance(31 * 60_000)
  await expireDue(at.deps)
  const anew = await at.submit(link.url, {}, '198.51.100.20')
  assert.equal(anew.status, 303)
  assert.equal((await at.submit(link.url, {}, '203.0.113.7', { cookie })).status, 409)
})
