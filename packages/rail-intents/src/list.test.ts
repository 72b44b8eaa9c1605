// The partner's list of swaps is required: the start refuses without its key, and a list that is not read shows in health and in
// the checklist before real money.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isOk, ok } from '@florin/platform/check'
import { SettingsError } from '@florin/platform/errors'
import { MINUTE_MS, SECOND_MS } from '@florin/protocol'
import { parseIntents } from './settings/config.ts'
import { aWorld, settingsOver, startProcess } from './test/world.fixture.ts'

test('without the key of the list of swaps the start is refused, in words that name the setting', () => {
  for (const fields of [{ mode: 'live' }, { mode: 'test', url: 'http://127.0.0.1:1' }]) {
    const read = (more: object = {}, environment = {}) =>
      parseIntents(JSON.stringify({ intents: { ...fields, ...more } }), environment)
    const refused = (text: RegExp) => (error: unknown) => error instanceof SettingsError && text.test(error.message)
    assert.throws(() => read(), refused(/intents\.feedKeyEnv.*set the variable, and put its name here/s))
    assert.throws(() => read({ feedKeyEnv: 'FEED' }), refused(/intents\.feedKeyEnv.*no such variable is set/s))
    const feed = read({ feedKeyEnv: 'FEED' }, { FEED: 'key-of-the-list' })?.feed
    assert.deepEqual(feed, { url: 'https://explorer.near-intents.org', key: 'key-of-the-list' })
  }
})

test('a list that is not read is an item for operators while a swap is open, and golive refuses until it is read', async (t) => {
  const world = await aWorld(t)
  const { provider, clock, rail } = world
  // The double is in test mode; the checklist is for real money.
  const live = startProcess(world.deps, { ...world, settings: { ...settingsOver(provider), mode: 'live' } }).rail.rail
  const point = async () => (await live.checks({ chain: 'base', guardian: null, answersRequests: true }))[0]
  const troubles = async () =>
    (await rail.rail.checks()).flatMap((one) => (isOk(one) ? [] : `${one.subject}: ${one.summary}`))
  assert.match((await point())?.summary ?? '', /never read/)
  assert.match((await point())?.remedy ?? '', /intents\.feedKeyEnv/)
  await world.order()
  assert.deepEqual(await troubles(), [])
  provider.faults.set(
    '/api/v0/transactions',
    Array.from({ length: 40 }, () => ({ kind: 'status' as const, status: 401, body: '{}' })),
  )
  clock.advance(5 * MINUTE_MS + SECOND_MS)
  await world.run('intents-poll')
  assert.match((await troubles()).join(), /^list of swaps: NEAR Intents: the list of swaps was never read$/)
  assert.match(rail.jobs[0]?.checks?.()[0]?.summary ?? '', /list of swaps/)
  assert.equal((await point())?.status, 'warning')
  provider.faults.clear()
  clock.advance(11 * SECOND_MS)
  await world.run('intents-poll')
  assert.deepEqual(await troubles(), [])
  assert.deepEqual(rail.jobs[0]?.checks?.(), [])
  const answers = ok('list_of_swaps', 'NEAR Intents answers with its list of swaps.')
  assert.deepEqual(await point(), { ...answers, chain: 'base', livemode: true, holdsUp: [] })
  clock.advance(6 * MINUTE_MS)
  assert.match((await troubles()).join(), /last read at/)
  assert.match((await point())?.summary ?? '', /last read at/)
})
