// The ways in which a body changes between the wire and the check, each undone: given the body as it was passed,
// it yields the bodies that may have been signed. Pure; text that is not UTF-8 has no other spelling here.

import type { BodyVariant } from './signature-header.ts'

export interface Respelling {
  /** How the body given differs from the one signed. */
  readonly variant: BodyVariant
  /** The body that may have been signed. */
  readonly bytes: Uint8Array
  readonly sentence: string
}

type Row = readonly [variant: BodyVariant, sentence: string, undo: (text: string) => string | Uint8Array | null]

const rows: readonly Row[] = [
  ['newline_added', 'The body given ends with a newline that was not sent.', (text) => text.replace(/\r?\n$/, '')],
  ['newline_removed', 'The body sent ends with a newline that is missing from the body given.', (text) => `${text}\n`],
  ['newline_removed', 'The body sent ends with a CRLF that is missing from the body given.', (text) => `${text}\r\n`],
  [
    'bom_added',
    'The body given begins with a byte order mark that was not sent.',
    (text) => text.replace(/^\ufeff/, ''),
  ],
  [
    'bom_removed',
    'The body sent begins with a byte order mark that is missing from the body given.',
    (text) => `\ufeff${text}`,
  ],
  ['space_added', 'The body given has white space around it that was not sent.', (text) => text.trim()],
  ['crlf_added', 'The line ends of the body given were turned into CRLF.', (text) => text.replaceAll('\r\n', '\n')],
  [
    'crlf_removed',
    'The CRLF line ends of the body sent were turned into LF.',
    (text) => text.replace(/\r?\n/g, '\r\n'),
  ],
  [
    'json_reformatted',
    'The body given was decoded from JSON and encoded again with other spaces, escapes or numbers.',
    (text) => json(text, 0),
  ],
  [
    'json_reformatted',
    'The body given was decoded from JSON and encoded again without its indentation.',
    (text) => json(text, 2),
  ],
  [
    'json_reformatted',
    'The body given was decoded from JSON and encoded again without its indentation.',
    (text) => json(text, 4),
  ],
  [
    'json_reformatted',
    'The body given was decoded from JSON and encoded again without the spaces after its commas and colons.',
    spaced,
  ],
  ['json_string', 'The body given is the body sent, wrapped in a JSON string.', (text) => wrapped(text)],
  ['buffer_json', 'The body given is a Buffer turned into JSON.', (text) => buffer(text)],
  ['latin1', 'The body given is UTF-8 that was read as Latin-1 and encoded again.', latin1],
]

export function* bodyRespellings(body: Uint8Array): Generator<Respelling> {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body)
  } catch {
    return
  }
  for (const [variant, sentence, undo] of rows) {
    const undone = attempt(undo, text)
    if (undone === null || undone === text) continue
    yield { variant, sentence, bytes: typeof undone === 'string' ? new TextEncoder().encode(undone) : undone }
  }
}

/** JSON that is nested too deep for the stack has no other spelling here: a search must never throw. */
function attempt(undo: Row[2], text: string): string | Uint8Array | null {
  try {
    return undo(text)
  } catch {
    return null
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function json(text: string, indent: number): string | null {
  return JSON.stringify(parsed(text), null, indent) ?? null
}

/** One space after each comma and colon, as Python and Ruby write by default. */
function spaced(text: string): string | null {
  const value = parsed(text)
  return value === undefined ? null : withSpaces(value)
}

function withSpaces(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(withSpaces).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).map(([key, each]) => `${JSON.stringify(key)}: ${withSpaces(each)}`)
  return `{${members.join(', ')}}`
}

function wrapped(text: string): string | null {
  const inner = parsed(text)
  return typeof inner === 'string' ? inner : null
}

function buffer(text: string): Uint8Array | null {
  const value = parsed(text)
  const isBuffer = typeof value === 'object' && value !== null && 'data' in value && Array.isArray(value.data)
  return isBuffer ? Uint8Array.from(value.data as unknown[], Number) : null
}

function latin1(text: string): Uint8Array | null {
  const codes = Array.from(text, (char) => char.codePointAt(0) ?? 0)
  const readAsLatin1 = codes.some((code) => code > 0x7f) && codes.every((code) => code <= 0xff)
  return readAsLatin1 ? Uint8Array.from(codes) : null
}
