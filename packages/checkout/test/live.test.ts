// Promises: the page stays up to date by stream or by asking, says when neither works, resumes by itself, and never goes
// back to an older answer. Time and network are played, so nothing here waits.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Checkout } from '@florin/protocol'
import { at } from '../../checkout-core/test/parts.ts'
import { aCheckout } from '../../checkout-core/test/states.ts'
import { isNewer, type LinkState, type LivePorts, watchCheckout } from '../src/live.ts'
import { makeStore } from '../src/store.ts'

/** A browser whose clock moves only when told to, and whose network does what the test says. */
function aBrowser() {
  let now = 0
  let timers: { due: number; act: () => void }[] = []
  let streams: { onCheckout(checkout: Checkout): void; onDown(): void }[] = []
  const told = { opened: 0, asked: 0 }
  const world = { isReachable: true, version: 1 }
  const heard: Checkout[] = []
  const links: LinkState[] = []
  const ports: LivePorts = {
    openStream(onCheckout, onDown) {
      told.opened += 1
      const stream = { onCheckout, onDown }
      streams.push(stream)
      return () => {
        streams = streams.filter((one) => one !== stream)
      }
    },
    async fetchCheckout() {
      told.asked += 1
      if (!world.isReachable) throw new Error('no network')
      return aCheckout({ version: world.version })
    },
    after(ms, act) {
      const timer = { due: now + ms, act }
      timers.push(timer)
      return () => {
        timers = timers.filter((one) => one !== timer)
      }
    },
  }
  const live = watchCheckout(ports, {
    checkout: (checkout) => heard.push(checkout),
    link: (link) => links.at(-1) !== link && links.push(link),
  })
  return {
    live,
    told,
    world,
    links,
    heard,
    timers: () => timers.length,
    streams: () => streams.length,
    say: (version: number) => streams.at(-1)?.onCheckout(aCheckout({ version })),
    breakStream(): void {
      const stream = streams.pop()
      stream?.onDown()
    },
    async pass(ms: number): Promise<void> {
      const end = now + ms
      for (;;) {
        const [next] = timers.filter(({ due }) => due <= end).sort((a, b) => a.due - b.due)
        if (next === undefined) break
        now = next.due
        timers = timers.filter((one) => one !== next)
        next.act()
        // What was asked is answered before the clock goes on.
        for (let turn = 0; turn < 5; turn++) await Promise.resolve()
      }
      now = end
    },
  }
}

test('while the stream speaks, nothing is asked', async () => {
  const browser = aBrowser()
  browser.say(1)
  for (let n = 2; n < 20; n++) {
    await browser.pass(20_000)
    browser.say(n)
  }
  assert.equal(browser.told.asked, 0)
  assert.equal(browser.told.opened, 1)
  assert.deepEqual(browser.links, ['live'])
})

test('a stream that has gone quiet is checked by one question', async () => {
  const browser = aBrowser()
  browser.say(1)
  await browser.pass(95_000)
  assert.equal(browser.told.asked, 3)
  assert.deepEqual(browser.links, ['live'])
})

test('where no stream comes through, the page asks every few seconds and the payer notices nothing', async () => {
  const browser = aBrowser()
  browser.breakStream()
  await browser.pass(1_500)
  for (let n = 0; n < 5; n++) {
    browser.breakStream()
    await browser.pass(4_000)
  }
  assert.ok(browser.told.asked >= 5)
  assert.deepEqual(browser.links, ['polling'])
})

test('an outage is told after more than one failure, and ends by itself', async () => {
  const browser = aBrowser()
  browser.say(1)
  browser.world.isReachable = false
  browser.breakStream()
  await browser.pass(0)
  assert.deepEqual(browser.links, ['live'], 'one lost request is no outage')
  await browser.pass(1_000)
  assert.deepEqual(browser.links, ['live', 'lost'])
  await browser.pass(120_000)
  const tries = browser.told.asked
  assert.ok(tries < 15, `${tries} tries in two minutes are polite`)
  browser.world.isReachable = true
  browser.world.version = 7
  await browser.pass(15_000)
  assert.deepEqual(browser.links, ['live', 'lost', 'polling'])
  assert.equal(browser.heard.at(-1)?.version, 7)
  browser.say(8)
  assert.deepEqual(browser.links, ['live', 'lost', 'polling', 'live'])
})

test('the stream is opened again, ever more rarely', async () => {
  const browser = aBrowser()
  for (let n = 0; n < 60; n++) {
    browser.breakStream()
    await browser.pass(5_000)
  }
  assert.ok(browser.told.opened >= 5 && browser.told.opened <= 10, `${browser.told.opened} in five minutes`)
})

test('being offline shows at once, and coming back asks at once', async () => {
  const browser = aBrowser()
  browser.say(1)
  browser.live.wentOffline()
  assert.deepEqual(browser.links, ['live', 'lost'])
  browser.live.refresh()
  await browser.pass(0)
  assert.deepEqual(browser.links, ['live', 'lost', 'live'])
})

test('once stopped it does nothing more', async () => {
  const browser = aBrowser()
  browser.say(1)
  browser.live.stop()
  assert.equal(browser.timers(), 0)
  await browser.pass(600_000)
  assert.equal(browser.told.asked, 0)
})

test('a stream from before this browser held an address says nothing any more, and is replaced', () => {
  const held = aCheckout({ version: 2, server_time: at(1), browser: 'holder' })
  const from = aCheckout({ version: 3, server_time: at(2), browser: 'other' })
  assert.equal(isNewer(held, from), false)
  assert.equal(isNewer(from, held), true, 'the answer to its own act, which the old stream overtook')
  const browser = aBrowser()
  browser.say(1)
  browser.live.reopen()
  assert.deepEqual([browser.told.opened, browser.streams()], [2, 1])
})

test('an older answer never replaces a newer one', () => {
  const older = aCheckout({ version: 2, server_time: at(1) })
  const newer = aCheckout({ version: 3, server_time: at(0) })
  assert.equal(isNewer(older, newer), true)
  assert.equal(isNewer(newer, older), false)
  const later = aCheckout({ version: 3, server_time: at(2) })
  assert.equal(isNewer(newer, later), true, 'confirmations change no version')
  assert.equal(isNewer(later, newer), false)

  const store = makeStore(newer, 0)
  let changes = 0
  const leave = store.subscribe(() => changes++)
  store.accept(older, 10)
  assert.equal(store.get().checkout, newer)
  store.accept(later, 20)
  assert.deepEqual(store.get().told, { serverMs: Date.parse(at(2)), pageMs: 20 })
  store.setLink('live')
  assert.equal(changes, 1, 'what changed nothing tells nobody')
  leave()
  store.setLink('lost')
  assert.equal(changes, 1)
})
