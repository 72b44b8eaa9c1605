// The pages of the reference as Markdown, written from the OpenAPI document: a page for each resource of /v1, the objects,
// the errors with what to do about each, and the calls of the console. Pure.
import { type ErrorType, errorCures, errorTable } from '@florin/protocol'
import { examplesOf } from '../examples/render.ts'
import { fieldRow, sentence } from './field.ts'
import { type Objects, objectsOf } from './objects.ts'
import {
  type Call,
  callsOf,
  type OpenApi,
  type Operation,
  resolveRef,
  type Schema,
  typeOf,
  valuesOf,
} from './openapi.ts'

interface Resource {
  page: string
  title: string
  lead: string
  /** Whether a path of /v1 belongs here; the first resource that says so has it. */
  has(path: string): boolean
}

const below =
  (...starts: string[]) =>
  (path: string): boolean =>
    starts.some((start) => path === start || path.startsWith(`${start}/`))

const resources: readonly Resource[] = [
  {
    page: 'api/refunds',
    title: 'Refunds',
    lead: 'What Florin gives back of money that it holds, and refunds that you pay yourself after the settlement. [What a shop does](refunds.md) tells which is which.',
    has: (path) => /\/(merchant_refunds|refunds?)(\/|$)/.test(path),
  },
  {
    page: 'api/orders',
    title: 'Orders',
    lead: 'One payment that you ask for. [Concepts](concepts.md) explains its life; the [Order](/docs/api/objects#order) has every field.',
    has: below('/v1/orders', '/v1/reconciliation'),
  },
  {
    page: 'api/events',
    title: 'Events',
    lead: 'Every change of status of the last 30 days, in the order of their commits: for whoever cannot take webhooks, or missed some.',
    has: below('/v1/events'),
  },
  {
    page: 'api/deliveries',
    title: 'Deliveries',
    lead: 'Each event on its way to each receiver, with every attempt. [Webhooks](webhooks.md) explains them.',
    has: below('/v1/deliveries'),
  },
  {
    page: 'api/webhook-endpoints',
    title: 'Webhook endpoints',
    lead: 'Receivers of the account, registered once. [Webhooks](webhooks.md) explains them.',
    has: below('/v1/webhook_endpoints'),
  },
  {
    page: 'api/payment-links',
    title: 'Payment links',
    lead: 'Pages to share that make an order for each visitor who pays. [Selling](selling.md) has examples.',
    has: below('/v1/payment_links'),
  },
  {
    page: 'api/invoices',
    title: 'Invoices',
    lead: 'A page and a PDF that say what is owed. [Selling](selling.md) has examples.',
    has: below('/v1/invoices'),
  },
  {
    page: 'api/chains',
    title: 'Chains',
    lead: 'The chains and assets that can be paid in and settled to, in the mode of the key.',
    has: below('/v1/chains', '/v1/third-party'),
  },
  {
    page: 'api/test',
    title: 'Test orders',
    lead: 'What a payer and a chain would do, on request, with a test key. [Test mode](test-mode.md) explains it.',
    has: below('/v1/test'),
  },
]

/** The page of calls that no resource has. */
export const HOMELESS = 'api/other'

export function referencePages(api: OpenApi): Map<string, string> {
  const objects = objectsOf(api)
  const calls = callsOf(api)
  const v1 = calls.filter(({ path }) => path.startsWith('/v1/'))
  const pages = new Map<string, string>()
  for (const resource of resources) {
    const own = v1.filter(({ path }) => resources.find(({ has }) => has(path)) === resource)
    pages.set(
      resource.page,
      [`# ${resource.title}`, resource.lead, ...own.map((call) => callText(api, objects, call, true))].join('\n\n'),
    )
  }
  // A new call is documented before somebody has given it a place; a test asks for one.
  const homeless = v1.filter(({ path }) => !resources.some(({ has }) => has(path)))
  if (homeless.length > 0)
    pages.set(HOMELESS, ['# Other calls', ...homeless.map((call) => callText(api, objects, call, true))].join('\n\n'))
  pages.set('api/objects', objectsPage(api, objects))
  pages.set('errors', errorsPage())
  const rest = calls.filter(({ path }) => !path.startsWith('/v1/') && !/^\/(healthz|readyz|metrics)/.test(path))
  pages.set('api/console', consolePage(api, objects, rest))
  return pages
}

/**
 * One call: what it does, what it takes, what it answers, and the same call in four languages.
 * @param isWhole a call of /v1; others are shown with a body and the refusals that are theirs.
 * @param anyCall codes that any call can answer, said once.
 */
function callText(
  api: OpenApi,
  objects: Objects,
  { method, path, operation }: Call,
  isWhole: boolean,
  anyCall: ReadonlySet<string> = new Set(),
): string {
  const parts = [`## ${operation.summary ?? `${method} ${path}`}`, `\`${method} ${path}\``]
  if (operation.description !== undefined) parts.push(operation.description)
  const query = (operation.parameters ?? []).map((one) => resolveRef(api, one)).filter((one) => one.in === 'query')
  const body = bodyOf(api, operation)
  const rows = [
    ...query.map(({ name, schema, required, description }) => {
      const said = resolveRef(api, schema)
      return fieldRow(api, objects, name, description === undefined ? said : { ...said, description }, [
        'query',
        ...(required === true ? ['required'] : []),
      ])
    }),
    ...Object.entries(body?.properties ?? {}).map(([name, schema]) =>
      fieldRow(api, objects, name, schema, body?.required?.includes(name) === true ? ['required'] : []),
    ),
  ]
  if (rows.length > 0) parts.push(['| field | type | |', '|---|---|---|', ...rows].join('\n'))
  if (isWhole) {
    parts.push(answerText(api, objects, operation), refusalsText(api, operation))
    const examples = examplesOf(method, path)
    if (examples !== null) parts.push(examples)
  } else {
    const example = operation.requestBody?.content['application/json']?.example
    if (example !== undefined) parts.push(['```json', JSON.stringify(example), '```'].join('\n'))
    const own = codesOf(api, operation).filter((code) => !anyCall.has(code))
    if (own.length > 0) parts.push(`Refused with ${linkedCodes(own)}.`)
  }
  return parts.join('\n\n')
}

function bodyOf(api: OpenApi, operation: Operation): Schema | null {
  const schema = operation.requestBody?.content['application/json']?.schema
  return schema === undefined ? null : resolveRef(api, schema)
}

function answerText(api: OpenApi, objects: Objects, operation: Operation): string {
  const [status = '200', answer] =
    Object.entries(operation.responses ?? {}).find(([code]) => code.startsWith('2')) ?? []
  const whole = answer === undefined ? undefined : resolveRef(api, answer)
  const [type, content] = Object.entries(whole?.content ?? {})[0] ?? []
  if (content?.schema === undefined || type !== 'application/json')
    return `Answers ${status}${type === undefined ? '' : `, \`${type}\``}.`
  const schema = resolveRef(api, content.schema)
  const item = schema.properties?.data
  if (item !== undefined && schema.properties?.has_more !== undefined)
    return `Answers ${status}, a page: \`data\` is a ${typeOf(resolveRef(api, item), objects.nameOf)}, \`has_more\` says whether there is more, \`next_cursor\` goes on.`
  if (objects.nameOf(schema) !== null) return `Answers ${status}, the ${typeOf(schema, objects.nameOf)}.`
  const rows = Object.entries(schema.properties ?? {}).map(([name, one]) => fieldRow(api, objects, name, one, []))
  return rows.length === 0
    ? `Answers ${status}.`
    : [`Answers ${status}:`, '', '| field | type | |', '|---|---|---|', ...rows].join('\n')
}

const codesOf = (api: OpenApi, operation: Operation): string[] =>
  Object.values(operation.responses ?? {}).flatMap((answer) => resolveRef(api, answer)['x-error-codes'] ?? [])

const linkedCodes = (codes: readonly string[]): string =>
  codes.map((code) => `[\`${code}\`](/docs/errors#${code})`).join(', ')

/** Every code that the call can answer, by status, each with a link to its cure. */
function refusalsText(api: OpenApi, operation: Operation): string {
  const lines = Object.entries(operation.responses ?? {}).flatMap(([status, answer]) => {
    const codes = resolveRef(api, answer)['x-error-codes'] ?? []
    return codes.length === 0 ? [] : [`- ${status}: ${linkedCodes(codes)}`]
  })
  return lines.length === 0 ? '' : ['Refused with:', '', ...lines].join('\n')
}

function objectsPage(api: OpenApi, objects: Objects): string {
  const sections = [...objects.schemas].map(([name, schema]) => {
    const rows = Object.entries(schema.properties ?? {}).map(([field, one]) => fieldRow(api, objects, field, one, []))
    return [
      `## ${name}`,
      ...(schema.description === undefined ? [] : [sentence(schema.description)]),
      ['| field | type | |', '|---|---|---|', ...rows].join('\n'),
    ].join('\n\n')
  })
  return [
    '# Objects',
    'What the calls answer, field by field. Amounts on a chain are strings of digits in the smallest unit of their asset, dollars are JSON numbers, a time is ISO 8601 in UTC. Fields may be added at any time: read those that you know.',
    ...sections,
    ...[...objects.enums]
      .filter(([name]) => name !== 'ErrorCode' && name !== 'ErrorType')
      .map(([name, schema]) => {
        const rows = valuesOf(schema).map(({ value, words }) => `| \`${value}\` | ${words.replaceAll('|', '\\|')} |`)
        return [`## ${name}`, ['| value | |', '|---|---|', ...rows].join('\n')].join('\n\n')
      }),
  ].join('\n\n')
}

const typeWords: Readonly<Record<ErrorType, string>> = {
  invalid_request: 'What was sent cannot be read or is not valid. The same request fails again.',
  authentication: 'Nobody valid is calling.',
  permission: 'The caller is known and may not do this.',
  not_found: 'It does not exist, or is another merchant’s or mode’s, which is the same to you.',
  conflict: 'The state of things forbids it now.',
  idempotency: 'About the Idempotency-Key.',
  rate_limit: 'Too much at once.',
  rail: 'What carries the money cannot do this, or cannot do it now.',
  api: 'Florin itself has a fault or cannot answer. Try again with the same Idempotency-Key.',
}

function errorsPage(): string {
  const entries = Object.values(errorTable).toSorted((a, b) => a.consoleCode - b.consoleCode)
  const types = Object.entries(typeWords).map(([type, words]) => `| \`${type}\` | ${words} |`)
  return [
    '# Errors',
    'Every failure is one of these codes, with a true HTTP status. The message says what was wrong with this very request; below stands what to do. Go by `code`, never by the message, which may change.',
    [
      '```json',
      '{"error": {"type": "invalid_request", "code": "invalid_amount", "message": "…", "param": "amount_usd", "request_id": "req_…"}}',
      '```',
    ].join('\n'),
    '`param` names the field at fault, or is null. `request_id` stands in the `X-Request-Id` header too, and in the log of the operator. The console puts the same object beside its envelope: `{"code": 42212, "message": "…", "data": null, "error": {…}}`.',
    '## Types',
    ['| type | |', '|---|---|', ...types].join('\n'),
    ...entries.map((entry) =>
      [
        `## ${entry.code}`,
        `HTTP ${entry.status} · \`${entry.type}\` · in the console ${entry.consoleCode}`,
        entry.message,
        `**What to do:** ${errorCures[entry.code]}`,
      ].join('\n\n'),
    ),
  ].join('\n\n')
}

function consolePage(api: OpenApi, objects: Objects, calls: readonly Call[]): string {
  const [first = [], ...others] = calls.map(({ operation }) => codesOf(api, operation))
  const anyCall = new Set(first.filter((code) => others.every((codes) => codes.includes(code))))
  const byTag = new Map<string, Call[]>()
  for (const call of calls) {
    const tag = (call.operation.tags?.[0] ?? 'other').replace(/^console: /, '')
    byTag.set(tag, [...(byTag.get(tag) ?? []), call])
  }
  return [
    '# Console calls',
    'What the console itself calls, under `/api/v1` with the token of a sign-in, and what the checkout calls by its own token. They answer `{"code": 0, "data": …}`. A shop needs none of them: use an API key and `/v1`.',
    `Any of them can be refused with ${linkedCodes([...anyCall])}; each names the codes that it has beside these.`,
    ...[...byTag].flatMap(([tag, own]) => [
      `## ${tag[0]?.toUpperCase()}${tag.slice(1)}`,
      ...own.map((call) => callText(api, objects, call, false, anyCall).replace(/^## /, '### ')),
    ]),
  ].join('\n\n')
}
