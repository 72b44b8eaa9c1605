// Debian packages for system tests: installed by apt, once, by whichever test file needs them first.
import { execFile } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const execute = promisify(execFile)

/**
 * Makes sure that these packages are installed.
 * @throws with what to do where this user cannot install them.
 * @example before(() => needsDebian('pgbouncer'))
 */
export async function needsDebian(...packages: string[]): Promise<void> {
  const missing: string[] = []
  for (const name of packages) if (!(await isInstalled(name))) missing.push(name)
  if (missing.length === 0) return
  const instead = `install ${missing.join(', ')} yourself (Debian's names), or run this as root on Debian or Ubuntu`
  if (process.getuid?.() !== 0) throw new Error(`Only root can install Debian packages: ${instead}`)
  if (!existsSync('/usr/bin/apt-get')) throw new Error(`There is no apt-get here: ${instead}`)
  // Test files run side by side, and apt waits for nobody.
  const apt = (...args: string[]): Promise<unknown> =>
    execute('flock', ['/tmp/florin-apt.lock', 'apt-get', ...args], {
      env: { PATH: process.env.PATH ?? '', DEBIAN_FRONTEND: 'noninteractive' },
      maxBuffer: 64 << 20,
    })
  // The folder of this run: the lists are as old as the run at most.
  const updated = join(tmpdir(), 'apt-updated')
  if (!existsSync(updated)) {
    await apt('update', '-q')
    writeFileSync(updated, '')
  }
  await apt('install', '-q', '-y', '--no-install-recommends', ...missing)
}

async function isInstalled(name: string): Promise<boolean> {
  const answer = await execute('dpkg', ['-s', name]).catch(() => null)
  return answer !== null && /^Status: install ok installed$/m.test(answer.stdout)
}
