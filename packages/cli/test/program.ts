// Running the program as a person does, with an environment, a home and a folder of its own: in this process, or built and
// as a process of its own. It is built anew when a source is newer; every wait has a deadline and fails with all that was
// printed.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { globSync, statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { PassThrough, Writable } from 'node:stream'
import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { runProgram } from '../src/program.ts'
import { openTerminal } from '../src/terminal.ts'

export const packageRoot = fileURLToPath(new URL('..', import.meta.url))
export const repositoryRoot = fileURLToPath(new URL('../../..', import.meta.url))
export const apiKey = `florin_test_${'k'.repeat(38)}`
export const secret = 'whsec_0123456789ABCDEFGHIJKLMNOPQRSTUV'

/** Only what never comes lasts as long as this, however busy the machine is. */
const DEADLINE_MS = 120_000
const built = join(packageRoot, 'dist', 'florin.js')

/** Builds when a source of the program, the library or the protocol is newer than what was built. */
export async function builtProgram(): Promise<string> {
  const sources = [
    'cli/{src,script}/**/*',
    'cli/package.json',
    'sdk/src/**/*',
    'protocol/src/**/*',
    'exit/{src,page,script}/**/*',
    'contracts/{src,abi}/**/*',
  ]
  const files = sources.flatMap((pattern) => globSync(pattern, { cwd: join(repositoryRoot, 'packages') }))
  const times = files.map((file) => statSync(join(repositoryRoot, 'packages', file)).mtimeMs)
  const builtMs = statSync(built, { throwIfNoEntry: false })?.mtimeMs ?? 0
  if (Math.max(...times) >= builtMs)
    await promisify(execFile)(process.execPath, [join(packageRoot, 'script', 'build.mjs')])
  return join(packageRoot, 'bin', 'florin.mjs')
}

export interface Ended {
  code: number | null
  stdout: string
  stderr: string
}

export class Running {
  readonly child: ChildProcess
  readonly ended: Promise<Ended>
  #lines: string[] = []
  #stdout: string[] = []
  #stderr: string[] = []
  #watchers = new Set<() => void>()

  constructor(child: ChildProcess) {
    this.child = child
    const streams = [
      [child.stdout, this.#stdout],
      [child.stderr, this.#stderr],
    ] as const
    const closed = streams.map(async ([stream, kept]) => {
      if (stream === null) return
      for await (const line of createInterface(stream)) {
        kept.push(line)
        this.#lines.push(line)
        for (const check of this.#watchers) check()
      }
    })
    const exited = new Promise<number | null>((resolve) => child.once('close', resolve))
    this.ended = Promise.all([exited, ...closed]).then(([code]) => {
      for (const check of this.#watchers) check()
      return { code, stdout: this.#stdout.join('\n'), stderr: this.#stderr.join('\n') }
    })
  }

  /** The first line, already printed or yet to come, that matches. */
  line(pattern: RegExp): Promise<string> {
    return this.lines(pattern, 1).then(([line = '']) => line)
  }

  /** As many matching lines as asked for. */
  async lines(pattern: RegExp, count: number): Promise<string[]> {
    const found = () => this.#lines.filter((line) => pattern.test(line))
    await new Promise<void>((resolve, reject) => {
      const check = () => {
        if (found().length >= count) finish(resolve)
        else if (this.child.exitCode !== null && this.child.stdout?.readableEnded)
          finish(() => reject(this.#missing(pattern)))
      }
      const timer = setTimeout(() => finish(() => reject(this.#missing(pattern))), DEADLINE_MS)
      const finish = (then: () => void) => {
        clearTimeout(timer)
        this.#watchers.delete(check)
        then()
      }
      this.#watchers.add(check)
      check()
    })
    return found()
  }

  #missing(pattern: RegExp): Error {
    return new Error(`the program did not print ${pattern}; it printed:\n${this.#lines.join('\n')}`)
  }
}

export interface Place {
  /** A home of its own, so that no test meets another's secret. */
  readonly home: string
  /** The built program, as a process. */
  start(args: readonly string[], environment?: Record<string, string | undefined>): Running
  /** The same in this process, which is most of a second cheaper. One at a time. */
  run(args: readonly string[], environment?: Record<string, string | undefined>): Promise<Ended>
}

/** An empty home for one test, with the program ready to run in it. */
export async function aPlace(t: TestContext, baseUrl = 'http://127.0.0.1:9'): Promise<Place> {
  const path = await builtProgram()
  const home = await mkdtemp(join(tmpdir(), 'florin-cli-'))
  t.after(() => rm(home, { recursive: true }))
  const own = { HOME: home, PATH: process.env.PATH, FLORIN_API_KEY: apiKey, FLORIN_BASE_URL: baseUrl }
  const start: Place['start'] = (args, environment = {}) => {
    const child = spawn(process.execPath, [path, ...args], {
      cwd: home,
      env: { ...own, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    t.after(() => child.kill('SIGKILL'))
    return new Running(child)
  }
  return { home, start, run: (args, environment) => runHere(home, args, { ...own, ...environment }) }
}

async function runHere(
  home: string,
  args: readonly string[],
  environment: Record<string, string | undefined>,
): Promise<Ended> {
  const [stdout, stderr] = [new Screen(), new Screen()]
  const terminal = openTerminal(environment, { stdin: new PassThrough(), stdout, stderr })
  const folder = process.cwd()
  process.chdir(home)
  try {
    const code = await runProgram(args, { terminal, environment })
    return { code, stdout: stdout.lines(), stderr: stderr.lines() }
  } finally {
    process.chdir(folder)
  }
}

/** Not a terminal. */
class Screen extends Writable {
  #text = ''

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#text += chunk.toString()
    done()
  }

  lines(): string {
    return this.#text.replace(/\n$/, '')
  }
}
