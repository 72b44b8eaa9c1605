// The one mapping from anything thrown to an answer (contract.md 8): /v1 and the checkout get {"error": …}, the
// console its envelope. Unknown failures become one sentence and a request id; their cause goes to the log only.

import type { ErrorBody, ErrorCode } from '@florin/protocol'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isDatabaseDown, isWriteRefused } from '../db/failures.ts'
import { AppError } from '../errors.ts'
import { refusals } from '../measure/requests.ts'

const frameworkCodes: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_INVALID_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_BODY_TOO_LARGE: 'body_too_large',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'malformed_request',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'malformed_json',
  FST_ERR_BAD_URL: 'malformed_url',
  FST_ERR_MAX_URL_LENGTH: 'uri_too_long',
  FST_ERR_ASYNC_CONSTRAINT: 'malformed_request',
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Why the database could not serve this request. */
    databaseFailure?: unknown
  }
}

export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  const failure = error as Partial<FastifyError>
  if (Array.isArray(failure.validation)) return fromValidation(failure)
  const code = typeof failure.code === 'string' ? frameworkCodes[failure.code] : undefined
  if (code !== undefined) return new AppError(code)
  if (isWriteRefused(error)) return new AppError('unavailable', { cause: error, retryAfterS: 10 })
  if (isDatabaseDown(error)) return new AppError('unavailable', { cause: error, retryAfterS: 1 })
  if (typeof failure.statusCode === 'number' && failure.statusCode >= 400 && failure.statusCode < 500) {
    return new AppError('malformed_request', { cause: error })
  }
  return new AppError('internal', { cause: error })
}

// One Ajv complaint → the field at fault and a sentence. Ajv stops at the first, so there is exactly one.
function fromValidation(failure: Partial<FastifyError>): AppError {
  const [first] = failure.validation ?? []
  const where = failure.validationContext === 'querystring' ? 'query parameter' : 'field'
  const steps = (first?.instancePath ?? '').split('/').slice(1)
  const unsayable = steps.findIndex((step) => !isSayable(step))
  // The innermost field that can be named.
  const path = (unsayable === -1 ? steps : steps.slice(0, unsayable)).join('.')
  const under = (name: string): string => (path === '' ? name : `${path}.${name}`)
  if (first?.keyword === 'additionalProperties') {
    const given = String(first.params.additionalProperty)
    if (unsayable !== -1 || !isSayable(given))
      return new AppError('unknown_field', { message: `There is a ${where} in this call that it does not know.` })
    const name = under(given)
    return new AppError('unknown_field', { param: name, message: `There is no ${where} "${name}" in this call.` })
  }
  if (first?.keyword === 'required') {
    const name = under(String(first.params.missingProperty))
    return new AppError('missing_field', { param: name, message: `The ${where} "${name}" is required.` })
  }
  if (path === '') {
    return new AppError('validation_failed', {
      message: `The ${failure.validationContext ?? 'body'} ${first?.message ?? 'is not valid'}.`,
    })
  }
  return new AppError('validation_failed', { param: path, message: `The ${where} "${path}" ${sentenceOf(first)}.` })
}

/** A secret that was pasted into the place of a name is not said back: ours are longer, and hardly a name is. */
const isSayable = (name: string): boolean => /^\w{1,30}$/.test(name)

function sentenceOf(first: { keyword: string; message?: string; params: Record<string, unknown> } | undefined): string {
  if (first?.keyword === 'enum') return `must be one of: ${(first.params.allowedValues as unknown[]).join(', ')}`
  if (first?.keyword === 'pattern') return 'does not have the right form'
  return first?.message ?? 'is not valid'
}

export function errorBody(error: AppError, requestId: string): ErrorBody {
  return {
    type: error.entry.type,
    code: error.entry.code,
    message: error.message,
    param: error.param,
    request_id: requestId,
  }
}

/** It went away in the middle of its own request: nobody reads the answer, and nothing is wrong here. */
const isClientGone = ({ raw }: FastifyRequest): boolean => raw.destroyed && !raw.complete

export function sendError(request: FastifyRequest, reply: FastifyReply, thrown: unknown): void {
  const error = isClientGone(request) ? new AppError('malformed_request', { cause: thrown }) : toAppError(thrown)
  refusals.inc({ code: error.entry.code })
  const body = errorBody(error, request.id)
  // Where nothing broke, "not now" is no error of the service: strangers can ask for as many as they like.
  const isFault = error.entry.status >= 500 && (error.entry.status !== 503 || error.cause !== undefined)
  // The line of the answer holds the reason: during an outage there are many, and a stack has nothing to add.
  if (isFault && isDatabaseDown(error.cause)) request.databaseFailure = error.cause
  else if (isFault)
    request.log.error({ err: error.cause ?? error, code: error.entry.code, request_id: request.id }, error.message)
  else request.log.debug({ code: error.entry.code, param: error.param, request_id: request.id }, error.message)
  if (error.retryAfterS !== null) reply.header('Retry-After', String(Math.max(1, Math.ceil(error.retryAfterS))))
  reply.header('Cache-Control', 'no-store').header('Link', `<${error.docs}>; rel="help"`)
  reply
    .code(error.entry.status)
    // The route's response schemas describe successes; an error is serialised as it is.
    .serializer((value: unknown) => JSON.stringify(value))
    .type('application/json; charset=utf-8')
    .send(
      request.url.startsWith('/api/')
        ? { code: error.entry.consoleCode, message: error.message, data: null, error: body }
        : { error: body },
    )
}

/** Error handler, not-found handler with 405 where another method fits, and answers for unreadable HTTP. */
export function useErrorAnswers(app: FastifyInstance): void {
  app.decorateRequest('databaseFailure')
  const routes: { method: string; url: string }[] = []
  app.addHook('onRoute', ({ method, url }) => {
    for (const one of [method].flat()) routes.push({ method: one, url })
  })
  let patterns: { method: string; pattern: RegExp }[] | null = null
  app.setErrorHandler((error, request, reply) => sendError(request, reply, error))
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?')[0] ?? ''
    patterns ??= routes.map((route) => ({ method: route.method, pattern: patternOf(route.url) }))
    const allowed = [...new Set(patterns.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method))]
    if (allowed.length === 0) return sendError(request, reply, new AppError('not_found'))
    reply.header('Allow', allowed.join(', '))
    return sendError(
      request,
      reply,
      new AppError('method_not_allowed', { message: `This address takes ${allowed.join(', ')}.` }),
    )
  })
}

function patternOf(url: string): RegExp {
  const literal = url.replace(/[.+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^${literal.replace(/:[A-Za-z_]+/g, '[^/]+').replace(/\*$/, '.*')}$`)
}

/** The answer to bytes that are not HTTP, in our shape; the connection is closed after it. */
export function rawErrorAnswer(nodeCode: string | undefined, requestId: string): string {
  const code: ErrorCode = nodeCode === 'HPE_HEADER_OVERFLOW' ? 'uri_too_long' : 'malformed_request'
  const error = new AppError(code)
  const text = JSON.stringify({ error: errorBody(error, requestId) })
  const status = code === 'uri_too_long' ? '431 Request Header Fields Too Large' : '400 Bad Request'
  return (
    `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\nX-Request-Id: ${requestId}\r\n` +
    `Content-Length: ${Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n${text}`
  )
}
