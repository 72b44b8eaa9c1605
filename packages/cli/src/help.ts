// The words of --help. All of it comes from the table of commands.
import { type Command, flagsOf } from './command.ts'
import { columns } from './terminal.ts'

const indented = (lines: readonly string[]): string[] => lines.map((line) => `  ${line}`)

export const usageOf = (command: Command): string => ['florin', command.name, ...command.takes].join(' ')

/** `florin --help` */
export function overview(commands: readonly Command[]): string {
  const rows = commands.flatMap((command, n): string[][] => {
    const [word = '', act] = command.name.split(' ')
    const group = commands.filter(({ name }) => name.startsWith(`${word} `))
    if (act === undefined || group.length === 1) return [[[command.name, ...command.takes].join(' '), command.about]]
    // What belongs together is one line, at its first.
    if (commands.indexOf(group[0] ?? command) !== n) return []
    return [[`${word} …`, group.map(({ name }) => name.slice(word.length + 1)).join(', ')]]
  })
  return [
    'florin: the command line of Florin, for merchants and those who build for them',
    '',
    'Commands',
    ...indented(columns(rows)),
    '',
    'Settings',
    ...indented(
      columns([
        ['FLORIN_API_KEY', 'an API key; trigger takes a test key'],
        ['FLORIN_BASE_URL', 'where Florin runs; http://localhost:3000 where left out'],
        ['FLORIN_WEBHOOK_SECRET', "the receiver's webhook secret, for verify"],
      ]),
    ),
    'florin WORD --help has more; all take --json. Exit code 0: done, 1: it failed or must be mended, 2: asked wrongly.',
  ].join('\n')
}

/** `florin orders`: the commands that begin with this word. */
export function groupHelp(word: string, commands: readonly Command[]): string {
  const rows = commands.map((command) => [usageOf(command), command.about])
  return [...columns(rows), '', `florin ${word} COMMAND --help shows the options of a command.`].join('\n')
}

/** `florin orders list --help` */
export function commandHelp(command: Command): string {
  const rows = flagsOf(command).map((flag) => [
    `--${flag.name}${flag.value === undefined ? '' : ` ${flag.value}`}`,
    flag.many ? `${flag.about}; may be repeated` : flag.about,
  ])
  return [
    `${usageOf(command)} [options]`,
    '',
    `${command.about}.`,
    ...(command.notes ?? []),
    '',
    'Options',
    ...indented(columns(rows)),
    '',
    'Examples',
    ...indented(command.examples),
  ].join('\n')
}
