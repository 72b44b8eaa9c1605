// Getting the library as a merchant does: built, packed, and installed from the archive into an empty folder.
import { type ExecFileOptions, execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

export const packageRoot = fileURLToPath(new URL('..', import.meta.url))
export const repositoryRoot = fileURLToPath(new URL('../../..', import.meta.url))

export async function run(command: string, args: string[], options: ExecFileOptions = {}): Promise<string> {
  const { stdout } = await promisify(execFile)(command, args, { ...options, encoding: 'utf8' })
  return stdout
}

/** Builds into the given folder and leaves packages/sdk/dist alone, so that tests can run side by side. */
export async function build(folder: string): Promise<void> {
  await run(process.execPath, [join(packageRoot, 'script', 'build.mjs'), folder])
}

export interface Installed {
  /** The folder that the library is installed in. */
  readonly folder: string
  /** What the archive holds. */
  readonly packed: string[]
  remove(): Promise<void>
}

/** Packs and installs without a network: a library without dependencies needs none. */
export async function installedSdk(): Promise<Installed> {
  const base = await mkdtemp(join(await realpath(tmpdir()), 'florin-sdk-'))
  const stage = join(base, 'stage')
  await mkdir(stage)
  for (const file of ['package.json', 'README.md', 'LICENSE']) await cp(join(packageRoot, file), join(stage, file))
  await build(join(stage, 'dist'))
  const [archive] = JSON.parse(await run('npm', ['pack', '--json', '--ignore-scripts'], { cwd: stage }))
  const folder = join(base, 'shop')
  await mkdir(folder)
  await writeFile(join(folder, 'package.json'), '{ "name": "shop", "private": true, "type": "module" }')
  const cache = join(base, 'cache')
  await run('npm', ['install', '--offline', '--cache', cache, join(stage, archive.filename)], { cwd: folder })
  const packed = archive.files.map((file: { path: string }) => file.path)
  return { folder, packed, remove: () => rm(base, { recursive: true }) }
}

/** The oldest supported Node on the PATH outside any node_modules; the running one where there is no other. */
export async function oldestNode(): Promise<{ path: string; version: string }> {
  const found = [{ path: process.execPath, version: process.version }]
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    if (folder === '' || folder.includes('node_modules')) continue
    const names = await readdir(folder).catch((): string[] => [])
    if (!names.includes('node')) continue
    const path = join(folder, 'node')
    const version = await run(path, ['--version']).catch(() => 'v0')
    found.push({ path, version: version.trim() })
  }
  const major = ({ version }: { version: string }) => Number(/^v(\d+)/.exec(version)?.[1])
  const supported = found.filter((node) => major(node) >= 20)
  return supported.reduce((oldest, node) => (major(node) < major(oldest) ? node : oldest))
}
