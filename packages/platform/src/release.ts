// Which release this is, and of which commit.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const releaseVersion: string = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../server/package.json'), 'utf8'),
).version

const root = join(import.meta.dirname, '../../..')

/** The commit, as the archive of a release or the checkout names it; `unknown` in a copy that has neither. */
export const releaseCommit: string = readCommit()

function readCommit(): string {
  // `git archive` writes the commit into this file (.gitattributes).
  const archived = readFileSync(join(import.meta.dirname, 'commit.txt'), 'utf8').trim()
  if (/^[0-9a-f]{40}$/.test(archived)) return archived
  if (!existsSync(join(root, '.git'))) return 'unknown'
  try {
    return execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8', stdio: 'pipe' }).trim()
  } catch {
    return 'unknown'
  }
}
