// Gives the working directory, a copy of the repository, the packages that are installed there. Links of our own packages
// are relative, so that they lead into the copy.
import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'

const installed = join(import.meta.dirname, '../../node_modules')
mkdirSync('node_modules')
for (const name of readdirSync(installed)) {
  if (name !== '@florin') symlinkSync(join(installed, name), join('node_modules', name), 'junction')
}
cpSync(join(installed, '@florin'), 'node_modules/@florin', { recursive: true, verbatimSymlinks: true })
