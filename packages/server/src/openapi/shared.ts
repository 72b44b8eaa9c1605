// The components that no route's schema has: errors as they leave the service.
import { type ErrorType, errorCures, errorTable } from '@florin/protocol'
import type { Schema } from './document.ts'
import { type Components, enumOf, refTo } from './schemas.ts'

const types: Readonly<Record<ErrorType, string>> = {
  invalid_request: 'The request is wrong as it stands: mend it.',
  authentication: 'Who calls is not known.',
  permission: 'Who calls may not do this.',
  not_found: 'It does not exist, or is not yours.',
  conflict: 'What it is about does not stand where it would have to.',
  idempotency: 'The Idempotency-Key is in use, or was used for something else.',
  rate_limit: 'Too much in too short a time.',
  rail: 'What carries money cannot carry this, or not now.',
  api: 'The service itself cannot answer.',
}

export function errorSchemas(components: Components): Record<string, Schema> {
  const codes = Object.fromEntries(
    Object.values(errorTable).map(({ code, status, message }) => [code, `${status}. ${message} ${errorCures[code]}`]),
  )
  components.add('ErrorType', enumOf(types))
  components.add('ErrorCode', enumOf(codes, 'Later versions may add codes: go by `type` where one is not known.'))
  const body: Schema = {
    type: 'object',
    description: 'What was wrong, and what would be right.',
    required: ['type', 'code', 'message', 'param', 'request_id'],
    properties: {
      type: { ...refTo('ErrorType'), description: 'The family of the code.' },
      code: { ...refTo('ErrorCode'), description: 'What went wrong, for a program to branch on.' },
      message: { type: 'string', description: 'What was wrong and what would be right, for a person.' },
      param: { type: ['string', 'null'], description: 'The field at fault. `null` where it is none.' },
      request_id: { type: 'string', description: 'Names the request in the service’s logs: give it to support.' },
    },
  }
  return {
    ErrorBody: body,
    Error: {
      type: 'object',
      description: 'Every refusal of /v1 and of the checkout.',
      required: ['error'],
      properties: { error: { ...refTo('ErrorBody'), description: 'What was wrong, and what would be right.' } },
    },
    ConsoleError: {
      type: 'object',
      description: 'Every refusal of the console.',
      required: ['code', 'message', 'data', 'error'],
      properties: {
        code: { type: 'integer', description: 'The status times 100 and a number of its own; never 0.' },
        message: { type: 'string', description: 'As in `error`.' },
        data: { type: 'null', description: 'Always `null`.' },
        error: refTo('ErrorBody'),
      },
    },
  }
}
