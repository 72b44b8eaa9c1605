// Compiling validators and serializers is nearly all of the cost of building the app, and the routes share most of
// their schemas: each distinct schema is compiled once per process, even where a process builds many apps, as tests do.
import ajvCompiler, { type BuildCompilerFromPool } from '@fastify/ajv-compiler'
import stringifyCompiler, { type SerializerFactory } from '@fastify/fast-json-stringify-compiler'

const validatorFactory = ajvCompiler()
const serializerFactory = stringifyCompiler()

/** By everything that decides the result: the compiler's settings, and the schema's text with its key order. */
const compiled = new Map<string, unknown>()
/** The same for a schema that is the same object, whose text is not written out again. */
const known = new WeakMap<object, Map<string, unknown>>()

function once<T>(settings: string, schema: unknown, compile: () => T): T {
  const isObject = typeof schema === 'object' && schema !== null
  const before = isObject ? known.get(schema)?.get(settings) : undefined
  if (before !== undefined) return before as T
  const key = settings + JSON.stringify(schema)
  const made = (compiled.get(key) as T | undefined) ?? compile()
  compiled.set(key, made)
  if (isObject) known.set(schema, (known.get(schema) ?? new Map<string, unknown>()).set(settings, made))
  return made
}

const buildValidator: BuildCompilerFromPool = (shared, options) => {
  const compile = validatorFactory(shared, options)
  const settings = JSON.stringify(['validate', shared, options?.customOptions])
  return (route) => {
    // Typed as the schema itself; Fastify hands over the route's definition around it.
    const { schema } = route as { schema?: unknown }
    return once(settings, schema, () => compile(route))
  }
}

const buildSerializer: SerializerFactory = (shared, options) => {
  const compile = serializerFactory(shared, options)
  const settings = JSON.stringify(['serialize', shared, options])
  return (route) => once(settings, route.schema, () => compile(route))
}

/** For Fastify's `schemaController.compilersFactory`. */
export const schemaCompilers = { buildValidator, buildSerializer }
