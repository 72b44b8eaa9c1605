// Test files that share a process: a process of its own costs a file a second of work before its first test, which for most
// of them is more than the tests. A file is left alone when anything in it is the whole process's.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root, secondsOf } from './files.ts'

const SMALL_SECONDS = 30
/**
 * So few that most files find everything loaded, compiled and warm, and so many that none ends long after the others. By
 * number, as what is recorded in seconds differs from machine to machine. A run of some files has fewer.
 */
const GROUPS = 10
const GROUP_SECONDS = 40

/**
 * Hooks around each test, the environment, signals, mocks and programs of its own, the process's metrics, or a wait before
 * the first test.
 */
const ofTheProcess =
  /^(beforeEach|afterEach)\(|process\.(env|on|once|chdir|exit)|\bmock\b|^await |\b(spawn|fork|execFile)\b|\/metrics/m
/** Starts a node of its own. */
const onNode = /world\.ts'|live-shop|anvil|devnet/
/** Stands on the node that the tests of a process share, at whatever time and block the one before has left it. */
const onSharedNode = /\bafter\(stopNodes\)/
/** Whose tests start whole programs, all at once if they shared a process. */
const ofPrograms = /^(e2e|bench|scripts|examples|packages\/cli)\//

/**
 * @param folder for the files that stand for groups
 * @returns what to run: groups of files, which take longest, and then the others
 */
export function grouped(files: readonly string[], folder: string): string[] {
  const textOf = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]))
  const isSmall = (file: string): boolean => {
    const text = textOf.get(file) ?? ''
    const hasHooks = /^(before|after)\(/m.test(text)
    if (ofTheProcess.test(text) || file.startsWith('packages/embedded-postgres/')) return false
    if (onNode.test(text) && !onSharedNode.test(text)) return false
    return secondsOf(file) <= SMALL_SECONDS && !(hasHooks && ofPrograms.test(file))
  }
  const small = files.filter(isSmall)
  const alone = files.filter((file) => !small.includes(file)).map((file) => join(root, file))
  if (small.length < 4) return files.map((file) => join(root, file))
  // Those that stand on the node, or on the database, have the same parts to load, and so have those that do not.
  const standsOn = (file: string): string => {
    const text = textOf.get(file) ?? ''
    if (onSharedNode.test(text)) return 'node'
    return /harness\.ts|console\.ts'|world\.fixture/.test(text) ? 'database' : 'nothing'
  }
  const share = Math.max(secondsOfAll(small) / GROUPS, GROUP_SECONDS)
  const groups: string[] = []
  for (const what of ['node', 'database', 'nothing']) {
    for (const group of split(
      small.filter((file) => standsOn(file) === what),
      share,
    )) {
      const path = join(folder, `group-${groups.length + 1}.mjs`)
      writeFileSync(path, group.map(loading).join(''))
      groups.push(path)
    }
  }
  return [...groups, ...alone]
}

const secondsOfAll = (files: readonly string[]): number => files.reduce((sum, file) => sum + secondsOf(file), 0)

/**
 * Groups of about so many seconds each, none much longer than another: the next longest file goes to the one that has least.
 * @param files the longest first
 */
function split(files: readonly string[], share: number): string[][] {
  const count = Math.min(files.length, Math.max(1, Math.round(secondsOfAll(files) / share)))
  const groups = Array.from({ length: count }, () => ({ files: [] as string[], seconds: 0 }))
  for (const file of files) {
    const least = groups.reduce((a, b) => (b.seconds < a.seconds ? b : a))
    least.files.push(file)
    least.seconds += secondsOf(file)
  }
  return groups.filter(({ files }) => files.length > 0).map(({ files }) => files)
}

/**
 * Loaded before the first test begins, all of them: a runner whose tests are done for a moment ends what `after` was given
 * so far, and never what a file brings that is loaded later.
 */
function loading(file: string): string {
  return `import ${JSON.stringify(pathToFileURL(join(root, file)).href)}\n`
}
