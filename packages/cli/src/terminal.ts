// The screen: colours only where a person looks, columns that line up, and no API key ever, whoever wrote it into a text.
import { Failure, UsageFailure } from './failure.ts'

export interface Paint {
  bold(text: string): string
  dim(text: string): string
  green(text: string): string
  yellow(text: string): string
  red(text: string): string
}

export interface Terminal {
  /** Results. */
  out(line: string): void
  /** What accompanies them: notices, progress, failures. */
  note(line: string): void
  readonly paint: Paint
  /** Of what goes to `note`. */
  readonly notePaint: Paint
  /** A question to the person at the keyboard, or null where there is none. */
  ask(question: string): Promise<string | null>
}

const codes = { bold: [1, 22], dim: [2, 22], green: [32, 39], yellow: [33, 39], red: [31, 39] } as const

function paintFor(isColoured: boolean): Paint {
  const wrap =
    ([on, off]: readonly [number, number]) =>
    (text: string) =>
      isColoured && text !== '' ? `\u001b[${on}m${text}\u001b[${off}m` : text
  return {
    bold: wrap(codes.bold),
    dim: wrap(codes.dim),
    green: wrap(codes.green),
    yellow: wrap(codes.yellow),
    red: wrap(codes.red),
  }
}

/** Replaces API keys by what may be shown of them. */
export function redacted(text: string): string {
  return text.replace(/\bflorin_(live|test)_[0-9A-Za-z]{8,}/g, 'florin_$1_…')
}

const ourColours = new RegExp(
  `(${Object.values(codes)
    .flat()
    .map((code) => `\u001b\\[${code}m`)
    .join('|')})`,
)

/** What others wrote into a text is shown as JSON escapes it, and not obeyed. Our own colours stay. */
function harmless(text: string, isColoured: boolean): string {
  const parts = isColoured ? text.split(ourColours) : [text]
  // Controls but tab and line feed, and what turns the direction of reading.
  const unseen = /[^\P{Cc}\t\n]|[\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu
  const escaped = (part: string) =>
    part.replace(unseen, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return parts.map((part, n) => (n % 2 === 1 ? part : escaped(part))).join('')
}

type Screen = NodeJS.WritableStream & { isTTY?: boolean }

export interface Streams {
  readonly stdin: NodeJS.ReadableStream & { isTTY?: boolean }
  readonly stdout: Screen
  readonly stderr: Screen
}

export function openTerminal(
  environment: Readonly<Record<string, string | undefined>>,
  { stdin, stdout, stderr }: Streams = process,
): Terminal {
  // A reader that has had enough (`florin orders list | head`) is no failure of ours.
  stdout.on('error', (error: Error & { code?: string }) => {
    if (error.code !== 'EPIPE') throw error
    process.exit(0)
  })
  // no-color.org: set to anything but nothing.
  const mayColour = (environment.NO_COLOR ?? '') === '' && environment.TERM !== 'dumb'
  const [isOutColoured, isNoteColoured] = [mayColour && stdout.isTTY === true, mayColour && stderr.isTTY === true]
  return {
    out: (line) => void stdout.write(`${harmless(redacted(line), isOutColoured)}\n`),
    note: (line) => void stderr.write(`${harmless(redacted(line), isNoteColoured)}\n`),
    paint: paintFor(isOutColoured),
    notePaint: paintFor(isNoteColoured),
    async ask(question) {
      if (stdin.isTTY !== true || stderr.isTTY !== true) return null
      const { createInterface } = await import('node:readline/promises')
      const reader = createInterface({ input: stdin, output: stderr })
      try {
        return await reader.question(harmless(question, false))
      } finally {
        reader.close()
      }
    },
  }
}

/** Rows as lines whose columns line up. Widths are those of the plain text, so colours are added by `paintCell` afterwards. */
export function columns(
  rows: readonly (readonly string[])[],
  paintCell: (text: string, column: number, row: number) => string = (text) => text,
): string[] {
  const widths: number[] = []
  for (const row of rows) {
    for (const [n, cell] of row.entries()) widths[n] = Math.max(widths[n] ?? 0, cell.length)
  }
  return rows.map((row, rowNumber) =>
    row
      .map((cell, n) => paintCell(cell, n, rowNumber) + ' '.repeat(Math.max(0, (widths[n] ?? 0) - cell.length)))
      .join('  ')
      .trimEnd(),
  )
}

/** Text from elsewhere on one line: nothing in it can move the cursor or colour the screen. */
export function oneLine(text: string, max: number): string {
  const flat = text.replace(/\s+/g, ' ').replace(/\p{C}/gu, '\ufffd').trim()
  return flat.length > max ? `${flat.slice(0, max - 1)}…` : flat
}

/** Asks before what cannot be taken back. Returns when the answer is yes. @throws Failure for any other answer, UsageFailure where there is nobody to answer */
export async function confirm(terminal: Terminal, question: string): Promise<void> {
  const answer = await terminal.ask(`${question} [y/N] `)
  if (answer === null) throw new UsageFailure(`${question} There is nobody to ask here: add --yes.`)
  if (!/^y(es)?$/i.test(answer.trim())) throw new Failure('Nothing was done.')
}
