// Promise: each planted bug still has its function, its text and its test. `npm run test:mutants` plants them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { planted } from './list.ts'
import { type PlantedBug, placeOf, testOf } from './planted-bug.ts'

test('planted bugs: each function, text and test is there, and each name is used once', () => {
  const faults = planted.flatMap((bug) => [() => placeOf(bug), () => testOf(bug)].flatMap((look) => faultOf(look)))
  assert.deepEqual(faults, [], 'scripts/mutants/planted/ names the function, the text and the test')
  assert.ok(planted.length >= 60, `only ${planted.length}`)
  assert.equal(new Set(planted.map(({ name }) => name)).size, planted.length)
})

test('planted bugs: an unknown function, text or test is refused', () => {
  const bug: PlantedBug = { name: 'a', in: 'feeUnits', replace: ['10_000n', '1n'], test: 'money.test.ts › a fee is' }
  assert.equal(placeOf(bug).changed.length, placeOf(bug).source.length - '0_000'.length)
  assert.throws(() => placeOf({ ...bug, in: 'feeUnitsOf' }), /no function is called feeUnitsOf/)
  assert.throws(() => placeOf({ ...bug, in: 'listKeys', file: 'keys/nowhere.ts' }), /no function is called listKeys in/)
  assert.throws(() => placeOf({ ...bug, replace: ['divCeil', 'div'] }), /is 0 times in feeUnits/)
  assert.throws(() => placeOf({ ...bug, replace: ['10_000n', '1n )('] }), SyntaxError)
  assert.throws(() => testOf({ ...bug, test: 'money.test.ts › a fee is large' }), /no money.test.ts has a test/)
  assert.throws(() => testOf({ ...bug, test: 'nothing.test.ts › a fee is' }), /no nothing.test.ts has/)
})

function faultOf(look: () => unknown): string[] {
  try {
    look()
    return []
  } catch (error) {
    return [String(error)]
  }
}
