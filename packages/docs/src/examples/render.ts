// An example of a call in four languages, from the one entry that says what it is. Pure.
import { type Example, examples } from './calls.ts'
import type { Language } from './snippets.ts'

export const languages: readonly Language[] = ['sh', 'ts', 'python', 'php']

/** The four as Markdown, or null where a call has no example. */
export function examplesOf(method: string, path: string): string | null {
  const example = examples.find(({ call }) => call === `${method} ${path}`)
  if (example === undefined) return null
  return languages.map((language) => `\`\`\`${language} tab\n${renderExample(example, language)}\n\`\`\``).join('\n\n')
}

export function renderExample(example: Example, language: Language): string {
  return { sh: curl, ts: typescript, python, php }[language](example)
}

/** The ids in a path and what each language calls them: order_no, and the id of what the call is about. */
export function idsOf({ call, subject }: Example): string[] {
  const own = {
    order: 'order_no',
    refund: 'refund_id',
    merchantRefund: 'refund_id',
    delivery: 'delivery_id',
    endpoint: 'endpoint_id',
  }
  const names: Readonly<Record<string, string>> = { ...own, link: 'link_id', invoice: 'invoice_id' }
  return [...call.matchAll(/\{(\w+)\}/g)].map(([, name]) =>
    name === 'id' ? (names[subject?.kind ?? ''] ?? 'id') : (name ?? ''),
  )
}

const camel = (name: string): string => name.replace(/_(\w)/g, (_all, letter: string) => letter.toUpperCase())
const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

function curl(example: Example): string {
  const [method = 'GET', path = ''] = example.call.split(' ')
  const ids = idsOf(example)
  let at = 0
  const filled = path.replace(/\{\w+\}/g, () => `$${(ids[at++] ?? '').toUpperCase()}`)
  const query = new URLSearchParams(Object.entries(example.query ?? {}).map(([key, value]) => [key, String(value)]))
  const url = `"$FLORIN${filled}${query.size === 0 ? '' : `?${query}`}"`
  // With a body curl posts by itself.
  const verb = method === 'GET' || (method === 'POST' && example.body !== undefined) ? '' : ` -X ${method}`
  const stream = example.many === 'stream' ? ' -N' : ''
  const lines = [`curl${verb}${stream} ${url}`, '-H "X-API-Key: $FLORIN_API_KEY"']
  if (example.key !== undefined) lines.push(`-H 'Idempotency-Key: ${example.key}'`)
  if (example.body !== undefined) {
    lines.push("-H 'Content-Type: application/json'", `-d '${wrap(JSON.stringify(example.body, null, 1), '  ')}'`)
  }
  return lines.join(' \\\n  ')
}

/** Short objects in one line, long ones a field a line. */
function wrap(json: string, indent: string): string {
  const flat = json
    .replace(/\n */g, ' ')
    .replace(/([[{]) /g, '$1')
    .replace(/ ([\]}])/g, '$1')
  if (flat.length <= 80) return flat
  const value = JSON.parse(json) as Record<string, unknown>
  const rows = Object.entries(value).map(([key, one]) => {
    const text = JSON.stringify(one).replace(/":/g, '": ').replace(/,"/g, ', "').replace(/\},\{/g, '}, {')
    return `${indent}  ${JSON.stringify(key)}: ${text}`
  })
  return `{\n${rows.join(',\n')}\n${indent}}`
}

interface Syntax {
  object(fields: string[]): string
  field(key: string, value: string): string
  text(text: string): string
  word(value: boolean | null): string
  indent: string
}

/** A value as a language writes it; one that would be too long has a line for each field. */
function literal(value: unknown, syntax: Syntax, isTop = true): string {
  if (typeof value === 'string') return syntax.text(value)
  if (typeof value === 'number') return String(value)
  if (typeof value === 'boolean' || value === null) return syntax.word(value)
  if (Array.isArray(value)) return `[${value.map((one) => literal(one, syntax, false)).join(', ')}]`
  const fields = Object.entries(value as object).map(([key, one]) => syntax.field(key, literal(one, syntax, false)))
  const flat = syntax.object([fields.join(', ')])
  if (!isTop || flat.length <= 70) return flat
  const [open = '', close = ''] = [flat[0], flat.at(-1)]
  return `${open}\n${fields.map((field) => `${syntax.indent}${field},\n`).join('')}${close}`
}

const quoteSingle = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

const ts: Syntax = {
  object: (fields) => `{ ${fields.join('')} }`,
  field: (key, value) => `${/^\w+$/.test(key) ? key : quoteSingle(key)}: ${value}`,
  text: quoteSingle,
  word: String,
  indent: '  ',
}
const py: Syntax = {
  object: (fields) => `{${fields.join('')}}`,
  field: (key, value) => `${JSON.stringify(key)}: ${value}`,
  text: (text) => JSON.stringify(text),
  word: (value) => (value === null ? 'None' : value ? 'True' : 'False'),
  indent: '    ',
}
const ph: Syntax = {
  object: (fields) => `[${fields.join('')}]`,
  field: (key, value) => `${quoteSingle(key)} => ${value}`,
  text: quoteSingle,
  word: (value) => String(value),
  indent: '    ',
}

function argumentsOf(example: Example, syntax: Syntax, id: (name: string) => string): string {
  const body = example.bare === undefined ? (example.body ?? example.query) : example.body?.[example.bare]
  return [...idsOf(example).map(id), ...(body === undefined ? [] : [literal(body, syntax)])].join(', ')
}

/** What an item of a list is called. */
const item: Readonly<Record<string, string>> = {
  'orders.merchantRefunds': 'refund',
  'orders.events': 'entry',
  orders: 'order',
  events: 'event',
  deliveries: 'delivery',
  webhookEndpoints: 'endpoint',
  paymentLinks: 'link',
  invoices: 'invoice',
  chains: 'chain',
  test: 'order',
  reconciliation: 'books',
}
const answers: Readonly<Record<string, string>> = {
  'orders.lookAgain': 'look',
  'orders.createMerchantRefund': 'refund',
  'orders.merchantRefund': 'refund',
  'orders.nameRefundTransaction': 'refund',
  'orders.cancelMerchantRefund': 'refund',
  'webhookEndpoints.test': 'answer',
}
const nameOf = ({ method }: Example): string =>
  answers[method] ?? item[method] ?? item[method.split('.')[0] ?? ''] ?? 'answer'

function typescript(example: Example): string {
  const name = nameOf(example)
  const call = `florin.${example.method}(${argumentsOf(example, ts, camel)})`
  const shown = `console.log(${name}.${example.shows})`
  if (example.many !== undefined) return `for await (const ${name} of ${call}) {\n  ${shown}\n}`
  return `const ${name} = await ${call}\n${shown}`
}

function python(example: Example): string {
  const name = nameOf(example)
  const call = `florin.${snake(example.method)}(${argumentsOf(example, py, (id) => id)})`
  const shown = `print(${name}["${example.shows}"])`
  if (example.many !== undefined) return `for ${name} in ${call}:\n    ${shown}`
  return `${name} = ${call}\n${shown}`
}

function php(example: Example): string {
  const name = nameOf(example)
  const method = example.method.replace('.', '->')
  const call = `$florin->${method}(${argumentsOf(example, ph, (id) => `$${camel(id)}`)})`
  const shown = `echo $${name}['${example.shows}'], "\\n";`
  if (example.many !== undefined) return `foreach (${call} as $${name}) {\n    ${shown}\n}`
  return `$${name} = ${call};\n${shown}`
}
