// The watcher against the node over hundreds of reorgs. WATCH_SEED repeats one run; WATCH_REORGS makes it longer.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { playReorgs } from '../test/reorgs.fixture.ts'
import { stopNodes } from '../test/world.fixture.ts'

after(stopNodes)

const reorgs = Number(process.env.WATCH_REORGS ?? 200)
const seed = Number(process.env.WATCH_SEED ?? 1)

test(`over ${reorgs} reorgs every row is what the node says (seed ${seed})`, async (t) => {
  const played = await playReorgs(t, { reorgs, seed })
  assert.ok(played.reorgs >= reorgs && played.comparisons > reorgs)
})
