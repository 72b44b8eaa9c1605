// Parses request bodies: raw bytes → fatal UTF-8 → JSON → well-formed strings without NUL. PostgreSQL text cannot hold
// NUL and a lone surrogate has no UTF-8 form, so both are refused before any code runs.

import { BODY_MAX_BYTES } from '@florin/protocol'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { AppError } from '../errors.ts'

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
// Only an escape can bring NUL or a surrogate into a parsed string, so most bodies need no scan.
const suspicious = /\\u(?:0000|d[89a-f])/i

export function parseJson(bytes: Uint8Array): unknown {
  let text: string
  try {
    text = decoder.decode(bytes)
  } catch {
    throw new AppError('malformed_encoding')
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new AppError('malformed_json', { message: `The body is not valid JSON: ${faultOf(text)}.` })
  }
  if (suspicious.test(text)) assertWellFormed(value)
  return value
}

const WHITE = /[ \t\r\n]*/y
const TOKEN =
  /"(?:[^"\\\n\r\t]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.+-])|(?:true|false|null)\b|[{}[\]:,]/y

/**
 * Where the text stops being JSON. The engine's own message quotes the body, which may hold a secret, and mostly names no place.
 * @example faultOf('not json') // 'it stops being JSON at line 1, column 1'
 */
function faultOf(text: string): string {
  const at = faultAt(text)
  if (at >= text.length) return text.trim() === '' ? 'it is empty' : 'it ends too early'
  const before = text.slice(0, at).split('\n')
  return `it stops being JSON at line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`
}

type Expected = 'value' | 'value or end' | 'key' | 'key or end' | 'colon' | 'comma or end' | 'nothing'

/** @returns the place of the first token that does not belong; the length of the text where it ends too early. */
function faultAt(text: string): number {
  const open: string[] = []
  let awaited: Expected = 'value'
  for (let at = 0; ; ) {
    WHITE.lastIndex = at
    at += WHITE.exec(text)?.[0].length ?? 0
    TOKEN.lastIndex = at
    const token = at < text.length ? TOKEN.exec(text)?.[0] : undefined
    const next: Expected | null = token === undefined ? null : nextOf(token, awaited, open)
    if (next === null) return at
    awaited = next
    at += token?.length ?? 0
  }
}

/** @returns what may follow; null: the token may not stand here. */
function nextOf(token: string, awaited: Expected, open: string[]): Expected | null {
  const inObject = open.at(-1) === '{'
  const isEnd = token === (inObject ? '}' : ']') && open.length > 0
  if (isEnd && awaited.endsWith('or end')) {
    open.pop()
    return open.length === 0 ? 'nothing' : 'comma or end'
  }
  if (awaited === 'colon') return token === ':' ? 'value' : null
  if (awaited === 'comma or end') return token === ',' ? (inObject ? 'key' : 'value') : null
  if (awaited.startsWith('key')) return token.startsWith('"') ? 'colon' : null
  if (!awaited.startsWith('value') || /^[}\]:,]/.test(token)) return null
  if (token === '{' || token === '[') {
    open.push(token)
    return token === '{' ? 'key or end' : 'value or end'
  }
  return open.length === 0 ? 'nothing' : 'comma or end'
}

function assertWellFormed(root: unknown): void {
  const stack: unknown[] = [root]
  while (stack.length > 0) {
    const value = stack.pop()
    if (typeof value === 'string') {
      if (!value.isWellFormed() || value.includes('\0')) throw new AppError('malformed_encoding')
    } else if (Array.isArray(value)) {
      stack.push(...value)
    } else if (typeof value === 'object' && value !== null) {
      stack.push(...Object.keys(value), ...Object.values(value))
    }
  }
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Of a call that makes a thing: an empty text counts as absent where the field may be left out, and so does [] for an object. */
    emptyIsAbsent?: boolean
  }
}

interface Shape {
  type?: string
  required?: readonly string[]
  properties?: Readonly<Record<string, Shape>>
}

/** PHP sends '' for what is not set, and [] for an object without keys. */
function withoutEmpty(body: unknown, shape: Shape | undefined): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
  const isAbsent = (name: string, value: unknown): boolean => {
    const field = shape?.properties?.[name]
    if (field === undefined || shape?.required?.includes(name) === true) return false
    // An empty list where a list is taken is a choice of nothing.
    return value === '' || (Array.isArray(value) && value.length === 0 && field.type === 'object')
  }
  return Object.fromEntries(
    Object.entries(body)
      .filter(([name, value]) => !isAbsent(name, value))
      .map(([name, value]) => [name, withoutEmpty(value, shape?.properties?.[name])]),
  )
}

export function useJsonParser(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  // A call whose fields are all optional may be sent without any body.
  app.addHook('preValidation', (request, _reply, done) => {
    const length = request.headers['content-length']
    const isEmpty = (length === undefined || length === '0') && request.headers['transfer-encoding'] === undefined
    if (isEmpty && request.method !== 'GET' && request.method !== 'HEAD') request.body = {}
    const { config, schema } = request.routeOptions
    if (config.emptyIsAbsent === true) request.body = withoutEmpty(request.body, schema?.body as Shape | undefined)
    done()
  })
  app.addContentTypeParser<Buffer>(
    /^application\/json\b/i,
    { parseAs: 'buffer', bodyLimit: BODY_MAX_BYTES },
    (request, body, done) => {
      const charset = /charset\s*=\s*"?([^\s";]+)/i.exec(request.headers['content-type'] ?? '')?.[1]
      const encoding = request.headers['content-encoding']
      if (
        (charset !== undefined && !/^utf-?8$/i.test(charset)) ||
        (encoding !== undefined && encoding !== 'identity')
      ) {
        done(new AppError('unsupported_media_type'))
        return
      }
      try {
        // An empty body stands for an empty object; where fields are required they are reported as missing.
        done(null, body.length === 0 ? {} : parseJson(body))
      } catch (error) {
        done(error as Error)
      }
    },
  )
}

/**
 * Takes what a page's form posts, fields of text, and nothing else: only in the scope that is given, so that the API takes
 * only JSON and a form only forms.
 */
export function useForms(scope: Pick<FastifyInstance, 'removeAllContentTypeParsers' | 'addContentTypeParser'>): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: BODY_MAX_BYTES },
    (_request, text, done) => {
      const fields = Object.fromEntries(new URLSearchParams(String(text)))
      const isWhole = Object.values(fields).every((value) => !value.includes('\0'))
      done(isWhole ? null : new AppError('malformed_encoding'), fields)
    },
  )
}

/** The text is sent as it is: what was rendered for a stored answer is never rendered twice. */
export function sendJson(reply: FastifyReply, json: string): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(json)
}
