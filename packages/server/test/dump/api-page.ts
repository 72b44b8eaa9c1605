// The text of docs/api.md: every call with its fields, every error, every limit, made from what the routes
// validate with and from @florin/protocol. A test fails when the committed page drifts.

import { machineClock } from '@florin/platform/clock'
import { openPool } from '@florin/platform/db/pool'
import { makeSecrets } from '@florin/platform/secrets'
import { errorTable } from '@florin/protocol'
import { railsOf } from '@florin/rail-kit/sandbox/rail'
import { pino } from 'pino'
import { noHistory } from '../../src/addresses/accounts/rules.ts'
import { buildApp } from '../../src/app.ts'
import type { Deps } from '../../src/deps.ts'
import { orderEffects } from '../../src/effects.ts'
import { noTips } from '../../src/orders/view.ts'
import { makeWakes } from '../../src/wakes.ts'
import { mailbox, testConfig } from '../harness.ts'
import { compactJson } from './compact-json.ts'

interface Schema {
  $ref?: string
  type?: string | string[]
  description?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  enum?: unknown[]
  const?: unknown
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
}

interface Operation {
  operationId: string
  tags?: string[]
  summary?: string
  description?: string
  security?: Record<string, unknown>[]
  parameters?: { $ref?: string; name: string; in: string; required?: boolean; description?: string; schema: Schema }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
}

interface Document {
  servers: { url: string }[]
  info: { contact: { url: string } }
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

/** docs/api.md, and docs/openapi.json as a running Florin serves it but for its own address. */
export interface ApiPages {
  page: string
  document: string
}

const ADDRESS = 'https://pay.shop.example'

/** The routes are only described, never called, so the pool is never connected. */
export async function apiPages(): Promise<ApiPages> {
  const sql = openPool({ url: 'postgres://nobody@127.0.0.1:1/none', max: 1, applicationName: 'docs' })
  const rails = railsOf(sql)
  const deps: Deps = {
    config: testConfig(),
    log: pino({ level: 'silent' }),
    sql,
    lists: sql,
    databaseTrouble: async () => null,
    clock: machineClock,
    secrets: makeSecrets('00'.repeat(32)),
    mailer: mailbox(),
    logoOf: async () => null,
    rails,
    railJobs: [],
    tips: noTips,
    accountNetworks: {},
    accountHistory: noHistory,
    wake: makeWakes(),
    effects: orderEffects,
  }
  const app = await buildApp(deps)
  try {
    await app.ready()
    const document = app.swagger() as unknown as Document
    // Of no machine in particular.
    document.servers = [{ url: ADDRESS }]
    document.info.contact.url = `${ADDRESS}/docs`
    return { page: page(document), document: `${compactJson(document)}\n` }
  } finally {
    await app.close()
    await sql.end({ timeout: 1 })
  }
}

function page({ paths, components }: Document): string {
  const byTag = new Map<string, string[]>()
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const tag = operation.tags?.[0] ?? 'other'
      byTag.set(tag, [...(byTag.get(tag) ?? []), describe(method.toUpperCase(), path, operation)])
    }
  }
  const sections = [...byTag]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([tag, calls]) => `## ${tag}\n\n${calls.join('\n')}`)
  return [
    '# API',
    'Written from the schemas that the routes validate with (`npm run db:dump`); a running Florin serves the same as `/openapi.json` and at `/docs`.',
    'Payment calls under `/v1` take an API key as `X-API-Key: <key>` or `Authorization: Bearer <key>`; console calls under `/api/v1/boss` take the token of a sign-in as `Authorization: Bearer <token>` and answer `{"code": 0, "data": …}`. Chain amounts are strings of digits in the asset\'s smallest unit, dollars are JSON numbers, times are ISO 8601 UTC.',
    ...sections,
    objects(components.schemas),
    errors(),
  ].join('\n\n')
}

function describe(method: string, path: string, operation: Operation): string {
  const lines = [
    `### \`${method} ${path}\``,
    '',
    `\`${operation.operationId}\`. ${[operation.summary, operation.description].filter(Boolean).join('. ')}`,
  ]
  const fields = [
    ...(operation.parameters ?? [])
      .filter((one) => one.in === 'query')
      .map((one) =>
        field(one.name, { description: one.description ?? '', ...one.schema }, one.required === true, 'query'),
      ),
    ...fieldsOf(operation.requestBody?.content['application/json']?.schema),
  ]
  return `${[...lines, ...table(fields)].join('\n')}\n`
}

const table = (fields: readonly string[]): string[] =>
  fields.length === 0 ? [] : ['', '| field | type | |', '|---|---|---|', ...fields]

function fieldsOf(schema: Schema | undefined): string[] {
  return Object.entries(schema?.properties ?? {}).map(([name, one]) =>
    field(name, one, schema?.required?.includes(name) === true, ''),
  )
}

/** Every component: an object with its fields, a word with what each value means. */
function objects(schemas: Readonly<Record<string, Schema>>): string {
  const sections = Object.entries(schemas)
    .filter(([name]) => name !== 'ErrorCode')
    .map(([name, schema]) => {
      const fields = Object.entries(schema.properties ?? {}).map(([field_, one]) => field(field_, one, false, ''))
      return `### ${name}\n${schema.description === undefined ? '' : `\n${schema.description}\n`}${table(fields).join('\n')}${fields.length === 0 ? '' : '\n'}`
    })
  return ['## Objects and words', ...sections].join('\n\n')
}

function field(name: string, schema: Schema, isRequired: boolean, where: string): string {
  const notes = [where, isRequired ? 'required' : '', boundsOf(schema), schema.description ?? ''].filter(
    (note) => note !== '',
  )
  return `| \`${name}\` | ${typeOf(schema)} | ${notes.join('; ').replace(/\n+/g, ' ')} |`
}

function typeOf(schema: Schema): string {
  const name = schema.$ref?.split('/').at(-1)
  if (name !== undefined) return `[${name}](#${name.toLowerCase()})`
  if (schema.enum) return schema.enum.map((value) => `\`${String(value)}\``).join(' ')
  if (schema.const !== undefined) return `\`${String(schema.const)}\``
  if (schema.anyOf) return [...new Set(schema.anyOf.map(typeOf))].join(' or ')
  if (schema.items) return `list of ${typeOf(schema.items)}`
  return [schema.type ?? 'any'].flat().join(' or ')
}

function boundsOf(schema: Schema): string {
  const bounds: string[] = []
  if (schema.maxLength !== undefined) bounds.push(`at most ${schema.maxLength} characters`)
  if (schema.minimum !== undefined || schema.maximum !== undefined)
    bounds.push(`${schema.minimum ?? '…'} to ${schema.maximum ?? '…'}`)
  return bounds.join(', ')
}

function errors(): string {
  const rows = Object.values(errorTable)
    .toSorted((a, b) => a.consoleCode - b.consoleCode)
    .map((entry) => `| ${entry.status} | \`${entry.code}\` | ${entry.consoleCode} | ${entry.type} | ${entry.message} |`)
  return [
    '## Errors',
    '',
    '`/v1` and the checkout answer `{"error": {"type", "code", "message", "param", "request_id"}}`; the console answers `{"code": <number>, "message", "data": null, "error": {…}}`. The message says what was wrong and what would be right.',
    '',
    '| status | code | console code | type | meaning |',
    '|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n')
}
