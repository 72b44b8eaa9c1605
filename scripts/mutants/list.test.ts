// The list of planted bugs stays true while the code around it moves. `npm run test:mutants` plants them.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { mutants } from './list.ts'
import { withBug } from './plant.ts'

const root = join(import.meta.dirname, '../..')

test('the text of every planted bug stands exactly once in its file, and its tests exist', () => {
  const faults: string[] = []
  for (const mutant of mutants) {
    const missing = [mutant.file, ...mutant.tests].filter((path) => !existsSync(join(root, path)))
    faults.push(...missing.map((path) => `${mutant.name}: there is no ${path}`))
    if (missing.includes(mutant.file)) continue
    try {
      withBug(readFileSync(join(root, mutant.file), 'utf8'), mutant)
    } catch (error) {
      faults.push(String(error))
    }
  }
  assert.deepEqual(faults, [], 'scripts/mutants/ says where each stands: move it along with the code')
})

test('planted bugs: at least sixty, each with a name of its own', () => {
  assert.ok(mutants.length >= 60, `only ${mutants.length}`)
  assert.equal(new Set(mutants.map(({ name }) => name)).size, mutants.length)
})
