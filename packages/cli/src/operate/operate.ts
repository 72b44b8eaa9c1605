// Commands of an operator on the machine that Florin runs on: `florin backup | restore | rekey | upgrade | doctor` hand over to
// the server's own programs, which stand in its folder. A merchant who installed this command line alone is told so.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Call, Command } from '../command.ts'
import { Failure, UsageFailure } from '../failure.ts'

const programs = {
  backup: 'packages/server/src/backup/command.ts',
  rekey: 'packages/server/src/rekey.ts',
  wallet: 'packages/server/src/addresses/command.ts',
  doctor: 'packages/server/src/reports/doctor/command.ts',
} as const

const HERE =
  'On the machine that Florin runs on, in its folder, with its settings: the environment, and the file .env there.'

/** The folder of the Florin that this is called in, else of the one that this program belongs to. */
function serverFolder(): string {
  for (const start of [process.cwd(), dirname(fileURLToPath(import.meta.url))]) {
    for (let folder = start; ; folder = dirname(folder)) {
      if (existsSync(join(folder, programs.doctor))) return folder
      if (dirname(folder) === folder) break
    }
  }
  throw new Failure(
    'There is no Florin in this folder. This command is for who runs one: call it in the folder of its source.',
  )
}

async function handOver(call: Call, program: keyof typeof programs, words: readonly string[]): Promise<number> {
  const folder = serverFolder()
  // In a container there is no script that finds the right Node and the settings: they are the image's.
  const runner = join('scripts', 'operate.mjs')
  const settings = existsSync(join(folder, '.env')) ? ['--env-file=.env'] : []
  const start = existsSync(join(folder, runner)) ? [runner] : settings
  const child = spawn(process.execPath, [...start, programs[program], ...words], {
    cwd: folder,
    env: { ...call.environment },
    stdio: ['inherit', 'pipe', 'pipe'],
  })
  const said: string[] = []
  const isOneObject = call.json && program !== 'doctor'
  // What it says is shown as it comes: a large database takes hours.
  const [code] = await Promise.all([
    new Promise<number>((resolve, reject) => {
      child.once('error', reject)
      child.once('close', (ended) => resolve(ended ?? 1))
    }),
    eachLine(child.stderr, (line) => call.terminal.note(line)),
    eachLine(child.stdout, (line) => (isOneObject ? said.push(line) : call.terminal.out(line))),
  ])
  if (said.length > 0) call.terminal.out(JSON.stringify({ ok: code === 0, said }))
  return code
}

async function eachLine(stream: NodeJS.ReadableStream, tell: (line: string) => void): Promise<void> {
  for await (const line of createInterface({ input: stream })) tell(line)
}

/** As it was meant where it was said: the program runs in the folder of the server. */
const absolute = (file: string): string => resolve(file)

const option = (call: Call, name: string): string[] => {
  const value = call.text(name)
  return value === undefined ? [] : [`--${name}`, value]
}

export const operatorCommands: readonly Command[] = [
  {
    name: 'doctor',
    takes: [],
    about: 'What is wrong with the Florin of this machine, and what to do',
    notes: [HERE, 'Settings, database, clock, disks, backups, mail, queues, chains, gas, jobs; nothing is changed.'],
    flags: [
      { name: 'process', value: 'URL', many: true, about: 'a process to look at, where none answers on this machine' },
    ],
    examples: ['florin doctor', 'florin doctor --process http://pay-1:3000 --json'],
    run(call) {
      const processes = call.texts('process').flatMap((url) => ['--process', url])
      return handOver(call, 'doctor', [...processes, ...(call.json ? ['--json'] : [])])
    },
  },
  {
    name: 'backup',
    takes: ['[FILE]'],
    about: 'Save the database of the Florin of this machine, while it runs',
    notes: [
      HERE,
      'A restore of it is tried. With --verify: read FILE through and check it. --activate and --practise are said of the database: docs/operations.md.',
    ],
    flags: [
      { name: 'verify', about: 'check FILE instead' },
      { name: 'drill', about: 'try a restore of FILE instead' },
      { name: 'activate', about: 'a restored copy takes the place of the one that was saved' },
      { name: 'without-journal', about: 'with --activate: the journal of given addresses is lost' },
      { name: 'practise', about: 'a database that other tools restored sleeps, and FILE counts as tried' },
    ],
    examples: ['florin backup', 'florin backup pay.backup', 'florin backup pay.backup --verify'],
    async run(call) {
      const [file] = call.args
      const words = ['verify', 'drill', 'activate', 'practise'].filter((name) => call.isOn(name))
      const [word] = words
      const isFileRight = file === undefined ? word !== 'verify' && word !== 'drill' : word !== 'activate'
      if (words.length > 1 || !isFileRight) {
        throw new UsageFailure(
          'Say florin backup [FILE], florin backup FILE --verify or --drill, --activate, or [BACKUP] --practise.',
        )
      }
      if (word === undefined) return handOver(call, 'backup', file === undefined ? [] : ['--out', absolute(file)])
      const without = call.isOn('without-journal') ? ['--without-journal'] : []
      return handOver(call, 'backup', [word, ...(file === undefined ? [] : [absolute(file)]), ...without])
    },
  },
  {
    name: 'restore',
    takes: ['FILE'],
    about: 'Put a backup into an empty database; Florin is stopped',
    notes: [HERE, 'It is a copy that sleeps, unless --replace says that it takes the place of the one that was saved.'],
    flags: [
      { name: 'replace', about: 'it takes that place, and no process of the other runs' },
      { name: 'accept-differences', about: 'also when rows read back other than they were saved' },
      { name: 'without-journal', about: 'with --replace: the journal of given addresses is lost' },
    ],
    examples: ['florin restore pay.backup', 'florin restore pay.backup --replace'],
    run: (call) =>
      handOver(call, 'backup', [
        'restore',
        absolute(call.args[0] ?? ''),
        ...['replace', 'accept-differences', 'without-journal']
          .filter((name) => call.isOn(name))
          .map((name) => `--${name}`),
      ]),
  },
  {
    name: 'upgrade',
    takes: [],
    about: 'Save, migrate, check, and say how to go back; Florin is stopped',
    notes: [HERE, 'Called in the folder of the new release.'],
    flags: [],
    examples: ['florin upgrade'],
    run: (call) => handOver(call, 'backup', ['upgrade']),
  },
  {
    name: 'wallet',
    takes: ['ACCOUNT'],
    about: 'Show who owns an account of a wallet; with --to, give it to another merchant',
    notes: [
      HERE,
      'ACCOUNT is an id (acct_…), an extended public key or a descriptor. Accounts of the same wallet are found with it. Both merchants are mailed.',
    ],
    flags: [{ name: 'to', value: 'EMAIL', about: 'the merchant who gets it' }],
    examples: [
      'florin wallet acct_0123456789abcdefghjkmnpqrs',
      'florin wallet acct_0123456789abcdefghjkmnpqrs --to ann@shop.example',
    ],
    run: (call) => handOver(call, 'wallet', [call.args[0] ?? '', ...option(call, 'to')]),
  },
  {
    name: 'rekey',
    takes: [],
    about: 'Give the database another master key; Florin is stopped',
    notes: [
      HERE,
      'Killed anywhere, it is run again. docs/operations.md says how the key is changed while Florin runs.',
    ],
    flags: [{ name: 'abandon', value: 'KEY_ID', about: 'give up what a lost key sealed' }],
    examples: ['florin rekey'],
    run: (call) => handOver(call, 'rekey', option(call, 'abandon')),
  },
]
