// The secret that `florin listen` signs with: made once for this user, kept in a file that nobody else can read. It
// signs nothing but what this machine sends to itself.
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { Failure } from './failure.ts'
import type { Environment } from './settings.ts'
import { freshSecret } from './webhook.ts'

/** Where it lies: the user's folder for settings, by the custom of the system. */
export function secretPath(environment: Environment): string {
  const base =
    environment.XDG_CONFIG_HOME ||
    (process.platform === 'win32' && environment.APPDATA) ||
    join(environment.HOME || homedir(), '.config')
  return join(base, 'florin', 'listen.secret')
}

/** The secret, or null where none was made yet. */
export function findSecret(environment: Environment): string | null {
  const path = secretPath(environment)
  let text: string
  try {
    text = readFileSync(path, 'utf8').trim()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw new Failure(`The secret of florin listen cannot be read: ${(error as Error).message}`)
  }
  if (!/^whsec_\w{32}$/.test(text))
    throw new Failure(`${path} does not hold a webhook secret. Delete it; it is made anew.`)
  // Copied folders and careless backups lose the mode.
  if (process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0) chmodSync(path, 0o600)
  return text
}

/** The secret, made now if there is none. */
export function takeSecret(environment: Environment): string {
  const found = findSecret(environment)
  if (found !== null) return found
  const path = secretPath(environment)
  try {
    mkdirSync(join(path, '..'), { recursive: true, mode: 0o700 })
    // wx: of two that start at once, one makes it and both read the same.
    writeFileSync(path, `${freshSecret()}\n`, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    const isThere = error instanceof Error && 'code' in error && error.code === 'EEXIST'
    if (!isThere)
      throw new Failure(`The secret of florin listen cannot be kept: ${(error as Error).message}. Pass --secret.`)
  }
  const made = findSecret(environment)
  if (made === null) throw new Failure(`${path} was removed while it was made.`)
  return made
}
