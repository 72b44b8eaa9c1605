// Settings out of files: where NAME is not set and NAME_FILE is, the file it names holds the value. Secrets of Docker, Kubernetes and
// systemd come as files, and an environment shows in process lists and crash reports.
import { readFileSync } from 'node:fs'
import { SettingsError } from './errors.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Longer than any key; a file that is larger is another one than was meant. */
const MAX_BYTES = 64 * 1024

/** A file is read when its setting is, and never otherwise. @throws SettingsError that says which setting, never what is in it. */
export function withFiles(environment: Environment): Environment {
  return new Proxy(environment, {
    get(target, name) {
      if (typeof name !== 'string') return undefined
      const path = target[`${name}_FILE`]?.trim() ?? ''
      const value = target[name]
      if (path === '') return value
      if ((value?.trim() ?? '') !== '') throw unusable(`${name} and ${name}_FILE are both set: one of them is meant.`)
      return readOne(name, path)
    },
  })
}

function readOne(name: string, path: string): string {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    throw unusable(`${name}_FILE names ${path}, which cannot be read (${code}).`)
  }
  if (text.length > MAX_BYTES) throw unusable(`${name}_FILE names ${path}, which is too large to be a setting.`)
  if (text.trim() === '') throw unusable(`${name}_FILE names ${path}, which is empty.`)
  return text.trim()
}

const unusable = (fault: string): SettingsError =>
  new SettingsError('The settings are', [fault], 'docs/operations.md#settings')
