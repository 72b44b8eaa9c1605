// A planted bug, and where its parts are: the function that it changes and the test that has to fail.
import { globSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'

export interface PlantedBug {
  /** Unique: what would be wrong. The command's filter takes any part of it. */
  name: string
  /** A function, constant or class at the top level of a source file. */
  in: string
  /** The end of the file's path, only where several files declare `in`. */
  file?: string
  /** A text that is in that function exactly once, and the text in its place. */
  replace: readonly [find: string, put: string]
  /** `file.test.ts › name of the test`: the end of the file's path, and a part of the test's name. */
  test: string
}

export interface Place {
  /** Like every path here, from the root of the repository. */
  file: string
  source: string
  changed: string
}

const root = join(import.meta.dirname, '../..')
const sources = 'packages/*/src/**/*.{ts,tsx}'
const tests = 'packages/*/{src,test}/**/*.test.ts'
const isTest = (file: string): boolean => /\.(test|contract|fixture)\.tsx?$/.test(file)
const textOf = (file: string): string => readFileSync(join(root, file), 'utf8')

/** Each declaration at the top level of each source file, by its name. */
const declarations = Map.groupBy(
  globSync(sources, { cwd: root }).flatMap((file) => (isTest(file) ? [] : declarationsOf(file, textOf(file)))),
  (one) => one.name,
)
const testFiles = globSync(tests, { cwd: root })

/** @throws where there is not exactly one such function with exactly one such text, or the result is no program. */
export function placeOf(bug: PlantedBug): Place {
  const { name, in: wanted, file, replace } = bug
  const found = (declarations.get(wanted) ?? []).filter((one) => file === undefined || one.file.endsWith(`/${file}`))
  const [one, ...more] = found
  if (one === undefined)
    throw new Error(`${name}: no function is called ${wanted}${file === undefined ? '' : ` in ${file}`}`)
  if (more.length > 0)
    throw new Error(`${name}: ${wanted} is in ${found.map((each) => each.file).join(' and ')}; say which as file`)
  const source = textOf(one.file)
  const text = source.slice(one.start, one.end)
  const times = text.split(replace[0]).length - 1
  if (times !== 1)
    throw new Error(`${name}: its text is ${times} times in ${wanted} of ${one.file}, not once:\n    ${replace[0]}`)
  const changed = source.slice(0, one.start) + text.replace(replace[0], () => replace[1]) + source.slice(one.end)
  // Every test would notice a bug that does not even parse.
  if (one.file.endsWith('.ts')) stripTypeScriptTypes(changed)
  return { file: one.file, source, changed }
}

/** @throws where there is not exactly one file of that name with such a test. */
export function testOf({ name, test }: PlantedBug): { file: string; test: string } {
  const [path = '', title = ''] = test.split(' › ')
  const found = testFiles.filter((file) => file.endsWith(`/${path}`) && textOf(file).includes(title))
  const [file, ...more] = found
  if (file === undefined || title === '') throw new Error(`${name}: no ${path} has a test “${title}”`)
  if (more.length > 0) throw new Error(`${name}: ${found.join(' and ')} have a test “${title}”; say more of the path`)
  return { file, test: title }
}

/** A declaration ends before the next line that begins, at its margin, with a word or a comment. */
function declarationsOf(file: string, source: string): { name: string; file: string; start: number; end: number }[] {
  const starts = /^(?:export )?(?:default )?(?:async )?(?:function\*?|const|class) (\w+)/gm
  return [...source.matchAll(starts)].map(({ 0: head, 1: name = '', index: start }) => {
    const next = source.slice(start + head.length).search(/\n[a-z/@]/)
    return { name, file, start, end: next === -1 ? source.length : start + head.length + next + 1 }
  })
}
