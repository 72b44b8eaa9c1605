// Compiling validators and serializers is nearly all of the cost of building the app, and the routes share most of
// their schemas: each distinct schema is compiled once per process, even where a process builds many apps, as tests do.
import ajvCompiler, { type BuildCompilerFromPool } from '@fastify/ajv-compiler'
import stringifyCompiler, { type SerializerFactory } from '@fastify/fast-json-stringify-compiler'

const validatorFactory = ajvCompiler()
const serializerFactory = stringifyCompiler()

/** Keyed by everything that decides the result: the schema's text, with its key order, and the compiler's settings. */
const compiled = new Map<string, unknown>()

function once<T>(kind: string, settings: readonly unknown[], schema: unknown, compile: () => T): T {
  const key = JSON.stringify([kind, settings, schema])
  const found = compiled.get(key) as T | undefined
  if (found !== undefined) return found
  const made = compile()
  compiled.set(key, made)
  return made
}

const buildValidator: BuildCompilerFromPool = (shared, options) => {
  const compile = validatorFactory(shared, options)
  return (route) => {
    // Typed as the schema itself; Fastify hands over the route's definition around it.
    const { schema } = route as { schema?: unknown }
    return once('validate', [shared, options?.customOptions], schema, () => compile(route))
  }
}

const buildSerializer: SerializerFactory = (shared, options) => {
  const compile = serializerFactory(shared, options)
  return (route) => once('serialize', [shared, options], route.schema, () => compile(route))
}

/** For Fastify's `schemaController.compilersFactory`. */
export const schemaCompilers = { buildValidator, buildSerializer }
