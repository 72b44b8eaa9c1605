// A page of the documentation as a person follows it: its blocks of code, and one shell that stays open to paste them in.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { INSTALL_WITHIN_MS, until } from '../florin.ts'

export const docs = join(import.meta.dirname, '../../docs')

export interface Block {
  language: string
  /** What stands behind the language, such as `tab`. */
  kind: string
  text: string
}

export async function blocksOf(page: string): Promise<Block[]> {
  const text = await readFile(join(docs, page), 'utf8')
  return [...text.matchAll(/^```(\w+) ?(\w*)\n(.*?)^```/gms)].map(([, language = '', kind = '', block = '']) => ({
    ...{ language, kind, text: block },
  }))
}

/** All that was given to a shell so far: what claims to be run here is held against it. */
export const pasted: string[] = []

/** npm takes packages from its cache where it has them; a cached package does not count as installed. */
export const quickNpm = { npm_config_prefer_offline: 'true' } as const

export type ShellName = 'bash' | 'zsh'

export class Shell {
  readonly #shell: ChildProcess
  readonly #dir: string
  #out = ''
  #count = 0

  constructor(dir: string, env: Record<string, string>, program: ShellName = 'bash') {
    this.#dir = dir
    // Without anybody's own settings.
    this.#shell = spawn(program, program === 'zsh' ? ['-f', '-u'] : ['-u'], {
      cwd: dir,
      env,
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    for (const stream of [this.#shell.stdout, this.#shell.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        this.#out += chunk.toString()
      })
    }
  }

  /** All that was printed so far, also by what runs behind the shell. */
  output(): string {
    return this.#out
  }

  /** @returns what it printed, once its last command ended with this code. */
  async run(text: string, { code = 0, stdin = '' }: { code?: number; stdin?: string } = {}): Promise<string> {
    const name = join(this.#dir, `block-${++this.#count}`)
    await writeFile(`${name}.sh`, text)
    await writeFile(`${name}.in`, stdin)
    return this.#source(text, `${name}.sh < ${name}.in`, code)
  }

  /** The same, with a line typed once it is known: what the block asks for comes of the block itself. */
  async runTyping(text: string, line: () => Promise<string>): Promise<string> {
    const name = join(this.#dir, `block-${++this.#count}`)
    await writeFile(`${name}.sh`, text)
    const ended = this.#source(text, `${name}.sh`, 0)
    this.#shell.stdin?.write(`${await line()}\n`)
    return ended
  }

  async close(): Promise<void> {
    if (this.#shell.exitCode !== null || this.#shell.pid === undefined) return
    // Background processes belong to the shell's group; zsh lists them for no other command.
    process.kill(-this.#shell.pid, 'SIGTERM')
    await once(this.#shell, 'exit')
  }

  async #source(text: string, what: string, code: number): Promise<string> {
    pasted.push(text)
    const from = this.#out.length
    this.#shell.stdin?.write(`. ${what}; echo "ended with $?"\n`)
    const ended = (): string | undefined => /^ended with (\d+)$/m.exec(this.#out.slice(from))?.[1]
    const isOver = (): boolean => ended() !== undefined || this.#shell.exitCode !== null
    await until(isOver, `the end of ${text}`, undefined, INSTALL_WITHIN_MS).catch((error: unknown) => {
      throw new Error(`it printed: ${this.#out}`, { cause: error })
    })
    const out = this.#out.slice(from)
    assert.equal(ended(), String(code), `${text}\n${out}`)
    return out
  }
}
