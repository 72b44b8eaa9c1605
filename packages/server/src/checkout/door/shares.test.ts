// Whoever has the link alone uses up nothing of what the payer can do, who chose in a browser of his own.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '../../../test/harness.ts'
import { aCaller, anOrder } from '../../../test/orders.ts'
import { ACTS_PER_MINUTE, BROWSERS_PER_HOUR, LOOKS_PER_MINUTE, STRANGERS_SHARES } from './limit.ts'

const PAYER = '0x8617E340B3D01FA5F11F306F4090FD50E238070D'
const hash = `0x${'5e'.repeat(32)}`

test('strangers with the link, of one address or many, leave the payer the looks and acts of his own', async (t) => {
  const at = await testApp(t, { rateLimits: true })
  const order = await anOrder(at.deps, await aCaller(at.deps), { settle_chain: 'base', pay_chain: undefined } as never)
  const post = async (path: string, payload: object, from: string, cookie = '') => {
    const headers = cookie === '' ? {} : { cookie }
    const url = `/checkout/${order.checkoutToken}${path}`
    const reply = await at.app.inject({ method: 'POST', url, payload, headers, remoteAddress: from })
    return { status: reply.statusCode, cookie: reply.cookies.map((one) => `${one.name}=${one.value}`)[0] ?? '' }
  }
  const look = async (from: string, cookie?: string) => (await post('/look', { tx_hash: hash }, from, cookie)).status
  const chosen = await post('/pay', { chain: 'base', asset: 'USDC', refund_address: PAYER }, '198.51.100.7')
  assert.equal(chosen.status, 200)

  // He shares his network's address with the stranger, and so does another visitor with the stranger alone.
  const tries = async (from: string): Promise<number[]> => {
    const answers: number[] = []
    for (let n = 0; n <= LOOKS_PER_MINUTE; n++) answers.push(await look(from))
    return answers
  }
  const [first, second, third] = await tries('198.51.100.7')
  assert.deepEqual([first === 429, second === 429, third], [false, false, 429])
  for (let n = 1; n < STRANGERS_SHARES; n++) assert.notEqual(await look(`203.0.113.${n}`), 429)
  for (let n = 1; n < STRANGERS_SHARES; n++) assert.notEqual(await look(`203.0.113.${n}`), 429)
  assert.equal(await look('203.0.113.99'), 429, 'all strangers together have a bound as well')
  for (let n = 0; n < LOOKS_PER_MINUTE; n++) assert.equal(await look('198.51.100.7', chosen.cookie), 200)
  assert.equal(await look('198.51.100.7', chosen.cookie), 429)

  // Acts are the same: choosing, and naming an address for a refund.
  const choose = (from: string, cookie?: string) => post('/pay', { chain: 'base', asset: 'USDC' }, from, cookie)
  let refused = 0
  for (let n = 0; n < STRANGERS_SHARES; n++)
    for (let act = 0; act < ACTS_PER_MINUTE; act++) {
      const { status } = await choose(`192.0.2.${n + 1}`)
      if (status === 429) refused++
    }
  assert.ok(refused > 0)
  assert.equal((await choose('198.51.100.7', chosen.cookie)).status, 200)
  // A secret that holds no leg is none.
  assert.equal(
    (await choose('192.0.2.1', 'florin_payer_9f86d08188=AAAAAAAAAAAAAAAAAAAAAA.AAAAAAAAAAAAAAAAAAAAAA')).status,
    429,
  )
})

test('one client leaves room for browsers of others that bind a refund address, and a slip of the payer costs none of it', async (t) => {
  const at = await testApp(t, { rateLimits: true })
  const order = await anOrder(at.deps, await aCaller(at.deps), { settle_chain: 'base', pay_chain: undefined } as never)
  const bind = async (from: string, address: string, cookie = '') => {
    const payload = { chain: 'eth', asset: 'ETH', refund_address: address }
    const url = `/checkout/${order.checkoutToken}/pay`
    const headers = cookie === '' ? {} : { cookie }
    const reply = await at.app.inject({ method: 'POST', url, payload, headers, remoteAddress: from })
    return { status: reply.statusCode, cookie: reply.cookies.map((one) => `${one.name}=${one.value}`)[0] ?? cookie }
  }
  const address = (n: number): string => `0x${String(n).padStart(40, '7')}`
  for (let n = 1; n <= 12; n++)
    assert.equal((await bind('203.0.113.1', address(n))).status, n <= BROWSERS_PER_HOUR ? 200 : 429)
  // The payer mistypes his address four times, in one browser of another network, and is not shut out.
  let cookie = ''
  for (let n = 0; n < 4; n++) {
    const slip = await bind('198.51.100.7', `${address(9)}0`, cookie)
    assert.equal(slip.status, 422)
    cookie = slip.cookie
  }
  assert.equal((await bind('198.51.100.7', PAYER, cookie)).status, 200)
  assert.equal((await bind('203.0.113.1', address(20))).status, 429)
})
