// Random calls by several actors against the rules of test/fuzz/rules.ts. A few seeds here; for a long run
//   FUZZ_SEEDS=20 FUZZ_STEPS=3000 node --test test/fuzz.test.ts
// FUZZ_SEED=name repeats one run, of which a failure prints the name.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { payFactoryBytecode } from '../src/index.ts'
import { Chain } from './chain.ts'
import { type FuzzResult, fuzz } from './fuzz/run.ts'

const seeds = process.env.FUZZ_SEED
  ? [process.env.FUZZ_SEED]
  : Array.from({ length: Number(process.env.FUZZ_SEEDS ?? 3) }, (_, i) => `florin ${i + 1}`)
const steps = Number(process.env.FUZZ_STEPS ?? 900)

const total: FuzzResult['counts'] = {}

for (const seed of seeds) {
  it(`keeps every promise over ${steps} moves, seed "${seed}"`, async (t) => {
    const chain = await Chain.startFree()
    try {
      const result = await fuzz(chain, payFactoryBytecode, seed, steps)
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
  // A short run may miss a rare one by chance.
  if (seeds.length * steps < 2_000) return
  for (const [kind, { through, refused }] of Object.entries(total)) {
    const refusedAlways = kind === 'settleItem' || kind === 'payDirect'
    assert.ok(refusedAlways ? refused > 0 : through > 0, `${kind} never went through`)
  }
})

function summary(counts: Record<string, { through: number; refused: number }>): string {
  return Object.entries(counts)
    .map(([kind, { through, refused }]) => `${kind} ${through}/${refused}`)
    .join(', ')
}
