// Promises: the document names every call once, says every field, points at nothing that is not there, and a linter of its kind
// finds nothing to say.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { errorTable } from '@florin/protocol'
import type { Document, Operation, Schema } from './document.ts'
import { operationId } from './names.ts'
import { operations } from './operations.ts'

const path = join(import.meta.dirname, '../../../../docs/openapi.json')
// docs.test.ts holds that it is what the routes say.
const document = JSON.parse(await readFile(path, 'utf8')) as Document & {
  components: { schemas: Record<string, Schema> }
}
const calls = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, path, operation })),
)

test('names of calls follow from their routes', () => {
  for (const [method, path, name] of [
    ['get', '/v1/orders', 'listOrders'],
    ['get', '/v1/orders/{order_no}', 'getOrder'],
    ['post', '/v1/orders/{order_no}/cancel', 'cancelOrder'],
    ['get', '/v1/orders/{order_no}/events', 'listOrderEvents'],
    ['post', '/v1/webhook_endpoints', 'createWebhookEndpoint'],
    ['delete', '/api/v1/boss/appkeys/{id}', 'consoleDeleteApiKey'],
    ['patch', '/v1/deliveries/{id}', 'updateDelivery'],
    ['put', '/api/v1/boss/brand/logo', 'consoleSetBrandLogo'],
  ] as const) {
    assert.equal(operationId(method, path), name)
  }
})

test('document: no word of it points at a file of the repository, which a remote caller does not have', () => {
  const texts = [JSON.stringify(document), ...Object.values(errorTable).map(({ message }) => message)]
  for (const text of texts) assert.deepEqual(text.match(/.{0,40}\b[\w-]+\.(?:md|ts|mjs|env)\b/g) ?? [], [])
})

test('each call has a name of its own, words, and every kind of refusal', () => {
  const ids = calls.map(({ operation }) => operation.operationId ?? '')
  assert.equal(new Set(ids).size, ids.length)
  for (const { name, operation } of calls) {
    assert.match(operation.operationId ?? '', /^[a-z][A-Za-z]+$/, name)
    assert.ok((operation.description ?? '').length > 3 && (operation.summary ?? '') !== '', name)
    assert.ok(operation['x-guard'] === undefined, `${name} shows what the routes say of their guard`)
    const statuses = Object.keys(operation.responses)
    for (const status of ['400', '429', '500', '503']) assert.ok(statuses.includes(status), `${name} ${status}`)
  }
  const order = document.paths['/v1/orders']?.post as Operation
  assert.deepEqual(Object.keys(order.responses), [
    '201',
    '400',
    '401',
    '403',
    '409',
    '413',
    '415',
    '422',
    '429',
    '500',
    '503',
  ])
})

test('every body has an example, and every answer says the count of requests', () => {
  const resolved = <T extends object>(part: T): T => {
    const [, , kind = '', name = ''] = ((part as { $ref?: string }).$ref ?? '').split('/')
    return name === '' ? part : (document.components[kind]?.[name] as T)
  }
  for (const { name, operation } of calls) {
    for (const [type, { schema, example }] of Object.entries(operation.requestBody?.content ?? {}))
      assert.ok(
        type !== 'application/json' || (schema !== undefined && example !== undefined),
        `${name} has no example`,
      )
    for (const [status, response] of Object.entries(operation.responses)) {
      const { headers = {} } = resolved(response)
      for (const part of ['Limit', 'Remaining', 'Reset']) assert.ok(headers[`RateLimit-${part}`], `${name} ${status}`)
      if (status === '429') assert.ok(headers['Retry-After'], name)
    }
  }
})

test('maps keep the type of their values, and a map in a query is said to be one', () => {
  const call = document.paths['/v1/orders']
  const body = call?.post?.requestBody?.content['application/json']?.schema?.properties?.metadata
  assert.deepEqual(body?.additionalProperties, { type: 'string', maxLength: 500 })
  const filter = call?.get?.parameters?.find(({ name }) => name === 'metadata')
  assert.deepEqual([filter?.style, filter?.explode], ['deepObject', true])
  assert.deepEqual(filter?.schema.additionalProperties, { type: 'string', maxLength: 500 })
  assert.deepEqual(document.components.schemas.Order?.properties?.metadata?.additionalProperties, { type: 'string' })
})

test('what operations.ts says is of calls that are there', () => {
  const bare = new Set(calls.map(({ name }) => name.replace(/ \/(?:v1|api\/v1\/boss|api\/v1)\//, ' /')))
  assert.deepEqual(
    Object.keys(operations).filter((name) => !bare.has(name)),
    [],
  )
})

test('each code of the error table is a refusal of some call, or of any', () => {
  const text = JSON.stringify(document.paths) + JSON.stringify(document.components.responses)
  const general = ['not_found', 'method_not_allowed', 'uri_too_long', 'host_not_served']
  const ofPages = ['link_closed', 'sold_out']
  const missing = Object.keys(errorTable).filter((code) => !text.includes(`"${code}"`))
  assert.deepEqual(
    missing.filter((code) => !general.includes(code) && !ofPages.includes(code)),
    [],
  )
})

/** Every schema with its place. */
function* schemasIn(value: unknown, at = ''): Generator<[string, Schema]> {
  if (typeof value !== 'object' || value === null) return
  yield [at, value as Schema]
  for (const [key, part] of Object.entries(value))
    if (key !== 'examples' && key !== 'example') yield* schemasIn(part, `${at}/${key}`)
}

test('every reference leads somewhere, and every component is used', () => {
  const used = new Set<string>()
  for (const [at, { $ref }] of schemasIn(document)) {
    if (typeof $ref !== 'string') continue
    const [kind = '', name = ''] = $ref.replace('#/components/', '').split('/')
    assert.ok(document.components[kind]?.[name], `${at} leads to ${$ref}`)
    used.add(`${kind}/${name}`)
  }
  const made = Object.entries(document.components).flatMap(([kind, parts]) =>
    Object.keys(parts).map((name) => `${kind}/${name}`),
  )
  assert.deepEqual(
    made.filter((name) => !used.has(name) && !name.startsWith('securitySchemes/')),
    [],
  )
})

test('every field that a merchant’s server sends or reads has words', () => {
  const wordless = new Set<string>()
  const visited = new Set<string>()
  const look = (value: unknown, at: string): void => {
    for (const [place, schema] of schemasIn(value, at)) {
      for (const [name, field] of Object.entries(schema.properties ?? {})) {
        const isSaid =
          typeof field.description === 'string' || (field.anyOf ?? []).some((one) => one.description !== undefined)
        if (!isSaid && place.split('/').at(-1) !== 'properties') wordless.add(`${place}.${name}`)
      }
      const ref = typeof schema.$ref === 'string' ? schema.$ref.split('/').at(-1) : undefined
      const target = ref === undefined ? undefined : document.components.schemas[ref]
      if (ref !== undefined && target !== undefined && !visited.has(ref)) {
        visited.add(ref)
        look(target, ref)
      }
    }
  }
  for (const { name, path, operation } of calls)
    if (path.startsWith('/v1/')) look([operation.requestBody, operation.responses], name)
  assert.deepEqual([...wordless], [], 'say them in the schema, or in openapi/words/')
})

test('the linter’s recommended rules find no error and nothing to warn of', async () => {
  const lint = join(import.meta.dirname, '../../test/dump/lint-openapi.mjs')
  const { stdout } = await promisify(execFile)(process.execPath, [lint, path])
  assert.deepEqual(JSON.parse(stdout), [])
})
