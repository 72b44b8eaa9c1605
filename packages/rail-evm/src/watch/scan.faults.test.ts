// The watcher over providers that leave things out. WATCH_SEED repeats one run; WATCH_ORDERS makes it longer.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { playLies } from '../test/lies.fixture.ts'
import { stopNodes } from '../test/world.fixture.ts'

after(stopNodes)

const orders = Number(process.env.WATCH_ORDERS ?? 300)
const seed = Number(process.env.WATCH_SEED ?? 1)

test(`with providers that leave out 30 % of all lists none of ${orders} paid orders is missed (seed ${seed})`, async (t) => {
  const played = await playLies(t, { orders, seed })
  assert.deepEqual([played.paid, played.missed], [orders, 0])
})
