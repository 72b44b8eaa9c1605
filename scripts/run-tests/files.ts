// Which test files a command means, and in which order they run: the longest first, so that none is left running alone
// on one core when all others are done. How long each took stands in seconds.json, rewritten by
// `-- --record`.
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'

export const root = join(import.meta.dirname, '../..')

export type Suite = 'test' | 'faults' | 'soak' | 'system'

const places = ['packages', 'e2e', 'scripts', 'examples', 'bench']
const record = join(import.meta.dirname, 'seconds.json')

/** @param wanted files or folders, or any part of a path; none: all of the suite. */
export function listFiles(suite: Suite, wanted: readonly string[]): string[] {
  const files = filesOf(suite)
  const parts = wanted.map((path) => relative(root, resolve(path)))
  // A file that is named in full is run whatever suite it belongs to.
  const named = wanted.filter((path) => path.endsWith('.ts') && existsSync(resolve(path)))
  if (named.length > 0 && named.length === wanted.length) return named.map((path) => relative(root, resolve(path)))
  const chosen = files.filter(
    (file) => wanted.length === 0 || parts.some((part, n) => file.startsWith(part) || file.includes(wanted[n] ?? part)),
  )
  return chosen.sort((a, b) => secondsOf(b) - secondsOf(a) || (a < b ? -1 : 1))
}

/** What is slow is run beside the system tests, which wait more than they work, and among the long ones. */
function filesOf(suite: Suite): string[] {
  if (suite === 'test') return find('test')
  const slow = [...find('slow'), ...find('test').filter((file) => /\bslowTest\b|\bquick: \//.test(textOf(file)))]
  if (suite === 'system') return [...find('system'), ...slow]
  const sized = find('test').filter((file) => /\bsized\(/.test(textOf(file)))
  return [...new Set([...find('faults'), ...slow, ...sized])]
}

/** What a run of all of `npm test` leaves to other suites. */
export function countLeft(): { slow: number; parts: number; faults: number; sized: number } {
  const [faults, slow, longer] = [find('faults').length, find('slow').length, filesOf('faults').length]
  const parts = filesOf('system').length - find('system').length - slow
  return { slow, parts, faults, sized: longer - faults - slow }
}

const textOf = (file: string): string => readFileSync(join(root, file), 'utf8')

function find(kind: 'test' | 'slow' | 'faults' | 'system'): string[] {
  const names = kind === 'test' ? '*.test' : `*.${kind}.test`
  const files = places.flatMap((place) => globSync(`${place}/**/${names}.ts`, { cwd: root, exclude: isOutside }))
  return kind === 'test' ? files.filter((file) => !/\.(slow|faults|system)\.test\.ts$/.test(file)) : files
}

const isOutside = (name: string): boolean => /(^|[\\/])(node_modules|dist)$/.test(name)

const recorded = JSON.parse(readFileSync(record, 'utf8')) as Record<string, number>

/** How long the file took when that was last recorded. One that is new is taken for one of middling length. */
export function secondsOf(file: string): number {
  return recorded[file] ?? 6
}

/** Other suites' files keep what was recorded of them. */
export function recordSeconds(measured: ReadonlyMap<string, number>): void {
  const all = new Map(Object.entries(recorded).filter(([file]) => existsSync(join(root, file))))
  for (const [file, seconds] of measured) all.set(file, Math.max(0.1, Math.round(seconds * 10) / 10))
  const sorted = [...all].sort(([a], [b]) => (a < b ? -1 : 1))
  writeFileSync(record, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`)
}
