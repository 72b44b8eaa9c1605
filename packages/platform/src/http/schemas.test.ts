import assert from 'node:assert/strict'
import { test } from 'node:test'
import fastify from 'fastify'
import { schemaCompilers } from './schemas.ts'

type Properties = Record<string, { type: string; minLength?: number }>

async function appThatTakes(properties: Properties, customOptions: object = {}) {
  const app = fastify({ schemaController: { compilersFactory: schemaCompilers }, ajv: { customOptions } })
  const shape = { type: 'object', properties, required: Object.keys(properties), additionalProperties: false }
  app.post('/', { schema: { body: shape, response: { 200: shape } } }, async (request) => request.body)
  return async (payload: object) => {
    const answer = await app.inject({ method: 'POST', url: '/', payload })
    return { status: answer.statusCode, text: answer.payload }
  }
}

test('apps share what was compiled for one schema, and never what was compiled for another', async () => {
  const strings = { a: { type: 'string' }, b: { type: 'string' } }
  const first = await appThatTakes(strings)
  const again = await appThatTakes(structuredClone(strings))
  const turned = await appThatTakes({ b: { type: 'string' }, a: { type: 'string' } })
  const longer = await appThatTakes({ a: { type: 'string', minLength: 2 }, b: { type: 'string' } })
  const exact = await appThatTakes(strings, { coerceTypes: false })

  const good = { a: '1', b: '2' }
  for (const app of [first, again, exact]) assert.deepEqual(await app(good), { status: 200, text: '{"a":"1","b":"2"}' })
  assert.equal((await turned(good)).text, '{"b":"2","a":"1"}', 'an answer keeps the order of its own schema')
  assert.match((await longer(good)).text, /body\/a must NOT have fewer than 2 characters/)
  assert.equal((await first({ a: 1, b: '2' })).status, 200, "Fastify's default turns a number into text")
  assert.equal((await exact({ a: 1, b: '2' })).status, 400, 'other settings make another validator')
  // The validation errors of one request are not shared with others.
  const answers = await Promise.all([first({ a: '1' }), again({ b: '2' }), first(good)])
  assert.deepEqual(
    answers.map(({ status, text }) => [status, /'[ab]'/.exec(text)?.[0]]),
    [
      [400, "'b'"],
      [400, "'a'"],
      [200, undefined],
    ],
  )
})
