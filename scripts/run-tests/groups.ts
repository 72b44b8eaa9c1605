// Test files that share a process: a process of its own costs a file a second of work before its first test, which for most
// of them is more than the tests. A file is left alone when anything in it is the whole process's.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root, secondsOf } from './files.ts'

const SMALL_SECONDS = 16
/** So much and so many that no group is among the longest to run. */
const GROUP_SECONDS = 25
const GROUP_FILES = 20

/** Hooks around each test, the environment, signals, mocks and programs of its own, or a wait before the first test. */
const ofTheProcess =
  /^(beforeEach|afterEach)\(|process\.(env|on|once|chdir|exit)|\bmock\b|^await |\b(spawn|fork|execFile)\b|metrics/m
/** Starts a node of its own. */
const onNode = /world\.ts'|live-shop|anvil|devnet/
/** Stands on the node that the tests of a process share, at whatever time and block the one before has left it. */
const onSharedNode = /\bafter\(stopNodes\)/
/** Whose tests start whole programs, all at once if they shared a process. */
const ofPrograms = /^(e2e|bench|scripts|examples|packages\/cli)\//

/**
 * @param folder for the files that stand for groups
 * @returns what to run: files, and groups of them, which come after what is long
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
  const groups: string[] = []
  for (const what of ['node', 'database', 'nothing']) {
    for (const group of split(small.filter((file) => standsOn(file) === what))) {
      const path = join(folder, `group-${groups.length + 1}.mjs`)
      writeFileSync(path, group.map(loading).join(''))
      groups.push(path)
    }
  }
  const at = alone.findIndex((file) => secondsOf(file.slice(root.length + 1)) < SMALL_SECONDS)
  return at === -1 ? [...alone, ...groups] : [...alone.slice(0, at), ...groups, ...alone.slice(at)]
}

/** Whatever the order of the files, no group is much longer than another. */
function split(files: readonly string[]): string[][] {
  const groups: { files: string[]; seconds: number }[] = []
  for (const file of files) {
    const seconds = secondsOf(file)
    const open = groups.find((group) => group.seconds + seconds <= GROUP_SECONDS && group.files.length < GROUP_FILES)
    if (open === undefined) groups.push({ files: [file], seconds })
    else {
      open.files.push(file)
      open.seconds += seconds
    }
  }
  return groups.map((group) => group.files)
}

/**
 * Loaded before the first test begins, all of them: a runner whose tests are done for a moment ends what `after` was given
 * so far, and never what a file brings that is loaded later.
 */
function loading(file: string): string {
  return `import ${JSON.stringify(pathToFileURL(join(root, file)).href)}\n`
}
