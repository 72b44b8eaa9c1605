// The release before this one, laid out in a folder of its own with its own packages, to run beside this one. Which commit it is
// stands in deploy/previous-release. FLORIN_PREVIOUS names such a folder where there is no git history to take it from.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const execute = promisify(execFile)
const root = join(import.meta.dirname, '../..')

/** @returns a sentence where it cannot be had here. */
export async function previousRelease(): Promise<{ place: string; name: string } | { missing: string }> {
  const given = process.env.FLORIN_PREVIOUS
  if (given) return { place: given, name: given }
  const [commit = ''] = (await readFile(join(root, 'deploy/previous-release'), 'utf8')).split(/\s/)
  const isHere = await execute('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: root }).then(
    () => true,
    () => false,
  )
  if (!isHere)
    return { missing: `commit ${commit} is not in the git history here; FLORIN_PREVIOUS may name a folder of it` }
  const place = join(tmpdir(), `florin-${commit}`)
  // Two tests of a run share it.
  if (!existsSync(join(place, 'node_modules/.package-lock.json'))) await lay(commit, place)
  return { place, name: commit.slice(0, 10) }
}

/** As its Dockerfile does, but with PostgreSQL and Node from here. */
async function lay(commit: string, place: string): Promise<void> {
  await mkdir(place, { recursive: true })
  const archive = spawn('git', ['archive', commit], { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] })
  const unpack = spawn('tar', ['-x', '-C', place], { stdio: ['pipe', 'inherit', 'inherit'] })
  archive.stdout.pipe(unpack.stdin)
  const [code] = (await once(unpack, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`tar ended with ${code}`)
  const words = 'ci --omit=dev --workspace=packages/server --ignore-scripts --prefer-offline --no-audit --no-fund'
  await execute('npm', words.split(' '), { cwd: place, maxBuffer: 16 << 20 })
}
