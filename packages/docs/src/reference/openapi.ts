// The parts of an OpenAPI 3.1 document that the reference reads, and what a schema says in words. Pure.

export interface Schema {
  $ref?: string
  type?: string | string[]
  title?: string
  description?: string
  properties?: Record<string, Schema>
  additionalProperties?: boolean | Schema
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  enum?: unknown[]
  const?: unknown
  default?: unknown
  'x-enum-descriptions'?: string[]
  format?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  minItems?: number
  maxItems?: number
  maxProperties?: number
}

export interface Parameter {
  name: string
  in: string
  required?: boolean
  description?: string
  schema: Schema
}

export interface Answer {
  description?: string
  content?: Record<string, { schema?: Schema }>
  'x-error-codes'?: string[]
}

export interface Operation {
  operationId?: string
  tags?: string[]
  summary?: string
  description?: string
  parameters?: (Parameter & { $ref?: string })[]
  requestBody?: { content: Record<string, { schema: Schema; example?: unknown }> }
  responses?: Record<string, Answer & { $ref?: string }>
  security?: Record<string, unknown>[]
}

export interface OpenApi {
  paths: Record<string, Record<string, Operation>>
  components?: { schemas?: Record<string, Schema> } & Record<string, Record<string, unknown> | undefined>
}

export interface Call {
  method: string
  path: string
  operation: Operation
}

const methods = new Set(['get', 'post', 'put', 'patch', 'delete'])

export const callsOf = (api: OpenApi): Call[] =>
  Object.entries(api.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => methods.has(method))
      .map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )

/** What a reference stands for; anything else is itself. */
export function resolveRef<T extends { $ref?: string }>(api: OpenApi, node: T): T {
  if (node.$ref === undefined) return node
  const found = node.$ref
    .replace(/^#\//, '')
    .split('/')
    .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], api)
  if (found === undefined) throw new Error(`${node.$ref} leads nowhere`)
  return resolveRef(api, found as T)
}

/** The kinds that a schema can be, without null. */
const kindsOf = (schema: Schema): Schema[] =>
  (schema.anyOf ?? schema.oneOf ?? [schema]).filter((one) => one.type !== 'null')

export const isNullable = (schema: Schema): boolean =>
  (schema.anyOf ?? schema.oneOf ?? []).some((one) => one.type === 'null') ||
  (Array.isArray(schema.type) && schema.type.includes('null'))

/** A schema's one kind where it has one beside null, with what was said around it. */
export function bare(schema: Schema): Schema {
  const kinds = kindsOf(schema)
  const [only] = kinds
  if (kinds.length !== 1 || only === undefined || only === schema) return schema
  return { ...only, ...(schema.description === undefined ? {} : { description: schema.description }) }
}

/** The values of a closed list, however it is written. */
export function valuesOf(schema: Schema): { value: string; words: string }[] {
  const said = schema['x-enum-descriptions']
  if (schema.enum !== undefined)
    return schema.enum.map((value, at) => ({ value: String(value), words: said?.[at] ?? '' }))
  const kinds = kindsOf(schema)
  if (kinds.length > 0 && kinds.every((one) => one.const !== undefined))
    return kinds.map((one) => ({ value: String(one.const), words: one.description ?? '' }))
  return []
}

/** @param nameOf the object that a schema is, where it has a page of its own */
export function typeOf(schema: Schema, nameOf: (schema: Schema) => string | null): string {
  const name = nameOf(schema)
  if (name !== null) return `[${name}](/docs/api/objects#${name.toLowerCase()})`
  const values = valuesOf(schema)
  if (values.length > 0) return 'string'
  if (schema.anyOf !== undefined || schema.oneOf !== undefined)
    return [...new Set(kindsOf(schema).map((one) => typeOf(one, nameOf)))].join(' or ')
  if (schema.items !== undefined) return `list of ${typeOf(schema.items, nameOf)}`
  const types = [schema.type ?? 'any'].flat().filter((type) => type !== 'null')
  if (schema.format === 'date-time') return 'time'
  return types.join(' or ')
}

export function boundsOf(schema: Schema): string[] {
  const bounds: string[] = []
  for (const one of kindsOf(schema)) {
    if (one.exclusiveMinimum !== undefined) bounds.push(`above ${one.exclusiveMinimum}`)
    if (one.minimum !== undefined && one.maximum !== undefined) bounds.push(`${one.minimum} to ${one.maximum}`)
    else if (one.minimum !== undefined) bounds.push(`at least ${one.minimum}`)
    else if (one.maximum !== undefined) bounds.push(`at most ${one.maximum}`)
    if (one.maxLength !== undefined) bounds.push(`at most ${one.maxLength} characters`)
    if (one.maxItems !== undefined) bounds.push(`at most ${one.maxItems}`)
    if (one.maxProperties !== undefined) bounds.push(`at most ${one.maxProperties} keys`)
  }
  return [...new Set(bounds)]
}
