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
  return {
    out: (line) => void stdout.write(`${redacted(line)}\n`),
    note: (line) => void stderr.write(`${redacted(line)}\n`),
    paint: paintFor(mayColour && stdout.isTTY === true),
    notePaint: paintFor(mayColour && stderr.isTTY === true),
    async ask(question) {
      if (stdin.isTTY !== true || stderr.isTTY !== true) return null
      const { createInterface } = await import('node:readline/promises')
      const reader = createInterface({ input: stdin, output: stderr })
      try {
        return await reader.question(question)
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
