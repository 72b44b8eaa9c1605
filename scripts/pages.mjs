// The building of what is handed out, the pages and the merchants' packages: done at start when what they are made of has
// changed.
// Plain JavaScript for the machine's own Node (20 or newer).
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { root, showProgress } from './install.mjs'

/** What they are made of beside their own folder: shared packages, and the versions of what they use. */
const shared = [
  ...['packages/protocol/src', 'packages/checkout-core/src', 'packages/chains/src', 'package-lock.json'],
  ...['packages/contracts/src', 'packages/contracts/abi'],
]

/** The library and the command line as archives: the service hands them out below /docs/packages. */
const packages = {
  page: 'packages for merchants',
  folder: '.',
  script: 'node scripts/pack.mjs',
  stamp: join(root, 'dist/packages/.florin-built'),
  of: ['packages/sdk', 'packages/cli', 'packages/exit', 'scripts/pack.mjs'],
}

/** @param {string} node from `pinnedNode`: the build tools run on it whatever Node the machine has. */
export async function buildPages(node) {
  if (stalePages().length === 0) return
  const release = await takeTurn()
  try {
    const failures = await buildStale(node)
    if (failures === '') return
    process.stderr.write(failures)
  } finally {
    release()
  }
  process.exit(1)
}

/** What a page is made of beside its own folder and what all share. */
const sources = { 'packages/docs': ['docs', 'examples/python', 'examples/php'] }

function stalePages() {
  const pages = ['packages/console', 'packages/checkout', 'packages/exit', 'packages/docs'].flatMap((page) => {
    const { scripts = {} } = JSON.parse(readFileSync(join(root, page, 'package.json'), 'utf8'))
    // Inside dist: whoever empties it, as each build does, also takes the stamp away.
    const stamp = join(root, page, 'dist/.florin-built')
    return scripts.build === undefined
      ? []
      : [{ page, folder: page, script: scripts.build, stamp, of: [page, ...(sources[page] ?? [])] }]
  })
  const archives = existsSync(join(root, 'packages/sdk/package.json')) ? [packages] : []
  return [...pages, ...archives].flatMap((one) => {
    // By content, not by time: a fresh clone and a copied image have times that say nothing.
    const made = fingerprint([...one.of, ...shared])
    return existsSync(one.stamp) && readFileSync(one.stamp, 'utf8') === made ? [] : [{ ...one, made }]
  })
}

/** Of two starts at once one builds; the other waits and then finds nothing to do. */
async function takeTurn() {
  const file = join(tmpdir(), `florin-building-${createHash('sha256').update(root).digest('hex').slice(0, 16)}`)
  for (;;) {
    try {
      writeFileSync(file, String(process.pid), { flag: 'wx' })
      return () => rmSync(file, { force: true })
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
    }
    if (isOver(file)) rmSync(file, { force: true })
    else await wait(100)
  }
}

/** No build takes this long, and a number may by then be another program's. */
const TURN_MS = 300_000

/** Whether whoever wrote it is gone without having taken it away. */
function isOver(file) {
  try {
    process.kill(Number(readFileSync(file, 'utf8')) || process.pid, 0)
    return Date.now() - statSync(file).mtimeMs > TURN_MS
  } catch (error) {
    return error.code === 'ESRCH'
  }
}

/** @returns what went wrong, as lines to show. */
async function buildStale(node) {
  const stale = stalePages()
  if (stale.length === 0) return ''
  const began = performance.now()
  const names = stale.map(({ page }) => page).join(', ')
  const progress = showProgress(() => `building ${names} (${secondsSince(began).toFixed(0)} s)`)
  const failures = await Promise.all(stale.map((one) => build(one, node)))
  progress.end()
  if (failures.every((failure) => failure === '')) {
    process.stderr.write(`built ${names} in ${secondsSince(began).toFixed(1)} s\n`)
  }
  return failures.join('')
}

const secondsSince = (began) => (performance.now() - began) / 1000

/** @returns what went wrong, as lines to show; empty when the page is built. */
async function build({ page, folder, script, stamp, made }, node) {
  const path = [dirname(node), join(root, 'node_modules/.bin'), process.env.PATH].join(delimiter)
  const child = spawn(script, {
    cwd: join(root, folder),
    shell: true,
    env: { ...process.env, PATH: path },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said = []
  child.stdout.on('data', (chunk) => said.push(chunk))
  child.stderr.on('data', (chunk) => said.push(chunk))
  const [code] = await once(child, 'close')
  if (code !== 0) return `${Buffer.concat(said)}\n${page} could not be built with \`${script}\`.\n`
  writeFileSync(stamp, made)
  return ''
}

function fingerprint(paths) {
  const hash = createHash('sha256')
  for (const path of paths.flatMap(filesOf)) {
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update('\0')
  }
  return hash.digest('hex')
}

function filesOf(path) {
  if (/\.(json|mjs)$/.test(path)) return [path]
  return readdirSync(join(root, path), { withFileTypes: true })
    .filter((entry) => !/^(dist|node_modules|test|.*\.test\.tsx?)$/.test(entry.name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => (entry.isDirectory() ? filesOf(`${path}/${entry.name}`) : [`${path}/${entry.name}`]))
}
