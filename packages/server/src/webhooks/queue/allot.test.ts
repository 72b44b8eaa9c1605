import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { allot, type ReadyLane } from './allot.ts'
import { LANE_MAX, makeCaps } from './caps.ts'
import { classRooms, FIRST, type InUse } from './classes.ts'

const SLOTS = 512
const anInUse = fc
  .tuple(fc.nat(SLOTS), fc.nat(SLOTS), fc.nat(SLOTS), fc.nat(1))
  .filter(([a, b, c, d]) => a + b + c + d <= SLOTS)

test('retries never hold more than 35 %, replays 15 %, suspects one slot, and nothing more than is free', () => {
  fc.assert(
    fc.property(anInUse, fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }), (inUse: InUse, waiting) => {
      const rooms = classRooms(SLOTS, inUse, waiting)
      const free = SLOTS - inUse[0] - inUse[1] - inUse[2] - inUse[3]
      const most = [SLOTS, 179, 76, 1]
      rooms.forEach((room, kind) => {
        assert.ok(room >= 0 && room <= free)
        if (room > 0) assert.ok(room + (inUse[kind] ?? 0) <= (most[kind] ?? 0))
      })
    }),
  )
})

test('first attempts may take every slot when nothing else waits, and half when all wait', () => {
  assert.equal(classRooms(SLOTS, [0, 0, 0, 0], [true, false, false, false])[FIRST], SLOTS)
  assert.equal(classRooms(SLOTS, [0, 0, 0, 0], [true, true, true, false])[FIRST], SLOTS - 179 - 76)
  assert.equal(classRooms(SLOTS, [0, 179, 76, 1], [true, true, true, true])[FIRST], 256)
  assert.deepEqual(classRooms(4, [0, 0, 0, 0], [true, true, true, true]), [1, 1, 1, 1])
})

test('lanes get slots in turn: none gets a second before each had one', () => {
  const lanes = fc.uniqueArray(fc.bigInt(0n, 1000n), { minLength: 1, maxLength: 60 })
  fc.assert(
    fc.property(lanes, fc.nat(100), (hashes, free) => {
      const ready = hashes.map((lane, i): ReadyLane => ({ class: FIRST, tenant: i, lane }))
      const given = allot(ready, [SLOTS, 0, 0, 0], free, makeCaps(SLOTS))
      const counts = given.map((lane) => lane.tickets.length)
      const total = counts.reduce((a, b) => a + b, 0)
      assert.equal(total, Math.min(free, hashes.length * 4), 'a lane that nothing is known of starts with four')
      const all = [...counts, ...Array(hashes.length - counts.length).fill(0)]
      assert.ok(Math.max(...all) - Math.min(...all) <= 1)
    }),
  )
})

test('a lane that hangs is held to one request; one that answers quickly grows to its most', () => {
  const caps = makeCaps(SLOTS)
  const hung = caps.take(0, 1, 1n)
  for (let i = 0; i < 3; i++) caps.take(0, 1, 1n)
  for (let i = 0; i < 4; i++) caps.give(hung, 'hung', i)
  assert.equal(taking(caps, 1, 1n), 1)
  for (let i = 0; i < 2_000; i++) caps.give(caps.take(0, 2, 2n), 'quick', i)
  assert.equal(taking(caps, 2, 2n), LANE_MAX)
})

test('a lane that answers slowly loses what it grew, and keeps the few requests that it started with', () => {
  const caps = makeCaps(SLOTS)
  for (let i = 0; i < 2_000; i++) caps.give(caps.take(0, 1, 1n), 'quick', i)
  const widths = [0, 1, 2, 3, 4, 5].map((turn) => {
    caps.give(caps.take(0, 1, 1n), 'slow', turn * 10_000)
    return taking(caps, 1, 1n)
  })
  // Slow lanes share sixteen of their merchant's slots, however wide each may be.
  assert.deepEqual(widths, [16, 16, 8, 4, 4, 4])
})

test('a merchant of whom everything hangs keeps slots for the host that answers, and others keep theirs', () => {
  const caps = makeCaps(SLOTS)
  // Twenty hosts of tenant 1 hang, as many as may at once, until each is known to be slow.
  for (let turn = 0; turn < 3; turn++) {
    const held = Array.from({ length: 20 }, (_, host) => takeAll(caps, 1, BigInt(100 + host)))
    for (const ticket of held.flat()) caps.give(ticket, 'hung', turn * 10_000)
  }
  const held = Array.from({ length: 20 }, (_, host) => takeAll(caps, 1, BigInt(100 + host))).flat()
  assert.equal(held.length, 16, 'all hosts of a tenant that hang share sixteen slots')
  assert.equal(taking(caps, 1, 7n), 4, 'a host of the same tenant that nothing is known of starts as ever')

  // Forty tenants of the same kind: together a quarter of the slots.
  let slow = held.length
  for (let tenant = 2; tenant < 42; tenant++) {
    const lanes = Array.from({ length: 20 }, (_, host) => BigInt(tenant * 1000 + host))
    for (const lane of lanes) caps.give(caps.take(0, tenant, lane), 'hung', 0)
    slow += lanes.flatMap((lane) => takeAll(caps, tenant, lane)).length
  }
  assert.equal(slow, SLOTS / 4)
})

test('one merchant never holds more than a fifth, and less the more of its new hosts hang', () => {
  const caps = makeCaps(SLOTS)
  const burst = (from: number) => Array.from({ length: 500 }, (_, host) => takeAll(caps, 1, BigInt(from + host))).flat()
  const sizes = [0, 1, 2, 3, 4, 5, 6].map((turn) => {
    const held = burst(turn * 1000)
    for (const ticket of held) caps.give(ticket, 'hung', turn * 10_000)
    return held.length
  })
  assert.deepEqual(sizes, [103, 51, 25, 12, 6, 4, 4])
})

test('several workers share what a receiver can take', () => {
  const caps = makeCaps(SLOTS)
  for (let i = 0; i < 2_000; i++) caps.give(caps.take(0, 2, 2n), 'quick', i)
  caps.setWorkers(4)
  assert.equal(taking(caps, 2, 2n), LANE_MAX / 4)
})

function takeAll(caps: ReturnType<typeof makeCaps>, tenant: number, lane: bigint) {
  const taken = []
  while (caps.hasRoom(tenant, lane)) taken.push(caps.take(0, tenant, lane))
  return taken
}

function taking(caps: ReturnType<typeof makeCaps>, tenant: number, lane: bigint): number {
  const taken = takeAll(caps, tenant, lane)
  for (const ticket of taken) caps.give(ticket, null, 0)
  return taken.length
}
