// Random calls by several actors against the rules of test/fuzz/rules.ts. A failure prints the name of its seed, which
// makes the same run again.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { sized } from '../../../scripts/sizes.ts'
import { payFactoryBytecode } from '../src/index.ts'
import { Chain } from './chain.ts'
import { type FuzzResult, fuzz } from './fuzz/run.ts'
import { build } from './trace.ts'

const { count, steps } = sized({
  short: { count: 1, steps: 900 },
  full: { count: 3, steps: 900 },
  soak: { count: 100, steps: 3_000 },
})
const seeds = Array.from({ length: count }, (_, i) => `florin ${i + 1}`)

const total: FuzzResult['counts'] = {}

for (const seed of seeds) {
  it(`keeps every promise over ${steps} moves, seed "${seed}"`, async (t) => {
    const chain = await Chain.startFree()
    try {
      const result = await fuzz(chain, build?.PayFactory?.bytecode ?? payFactoryBytecode, seed, steps)
      t.diagnostic(`seed "${seed}": ${result.orders} orders, moves through/refused: ${summary(result.counts)}`)
      assert.equal(result.violation, null, `seed "${seed}", step ${result.steps}`)
      for (const [kind, { through, refused }] of Object.entries(result.counts)) {
        const sum = total[kind] ?? { through: 0, refused: 0 }
        total[kind] = { through: sum.through + through, refused: sum.refused + refused }
      }
    } finally {
      await chain.stop()
    }
  })
}

it('tried every kind of move, and not in vain', () => {
  for (const [kind, { through, refused }] of Object.entries(total)) {
    const refusedAlways = ['settleItem', 'pushItem', 'payDirect'].includes(kind)
    assert.ok(refusedAlways ? refused > 0 : through > 0, `${kind} never went through`)
  }
})

function summary(counts: Record<string, { through: number; refused: number }>): string {
  return Object.entries(counts)
    .map(([kind, { through, refused }]) => `${kind} ${through}/${refused}`)
    .join(', ')
}
