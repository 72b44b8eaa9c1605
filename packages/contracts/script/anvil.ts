// Starts a local EVM node (anvil, from npm) on a free loopback port and ends exactly that process. For tests and the devnet.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { type HttpTransport, http } from 'viem'

export interface Anvil {
  url: string
  pid: number
  /** Ends the node and waits until it is gone. May be called twice. */
  stop(): Promise<void>
}

export interface AnvilOptions {
  /** 31337 where left out. */
  chainId?: number
  /** A free port where left out. */
  port?: number
  /** Further command line arguments, for example ['--block-time', '2']. */
  args?: readonly string[]
  /** Keeps a terminal's Ctrl-C from it, so that it outlives what still uses it. It ends with this process all the same. */
  ownGroup?: boolean
}

/**
 * Starts anvil and returns when it answers. Its ten development accounts are funded and unlocked.
 *
 * @throws Error when the binary is not installed for this platform, or with anvil's words when it ends early.
 * @example const anvil = await startAnvil({ chainId: 31337 }); …; await anvil.stop()
 */
export async function startAnvil(options: AnvilOptions = {}): Promise<Anvil> {
  const child = spawn(
    findAnvil(),
    ['--host', '127.0.0.1', '--port', String(options.port ?? 0), '--chain-id', String(options.chainId ?? 31337)].concat(
      options.args ?? [],
    ),
    { stdio: ['ignore', 'pipe', 'pipe'], detached: options.ownGroup === true },
  )
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const killNow = () => child.kill('SIGKILL')
  process.once('exit', killNow)
  const stop = async () => {
    process.off('exit', killNow)
    child.kill('SIGTERM')
    await ended
  }

  let said = ''
  const url = await new Promise<string>((resolve, reject) => {
    const onOutput = (chunk: Buffer) => {
      said += chunk.toString()
      const address = /Listening on (127\.0\.0\.1:\d+)/.exec(said)?.[1]
      if (address) resolve(`http://${address}`)
    }
    child.stdout.on('data', onOutput)
    child.stderr.on('data', onOutput)
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`anvil ended with code ${code}: ${said.slice(-500)}`)))
  })
  // Unread output would fill the pipe and stop the node.
  for (const stream of [child.stdout, child.stderr]) stream.removeAllListeners('data').resume()
  await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'anvil_setLoggingEnabled', params: [false] }),
  })
  return { url, pid: child.pid ?? 0, stop }
}

/** A client's way to it. Whatever it is asked for it does in the end, however busy the machine is: a thousand blocks took it over ten seconds. */
export function toAnvil(url: string): HttpTransport {
  return http(url, { timeout: 120_000 })
}

/** Whether the node is installed and made for this platform. */
export function hasAnvil(): boolean {
  try {
    return existsSync(findAnvil())
  } catch {
    return false
  }
}

/** The binary lies in a package of its own per platform; going to it directly needs no install script. */
function findAnvil(): string {
  const platform = `${process.platform}-${process.arch === 'x64' ? 'amd64' : process.arch}`
  const file = process.platform === 'win32' ? 'anvil.exe' : 'anvil'
  const near = createRequire(createRequire(import.meta.url).resolve('@foundry-rs/anvil/package.json'))
  try {
    return join(dirname(near.resolve(`@foundry-rs/anvil-${platform}/package.json`)), 'bin', file)
  } catch {
    throw new Error(`there is no anvil for ${platform}: npm package @foundry-rs/anvil-${platform} is not installed`)
  }
}
