// Packs the library and the command line as npm publishes them (each builds itself before, by its `prepack`) into
// dist/packages or the given folder, with a list of what is there. Plain JavaScript for the machine's own Node (20 or newer).
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { npmCommand, root } from './install.mjs'

const out = resolve(process.argv[2] ?? join(root, 'dist/packages'))
const made = `${out}.${process.pid}`
mkdirSync(made, { recursive: true })
const packed = await Promise.all(['packages/sdk', 'packages/cli'].map(pack))
writeFileSync(join(made, 'index.json'), `${JSON.stringify({ packages: packed }, null, 2)}\n`)
rmSync(out, { recursive: true, force: true })
renameSync(made, out)

async function pack(folder) {
  const [file, ...before] = npmCommand()
  const args = [...before, 'pack', '--json', '--pack-destination', made, '--loglevel=error']
  const options = { cwd: join(root, folder), shell: process.platform === 'win32' && file === 'npm' }
  const { stdout } = await promisify(execFile)(file, args, options)
  // What `prepack` prints stands before the list.
  const [archive] = JSON.parse(stdout.slice(stdout.indexOf('[\n')))
  const { name, version, filename, size, integrity } = archive
  if (!existsSync(join(made, filename))) throw new Error(`npm pack said ${filename} and did not write it`)
  return { name, version, file: filename, bytes: size, integrity }
}
