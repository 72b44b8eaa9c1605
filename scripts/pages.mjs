// Owns the building of the two pages, console and checkout: done at start when what they are made of has changed.
// Plain JavaScript for the machine's own Node (20 or newer).
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { root, showProgress } from './install.mjs'

/** What both are made of beside their own folder: shared packages, and the versions of what they use. */
const shared = ['packages/protocol/src', 'packages/chains/src', 'package-lock.json']

/** @param {string} node from `pinnedNode`: the build tools run on it whatever Node the machine has. */
export function buildPages(node) {
  for (const page of ['packages/console', 'packages/checkout']) {
    const { scripts = {} } = JSON.parse(readFileSync(join(root, page, 'package.json'), 'utf8'))
    if (scripts.build === undefined) continue
    // By content, not by time: a fresh clone and a copied image have times that say nothing.
    const made = fingerprint([page, ...shared])
    // Inside dist: whoever empties it, as each build does, also takes the stamp away.
    const stamp = join(root, page, 'dist/.florin-built')
    if (existsSync(stamp) && readFileSync(stamp, 'utf8') === made) continue
    build(page, scripts.build, node)
    writeFileSync(stamp, made)
  }
}

function build(page, script, node) {
  const began = performance.now()
  const progress = showProgress(() => `building ${page}`)
  const path = [dirname(node), join(root, 'node_modules/.bin'), process.env.PATH].join(delimiter)
  const done = spawnSync(script, { cwd: join(root, page), shell: true, env: { ...process.env, PATH: path } })
  progress.end()
  if (done.status !== 0) {
    process.stderr.write(`${done.stdout ?? ''}${done.stderr ?? ''}\n${page} could not be built with \`${script}\`.\n`)
    process.exit(1)
  }
  process.stderr.write(`built ${page} in ${((performance.now() - began) / 1000).toFixed(1)} s\n`)
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
  if (path.endsWith('.json')) return [path]
  return readdirSync(join(root, path), { withFileTypes: true })
    .filter((entry) => !/^(dist|node_modules|test|.*\.test\.tsx?)$/.test(entry.name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => (entry.isDirectory() ? filesOf(`${path}/${entry.name}`) : [`${path}/${entry.name}`]))
}
