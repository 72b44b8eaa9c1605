// What is installed: asks npm only when the lock file or the kind of installation changed since it last did.
// Plain JavaScript for the machine's own Node (20 or newer) and nothing but Node, as nothing is installed yet.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { trim } from './trim.mjs'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))
const modules = join(root, 'node_modules')
const stampFile = join(modules, '.florin-installed.json')
const unfinished = join(modules, '.florin-installing')

/** The workspaces that a running Florin needs; the pages are built where it runs. */
const runtimeWorkspaces = ['packages/server', 'packages/console', 'packages/checkout', 'packages/exit', 'packages/docs']

/** Each kind of installation has all of the kinds before it. */
const kinds = ['runtime', 'devnet', 'full']

/**
 * Installs what is missing.
 * @param {'runtime' | 'devnet' | 'full'} kind `devnet` adds a local test chain, `full` what development and tests need.
 * @returns {Promise<void>} ends the process with npm's own words when npm fails.
 */
export async function ensureInstalled(kind) {
  const lock = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')
  const platform = `${process.platform}-${process.arch}`
  const stamp = readStamp()
  const had = kinds.indexOf(stamp.kind)
  if (stamp.lock === lock && stamp.platform === platform && had >= kinds.indexOf(kind)) return

  // Never less than what is there: a developer's tools stay when they try `npm start`.
  const isDeveloper = existsSync(join(modules, 'fast-check'))
  const made = isDeveloper ? 'full' : kinds[Math.max(had, kinds.indexOf(kind))]
  const isFull = made === 'full'
  const what = isFull
    ? ['--include=dev']
    : ['--omit=dev', '--include-workspace-root', ...runtimeWorkspaces.map((workspace) => `--workspace=${workspace}`)]
  // `ci` empties the folder first: right for a first or an interrupted installation, and too much for a change, which
  // would pull the programs from under a Florin that is running.
  const isWhole = existsSync(join(modules, '.package-lock.json')) && !existsSync(unfinished)
  const how = isWhole ? ['install', '--no-save'] : ['ci']
  mkdirSync(modules, { recursive: true })
  rmSync(stampFile, { force: true })
  writeFileSync(unfinished, '')
  // No package's install script is needed; what none may run, none can abuse.
  const always = ['--include=optional', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  const seconds = await npm([...how, ...what, ...always], isFull ? 'all packages' : 'what Florin needs to run')
  if (!isFull) trim(modules, { keepsChain: made === 'devnet' })
  rmSync(unfinished, { force: true })
  writeFileSync(stampFile, `${JSON.stringify({ lock, platform, kind: made })}\n`)
  process.stderr.write(`installed in ${seconds.toFixed(1)} s\n`)
}

function readStamp() {
  try {
    return JSON.parse(readFileSync(stampFile, 'utf8'))
  } catch {
    return {}
  }
}

/** Runs npm without its chatter; all it said is shown when it fails. */
async function npm(args, what) {
  const began = performance.now()
  const elapsed = () => (performance.now() - began) / 1000
  const tick = showProgress(() => `installing ${what} (${elapsed().toFixed(0)} s)`)
  const [file, ...before] = npmCommand()
  const child = spawn(file, [...before, ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32' && file === 'npm',
  })
  const said = []
  child.stdout.on('data', (chunk) => said.push(chunk))
  child.stderr.on('data', (chunk) => said.push(chunk))
  const failure = await new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('close', (code, signal) => resolve(code === 0 ? null : `it ended with ${signal ?? code}`))
  })
  tick.end()
  if (failure === null) return elapsed()
  process.stderr.write(`${Buffer.concat(said)}\nnpm ${args[0]} could not install ${what}: ${failure}.\n`)
  process.exit(1)
}

/** The npm that started us where there is one, so that its version and its settings are the ones used. */
export function npmCommand() {
  const running = process.env.npm_execpath ?? ''
  if (/npm-cli\.c?js$/.test(running) && existsSync(running)) return [process.execPath, running]
  return ['npm']
}

/** One line that counts on a terminal, one line in all elsewhere. */
export function showProgress(line) {
  const isTerminal = process.stderr.isTTY === true
  process.stderr.write(isTerminal ? line() : `${line().replace(/ \(\d+ s\)$/, '')} …\n`)
  const timer = isTerminal ? setInterval(() => process.stderr.write(`\r${line()}`), 1000) : undefined
  return {
    end() {
      clearInterval(timer)
      if (isTerminal) process.stderr.write('\r\u001b[2K')
    },
  }
}
