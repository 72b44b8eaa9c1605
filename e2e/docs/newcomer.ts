// Somebody with nothing but the documentation: follows start.md with the receiver of one language.
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { type Florin, until } from '../florin.ts'
import { call, type Merchant } from '../merchant.ts'
import { type Block, blocksOf, Shell, type ShellName } from './shell.ts'

const tabs = { node: 'ts', python: 'python', php: 'php' } as const
type Receiving = keyof typeof tabs
/** A Florin that somebody runs in a terminal. */
type Printing = Pick<Florin, 'url' | 'output'>

/** The newest code that Florin printed for whoever has no mail server, of those that were not used yet. */
const used = new WeakMap<object, number>()
export async function printedCode(florin: Printing): Promise<string> {
  let code = ''
  await until(() => {
    const codes = [...florin.output().matchAll(/│ (\d{6})\s/g)].map(([, found = '']) => found)
    const before = used.get(florin) ?? 0
    if (codes.length <= before) return false
    used.set(florin, codes.length)
    code = codes.at(-1) ?? ''
    return true
  }, 'a printed code')
  return code
}

let nextPort = 24_000 + (process.pid % 4_000)

/** Below the ports that the system gives to whoever asks for any, so nobody takes it meanwhile; and never given twice. */
async function quietPort(): Promise<number> {
  for (;;) {
    const port = nextPort++
    const isFree = await new Promise<boolean>((settle) => {
      const server = createServer()
      server.once('error', () => settle(false))
      server.listen(port, '127.0.0.1', () => server.close(() => settle(true)))
    })
    if (isFree) return port
  }
}

/** @returns the shell, in the folder that the page made, with what it set. */
export async function firstWebhook(
  t: TestContext,
  a: { florin: Printing; folder: string; language: Receiving; shell?: ShellName; path?: string | undefined },
): Promise<Shell> {
  const port = await quietPort()
  const blocks = (await blocksOf('start.md')).map((block) => ({
    ...block,
    text: block.text.replace(/\b4000\b/g, String(port)),
  }))
  const one = (match: (block: Block) => boolean): string => {
    const [block, ...rest] = blocks.filter(match)
    assert.ok(block !== undefined && rest.length === 0, 'start.md has this block once')
    return block.text
  }
  const command = (kind: string): string => one((block) => block.language === 'sh' && block.kind === kind)
  const { HOME = '' } = process.env
  const PATH = a.path ?? process.env.PATH ?? ''
  const environment = { PATH, HOME, FLORIN: a.florin.url, npm_config_cache: join(a.folder, '.npm') }
  const shell = new Shell(a.folder, environment, a.shell)
  t.after(() => shell.close())
  await printedBefore(a.florin)
  const made = await shell.runTyping(command('key'), () => printedCode(a.florin))
  assert.match(made, /key florin_test_/)

  const source = one(({ language, kind }) => kind === 'tab' && language === tabs[a.language])
  const name = /receiver\.\w+/.exec(source)?.[0] ?? ''
  await writeFile(join(a.folder, 'first-shop', name), source)
  await shell.run(command(a.language))
  // A person takes longer to read on than it takes to listen.
  await shell.run(`until curl -s -o /dev/null http://127.0.0.1:${port}; do sleep 0.1; done`)
  assert.match(await shell.run(command('order')), /^processing$[\s\S]*^success$/m)
  const verified = /verified order\.processing (\w+)[\s\S]*verified order\.success \1/
  await until(() => verified.test(shell.output()), `two verified webhooks; so far: ${shell.output()}`)
  assert.equal((await shell.run('jobs -p')).split('\n').length > 1, true, 'the receiver still runs')
  return shell
}

async function printedBefore(florin: Printing): Promise<void> {
  used.set(florin, [...florin.output().matchAll(/│ (\d{6})\s/g)].length)
}

export async function signUpPrinted(florin: Florin, email: string): Promise<Merchant> {
  const { url } = florin
  await printedBefore(florin)
  await call(`${url}/api/v1/auth/code`, 'POST', { body: { email } })
  const login = await call<{ data: { token: string } }>(`${url}/api/v1/auth/login`, 'POST', {
    body: { email, code: await printedCode(florin) },
  })
  const { token } = login.body.data
  const headers = { authorization: `Bearer ${token}` }
  await call(`${url}/api/v1/boss/addresses`, 'PUT', {
    headers,
    body: { chain: 'base', address: '0x52908400098527886E0F7030069857D2E4169EE7' },
  })
  return { email, token, apiKey: '', webhookSecret: '', console: headers, key: { 'x-api-key': '' } }
}
