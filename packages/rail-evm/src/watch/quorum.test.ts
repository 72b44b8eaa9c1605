// Providers in an attacker's hands, before a real node: one of two and two of three, not with the same lie.
import assert from 'node:assert/strict'
import { after } from 'node:test'
import { sized, slowTest, quickTest as test } from '../../../../scripts/sizes.ts'
import { playAttack } from '../test/attack.fixture.ts'
import { type LieMode, lieModes } from '../test/liar.fixture.ts'
import { stopNodes } from '../test/world.fixture.ts'

after(stopNodes)

const modes = lieModes.filter((mode) => mode !== 'truth')

test('one of two providers lies: no money is told that is not there, and afterwards all ends right', async (t) => {
  const rounds: LieMode[][] = modes.map((mode) => [mode])
  const { lies } = await playAttack(
    t,
    sized({
      short: { orders: 2, rounds: [['invents']] },
      full: { orders: 150, rounds },
    }),
  )
  assert.ok(lies > 0)
})

slowTest('two of three providers lie, each in its own way: the same holds', async (t) => {
  const rounds: LieMode[][] = modes.map((mode, n) => [mode, modes[(n + 3) % modes.length] ?? 'omits'])
  const { lies } = await playAttack(
    t,
    sized({
      short: { orders: 3, rounds: [['omits', 'freezes']] },
      full: { orders: 150, rounds },
    }),
  )
  assert.ok(lies > 0)
})
