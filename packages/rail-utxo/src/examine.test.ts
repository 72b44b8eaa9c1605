// What going live asks of a chain: each point is good only while it holds.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isOk } from '@florin/platform/check'
import { MINUTE_MS } from '@florin/protocol'
import { aWorld } from './test/world.fixture.ts'

const ASKED = { chain: 'btc', guardian: null, answersRequests: true }

test('each point of going live fails by itself and says what to do', async (t) => {
  let isHostAway = false
  const world = await aWorld(t, {
    sources: async (chain) => {
      const host = () => chain.host(t, (_, honest) => (isHostAway ? { status: 503, body: 'busy' } : honest))
      return { node: await chain.node(t), hosts: [await host(), await host()] }
    },
  })
  const points = async () => {
    const found = await world.rail.rail.checks(ASKED)
    return new Map(found.map((point) => [point.id, point]))
  }
  const bad = async (): Promise<string[]> => [...(await points()).values()].flatMap((one) => (isOk(one) ? [] : one.id))
  assert.deepEqual(await world.rail.rail.checks({ ...ASKED, chain: 'ltc' }), [])
  await world.look()
  // What a node says of itself where it is asked.
  const names = ['mode', 'node', 'pruning', 'history', 'fees', 'hosts', 'watching', 'prices']
  assert.deepEqual([...(await points()).keys()], names)
  assert.deepEqual(await bad(), ['mode', 'fees'])
  world.chain.answers.set('estimatesmartfee', () => ({ feerate: 0.0001 }))
  // Nobody takes live money on regtest.
  assert.deepEqual(await bad(), ['mode'])
  assert.match((await points()).get('hosts')?.summary ?? '', /^2 block hosts answer/)

  world.chain.answers.set('getindexinfo', () => ({ 'basic block filter index': { synced: true } }))
  assert.match((await points()).get('history')?.summary ?? '', /within minutes/)
  world.chain.pruneHeight = 0
  assert.match((await points()).get('pruning')?.summary ?? '', /Older ones come from the block hosts/)

  isHostAway = true
  assert.deepEqual(await bad(), ['mode', 'hosts'])
  isHostAway = false

  world.clock.advance(4 * MINUTE_MS)
  assert.deepEqual(await bad(), ['mode', 'watching'])
  await world.look()
  assert.deepEqual(await bad(), ['mode'])

  world.chain.isDown = true
  assert.deepEqual(await bad(), ['mode', 'node', 'hosts'])
  for (const point of (await points()).values()) assert.equal(point.remedy === null, isOk(point))
})

test('one host alone is not enough without a node', async (t) => {
  const world = await aWorld(t, { sources: async (chain) => ({ hosts: [await chain.host(t)] }) })
  await world.look()
  const found = await world.rail.rail.checks(ASKED)
  assert.match(found.find((point) => point.id === 'hosts')?.summary ?? '', /one host alone/)
})

test('a node that prunes within days needs a host beside it', async (t) => {
  const world = await aWorld(t)
  await world.look()
  world.chain.pruneHeight = 0
  const found = await world.rail.rail.checks(ASKED)
  const point = found.find(({ id }) => id === 'pruning')
  assert.deepEqual([point?.status, /name a block host/.test(point?.remedy ?? '')], ['warning', true])
})
