// `npm run release [-- --out FOLDER]`: the files of a release, made of the commit that is checked out and of nothing else, so that who
// makes them again from that commit gets the same bytes: the source, a list of all that is in it (CycloneDX), how the image
// is built, and checksums. `-- --base node@sha256:…` says which base the image stands on.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { root } from './run-tests/files.ts'

const execute = promisify(execFile)
const MAX_BYTES = 1 << 30

async function run(program: string, args: readonly string[], cwd: string = root): Promise<Buffer> {
  const { stdout } = await execute(program, args, { cwd, encoding: 'buffer', maxBuffer: MAX_BYTES })
  return stdout
}

const git = async (...args: string[]): Promise<string> => (await run('git', args)).toString().trim()

interface Release {
  name: string
  commit: string
  /** Of the commit: what stands as time in every file. */
  at: Date
}

/** Compressed the same way everywhere: no time, no name, no system in its head. */
function compressed(bytes: Buffer): Buffer {
  const made = gzipSync(bytes, { level: 9 })
  made[9] = 255
  return made
}

const source = async ({ name, commit }: Release): Promise<Buffer> =>
  compressed(await run('git', ['-c', 'core.autocrlf=false', 'archive', '--format=tar', `--prefix=${name}/`, commit]))

interface Locked {
  version: string
  resolved?: string
  integrity?: string
  license?: string
  dev?: boolean
  link?: boolean
  optional?: boolean
}

/** Every package of the lock file that a running service may load, as CycloneDX says it. npm's own list leaves out what lies below a workspace. */
async function components({ name, commit, at }: Release, version: string): Promise<Buffer> {
  const lock = JSON.parse(await git('show', `${commit}:package-lock.json`)) as { packages: Record<string, Locked> }
  const found = new Map<string, object>()
  for (const [path, { dev, link, ...of }] of Object.entries(lock.packages)) {
    const [, library] = /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(path) ?? []
    if (library === undefined || dev === true || link === true) continue
    const purl = `pkg:npm/${library.replace('@', '%40')}@${of.version}`
    const [, algorithm, digest = ''] = /^(sha\d+)-(\S+)/.exec(of.integrity ?? '') ?? []
    found.set(purl, {
      ...{ type: 'library', 'bom-ref': purl, name: library, version: of.version, purl },
      scope: of.optional === true ? 'optional' : 'required',
      ...(of.license === undefined ? {} : { licenses: [licenceOf(of.license)] }),
      ...(algorithm === undefined
        ? {}
        : {
            hashes: [{ alg: algorithm.replace('sha', 'SHA-'), content: Buffer.from(digest, 'base64').toString('hex') }],
          }),
    })
  }
  const hex = createHash('sha256').update(commit).digest('hex')
  // The form of an identifier that is made of a name.
  const uuid = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `a${hex.slice(17, 20)}`, hex.slice(20, 32)]
  const purl = `pkg:npm/florin@${version}`
  const bom = {
    ...{ bomFormat: 'CycloneDX', specVersion: '1.5', serialNumber: `urn:uuid:${uuid.join('-')}`, version: 1 },
    metadata: {
      timestamp: at.toISOString(),
      component: { type: 'application', 'bom-ref': purl, name, version, purl, licenses: [{ license: { id: 'MIT' } }] },
    },
    components: [...found.keys()].sort().map((each) => found.get(each)),
  }
  return Buffer.from(`${JSON.stringify(bom, null, 2)}\n`)
}

/** One licence by its name, or several as they are joined. */
const licenceOf = (text: string): object =>
  / (OR|AND|WITH) /.test(text)
    ? { expression: text }
    : { license: /^[\w.+-]+$/.test(text) ? { id: text } : { name: text } }

/** A script for who builds the image, here or to compare. */
function image({ name, at }: Release, base: string | null): Buffer {
  const said = base === null ? `\${1:?say the base by its digest, such as node@sha256:...}` : base
  return Buffer.from(`#!/bin/sh
# Builds the image of ${name} from the source beside this file, byte for byte the same for everybody: the base is named by
# its digest, and every file in the image is as old as the commit.
set -eu
cd "$(dirname "$0")"
base=${said}
case $base in *@sha256:*) ;; *) echo "the base has to be named by its digest" >&2; exit 1 ;; esac
sha256sum --check --ignore-missing SHA256SUMS
tar -xzf ${name}.tar.gz
export SOURCE_DATE_EPOCH=${at.getTime() / 1000}
exec docker buildx build --build-arg "BASE=$base" --build-arg SOURCE_DATE_EPOCH --provenance=false \\
  --output "type=oci,dest=${name}.oci.tar,rewrite-timestamp=true" ${name}
`)
}

/** @returns name → bytes. */
export async function releaseFiles(revision: string, base: string | null): Promise<Map<string, Buffer>> {
  const commit = await git('rev-parse', '--verify', `${revision}^{commit}`)
  const { version } = JSON.parse(await git('show', `${commit}:package.json`)) as { version: string }
  const at = new Date(Number(await git('show', '-s', '--format=%ct', commit)) * 1000)
  const release = { name: `florin-${version}`, commit, at }
  const files = new Map([
    [`${release.name}.tar.gz`, await source(release)],
    [`${release.name}.cdx.json`, await components(release, version)],
    [`${release.name}-image.sh`, image(release, base)],
  ])
  const sums = [...files].map(([name, bytes]) => `${createHash('sha256').update(bytes).digest('hex')}  ${name}\n`)
  return files.set('SHA256SUMS', Buffer.from(sums.join('')))
}

async function main(): Promise<void> {
  const options = { out: { type: 'string', default: 'dist/release' }, base: { type: 'string' } } as const
  const { values } = parseArgs({ options })
  const out = resolve(root, values.out)
  await mkdir(out, { recursive: true })
  const changed = await git('status', '--porcelain', '--untracked-files=no')
  if (changed !== '') process.stderr.write('What is changed and not committed is not in it.\n')
  for (const [name, bytes] of await releaseFiles('HEAD', values.base ?? null)) {
    await writeFile(join(out, name), bytes, { mode: name.endsWith('.sh') ? 0o755 : 0o644 })
    process.stdout.write(`${join(out, name)}  ${bytes.length} bytes\n`)
  }
  process.stdout.write(`\n${await readFile(join(out, 'SHA256SUMS'), 'utf8')}`)
}

if (process.argv[1] === import.meta.filename) await main()
