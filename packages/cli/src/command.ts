// What a command is: a row of words and options with the function behind them. Help is written from the same row that
// arguments are read by, so the two cannot disagree.
import { type ParseArgsConfig, parseArgs } from 'node:util'
import { UsageFailure } from './failure.ts'
import type { Environment } from './settings.ts'
import type { Terminal } from './terminal.ts'

export interface Flag {
  readonly name: string
  /** What stands for its value in the help; a flag without is on or off. */
  readonly value?: string
  /** It may be given more than once. */
  readonly many?: boolean
  readonly about: string
}

export interface Command {
  /** The words that call it: `orders list`. */
  readonly name: string
  /** What follows them: `ORDER_NO`, `[ORDER_NO]` or `ID...`. */
  readonly takes: readonly string[]
  readonly about: string
  readonly flags: readonly Flag[]
  readonly examples: readonly string[]
  /** What else must be known, for the command's own help. */
  readonly notes?: readonly string[]
  /** @returns the exit code. */
  run(call: Call): Promise<number>
}

export interface Call {
  readonly args: readonly string[]
  readonly terminal: Terminal
  readonly environment: Environment
  readonly json: boolean
  /** The value of an option, or undefined where it was not given. */
  text(name: string): string | undefined
  /** The values of an option that may be given more than once. */
  texts(name: string): readonly string[]
  isOn(name: string): boolean
}

export const jsonFlag: Flag = { name: 'json', about: 'print JSON' }
const helpFlag: Flag = { name: 'help', about: 'show this help' }
export const serviceFlags: readonly Flag[] = [
  { name: 'base-url', value: 'URL', about: 'where Florin runs (else FLORIN_BASE_URL, else http://localhost:3000)' },
  { name: 'dotenv', value: 'FILE', about: 'read the FLORIN_… settings from this file' },
]

/** Every option that a command takes, its own first. */
export const flagsOf = (command: Command): readonly Flag[] => [...command.flags, jsonFlag, helpFlag]

export type Parsed = Pick<Call, 'args' | 'json' | 'text' | 'texts' | 'isOn'>

/** @throws UsageFailure that says which option or argument is wrong, and how the command is used. */
export function parseCall(command: Command, words: readonly string[]): Parsed {
  const options: NonNullable<ParseArgsConfig['options']> = {}
  for (const flag of flagsOf(command)) {
    options[flag.name] = { type: flag.value === undefined ? 'boolean' : 'string', multiple: flag.many ?? false }
  }
  const { values, positionals } = readWords(command, options, words)
  const isHelp = values.help === true
  if (!isHelp) checkCount(command, positionals)
  const given = (name: string) => {
    if (!Object.hasOwn(options, name)) throw new Error(`${command.name} has no option ${name}`)
    return values[name]
  }
  return {
    args: positionals,
    json: values.json === true,
    text(name) {
      const value = given(name)
      return typeof value === 'string' ? value : undefined
    },
    texts(name) {
      const value = given(name)
      return Array.isArray(value) ? value.map(String) : []
    },
    isOn: (name) => given(name) === true,
  }
}

function readWords(
  command: Command,
  options: NonNullable<ParseArgsConfig['options']>,
  words: readonly string[],
): { values: Record<string, unknown>; positionals: string[] } {
  try {
    return parseArgs({ args: [...words], options, allowPositionals: true, strict: true })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : ''
    const option = error instanceof Error ? (/'(?:-\w, )?(--?[^'=\s<]*)/.exec(error.message)?.[1] ?? '') : ''
    const see = `See florin ${command.name} --help.`
    if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') {
      throw new UsageFailure(`florin ${command.name} has no option ${option}. ${see}`)
    }
    if (code !== 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE') throw error
    const flag = flagsOf(command).find(({ name }) => `--${name}` === option)
    throw new UsageFailure(
      flag?.value === undefined
        ? `${option} takes no value. ${see}`
        : `${option} takes a value: ${option} ${flag.value}.`,
    )
  }
}

function checkCount(command: Command, given: readonly string[]): void {
  const isMany = command.takes.some((word) => word.endsWith('...'))
  const required = command.takes.filter((word) => !word.startsWith('['))
  const missing = required[given.length]
  if (missing !== undefined) {
    throw new UsageFailure(`${missing} is missing: florin ${[command.name, ...command.takes].join(' ')}`)
  }
  if (!isMany && given.length > command.takes.length) {
    const extra = given[command.takes.length]
    throw new UsageFailure(`"${extra}" is one word too many: florin ${[command.name, ...command.takes].join(' ')}`)
  }
}
