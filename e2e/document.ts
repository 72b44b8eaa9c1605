// The OpenAPI document of a running Florin as a test uses it: requests that it calls good, and a judge who lets no answer pass that
// is outside a closed copy of it.
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

interface Schema {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  additionalProperties?: unknown
  pattern?: string
  format?: string
  minimum?: number
  maximum?: number
  minLength?: number
  minItems?: number
}

interface Reply {
  $ref?: string
  content?: Record<string, { schema: Schema }>
  headers?: Record<string, unknown>
  'x-error-codes'?: string[]
}

export interface Operation {
  operationId: string
  method: string
  path: string
  parameters: { name: string; in: string; required?: boolean; schema: Schema }[]
  body: Schema | null
  isBinary: boolean
  responses: Record<string, Reply>
}

interface Document {
  paths: Record<string, Record<string, RawOperation>>
  components: Record<string, Record<string, unknown>>
}
interface RawOperation {
  operationId: string
  parameters?: { $ref?: string; name: string; in: string; required?: boolean; schema: Schema }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, Reply>
}

export interface Answer {
  status: number
  type: string
  text: string
  headers: Headers
}

/** What every server of its kind says; all else is the document's to name. */
const general = new Set([
  ...['cache-control', 'connection', 'content-length', 'content-type', 'date', 'keep-alive', 'transfer-encoding'],
  ...['content-security-policy', 'referrer-policy', 'x-content-type-options', 'content-disposition', 'vary'],
])

export interface Described {
  operations: readonly Operation[]
  /** A value that the schema calls good; names are hints for what means something. */
  valid(schema: Schema, name: string): unknown
  /** @returns what is wrong with an answer, or null. */
  judge(operation: Operation, answer: Answer): string | null
}

/** @param pick from a list, by chance. @param known what is worth sending under a name. */
export async function describedBy(
  url: string,
  pick: <T>(list: readonly T[]) => T,
  known: Readonly<Record<string, readonly unknown[]>>,
): Promise<Described> {
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as Document
  close(document)
  const ajv = new Ajv2020({ strict: false, validateSchema: false, allErrors: false })
  addFormats.default(ajv)
  ajv.addSchema(document, 'doc')
  const validators = new Map<string, ReturnType<typeof ajv.compile>>()
  const resolve = <T extends { $ref?: string }>(part: T): T => {
    if (part.$ref === undefined) return part
    const [, , kind = '', name = ''] = part.$ref.split('/')
    return document.components[kind]?.[name] as T
  }
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, raw]): Operation => {
      const content = raw.requestBody?.content ?? {}
      return {
        ...{ operationId: raw.operationId, method: method.toUpperCase(), path, responses: raw.responses },
        parameters: (raw.parameters ?? []).map(resolve),
        body: content['application/json']?.schema ?? null,
        isBinary: Object.keys(content).length > 0 && content['application/json'] === undefined,
      }
    }),
  )
  return { operations, valid, judge }

  function valid(schema: Schema, name: string): unknown {
    const one = resolve(schema)
    const worth = known[name]
    if (worth !== undefined) return pick(worth)
    if (one.enum !== undefined) return pick(one.enum)
    if (one.const !== undefined) return one.const
    if (one.anyOf !== undefined) return valid(pick(one.anyOf), name)
    const type = Array.isArray(one.type) ? pick(one.type) : one.type
    if (type === 'null') return null
    if (type === 'boolean') return pick([true, false])
    if (type === 'integer' || type === 'number') return pick([one.minimum ?? 1, one.maximum ?? 5])
    if (type === 'array') {
      return [...new Set(Array.from({ length: Math.max(one.minItems ?? 0, 1) }, () => valid(one.items ?? {}, name)))]
    }
    if (type === 'object') {
      const fields = Object.entries(one.properties ?? {}).filter(
        ([field]) => (one.required ?? []).includes(field) || pick([true, false, false]),
      )
      return Object.fromEntries(fields.map(([field, schema]) => [field, valid(schema, field)]))
    }
    if (one.format === 'date-time') return '2030-01-31T00:00:00Z'
    if (one.pattern?.includes('0-9') === true) return '1000000'
    return 'x'.repeat(Math.max(one.minLength ?? 1, 5))
  }

  function judge(operation: Operation, answer: Answer): string | null {
    const listed = operation.responses[String(answer.status)]
    if (listed === undefined) return `${answer.status} is not among ${Object.keys(operation.responses).join(' ')}`
    const reply = resolve(listed)
    const named = new Set(Object.keys(reply.headers ?? {}).map((name) => name.toLowerCase()))
    const unnamed = [...answer.headers.keys()].filter((name) => !named.has(name) && !general.has(name))
    if (unnamed.length > 0) return `${answer.status} has headers that are not named: ${unnamed.join(' ')}`
    const type = answer.type.split(';')[0] ?? ''
    const content = reply.content?.[type]
    if (content === undefined)
      return `${answer.status} as ${type}, not as ${Object.keys(reply.content ?? {}).join(' ')}`
    if (type !== 'application/json') return null
    const body: unknown = JSON.parse(answer.text)
    const at =
      listed.$ref ?? `#/paths/${pointer(operation.path)}/${operation.method.toLowerCase()}/responses/${answer.status}`
    const key = `doc${at}/content/application~1json/schema`
    const validate = validators.get(key) ?? ajv.compile({ $ref: key })
    validators.set(key, validate)
    if (!validate(body)) return `${answer.status}: ${ajv.errorsText(validate.errors)}`
    const code = (body as { error?: { code?: string } }).error?.code
    const codes = reply['x-error-codes']
    return code === undefined || codes === undefined || codes.includes(code)
      ? null
      : `${code} is not among ${codes.join(' ')}`
  }
}

const pointer = (path: string): string => encodeURIComponent(path.replaceAll('~', '~0').replaceAll('/', '~1'))

/** Answers are open to fields of later versions; this version sends none that it does not say. */
function close(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  const schema = value as Schema
  if (schema.type === 'object' && schema.properties !== undefined && schema.additionalProperties === undefined) {
    schema.additionalProperties = false
  }
  for (const part of Object.values(value)) close(part)
}
