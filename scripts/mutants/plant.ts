// What a planted bug is, and the check that its text still stands where it is to be planted.
import { stripTypeScriptTypes } from 'node:module'

export interface Mutant {
  /** Unique; the command's filter takes any part of it. */
  name: string
  /** Like every path here, from the root of the repository. */
  file: string
  /** Stands exactly once in the file. */
  find: string
  put: string
  /** What merchants or payers would suffer. */
  breaks: string
  /** The test files that have to notice it. */
  tests: readonly string[]
  /** For files that take long: only their tests with this in their name. */
  only?: string
  /** Chosen from the code alone, before anybody looked at what tests it. */
  unseen?: boolean
}

type Place = Pick<Mutant, 'file' | 'tests'> & Pick<Partial<Mutant>, 'only'>

/** Bugs of one file that the same tests have to notice; a bug may name others. */
export function plant(place: Place, bugs: readonly (Omit<Mutant, keyof Place> & Partial<Place>)[]): Mutant[] {
  return bugs.map((bug) => ({ ...place, ...bug }))
}

/** The source with the bug in it. @throws where the text does not stand there exactly once, or what results is no program. */
export function withBug(source: string, { name, file, find, put }: Mutant): string {
  const times = source.split(find).length - 1
  if (times !== 1) throw new Error(`${name}: its text stands ${times} times in ${file}, not once:\n    ${find}`)
  const changed = source.replace(find, () => put)
  // A bug that does not even parse would be noticed by every test, and prove nothing.
  if (/\.m?tsx?$/.test(file)) stripTypeScriptTypes(changed)
  return changed
}
