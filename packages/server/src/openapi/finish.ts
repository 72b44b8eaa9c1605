// Makes the document that is served and kept in docs/openapi.json of what Fastify's plugin collects from the routes: names for calls and
// schemas, every refusal, headers, media types, examples, and the webhooks. Pure.
import { IDEMPOTENCY_KEY_MAX } from '@florin/protocol'
import type { Document, Operation, Parameter, Response } from './document.ts'
import { codesOf, errorResponses } from './errors.ts'
import { componentExamples, requestExamples } from './examples.ts'
import { common, headers, headersOf } from './headers.ts'
import { operationId, titled } from './names.ts'
import { bare, operations, type Said } from './operations.ts'
import { Components } from './schemas.ts'
import { errorSchemas } from './shared.ts'
import { webhookParts } from './webhooks.ts'
import { parameterWords, tagWords } from './words/calls.ts'

export function finishDocument(raw: object): Document {
  const document = raw as Document
  const components = new Components()
  const paths: Document['paths'] = {}
  for (const [path, methods] of Object.entries(document.paths)) {
    paths[path] = {}
    for (const [method, operation] of Object.entries(methods)) {
      Object.assign(paths[path], { [method]: finishOperation(components, method, path, operation) })
    }
  }
  const webhooks = webhookParts(components)
  for (const [name, schema] of Object.entries(errorSchemas(components))) components.add(name, schema)
  const schemas = components.all()
  for (const [name, example] of Object.entries(componentExamples)) {
    if (schemas[name] !== undefined) schemas[name] = { ...schemas[name], examples: [example] }
  }
  const responses = shareResponses(paths)
  const used = [...Object.values(paths), ...Object.values(webhooks)].flatMap((item) =>
    Object.values(item as Record<string, Operation>).flatMap(({ tags }) => tags ?? []),
  )
  return {
    ...document,
    tags: [...new Set(used)].sort().map((name) => ({ name, description: tagWords(name) })),
    paths,
    webhooks,
    components: { ...document.components, headers, parameters: sharedParameters, responses, schemas },
  }
}

function finishOperation(components: Components, method: string, path: string, raw: Operation): Operation {
  const said: Said = operations[`${method.toUpperCase()} ${bare(path)}`] ?? {}
  const isConsole = path.startsWith('/api/')
  const rule = said.id === undefined ? operationId(method, path) : isConsole ? `console${titled(said.id)}` : said.id
  const id = rule
  const isIdempotent = said.isIdempotent === true || raw['x-idempotent'] === true
  const {
    'x-guard': guard = {},
    'x-idempotent': _marked,
    requestBody: rawBody,
    responses: rawResponses,
    parameters: rawParameters,
    ...rest
  } = raw
  const thing = titled(isConsole ? id.replace(/^console/, '') : id)
  const requestBody = said.body === undefined ? bodyOf(components, rawBody, thing, id) : pictureBody(said.body)
  const parameters = (rawParameters ?? []).map((one) => parameterOf(components, one))
  const codes = codesOf(
    method,
    { ...raw, parameters, ...(requestBody === undefined ? {} : { requestBody }) } as Operation,
    { guard, said: said.errors ?? [], isIdempotent },
  )
  const own = [
    ...parameters,
    ...(isIdempotent ? [{ $ref: '#/components/parameters/Idempotency-Key' } as unknown as Parameter] : []),
    ...(id === 'streamEvents' ? [{ $ref: '#/components/parameters/Last-Event-ID' } as unknown as Parameter] : []),
  ]
  const responses = {
    ...Object.fromEntries(
      Object.entries(rawResponses)
        .filter(([status]) => Number(status) < 400)
        .map(([status, response]) => [status, successOf(components, Number(status), response, { said, isIdempotent })]),
    ),
    ...errorResponses(codes, isConsole ? 'ConsoleError' : 'Error'),
    ...readiness(components, path, rawResponses),
  }
  return {
    operationId: id,
    ...rest,
    description: raw.description ?? said.description ?? `${raw.summary ?? ''}.`,
    security: raw.security ?? [],
    ...(own.length === 0 ? {} : { parameters: own }),
    ...(requestBody === undefined ? {} : { requestBody }),
    responses: said.cookie === undefined ? responses : withCookie(responses, said.cookie),
  }
}

/**
 * What several calls are refused with in the same words stands once. It takes the name of its status, and a number where there are
 * several.
 */
function shareResponses(paths: Document['paths']): Record<string, Response> {
  const uses = new Map<string, { operation: Operation; status: string }[]>()
  for (const operation of Object.values(paths).flatMap((item) => Object.values(item))) {
    for (const [status, response] of Object.entries(operation.responses)) {
      if (Number(status) < 400) continue
      const key = JSON.stringify(response)
      uses.set(key, [...(uses.get(key) ?? []), { operation, status }])
    }
  }
  const shared: Record<string, Response> = {}
  for (const [key, where] of uses) {
    const [first] = where
    if (first === undefined || where.length < 2) continue
    const face = key.includes('/ConsoleError') ? 'Console' : ''
    const taken = Object.keys(shared).filter((name) => name.split('_')[0] === `${face}${first.status}`).length
    const name = taken === 0 ? `${face}${first.status}` : `${face}${first.status}_${taken + 1}`
    shared[name] = JSON.parse(key) as Response
    for (const { operation, status } of where) {
      operation.responses[status] = { $ref: `#/components/responses/${name}` } as unknown as Response
    }
  }
  return shared
}

const withCookie = (responses: Record<string, Response>, when: 'success' | 'always'): Record<string, Response> =>
  Object.fromEntries(
    Object.entries(responses).map(([status, response]) => [
      status,
      when === 'success' && Number(status) >= 400
        ? response
        : { ...response, headers: { ...response.headers, ...headersOf('Set-Cookie') } },
    ]),
  )

/** A service that is not ready says so in its own words, not in an error's. */
function readiness(components: Components, path: string, raw: Record<string, Response>): Record<string, Response> {
  const schema = raw['503']?.content?.['application/json']?.schema
  if (path !== '/readyz' || schema === undefined) return {}
  const content = { 'application/json': { schema: components.take(schema, 'response') } }
  return { 503: { description: 'A check that the process needs is not ok.', headers: common, content } }
}

function parameterOf(components: Components, one: Parameter): Parameter {
  const { description, schema, ...rest } = one
  const values = Array.isArray(schema.enum) ? schema.enum.join() : ''
  // Queries are text on the way: here they are what they stand for.
  const shown = values === 'true,false' ? { type: 'boolean' } : components.take(schema, 'request')
  // metadata[cart]=7
  const style = shown.type === 'object' ? { style: 'deepObject', explode: true } : {}
  return { ...rest, ...style, description: description ?? parameterWords(one.name), schema: shown }
}

function bodyOf(
  components: Components,
  body: Operation['requestBody'],
  owner: string,
  id: string,
): Operation['requestBody'] | undefined {
  const schema = body?.content['application/json']?.schema
  // A call without fields may be sent an empty object, and need not be.
  if (schema === undefined || Object.keys(schema.properties ?? {}).length === 0) return undefined
  const example = requestExamples[id] ?? requestExamples[owner.charAt(0).toLowerCase() + owner.slice(1)]
  return {
    required: (schema.required ?? []).length > 0,
    content: {
      'application/json': {
        schema: components.take(schema, 'request', owner),
        ...(example === undefined ? {} : { example }),
      },
    },
  }
}

const binary = (types: readonly string[]) =>
  Object.fromEntries(types.map((type) => [type, { schema: { type: 'string', format: 'binary' } }]))

const pictureBody = (types: readonly string[]): Operation['requestBody'] => ({ required: true, content: binary(types) })

function successOf(
  components: Components,
  status: number,
  response: Response,
  a: { said: Said; isIdempotent: boolean },
): Response {
  const headers = {
    ...common,
    ...(a.isIdempotent ? { ...headersOf('Idempotent-Replayed') } : {}),
  }
  const description = status === 201 ? 'Made.' : 'Done.'
  const { answer } = a.said
  if (answer === 'text/event-stream') {
    return {
      description: 'Events, as they happen.',
      headers: common,
      content: { [answer]: { schema: { type: 'string' } } },
    }
  }
  if (answer === 'text/csv') {
    return { description: 'One row an order.', headers: common, content: { [answer]: { schema: { type: 'string' } } } }
  }
  if (answer === 'application/gzip') return { description: 'The file.', headers: common, content: binary([answer]) }
  const schema = response.content?.['application/json']?.schema
  const content = schema === undefined ? {} : { 'application/json': { schema: components.take(schema, 'response') } }
  return { description, headers, content }
}

const sharedParameters = {
  'Idempotency-Key': {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'The same key with the same body gets the first answer again, for 24 hours, over replicas and crashes. Another body is 409 `idempotency_key_reused`.',
    schema: { type: 'string', minLength: 1, maxLength: IDEMPOTENCY_KEY_MAX, pattern: '^[\\x20-\\x7e]+$' },
    example: 'order-1001',
  },
  'Last-Event-ID': {
    name: 'Last-Event-ID',
    in: 'header',
    required: false,
    description: 'The id of the last event that was read: the stream goes on behind it. Left out, it begins now.',
    schema: { type: 'string', maxLength: 200 },
  },
}
