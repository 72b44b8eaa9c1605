// The examples of the API reference, run in their language against a running Florin: what each needs is made first, over
// HTTP, then one program has all of them, each between marks.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Example, examples, type Subject } from '../../packages/docs/src/examples/calls.ts'
import { idsOf, renderExample } from '../../packages/docs/src/examples/render.ts'
import { type Language, preludes } from '../../packages/docs/src/examples/snippets.ts'
import { until } from '../florin.ts'
import { call, type Merchant } from '../merchant.ts'
import type { Receiver } from '../receiver.ts'

const PAYER = '0x8ba1f109551bD432803012645Ac136ddd64DBA72'

type Ids = Readonly<Record<string, string>>

/** Makes what an example is about, for a merchant of its own. */
class Stage {
  readonly #url: string
  readonly #key: string
  readonly #receiver: Receiver
  #settled: string | null = null

  private constructor(url: string, key: string, receiver: Receiver) {
    this.#url = url
    this.#key = key
    this.#receiver = receiver
  }

  static async make(url: string, merchant: Merchant, receiver: Receiver): Promise<Stage & { key: string }> {
    const scopes = ['orders:read', 'orders:write', 'webhooks:read', 'webhooks:write', 'refunds:write']
    const made = await call<{ data: { api_key: string } }>(`${url}/api/v1/boss/appkeys`, 'POST', {
      ...{ headers: merchant.console, body: { name: 'docs', mode: 'test', scopes } },
    })
    const key = made.body.data.api_key
    // Two receivers and two pages of a list that the examples read.
    const stage = new Stage(url, key, receiver)
    await stage.ids({ kind: 'delivery' })
    await stage.#post('/v1/webhook_endpoints', { url: `${receiver.url}/account` })
    await stage.ids({ kind: 'invoice' })
    await stage.ids({ kind: 'link' })
    return Object.assign(stage, { key })
  }

  async ids(subject: Subject | undefined): Promise<Ids> {
    switch (subject?.kind) {
      case undefined:
        return {}
      case 'order':
        return { order_no: await this.#order(subject.state) }
      case 'refund': {
        const order_no = await this.#order('underpaid')
        const { refunds } = await this.#post(`/v1/orders/${order_no}/refund`, {})
        return { order_no, refund_id: (refunds as { id: string }[])[0]?.id ?? '' }
      }
      case 'merchantRefund': {
        const order_no = await this.#order('settled')
        const refund = await this.#post(`/v1/orders/${order_no}/merchant_refunds`, { amount: '1000000' })
        return { order_no, refund_id: String(refund.id) }
      }
      case 'delivery': {
        const order = await this.#post('/v1/orders', { amount_usd: 20, webhook_url: `${this.#receiver.url}/hook` })
        await this.#simulate(String(order.order_no), 'pay', 'settle')
        let found: { id: string; status: string }[] = []
        await until(async () => {
          found = (await this.#get(`/v1/deliveries?order_no=${order.order_no}`)).data as typeof found
          return found.length > 0 && found.every(({ status }) => status === 'succeeded')
        }, 'deliveries that have come')
        return { delivery_id: found[0]?.id ?? '' }
      }
      case 'endpoint':
        return {
          endpoint_id: String((await this.#post('/v1/webhook_endpoints', { url: `${this.#receiver.url}/e` })).id),
        }
      case 'link':
        return { link_id: String((await this.#post('/v1/payment_links', { title: 'Mug', amount_min: '1' })).id) }
      case 'invoice': {
        const lines = [{ description: 'Work', quantity: '1', unit_price: '80' }]
        const body = { due_date: '2099-12-31', payer_email: 'ann@client.example', lines }
        return { invoice_id: String((await this.#post('/v1/invoices', body)).id) }
      }
    }
  }

  async event(): Promise<void> {
    await this.#simulate(await this.#order('pending'), 'pay')
  }

  async #order(state: (Subject & { kind: 'order' })['state']): Promise<string> {
    if (state === 'settled' && this.#settled !== null) return this.#settled
    const order = await this.#post('/v1/orders', { amount_usd: 50, settle_chain: 'base' })
    const order_no = String(order.order_no)
    if (state === 'pending' || state === 'unpaid') return order_no
    // The payer gives an address for refunds before paying, in a browser that keeps the cookie.
    const checkout = `${this.#url}/checkout/${String(order.checkout_url).split('/').at(-1)}`
    const chosen = await call(`${checkout}/pay`, 'POST', {
      body: { chain: 'base', asset: 'USDC', refund_address: PAYER },
    })
    assert.equal(chosen.status, 200, chosen.text)
    const headers = { cookie: (chosen.headers.getSetCookie()[0] ?? '').split(';')[0] ?? '' }
    for (const action of state === 'settled' ? ['pay', 'settle'] : ['underpay', 'confirm']) {
      const done = await call(`${checkout}/simulate`, 'POST', { headers, body: { action } })
      assert.equal(done.status, 200, done.text)
    }
    if (state === 'settled') this.#settled = order_no
    return order_no
  }

  async #simulate(orderNo: string, ...actions: string[]): Promise<void> {
    for (const action of actions) await this.#post(`/v1/test/orders/${orderNo}/simulate`, { action })
  }

  async #post(path: string, body: object): Promise<Record<string, unknown>> {
    const answer = await call(this.#url + path, 'POST', { headers: { 'x-api-key': this.#key }, body })
    assert.ok(answer.status < 300, `${path}: ${answer.text}`)
    return answer.body
  }

  async #get(path: string): Promise<Record<string, unknown>> {
    return (await call(this.#url + path, 'GET', { headers: { 'x-api-key': this.#key } })).body
  }
}

const mark = (example: Example): string => `== ${example.call}`
const camel = (name: string): string => name.replace(/_(\w)/g, (_all, letter: string) => letter.toUpperCase())

/** One program of all examples: the language's prelude, and before each example its mark and the ids that it names. */
function program(language: Language, parts: readonly { example: Example; ids: Ids }[]): string {
  const indented = (text: string): string => text.replace(/^(?=.)/gm, '  ')
  const body = parts.map(({ example, ids }) => {
    const code = renderExample(example, language)
    const pairs = Object.entries(ids)
    if (language === 'sh')
      return [`echo '${mark(example)}'`, ...pairs.map(([k, v]) => `${k.toUpperCase()}=${v}`), code, 'echo'].join('\n')
    if (language === 'ts') {
      const named = pairs.map(([k, v]) => `const ${camel(k)} = '${v}'`)
      return ['{', indented([`console.log('${mark(example)}')`, ...named, code].join('\n')), '}'].join('\n')
    }
    if (language === 'python')
      return [`print("${mark(example)}", flush=True)`, ...pairs.map(([k, v]) => `${k} = "${v}"`), code].join('\n')
    return [`echo "${mark(example)}\\n";`, ...pairs.map(([k, v]) => `$${camel(k)} = '${v}';`), code].join('\n')
  })
  // The shell's is only about what to type, and the environment has it already.
  return [...(language === 'sh' ? [] : [preludes[language]]), ...body, ''].join('\n\n')
}

const files: Readonly<Record<Language, readonly [file: string, command: string, ...args: string[]]>> = {
  sh: ['examples.sh', 'bash', '-u'],
  ts: ['examples.mts', process.execPath],
  python: ['examples.py', 'python3', '-u'],
  php: ['examples.php', 'php'],
}

/**
 * Runs every example in this language.
 * @param folder where the language finds its library
 * @returns what each printed, by its call
 */
export async function runExamples(
  a: { url: string; folder: string; merchant: Merchant; receiver: Receiver },
  language: Language,
): Promise<Map<string, string>> {
  const stage = await Stage.make(a.url, a.merchant, a.receiver)
  // What never ends by itself comes last, and is ended once it has shown something.
  const order = examples.toSorted((x, y) => Number(x.many === 'stream') - Number(y.many === 'stream'))
  const parts: { example: Example; ids: Ids }[] = []
  for (const example of order) parts.push({ example, ids: await stage.ids(example.subject) })
  for (const { example, ids } of parts) {
    const missing = idsOf(example).filter((name) => ids[name] === undefined)
    assert.deepEqual(missing, [], `${example.call} names ids that nothing gives`)
  }
  const [file, command, ...args] = files[language]
  await writeFile(join(a.folder, file), program(language, parts))
  const { PATH = '', HOME = '' } = process.env
  const child = spawn(command, [...args, file], {
    cwd: a.folder,
    env: { PATH, HOME, FLORIN: a.url, FLORIN_API_KEY: stage.key },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let out = ''
  let said = ''
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString()
  })
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString()
  })
  const last = mark(order.at(-1) as Example)
  try {
    await until(async () => {
      const streamed = out.split(`${last}\n`)[1]
      if (child.exitCode !== null || /\S/.test(streamed ?? '')) return true
      // A stream tells what happens while it is open.
      if (streamed !== undefined) await stage.event()
      return false
    }, `the end of the examples in ${language}`).catch((cause: unknown) => {
      throw new Error(`so far: ${out.slice(-600)}\n${said.slice(-600)}`, { cause })
    })
    assert.equal(child.exitCode, null, `${out.slice(-1500)}\n${said.slice(-1500)}`)
  } finally {
    if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
  }
  return new Map(
    out
      .split(/^== /m)
      .slice(1)
      .map((part) => [part.slice(0, part.indexOf('\n')), part.slice(part.indexOf('\n') + 1).trim()]),
  )
}

/** What curl brought is the whole answer; what the libraries print is one line of it, or one for each item. */
export function judgeExamples(printed: ReadonlyMap<string, string>, language: Language): void {
  assert.deepEqual([...printed.keys()].toSorted(), examples.map(({ call: name }) => name).toSorted())
  for (const example of examples) {
    const text = printed.get(example.call) ?? ''
    if (example.isOftenEmpty && language !== 'sh') continue
    assert.notEqual(text, '', `${example.call} printed nothing in ${language}`)
    if (example.many === 'stream') continue
    if (language !== 'sh') {
      assert.doesNotMatch(text, /^(undefined|None|NaN|\[object)/m, `${example.call} in ${language}: ${text}`)
      continue
    }
    const answer = JSON.parse(text) as Record<string, unknown> & { error?: unknown; data?: Record<string, unknown>[] }
    // `error` of a sample that was sent says how that went.
    assert.ok(typeof answer.error !== 'object' || answer.error === null, `${example.call}: ${text}`)
    if (example.isOftenEmpty && answer.data?.length === 0) continue
    const shown = example.many === 'list' ? (answer.data?.[0] ?? {}) : answer
    assert.ok(example.shows in shown, `${example.call} has no ${example.shows}: ${text}`)
  }
}
