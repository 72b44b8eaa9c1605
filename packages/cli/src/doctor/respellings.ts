// The spellings that JSON gets when a receiver decodes a body and encodes it again, by the habits of languages. Pure.

export interface Respelling {
  readonly how: string
  /** The body as that habit writes it, or null where it is no JSON. */
  respell(body: Uint8Array): Uint8Array | null
}

const json = (how: string, write: (value: unknown) => string): Respelling => ({
  how,
  respell(body) {
    try {
      return Buffer.from(write(JSON.parse(Buffer.from(body).toString('utf8'))))
    } catch {
      return null
    }
  },
})

const escaped = (text: string): string =>
  text.replace(/[\u0080-\uffff]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)

export const respellings: readonly Respelling[] = [
  json('as JavaScript writes it', (value) => JSON.stringify(value)),
  json('as Python writes it', (value) => escaped(spaced(value))),
  json('as Ruby or a Python with ensure_ascii off writes it', spaced),
  json('as PHP writes it', (value) => escaped(JSON.stringify(value)).replaceAll('/', '\\/')),
  json('as PHP writes it with its slashes left alone', (value) => escaped(JSON.stringify(value))),
  json('as Go writes it', (value) => {
    const html: Readonly<Record<string, string>> = { '<': '\\u003c', '>': '\\u003e', '&': '\\u0026' }
    return JSON.stringify(sorted(value)).replace(/[<>&]/g, (char) => html[char] ?? char)
  }),
  json('indented by two', (value) => JSON.stringify(value, null, 2)),
]

function spaced(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).map(([key, each]) => `${JSON.stringify(key)}: ${spaced(each)}`)
  return `{${members.join(', ')}}`
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, each]) => [key, sorted(each)]))
}
