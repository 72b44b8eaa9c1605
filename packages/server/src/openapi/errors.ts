// What a call may be refused with: by its shape and its guard, and what `operations.ts` adds. Each status is one answer that lists
// its codes. Pure.
import { type ErrorCode, errorTable } from '@florin/protocol'
import type { Operation, Response } from './document.ts'
import { common, headersOf } from './headers.ts'

/** What a route's config says of who may call it. */
export interface Guard {
  act?: string
  operator?: boolean
}

const always: readonly ErrorCode[] = ['malformed_request', 'malformed_url', 'rate_limited', 'internal', 'unavailable']
const standing: readonly ErrorCode[] = ['merchant_suspended', 'merchant_closed']

export function codesOf(
  method: string,
  operation: Operation,
  a: { guard: Guard; said: readonly ErrorCode[]; isIdempotent: boolean },
): ErrorCode[] {
  const codes = new Set<ErrorCode>(always)
  const add = (...more: readonly ErrorCode[]): void => {
    for (const code of more) codes.add(code)
  }
  const schemes = (operation.security ?? []).flatMap((one) => Object.keys(one))
  if (schemes.includes('apiKey')) add('invalid_api_key', 'scope_missing', ...standing)
  if (schemes.includes('consoleToken')) {
    add('invalid_token', ...standing)
    if (a.guard.act === 'fresh' || a.guard.act === 'judged') add('confirmation_required')
    if (a.guard.operator === true) add('operator_required')
  }
  const parameters = operation.parameters ?? []
  if (parameters.length > 0) add('validation_failed')
  if (parameters.some((one) => one.in === 'query')) add('unknown_field', 'missing_field')
  if (parameters.some((one) => one.name === 'cursor')) add('malformed_cursor')
  if (method !== 'get') add('malformed_json', 'malformed_encoding', 'body_too_large', 'unsupported_media_type')
  if (operation.requestBody !== undefined) add('validation_failed', 'unknown_field', 'missing_field')
  if (a.isIdempotent) add('malformed_idempotency_key', 'idempotency_key_reused', 'idempotency_in_progress')
  add(...a.said)
  return [...codes]
}

const titles: Readonly<Record<number, string>> = {
  400: 'It could not be read.',
  401: 'Who calls is not known.',
  403: 'Who calls may not do this.',
  404: 'It does not exist, or is not yours.',
  409: 'Its state forbids it.',
  410: 'It is past its time.',
  413: 'The body is too large.',
  415: 'The body is no JSON.',
  422: 'It is readable and not valid: `param` names the field.',
  429: 'Too much in too short a time: wait as long as `Retry-After` says.',
  500: 'Something went wrong in the service.',
  503: 'Not now: the same request can succeed later.',
}

/** @param schema the name of the error's component: `Error`, or `ConsoleError` with its envelope. */
export function errorResponses(codes: readonly ErrorCode[], schema: string): Record<string, Response> {
  const statuses = [...new Set(codes.map((code) => errorTable[code].status))].sort((a, b) => a - b)
  return Object.fromEntries(
    statuses.map((status) => {
      const own = codes.filter((code) => errorTable[code].status === status)
      const headers = {
        ...common,
        ...headersOf('Link'),
        ...(status === 401 ? headersOf('WWW-Authenticate') : {}),
        ...([409, 429, 503].includes(status) ? headersOf('Retry-After') : {}),
        ...(status === 429 && schema === 'Error' ? headersOf('RateLimit-Policy', 'RateLimit') : {}),
      }
      const content = { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } }
      const list = own.map((code) => `- \`${code}\`: ${errorTable[code].message}`).join('\n')
      return [
        String(status),
        { description: `${titles[status] ?? ''}\n\n${list}`, headers, content, 'x-error-codes': own },
      ]
    }),
  )
}
