// Promises: the clients of one file do in Python and PHP, on Debian's interpreters, what the pages say: start.md with either
// receiver, every example of the reference, the examples of libraries.md, and the shared vectors of the signature.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { checkVectors } from '../../packages/protocol/test/vectors.ts'
import { signTestWebhook } from '../../packages/sdk/src/index.ts'
import { needsDebian } from '../../packages/server/test/debian.ts'
import { type Florin, startFlorin } from '../florin.ts'
import { type Receiver, startReceiver } from '../receiver.ts'
import { judgeExamples, runExamples } from './examples.ts'
import { firstWebhook, signUpPrinted } from './newcomer.ts'
import { blocksOf } from './shell.ts'

const root = join(import.meta.dirname, '../..')
const clients = { python: 'examples/python/florin.py', php: 'examples/php/florin.php' } as const
const interpreters = { python: 'python3', php: 'php' } as const
const secret = 'whsec_0123456789ABCDEFGHIJKLMNOPQRSTUV'

let florin: Florin
let receiver: Receiver
let folder: string

before(async () => {
  await needsDebian('python3', 'php-cli', 'curl')
  folder = await mkdtemp(join(tmpdir(), 'florin-clients-'))
  receiver = await startReceiver()
  florin = await startFlorin()
})
after(async () => {
  await florin?.close()
  await receiver?.close()
  await rm(folder, { recursive: true, force: true })
})

for (const language of ['python', 'php'] as const) {
  test(`start.md with the receiver in ${language}`, async (t) => {
    const own = join(folder, `newcomer-${language}`)
    await mkdir(own)
    await firstWebhook(t, { florin, folder: own, language })
  })

  test(`every example of the reference answers in ${language}`, async () => {
    const own = join(folder, language)
    await mkdir(own)
    await copyFile(join(root, clients[language]), join(own, `florin.${language === 'php' ? 'php' : 'py'}`))
    const merchant = await signUpPrinted(florin, `${language}@shop.example`)
    judgeExamples(await runExamples({ url: florin.url, folder: own, merchant, receiver }, language), language)
  })

  test(`the examples of libraries.md in ${language}`, async () => {
    const own = join(folder, language)
    const blocks = (await blocksOf('libraries.md')).filter((one) => one.kind === 'tab' && one.language === language)
    assert.equal(blocks.length, 3)
    const { rawBody, headers } = signTestWebhook({ secret, event: 'order.success', order: { external_id: 'A-1001' } })
    await writeFile(join(own, 'body'), rawBody)
    const signature = Object.entries(headers).find(([name]) => name.toLowerCase() === 'x-service-signature')?.[1] ?? ''
    const asks = {
      python: `print(handle(open("body", "rb").read(), {"X-Service-Signature": "${signature}"}))`,
      php: `echo handle(file_get_contents('body'), ['x-service-signature' => '${signature}']), "\\n";`,
    }
    const file = language === 'php' ? 'libraries.php' : 'libraries.py'
    await writeFile(join(own, file), [...blocks.map(({ text }) => text), asks[language], ''].join('\n'))
    const merchant = await signUpPrinted(florin, `${language}-2@shop.example`)
    const made = await fetch(`${florin.url}/api/v1/boss/appkeys`, {
      method: 'POST',
      headers: { ...merchant.console, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'lib', mode: 'test' }),
    })
    const { data } = (await made.json()) as { data: { api_key: string } }
    const env = { PATH: process.env.PATH ?? '', FLORIN: florin.url, FLORIN_API_KEY: data.api_key }
    const { stdout } = await promisify(execFile)(interpreters[language], [file], {
      ...{ cwd: own, env: { ...env, FLORIN_WEBHOOK_SECRET: secret } },
    })
    assert.equal(stdout, 'invalid_amount amount_usd\norder.success A-1001\n')
  })

  test(`the shared vectors of the signature in ${language}`, async () => {
    const own = join(folder, language)
    // White space around a secret, or quotes, is another secret here; the library has more to say about it.
    const vectors = checkVectors.filter(({ reason }) => reason !== 'body_parsed')
    const raw = vectors.map(({ body, ...vector }) => ({ ...vector, body: body.toString('base64') }))
    await writeFile(join(own, 'vectors.json'), JSON.stringify(raw))
    const file = `vectors.${language === 'php' ? 'php' : 'py'}`
    await writeFile(join(own, file), vectorPrograms[language])
    const { stdout } = await promisify(execFile)(interpreters[language], [file], { cwd: own })
    const taken = new Map(JSON.parse(stdout) as [string, boolean][])
    for (const { name, reason, body } of vectors) {
      // A genuine signature over what is no event is refused as well.
      if (reason === null && !isEvent(body)) continue
      assert.equal(taken.get(name), reason === null, name)
    }
  })
}

const isEvent = (body: Buffer): boolean => body.toString().includes('"order":{')

const vectorPrograms = {
  python: `import base64, json
from florin import WebhookVerificationError, verify_webhook

taken = []
for one in json.load(open("vectors.json")):
    headers = {} if one["header"] is None else {"x-service-signature": one["header"]}
    try:
        verify_webhook(base64.b64decode(one["body"]), headers, one["secrets"], now=one["now"])
        taken.append([one["name"], True])
    except WebhookVerificationError:
        taken.append([one["name"], False])
print(json.dumps(taken))
`,
  php: `<?php
require 'florin.php';

$taken = [];
foreach (json_decode(file_get_contents('vectors.json'), true) as $one) {
    $headers = $one['header'] === null ? [] : ['X-Service-Signature' => $one['header']];
    try {
        verify_webhook(base64_decode($one['body']), $headers, $one['secrets'], now: $one['now']);
        $taken[] = [$one['name'], true];
    } catch (WebhookVerificationError) {
        $taken[] = [$one['name'], false];
    }
}
echo json_encode($taken);
`,
}
