// A copy of the repository to plant bugs in: tracked and new files, the pages as they are built, and links to the installed
// packages. The workspaces among those point into the copy, so that it runs its own code throughout.
import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

export interface Copy {
  folder: string
  remove(): void
}

export function copyRepository(root: string): Copy {
  const folder = mkdtempSync(join(tmpdir(), 'florin-mutants-'))
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  for (const file of listed.split('\0')) {
    if (file === '' || !existsSync(join(root, file))) continue
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    copyFileSync(join(root, file), join(folder, file))
  }
  // Not as links: what is built in the copy, with a bug in it, stays there.
  for (const built of ['dist', ...readdirSync(join(root, 'packages')).map((name) => `packages/${name}/dist`)]) {
    if (existsSync(join(root, built))) cpSync(join(root, built), join(folder, built), { recursive: true })
  }
  linkModules(root, folder)
  for (const workspace of readdirSync(join(root, 'packages'))) {
    linkModules(join(root, 'packages', workspace), join(folder, 'packages', workspace))
  }
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

function linkModules(from: string, to: string): void {
  const [source, target] = [join(from, 'node_modules'), join(to, 'node_modules')]
  if (!existsSync(source) || !existsSync(to)) return
  mkdirSync(target)
  for (const name of readdirSync(source)) {
    if (name !== '@florin') symlinkSync(join(source, name), join(target, name), 'junction')
  }
  if (!existsSync(join(source, '@florin'))) return
  mkdirSync(join(target, '@florin'))
  for (const name of readdirSync(join(source, '@florin'))) {
    symlinkSync(readlinkSync(join(source, '@florin', name)), join(target, '@florin', name), 'junction')
  }
}
