// Promise: a hundred acts of each other kind do not bury the one mail that matters: it is among the first three that go
// out, whether they come all at once or were there before. What an old session, a link holder or a payer can cause any number
// of is counted by itself.
import assert from 'node:assert/strict'
import { HOUR_MS, MINUTE_MS } from '@florin/protocol'
import { quickTest, sized, slowTest } from '../../../../scripts/sizes.ts'
import { simulate } from '../../../server/src/orders/simulate.ts'
import { type ConsoleUser, type TestConsole, testConsole } from '../../../server/test/console.ts'
import { freshen } from '../../../server/test/factories.ts'
import { sendDigests } from './notices.ts'
import { sendDueMail } from './send.ts'

/** Beyond every number up to which mails go out one by one. */
const MANY = sized({ short: 30, full: 100 })
const OWN = ['0x8617E340B3D01FA5F11F306F4090FD50E238070D', '0x27b1fdb04752bbc536007a920d24acb045561c26'] as const
const THIEFS = '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB'

type Kind = 'addresses' | 'matters' | 'refunds' | 'routine'

/** How each kind is caused over HTTP; `last` tells the one that matters from the hundred before. */
function causes(at: TestConsole, who: ConsoleUser): Record<Kind, (n: number, last?: boolean) => Promise<void>> {
  let link = ''
  const ok = (answer: { status?: number; statusCode?: number }) =>
    assert.equal(answer.status ?? answer.statusCode, 200, JSON.stringify(answer))
  return {
    async addresses(n, last) {
      const payload = { chain: 'base', address: last ? THIEFS : OWN[n % 2] }
      ok(await at.app.inject({ method: 'PUT', url: '/api/v1/boss/addresses', headers: who.merchant.headers, payload }))
    },
    matters: async () => ok(await who.post(`appkeys/${who.key.id}/rotate`, {})),
    async refunds(n, last) {
      // A link asks ten times for an order; the order itself is a mail as well.
      if (n % 10 === 0) {
        const order = await who.order()
        await simulate(at.deps, await simulate(at.deps, order, 'overpay', null), 'settle', null)
        link = `/checkout/${order.checkoutToken}/refund-address`
      }
      const address = last ? THIEFS : `0x${String(n + 1).padStart(40, '1')}`
      ok(await at.app.inject({ method: 'POST', url: link, payload: { address } }))
    },
    routine: async (n) => ok(await who.post('appkeys', { name: `k${n}` })),
  }
}

const marks = {
  addresses: ({ text }: { text: string }) => text.includes(THIEFS),
  matters: ({ subject }: { subject: string }) => subject === 'An API key was rotated',
  refunds: ({ text }: { text: string }) => text.includes(THIEFS),
}

for (const kind of ['addresses', 'matters', 'refunds'] as const) {
  const how = kind === 'addresses' ? quickTest : slowTest
  how(
    `${kind}: neither at once with a hundred acts of each other kind nor after them is the mail buried`,
    async (t) => {
      const at = await testConsole(t)
      const mailsTo = async (who: ConsoleUser, from: number) => {
        await sendDigests(at.deps)
        while ((await sendDueMail(at.deps)) > 0);
        return at.mailbox.mails.slice(from).filter((mail) => mail.to === who.merchant.email)
      }
      for (const [who, isAtOnce] of [
        [at, true],
        [await at.another(), false],
      ] as const) {
        const cause = causes(at, who)
        // An order that was paid too much, and what was mailed about it, lie hours back.
        await cause.refunds(0)
        await mailsTo(who, 0)
        at.clock.advance(2 * HOUR_MS)
        let from = at.mailbox.mails.length
        await freshen(at.deps, who.merchant)
        const others = (Object.keys(cause) as Kind[]).filter((other) => other !== kind)
        for (const other of others) for (let n = 0; n < MANY; n++) await cause[other](n + 1)
        if (!isAtOnce) {
          const { length } = await mailsTo(who, from)
          assert.ok(length > 20 && length < 60, `few of many come one by one: ${length}`)
          from = at.mailbox.mails.length
        }
        await cause[kind](1, true)
        const soon = await mailsTo(who, from)
        const place = soon.findIndex((mail) => marks[kind](mail))
        assert.ok(
          place >= 0 && place < 3,
          `${kind}, number ${place + 1} of: ${soon.map((one) => one.subject).join('; ')}`,
        )
        at.clock.advance(MINUTE_MS)
        const digests = (await mailsTo(who, from)).slice(soon.length)
        assert.ok(digests.length >= 1 && digests.length <= 3, digests.map((mail) => mail.subject).join('; '))
      }
    },
  )
}
