// What earlier runs found out, a line for each planted bug. It holds for the text it was found with: the file with the bug
// in it and the tests that have to notice. Where one of them has changed since, the bug is tried again.
import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Mutant, withBug } from './plant.ts'

export interface Kept {
  /** Whether somebody noticed the bug; null: it was not tried with the texts as they are. */
  noticed(mutant: Mutant): boolean | null
  add(mutant: Mutant, noticed: boolean, how: string): void
}

/** @param file appended to, bug by bug; undefined keeps nothing. */
export function keptIn(file: string | undefined, root: string): Kept {
  const known = new Map<string, boolean>()
  if (file !== undefined && existsSync(file)) {
    for (const line of readFileSync(file, 'utf8').split('\n')) {
      const [text, verdict] = line.split('\t')
      if (text !== undefined && verdict !== undefined) known.set(text, verdict === 'killed')
    }
  }
  const textOf = (mutant: Mutant): string => {
    const read = (path: string): string => readFileSync(join(root, path), 'utf8')
    const parts = [mutant.name, mutant.only ?? '', withBug(read(mutant.file), mutant), ...mutant.tests.map(read)]
    return createHash('sha256').update(parts.join('\0')).digest('hex').slice(0, 24)
  }
  return {
    noticed: (mutant) => known.get(textOf(mutant)) ?? null,
    add(mutant, noticed, how) {
      if (file === undefined) return
      const line = [textOf(mutant), noticed ? 'killed' : 'SURVIVED', mutant.name, how.replaceAll(/\s+/g, ' ')]
      appendFileSync(file, `${line.join('\t')}\n`)
    },
  }
}
