import assert from 'node:assert/strict'
import { type ClientRequest, get, type IncomingMessage } from 'node:http'
import { type TestContext, test } from 'node:test'
import { type ConsoleUser, type TestConsole, testConsole } from '../../test/console.ts'
import { copies } from '../../test/scale/order-copies.ts'
import { listening } from '../../test/streams.ts'
import { EXPORT_PAGE } from './export.ts'

const path = '/api/v1/boss/orders/export?format=csv&livemode=false'

/** A merchant with so many large orders that an export which is not read cannot end in the buffers of sockets. */
async function largeExports(at: TestConsole, who: ConsoleUser, a: { pages: number; first?: number }): Promise<void> {
  const metadata = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`k${n}`, 'x'.repeat(500)]))
  const order = await who.order({ metadata })
  await copies(at, order.orderNo, a.pages * EXPORT_PAGE, a.first)
}

interface Unread {
  status: number | undefined
  /** Reads on; resolves to whether the answer came to a regular end. */
  isWhole(): Promise<boolean>
}

interface Exporting extends TestConsole {
  /** An export whose client reads the head of the answer alone. */
  unread(who: ConsoleUser): Promise<Unread>
}

async function exporting(t: TestContext): Promise<Exporting> {
  const requests: ClientRequest[] = []
  // Before the app is closed, which waits for its answers.
  t.after(() => {
    for (const request of requests) request.destroy()
  })
  const at = await testConsole(t)
  const base = await listening(at.app)
  return {
    ...at,
    unread: (who) =>
      new Promise((resolve, reject) => {
        const request = get(`${base}${path}`, { headers: who.merchant.headers, agent: false })
        requests.push(request)
        request.once('error', reject)
        request.once('response', (answer: IncomingMessage) => {
          const whole = new Promise<boolean>((settle) => answer.once('close', () => settle(answer.complete)))
          answer.on('error', () => undefined)
          resolve({
            status: answer.statusCode,
            isWhole() {
              answer.resume()
              return whole
            },
          })
        })
      }),
  }
}

test('exports: four are left unread by two merchants → a third merchant gets one', async (t) => {
  const at = await exporting(t)
  const [one, two] = [await at.another('one@shop.example'), await at.another('two@shop.example')]
  for (const [n, who] of [one, two, at].entries()) {
    await largeExports(at, who, { pages: 2, first: 10_000 * n + 1 })
  }
  const open = []
  for (const who of [one, one, two, two]) open.push((await at.unread(who)).status)
  assert.deepEqual(open, [200, 200, 200, 200])
  // Until the four end, nobody else gets a second one.
  assert.equal((await at.unread(at)).status, 200)
  assert.equal((await at.unread(at)).status, 429)
})

test('exports: 30 seconds unread → ended before it is whole, and its slot is free', async (t) => {
  const at = await exporting(t)
  await largeExports(at, at, { pages: 2 })
  const open = [await at.unread(at), await at.unread(at)]
  assert.equal((await at.unread(at)).status, 429)
  for (let turn = 0; (await at.unread(at)).status !== 200; turn++) {
    assert.ok(turn < 60, 'no slot was free after a minute')
    at.clock.advance(1_000)
  }
  assert.ok((await Promise.all(open.map((one) => one.isWhole()))).includes(false))
})

test('exports: the session is ended or the account suspended while it is read → nothing more is sent', async (t) => {
  const at = await exporting(t)
  const other = await at.another()
  for (const [n, who] of [at, other].entries()) {
    await largeExports(at, who, { pages: 5, first: 10_000 * n + 1 })
  }
  assert.equal(await (await at.unread(at)).isWhole(), true)
  const [ended, suspended] = [await at.unread(at), await at.unread(other)]
  await at.deps.sql`update sessions set revoked_at = ${at.clock.now()} where merchant_id = ${at.merchant.id}`
  await at.deps.sql`update merchants set suspended_at = ${at.clock.now()} where id = ${other.merchant.id}`
  assert.deepEqual([await ended.isWhole(), await suspended.isWhole()], [false, false])
})
