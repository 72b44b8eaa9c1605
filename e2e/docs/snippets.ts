// Who runs each example of the documentation. A block of code that nobody claims fails a test, and so does a claim that no
// block answers to.
import assert from 'node:assert/strict'
import { access, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseRailsConfig } from '../../packages/rail-evm/src/settings/config.ts'
import { parseIntents } from '../../packages/rail-intents/src/settings/config.ts'
import { parseUtxoChains } from '../../packages/rail-utxo/src/settings/config.ts'
import { signTestWebhook, verifyWebhook } from '../../packages/sdk/src/index.ts'
import { masterKeyOf } from '../../packages/server/test/deploy/master-keys.ts'
import { type Block, blocksOf, docs, pasted, type Shell } from './shell.ts'

/** How a block begins, and who runs it: a test, or why there is none. */
type Claim = readonly [begins: string, by: string]

const here = 'e2e/docs/docs.test.ts'
const system = 'e2e/docs/docs.system.test.ts'
const golive = 'e2e/golive.slow.test.ts'
const exit = 'e2e/exit.slow.test.ts'
/** With paths and nodes of its own in place of these. */
const exitCommand = 'packages/cli/test/exit.test.ts'

/** The blocks of each page in their order. A page that is not here has none. */
const claims: Readonly<Record<string, readonly Claim[]>> = {
  'conventions.md': [['curl -sS "$FLORIN/v1/chains"', here]],
  'currencies.md': [['{ "amount": "49.90", "currency": "EUR"', here]],
  'exit.md': [
    ['./florin exit proof.json --rpc "$RPC"\n', exitCommand],
    ['./florin exit "$ORDER_NO"', exit],
    ['./florin exit proof.json --rpc "$RPC" --key-file', exitCommand],
    ['./florin exit proof.json --page', exitCommand],
    ['./florin exit proof.json --serve', exitCommand],
    ['./florin exit --journal journal --seed-file seed.txt --rpc "$RPC"\n', exit],
    ['./florin exit --journal journal --seed-file seed.txt --rpc "$RPC" --key-file', exit],
  ],
  'going-live.md': Array.from({ length: 8 }, () => ['', golive] as const),
  'idempotency.md': [['for n in 1 2; do', here]],
  'libraries.md': [
    ["import { Florin } from '@florin/sdk'", here],
    ['import os', system],
    ['<?php', system],
    ["import { FlorinError } from '@florin/sdk'", here],
    ['from florin import FlorinError', system],
    ['try {\n    $florin->orders', system],
    ["import { verifyWebhook } from '@florin/sdk'", here],
    ['from florin import verify_webhook', system],
    ['function handle(string', system],
  ],
  'limits.md': [
    ['RateLimit-Limit: 3000', 'packages/platform/src/http/server.test.ts'],
    ['RateLimit-Policy: "key"', 'packages/server/src/keys/guard.test.ts'],
  ],
  'operations.md': [
    ['alter role florin_app', 'packages/platform/src/db/pooler.system.test.ts'],
    ['backend florin', 'e2e/fleet/failover.faults.test.ts'],
    ['@embedpdf/fonts-sc', 'scripts/image.test.ts'],
    ['kubectl create secret generic florin', 'packages/server/test/deploy/chart.faults.test.ts'],
    ['rules:\n  external:', 'packages/server/test/deploy/chart.faults.test.ts'],
    ['./florin reconcile --status open', here],
    ['scrape_configs:', 'packages/platform/src/measure/alerts.system.test.ts'],
  ],
  'rails.md': [
    // The demo is such a start, and pays by the same program.
    ['npm start -- --devnet', 'e2e/demo.slow.test.ts'],
    // Its values are placeholders: the block of going-live.md is the same command with real ones.
    ['npm run deploy -w @florin/contracts', golive],
    ['{\n  "chains": {\n    "base"', here],
    ['{\n  "chains": {\n    "btc"', here],
    ['{\n  "chains": {},\n  "intents"', here],
  ],
  'selling.md': [
    ['curl -sS "$FLORIN/v1/payment_links"', here],
    ['export FLORIN_BASE_URL=$FLORIN\n./florin links create', here],
    ['curl -sS "$FLORIN/v1/invoices"', here],
    ['./florin invoices create', here],
  ],
  'start.md': [
    ['npm start', 'e2e/pages/walk.test.ts'],
    ['mkdir -p first-shop', here],
    ['// receiver.mjs', here],
    ['# receiver.py', system],
    ['<?php\n// receiver.php', system],
    ['npm init -y', here],
    ['curl -sSO $FLORIN/docs/clients/florin.py', system],
    ['curl -sSO $FLORIN/docs/clients/florin.php', system],
    ['ORDER=$(json', here],
    ['verified order.processing', here],
  ],
  'test-mode.md': [
    ['ORDER=$(curl', here],
    ['pending partially_paid', here],
  ],
  'webhooks.md': [
    ['whsec_', here],
    ['X-Service-Signature: ', here],
    ['{"id":"evt_', here],
    ['printf \'%s\' "1760000000.$BODY"', here],
  ],
}

/** Whether it was given to a shell, alone or as part of a program; the port of start.md is one that was free. */
const wasPasted = ({ text }: Block): boolean =>
  pasted.some((given) =>
    text
      .trimEnd()
      .split(/\b4000\b/)
      .every((part) => given.includes(part)),
  )

/** Every block is claimed, every claim has a block, every test that is named is there, and what is run here was run. */
export async function checkClaims(): Promise<void> {
  const pages = (await readdir(docs)).filter((name) => name.endsWith('.md'))
  for (const page of new Set([...pages, ...Object.keys(claims)])) {
    const blocks = await blocksOf(page)
    const fences = (await readFile(join(docs, page), 'utf8')).match(/^ *```/gm) ?? []
    assert.equal(fences.length, 2 * blocks.length, `${page} has a block that does not say its language`)
    const own = claims[page] ?? []
    for (const [n, block] of blocks.entries()) {
      const { language, kind, text } = block
      const [begins, by] = own[n] ?? []
      assert.ok(begins !== undefined && text.startsWith(begins), `${page}: say in snippets.ts who runs\n${text}`)
      const isRun = language === 'sh' || kind === 'order' || (language === 'ts' && page !== 'start.md')
      if (by === here && isRun) assert.ok(wasPasted(block), `${page}: nothing ran\n${text}`)
    }
    assert.equal(blocks.length, own.length, `${page} has fewer blocks than snippets.ts says`)
    for (const [, by] of own) await access(join(docs, '..', by))
  }
}

const secret = 'whsec_0123456789ABCDEFGHIJKLMNOPQRSTUV'

const only = async (page: string, match: (block: Block) => boolean): Promise<string> => {
  const [block, ...rest] = (await blocksOf(page)).filter(match)
  assert.ok(block !== undefined && rest.length === 0, `${page} has this block once`)
  return block.text
}

/** The curl calls of selling.md and the commands of the pages, as somebody pastes them who did start.md. */
export async function runSelling(shell: Shell, program: string): Promise<void> {
  // As in a checkout of the source.
  await shell.run(
    `printf '#!/bin/sh\\nexec "%s" "%s" "$@"\\n' '${process.execPath}' '${program}' > florin && chmod +x florin`,
  )
  for (const page of ['selling.md', 'operations.md']) {
    for (const { kind, text } of await blocksOf(page)) {
      if (kind !== 'run' && kind !== 'cli') continue
      // What curl prints ends without a new line.
      const out = await shell.run(kind === 'run' ? `${text}echo\n` : text)
      if (kind === 'run') {
        const made = JSON.parse(out.split('\n')[0] ?? '') as { url?: string }
        assert.ok(made.url !== undefined, `${page}: ${out}`)
      } else {
        assert.equal(kind, 'cli')
        assert.match(out, text.startsWith('./florin reconcile') ? /^Books and chain agree\.$/m : / page +http/, page)
      }
    }
  }
}

/** The order of currencies.md is one that the service takes. */
export async function orderOfCurrencies(shell: Shell): Promise<void> {
  const text = await only('currencies.md', ({ kind }) => kind === 'order')
  const asked = JSON.parse(text) as Record<string, string>
  const send = `curl -sS "$FLORIN/v1/orders" -H "X-API-Key: $FLORIN_API_KEY" -H 'Content-Type: application/json' -d '${text}'`
  const made = JSON.parse((await shell.run(`${send}; echo\n`)).split('\n')[0] ?? '') as Record<string, unknown>
  assert.ok(made.pay, JSON.stringify(made))
  assert.deepEqual(
    [made.amount, made.currency, (made.pay as { chain: string }).chain],
    [asked.amount, asked.currency, asked.pay_chain],
  )
}

/** The TypeScript of libraries.md, as one program. */
export async function runLibraries(shell: Shell): Promise<void> {
  const blocks = (await blocksOf('libraries.md')).filter(({ kind, language }) => kind === 'tab' && language === 'ts')
  assert.equal(blocks.length, 3)
  const { rawBody, headers } = signTestWebhook({ secret, event: 'order.success', order: { external_id: 'A-1001' } })
  const asks = `console.log(handle(Buffer.from('${Buffer.from(rawBody).toString('hex')}', 'hex'), ${JSON.stringify(headers)}))`
  const program = [...blocks.map(({ text }) => text), asks, ''].join('\n')
  const out = await shell.run(
    `cat > libraries.mjs << 'END'\n${program}END\nFLORIN_WEBHOOK_SECRET=${secret} node libraries.mjs`,
  )
  assert.match(out, /^invalid_amount amount_usd\norder\.success A-1001\n/)
}

/** The sample of webhooks.md is what openssl and the library take for signed, and an event as the document describes it. */
export async function runWebhooks(shell: Shell, orderFields: readonly string[]): Promise<void> {
  const block = async (name: string) => (await only('webhooks.md', ({ kind }) => kind === name)).trimEnd()
  const [given, header, body] = await Promise.all([block('secret'), block('header'), block('body')])
  const [name = '', signature = ''] = header.split(': ')
  const at = { secret: given, headers: { [name]: signature }, now: 1_760_000_000 }
  const event = verifyWebhook({ ...at, rawBody: body })
  assert.equal(event.event, 'order.success')
  assert.deepEqual(
    Object.keys(event.order).filter((field) => !orderFields.includes(field)),
    [],
  )
  assert.throws(() => verifyWebhook({ ...at, rawBody: body.replace('49.9', '49.8') }))
  const digest = await block('digest')
  const out = await shell.run(`(BODY='${body}'; FLORIN_WEBHOOK_SECRET=${given}\n${digest}\n)`)
  assert.ok(out.includes(signature.split('v1=')[1] ?? '?'), out)
}

/** The rails files of rails.md are read without a fault, once what stands for an address is one. */
export async function readRailsFiles(): Promise<void> {
  const key = `0x${masterKeyOf('relayer')}`
  const environment = { RELAYER_KEY_BASE: key, ONECLICK_KEY: 'k'.repeat(16), ONECLICK_FEED_KEY: 'k'.repeat(16) }
  let n = 0
  for (const { text } of (await blocksOf('rails.md')).filter(({ language }) => language === 'json')) {
    const file = text.replace(/0x…[^"]*/g, () => `0x${String(++n).padStart(40, '0')}`)
    const found = parseRailsConfig(file, environment).length + parseUtxoChains(file, environment).length
    assert.ok(found + (parseIntents(file, environment) === null ? 0 : 1) > 0, text)
  }
}
