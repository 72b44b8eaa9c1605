import assert from 'node:assert/strict'
import { test } from 'node:test'
import { idPattern, newId } from './ids.ts'

test('ids of one moment are in the order they were made, and none can be guessed from its neighbour', () => {
  const now = new Date('2026-11-21T00:00:00Z')
  const ids = Array.from({ length: 10_000 }, () => newId('evt', now))
  assert.ok(ids.every((id, n) => n === 0 || String(ids[n - 1]) < id))
  assert.equal(new Set(ids).size, ids.length)
  for (const id of ids) assert.match(id, new RegExp(idPattern('evt')))
  const later = newId('evt', new Date(now.getTime() + 1))
  assert.ok(ids.every((id) => id < later))
  // The last ten characters of two consecutive ids match only by chance.
  const alike = ids.filter((id, n) => id.slice(-3) === ids[n - 1]?.slice(-3)).length
  assert.ok(alike < 5, `${alike} of 10000 neighbours end alike`)
})
