// An API process as it is shipped, over the benchmark's database, from outside: started, asked, and ended. Whatever is waited
// for, the process may end or fall silent instead: then that is the answer.
import { type ChildProcess, type ChildProcessByStdio, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { chunksOf } from '../../packages/platform/src/chunks.ts'
import { nodeOptions } from '../shipped.ts'
import type { Asked, Request } from './asker.ts'

const MB = 1024 * 1024
/** What is silent for so long never says anything again. */
const SILENT_MS = 60_000
/** So few that they are answered within that. */
const ASKED_AT_ONCE = 100

export class ApiProcess {
  readonly pid: number
  readonly origin: string
  readonly #child: ChildProcessByStdio<Writable, Readable, null>
  readonly #ended: Promise<never>
  #asker: ChildProcess | null = null

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

  /** Milliseconds of each: one after another, on one connection, asked by a process of its own. @throws what it was, unless it is a 200 */
  async timed(requests: readonly Request[]): Promise<number[]> {
    this.#asker ??= fork(join(import.meta.dirname, 'asker.ts'), { execArgv: [...nodeOptions] })
    const ms: number[] = []
    for (const some of chunksOf(requests, ASKED_AT_ONCE)) {
      this.#asker.send(some.map(({ url, headers }) => ({ url: `${this.origin}${url}`, headers })))
      const answer = once(this.#asker, 'message').then(([asked]: Asked[]) => {
        if (asked === undefined || 'wrong' in asked) throw new Error(asked?.wrong ?? 'the asking process said nothing')
        return asked.ms
      })
      ms.push(...(await this.orEnd('answer', answer)))
    }
    return ms
  }

  async residentMb(): Promise<number> {
    const [, pages = '0'] = (await readFile(`/proc/${this.pid}/statm`, 'utf8')).split(' ')
    return (Number(pages) * 4096) / MB
  }

  async end(): Promise<void> {
    this.#asker?.kill('SIGKILL')
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
