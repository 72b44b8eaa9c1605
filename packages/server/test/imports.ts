// What a file imports, read off its text, for the tests of the rules that hold between files.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

export const root = join(import.meta.dirname, '../../..')

export interface Import {
  /** A path below the root, or the name of a package that hides its files. */
  target: string
  isLocal: boolean
  /** Types alone: gone when the program runs. */
  isType: boolean
  /** What stands between `import` and `from`. */
  names: string
}

export interface Source {
  file: string
  text: string
  /** The text without its comments. */
  code: string
  imports: Import[]
}

/** Packages whose every file is imported by its name: `@florin/platform/db/tx` is `packages/platform/src/db/tx.ts`. */
const byFile = /^@florin\/(platform|order-model|rail-[a-z]+)\/(.+)$/

/** Of a file of the server, or of a package that follows the server's rules: `orders/store.ts`, `platform/db/tx.ts`. null: of neither. */
export function roomPath(file: string): string | null {
  const [, name, path] = /^packages\/(server|platform|order-model|rail-[a-z]+)\/src\/(.+)$/.exec(file) ?? []
  if (name === undefined || path === undefined) return null
  return name === 'server' ? path : `${name}/${path}`
}

export const isTestFile = (file: string): boolean => /\.(test|contract|fixture)\.tsx?$/.test(file)

/** By its path in the server or in its package: the file may hold SQL. Other files hold none (rooms.test.ts). */
export const isStore = (path: string): boolean => /(^|[/.])store\.ts$|\/(enqueue|claim)\.ts$|^platform\/db\//.test(path)

export function readSources(...patterns: string[]): Map<string, Source> {
  const files = globSync(patterns, { cwd: root, exclude: (name) => /(^|\/)(node_modules|dist)$/.test(name) })
  return new Map(files.filter((file) => existsSync(join(root, file))).map((file) => [file, read(file)]))
}

const read = (file: string): Source => sourceOf(file, readFileSync(join(root, file), 'utf8'))

/** @param file where the text would stand. */
export function sourceOf(file: string, text: string): Source {
  const code = text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$|\s\/\/ .*$/gm, '')
  const matches = code.matchAll(
    /(?:^|\n)\s*(?:import|export)\s+(type\s)?([^'"`;]*?)\s*from\s+'([^']+)'|\bimport(?:\(\s*|\s+)'([^']+)'/g,
  )
  const imports = [...matches].map(([, type, names = '', from, dynamic]): Import => {
    const path = from ?? dynamic ?? ''
    const [, name, inside] = byFile.exec(path) ?? []
    const local = path.startsWith('.') ? normalize(join(dirname(file), path)) : null
    const target = name === undefined ? local : `packages/${name}/src/${inside}.ts`
    return {
      target: target ?? path,
      isLocal: target !== null,
      isType: type !== undefined,
      names,
    }
  })
  return { file, text, code, imports }
}

/** All files that a file reaches by imports, those of types included, and itself. */
export function closureOf(sources: ReadonlyMap<string, Source>, start: string): Set<string> {
  const reached = new Set([start])
  for (const file of reached)
    for (const { target, isLocal } of sources.get(file)?.imports ?? [])
      if (isLocal && sources.has(target)) reached.add(target)
  return reached
}

/** Every group of files that import each other in a circle (Tarjan). */
export function findCircles(sources: ReadonlyMap<string, Source>): string[][] {
  const index = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: string[] = []
  const circles: string[][] = []
  const visit = (file: string): number => {
    const own = index.size
    index.set(file, own)
    let lowest = own
    stack.push(file)
    const targets = sources.get(file)?.imports.filter((one) => one.isLocal && sources.has(one.target)) ?? []
    for (const { target } of targets) {
      const known = index.get(target)
      if (known === undefined) lowest = Math.min(lowest, visit(target))
      else if (stack.includes(target)) lowest = Math.min(lowest, low.get(target) ?? known)
    }
    low.set(file, lowest)
    if (lowest === own) {
      const circle = stack.splice(stack.indexOf(file))
      if (circle.length > 1 || targets.some(({ target }) => target === file)) circles.push(circle.sort())
    }
    return lowest
  }
  for (const file of sources.keys()) if (!index.has(file)) visit(file)
  return circles
}
