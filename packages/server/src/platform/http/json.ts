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
  } catch (error) {
    throw new AppError('malformed_json', { message: `The body is not valid JSON: ${reasonOf(error)}.` })
  }
  if (suspicious.test(text)) assertWellFormed(value)
  return value
}

// The engine's message quotes the body; only the position is passed on.
function reasonOf(error: unknown): string {
  const at = error instanceof Error ? /position (\d+)/.exec(error.message) : null
  return at ? `syntax error at position ${at[1]}` : 'it ends too early or is empty'
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

export function useJsonParser(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  // A call whose fields are all optional may be sent without any body.
  app.addHook('preValidation', (request, _reply, done) => {
    const length = request.headers['content-length']
    const isEmpty = (length === undefined || length === '0') && request.headers['transfer-encoding'] === undefined
    if (isEmpty && request.method !== 'GET' && request.method !== 'HEAD') request.body = {}
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
