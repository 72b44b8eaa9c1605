// The parts of an OpenAPI 3.1 document that the other files here touch.
export interface Schema {
  [keyword: string]: unknown
  $ref?: string
  title?: string
  description?: string
  type?: string | string[]
  enum?: unknown[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  /** What it is to clients where the service matches text or writes what is JSON already; `component` names another schema. */
  'x-document'?: Schema
}

export interface Parameter {
  name: string
  in: string
  required?: boolean
  description?: string
  schema: Schema
  [keyword: string]: unknown
}

export interface Media {
  schema?: Schema
  example?: unknown
  examples?: Record<string, unknown>
}

export interface Response {
  description: string
  headers?: Record<string, unknown>
  content?: Record<string, Media>
  'x-error-codes'?: string[]
}

export interface Operation {
  operationId?: string
  summary?: string
  description?: string
  tags?: string[]
  security?: Record<string, string[]>[]
  parameters?: Parameter[]
  requestBody?: { required?: boolean; description?: string; content: Record<string, Media> }
  responses: Record<string, Response>
  'x-guard'?: { act?: string; operator?: boolean }
  /** It takes an Idempotency-Key. */
  'x-idempotent'?: true
  [extension: string]: unknown
}

export interface Document {
  paths: Record<string, Record<string, Operation>>
  components: Record<string, Record<string, unknown>>
  tags?: { name: string; description: string }[]
  webhooks?: Record<string, Record<string, unknown>>
  [part: string]: unknown
}
