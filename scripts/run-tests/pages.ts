// The pages and packages that tests are given as they are built.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { root } from './files.ts'

/** What `npm start` would do before it starts. Nothing where the pages are as their sources. */
export function preparePages(signal: AbortSignal): Promise<boolean> {
  const child = spawn(process.execPath, [join(root, 'scripts/prepare.mjs')], { cwd: root, stdio: 'inherit', signal })
  child.once('error', () => undefined)
  return new Promise((settle) => child.once('exit', (code) => settle(code === 0)))
}
