// An API process as it is shipped, over the benchmark's database, from outside: started, asked, and ended. Whatever is waited
// for, the process may end or fall silent instead: then that is the answer.
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { Agent, get } from 'node:http'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { nodeOptions } from '../shipped.ts'

const MB = 1024 * 1024
/** What is silent for so long never says anything again. */
const SILENT_MS = 60_000

export class ApiProcess {
  readonly pid: number
  readonly origin: string
  readonly #child: ChildProcessByStdio<Writable, Readable, null>
  readonly #ended: Promise<never>
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 })

  private constructor(child: ChildProcessByStdio<Writable, Readable, null>, ended: Promise<never>, origin: string) {
    this.#child = child
    this.#ended = ended
    this.pid = child.pid ?? 0
    this.origin = origin
  }

  static async start(databaseUrl: string): Promise<ApiProcess> {
    const child = spawn(process.execPath, [...nodeOptions, join(import.meta.dirname, 'api.ts'), databaseUrl], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    const ended = once(child, 'exit').then(([code, signal]) =>
      Promise.reject(new Error(`the API process ended: ${code ?? signal}`)),
    )
    ended.catch(() => undefined)
    // Of one that is gone.
    child.stdin.on('error', () => undefined)
    try {
      return new ApiProcess(child, ended, await within(ended, 'address', addressOf(child.stdout)))
    } catch (error) {
      child.kill('SIGKILL')
      throw error
    }
  }

  orEnd<T>(what: string, work: Promise<T>): Promise<T> {
    return within(this.#ended, what, work)
  }

  /**
   * One request after another, on one connection. What was answered is received and not kept, so that it is not this process's
   * memory that is measured. @throws what it was, unless it is a 200
   */
  ask(url: string, headers: Record<string, string>): Promise<void> {
    const answer = new Promise<void>((resolve, reject) => {
      get(`${this.origin}${url}`, { headers, agent: this.#agent }, (reply) => {
        const pieces: Buffer[] = []
        const isWrong = reply.statusCode !== 200
        reply.on('data', (piece: Buffer) => isWrong && pieces.push(piece)).once('error', reject)
        reply.once('end', () =>
          isWrong ? reject(new Error(`${url}: ${reply.statusCode} ${Buffer.concat(pieces)}`)) : resolve(),
        )
      }).once('error', reject)
    })
    return this.orEnd('answer', answer)
  }

  async residentMb(): Promise<number> {
    const [, pages = '0'] = (await readFile(`/proc/${this.pid}/statm`, 'utf8')).split(' ')
    return (Number(pages) * 4096) / MB
  }

  async end(): Promise<void> {
    this.#agent.destroy()
    this.#child.stdin.end()
    await this.orEnd('end', new Promise<never>(() => undefined)).catch(() => undefined)
    this.#child.kill('SIGKILL')
  }
}

async function within<T>(ended: Promise<never>, what: string, work: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => reject(new Error(`no ${what} of the API process within ${SILENT_MS / 1000} s`)),
    SILENT_MS,
  )
  try {
    return await Promise.race([work, ended, late])
  } catch (error) {
    // A connection breaks before the end of the process behind it is heard of, and that says more.
    await Promise.race([ended, sleep(1_000)])
    throw error
  } finally {
    clearTimeout(timer)
  }
}

/** The first line that is one; all others are its log, and shown. */
function addressOf(out: Readable): Promise<string> {
  return new Promise((resolve) => {
    createInterface({ input: out }).on('line', (line) => {
      if (line.startsWith('http://')) resolve(line)
      else process.stderr.write(`${line}\n`)
    })
  })
}
