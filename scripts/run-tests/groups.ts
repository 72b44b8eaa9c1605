// Small test files that share a process: a process of its own costs a file half a second of work before its first test,
// which for most of them is more than the tests. A file is left alone when anything in it is the whole process's.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root, secondsOf } from './files.ts'

const SMALL_SECONDS = 3
/** So many that no group is among the longest to run. */
const AT_ONCE = 16

/** Hooks of the file, the environment, signals, mocks and programs of its own, or a wait before the first test. */
const ofTheProcess =
  /^(before|after|beforeEach|afterEach)\(|process\.(env|on|once|chdir|exit)|\bmock\b|^await |\b(spawn|fork|execFile)\b|metrics/m

/**
 * @param folder for the files that stand for groups
 * @returns what to run: files, and groups of them, which come after what is long
 */
export function grouped(files: readonly string[], folder: string): string[] {
  const isSmall = (file: string): boolean =>
    secondsOf(file) <= SMALL_SECONDS && !ofTheProcess.test(readFileSync(join(root, file), 'utf8'))
  const small = files.filter(isSmall)
  const alone = files.filter((file) => !small.includes(file)).map((file) => join(root, file))
  if (small.length < 4) return files.map((file) => join(root, file))
  const groups: string[] = []
  // Those that stand on the database have the same parts to load, and so have those that do not.
  const needsDatabase = (file: string): boolean =>
    /harness\.ts|console\.ts'/.test(readFileSync(join(root, file), 'utf8'))
  for (const alike of [small.filter(needsDatabase), small.filter((file) => !needsDatabase(file))]) {
    for (let from = 0; from < alike.length; from += AT_ONCE) {
      const group = join(folder, `group-${groups.length + 1}.mjs`)
      writeFileSync(
        group,
        alike
          .slice(from, from + AT_ONCE)
          .map(loading)
          .join(''),
      )
      groups.push(group)
    }
  }
  const at = alone.findIndex((file) => secondsOf(file.slice(root.length + 1)) < 2 * SMALL_SECONDS)
  return at === -1 ? [...alone, ...groups] : [...alone.slice(0, at), ...groups, ...alone.slice(at)]
}

/** A file that cannot be loaded is named: the error alone may not say where it is from. */
function loading(file: string): string {
  const url = JSON.stringify(pathToFileURL(join(root, file)).href)
  const sentence = JSON.stringify(`${file} cannot be loaded, and no file of its group after it was`)
  return `await import(${url}).catch((cause) => { throw new Error(${sentence}, { cause }) })\n`
}
