// From the words on a command line to an exit code: finds the command, shows help, turns what is thrown into one sentence.
import { asCalled } from './called.ts'
import { type Call, parseCall } from './command.ts'
import { commands } from './commands.ts'
import { tell, UsageFailure } from './failure.ts'
import { commandHelp, groupHelp, overview } from './help.ts'
import type { Environment } from './settings.ts'
import type { Terminal } from './terminal.ts'

interface Surroundings {
  terminal: Terminal
  environment: Environment
}

/** @returns the exit code. What went wrong has been told. */
export async function runProgram(words: readonly string[], { terminal, environment }: Surroundings): Promise<number> {
  try {
    return await run(words, { terminal, environment })
  } catch (error) {
    const told = tell(error)
    const message = asCalled(told.json.message, environment)
    if (words.includes('--json')) terminal.note(JSON.stringify({ error: { ...told.json, message } }))
    else terminal.note(`${terminal.notePaint.red('florin:')} ${asCalled(told.sentence, environment)}`)
    return told.exitCode
  }
}

async function run(words: readonly string[], { terminal, environment }: Surroundings): Promise<number> {
  if (words[0] === '--version' || words[0] === '-v') {
    terminal.out(`florin ${process.env.FLORIN_CLI_VERSION}`)
    return 0
  }
  const asked =
    words[0] === 'help' ? [...words.slice(1), '--help'] : words.map((word) => (word === '-h' ? '--help' : word))
  const command = commands.find(({ name }) => name.split(' ').every((word, n) => asked[n] === word))
  const show = (help: string): void => terminal.out(asCalled(help, environment))
  if (command === undefined) return withoutCommand(asked, show)
  const parsed = parseCall(command, asked.slice(command.name.split(' ').length))
  if (parsed.isOn('help')) {
    show(commandHelp(command))
    return 0
  }
  const call: Call = { ...parsed, terminal, environment }
  return command.run(call)
}

function withoutCommand(words: readonly string[], show: (help: string) => void): number {
  const [first = '--help', second] = words
  const isHelp = words.includes('--help')
  if (first.startsWith('-')) {
    if (first !== '--help') throw new UsageFailure('Options come after the command. See florin --help.')
    show(overview(commands))
    return isHelp ? 0 : 2
  }
  const group = commands.filter(({ name }) => name.startsWith(`${first} `))
  if (group.length === 0) throw new UsageFailure(`There is no command "${first}". See florin --help.`)
  if (second !== undefined && !second.startsWith('-')) {
    const known = group.map(({ name }) => name.slice(first.length + 1)).join(', ')
    throw new UsageFailure(`There is no command "${first} ${second}". After ${first} comes one of: ${known}.`)
  }
  show(groupHelp(first, group))
  return isHelp ? 0 : 2
}
