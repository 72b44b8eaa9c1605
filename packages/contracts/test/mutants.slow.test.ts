// The test of the test: a bug planted in the contracts is found by the fuzz, with the same seed each time; every seventh
// of them in `npm run test:system`, all in `npm run test:faults`.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Hex } from 'viem'
import { sized } from '../../../scripts/sizes.ts'
import { readSources } from '../script/compile.ts'
import { compileSolidity } from '../script/solidity.ts'
import { Chain } from './chain.ts'
import { mutants } from './fuzz/mutants.ts'
import { fuzz } from './fuzz/run.ts'

// A rare move may need another run to come up.
const STEPS = 500
const MOST_RUNS = 6

const sources = Object.fromEntries(Object.entries(readSources()).filter(([path]) => path.startsWith('src/')))

async function run(bytecode: Hex, seed: string) {
  const chain = await Chain.startFree({ args: ['--disable-code-size-limit'] })
  try {
    return await fuzz(chain, bytecode, seed, STEPS)
  } finally {
    await chain.stop()
  }
}

function compile(changes: Record<string, string>): Hex {
  const target = 'src/PayFactory.sol:PayFactory'
  return compileSolidity({ ...sources, ...changes }, [target], { purpose: 'draft' }).get('PayFactory')?.bytecode ?? '0x'
}

it('the same run finds nothing where nothing is planted', async () => {
  assert.equal((await run(compile({}), 'planted 1')).violation, null)
})

const every = sized({ short: 7, full: 1 })

for (const { name, file, find, replace, found } of mutants.filter((_, at) => at % every === 0)) {
  it(`is found: ${name}`, async (t) => {
    const text = sources[file] ?? ''
    assert.equal(text.split(find).length, 2, `the line to change occurs once in ${file}`)
    const bytecode = compile({ [file]: text.replace(find, replace) })
    const seen: string[] = []
    while (!seen.some((violation) => found.test(violation))) {
      assert.ok(seen.length < MOST_RUNS, `only found: ${seen.join('; ')}`)
      const { violation, steps } = await run(bytecode, `planted ${seen.length + 1}`)
      seen.push(`run ${seen.length + 1}, move ${steps}: ${violation ?? 'nothing'}`)
    }
    t.diagnostic(seen.at(-1)?.slice(0, 100) ?? '')
  })
}
