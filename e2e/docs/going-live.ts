// docs/going-live.md is run as it stands, from nothing to a settled order of one dollar: live mode on a local
// chain that has Base's number and, at their real addresses, tokens that have no worth. Only the page's first block is
// replaced, by values for the same names.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { createServer as createTlsServer } from 'node:tls'
import { anvilAccount } from '@florin/contracts/anvil-accounts'
import {
  createTestClient,
  createWalletClient,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  parseEther,
  publicActions,
} from 'viem'
import { startAnvil, toAnvil } from '../../packages/contracts/script/anvil.ts'
import { testUsdcAbi, testUsdcBytecode, testUsdtBytecode } from '../../packages/contracts/src/test-tokens.ts'
import { anAuthority } from '../../packages/server/test/certificate.ts'
import { freePort, until } from '../florin.ts'
import { call, startInbox } from '../merchant.ts'
import { blocksOf, quickNpm, Shell, type ShellName } from './shell.ts'

const root = join(import.meta.dirname, '../..')
const OPERATOR = 'boss@shop.example'
const MERCHANT = '0x52908400098527886E0F7030069857D2E4169EE7'
const OWNER = '0x00000000000000000000000000000000000a11ce'
const FEED = '0x000000000000000000000000000000000000fee0'
const payer = anvilAccount(5)
const guardian = anvilAccount(3).address

/** Answers decimals() with 8, and everything else like latestRoundData() of a dollar, now. */
const FEED_CODE: Hex = `0x${[
  '60003560e01c63313ce56714602e57',
  '60016000526305f5e1006020524260405242606052600160805260a06000f3',
  '5b600860005260206000f3',
].join('')}`

/** Stands in for Base on this machine: the tokens at their addresses, price feeds, a contract that owns. */
async function aBase(t: TestContext, values: { usdc: Hex; usdt: Hex }) {
  const anvil = await startAnvil({ chainId: 8453 })
  t.after(() => anvil.stop())
  const node = createTestClient({ mode: 'anvil', transport: toAnvil(anvil.url), pollingInterval: 20 }).extend(
    publicActions,
  )
  const wallet = createWalletClient({ transport: toAnvil(anvil.url), account: payer })
  for (const [address, bytecode] of [
    [values.usdc, testUsdcBytecode],
    [values.usdt, testUsdtBytecode],
  ] as const) {
    const hash = await wallet.deployContract({ abi: testUsdcAbi, bytecode, args: [], chain: null })
    const { contractAddress } = await node.waitForTransactionReceipt({ hash })
    await node.setCode({ address, bytecode: (await node.getCode({ address: contractAddress ?? '0x' })) ?? '0x' })
  }
  await node.setCode({ address: FEED, bytecode: FEED_CODE })
  await node.setCode({ address: OWNER, bytecode: '0x5b00' })
  return { url: anvil.url, node, wallet }
}

/** An exchange that sees every coin at a dollar. */
async function anExchange(t: TestContext): Promise<string> {
  const server = createServer((_request, response) => response.end('{"result":{"price":"1.0004"}}'))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A proxy with TLS before the service, under a certificate that the shell's programs trust. */
async function aProxy(t: TestContext, dir: string, port: number): Promise<{ url: string; ca: string }> {
  const authority = anAuthority()
  const ca = join(dir, 'root.pem')
  await writeFile(ca, authority.cert)
  const server = createTlsServer(authority.issue(['localhost']), (socket) => {
    const inner = connect(port, '127.0.0.1')
    socket.pipe(inner).pipe(socket)
    for (const one of [socket, inner]) one.on('error', () => socket.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const address = server.address()
  assert.ok(typeof address === 'object' && address !== null)
  return { url: `https://localhost:${address.port}`, ca }
}

const valueIn = (text: string, name: string): string => new RegExp(`\\b${name}=(\\S+)`).exec(text)?.[1] ?? ''

/**
 * @param a.dir the folder of a checkout.
 * @param a.path where programs are, such as the machine's own Node.
 * @param a.isRun whether Florin is started on what the blocks made, down to the settled order. Else each block is pasted all the same.
 */
export async function walkGoingLive(
  t: TestContext,
  a: { dir: string; shell: ShellName; path?: string | undefined; isRun: boolean },
): Promise<void> {
  const { dir } = a
  const blocks = (await blocksOf('going-live.md')).filter(({ language }) => language === 'sh')
  const [values, keys, deploy, settings, seed, start, key, golive, ...rest] = blocks
  assert.ok(values && keys && deploy && settings && seed && start && key && golive)
  assert.deepEqual([rest, values.kind, start.kind, key.kind, golive.kind], [[], 'values', 'start', 'key', 'golive'])
  const usdc = valueIn(values.text, 'USDC') as Hex
  const usdt = valueIn(values.text, 'USDT') as Hex

  const inbox = await startInbox()
  t.after(() => inbox.close())
  const port = await freePort()
  const base = await aBase(t, { usdc, usdt })
  const proxy = await aProxy(t, dir, port)
  const exchange = await anExchange(t)
  const given: Record<string, string> = {
    ...{ CHAIN: 'base', CHAIN_ID: '8453', OWNER, GUARDIAN: guardian, USDC: usdc, USDT: usdt },
    ...{ RPC_1: base.url, RPC_2: base.url.replace('127.0.0.1', 'localhost'), USDC_FEED: FEED, USDT_FEED: FEED },
    ...{ USDC_TICKER: `${exchange}/usdc-usd#result.price`, USDT_TICKER: `${exchange}/usdt-usd#result.price` },
    ...{ BASE_URL: proxy.url, PORT: String(port), SMTP_URL: inbox.smtpUrl, OPERATOR_EMAIL: OPERATOR },
    ...{ JOURNAL_DIR: join(dir, 'disk-2/journal'), BACKUP_DIR: join(dir, 'disk-3/backups') },
  }
  const asked = [...values.text.matchAll(/\b([A-Z_0-9]+)=/g)].map(([, name = '']) => name)
  assert.deepEqual(asked.toSorted(), Object.keys(given).toSorted(), 'the page asks for these, and for no other')

  const { HOME = '', NODE_COMPILE_CACHE = '' } = process.env
  const PATH = a.path ?? process.env.PATH ?? ''
  // A person does not ask for two codes within a minute.
  const trust = { NODE_EXTRA_CA_CERTS: proxy.ca }
  const machine = { PATH, HOME, NODE_COMPILE_CACHE, ...trust, ...quickNpm, RATE_LIMITS: 'off', NO_COLOR: '1' }
  const shell = new Shell(dir, machine, a.shell)
  t.after(() => shell.close())
  await shell.run(asked.map((name) => `export ${name}='${given[name]}'`).join('\n'))
  const printed = await shell.run(keys.text)
  const addresses = [...printed.matchAll(/0x[0-9a-fA-F]{40}/g)].map(([address]) => address as Hex)
  assert.equal(addresses.length, 2)
  for (const address of addresses) await base.node.setBalance({ address, value: parseEther('0.5') })

  const deployed = await shell.run(deploy.text)
  const entry = JSON.parse(deployed.slice(deployed.indexOf('\n{'), deployed.lastIndexOf('}') + 1))
  const written = await readFile(join(dir, 'rails.json'), 'utf8')
  assert.deepEqual(JSON.parse(written), entry, 'what was printed last is what the file has')
  await base.node.setIntervalMining({ interval: 1 })
  await shell.run(settings.text)
  for (const file of ['.env', 'rails.json', 'secrets/relayer.key']) {
    assert.equal((await stat(join(dir, file))).mode & 0o077, 0, `${file} is its owner's alone`)
  }
  await shell.run(seed.text)
  const backups = (await readdir(given.BACKUP_DIR ?? '')).toSorted()
  assert.equal(backups.length, 2)
  assert.equal(backups[1], `${backups[0]}.drilled`, 'one backup, whose restore was tried')
  if (!a.isRun) {
    await shell.run(key.text, { stdin: 'florin_live_key\n' })
    assert.match(await shell.run('echo "key $FLORIN_API_KEY"'), /^key florin_live_key$/m)
    assert.match(await shell.run(golive.text, { code: 1 }), /localhost/)
    return
  }

  const florin = spawn(a.shell, ['-c', start.text], { cwd: dir, env: machine, detached: true })
  let log = ''
  for (const stream of [florin.stdout, florin.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      log += chunk.toString()
    })
  }
  t.after(async () => {
    if (florin.exitCode !== null) return
    process.kill(-(florin.pid ?? 0), 'SIGTERM')
    await once(florin, 'exit')
  })
  const url = `http://localhost:${port}`
  await until(async () => {
    assert.equal(florin.exitCode, null, log)
    return (await fetch(`${url}/readyz`).catch(() => null))?.ok === true
  }, 'a Florin that is ready')

  // Step 7, by what the console calls.
  await call(`${url}/api/v1/auth/code`, 'POST', { body: { email: OPERATOR } })
  const login = await call<{ data: { token: string } }>(`${url}/api/v1/auth/login`, 'POST', {
    body: { email: OPERATOR, code: await inbox.codeFor(OPERATOR) },
  })
  const headers = { authorization: `Bearer ${login.body.data.token}` }
  const address = { chain: 'base', address: MERCHANT }
  const set = await call(`${url}/api/v1/boss/addresses`, 'PUT', { headers, body: address })
  assert.equal(set.status, 200, set.text)
  const made = await call<{ data: { api_key: string } }>(`${url}/api/v1/boss/appkeys`, 'POST', {
    ...{ headers, body: { name: 'live', mode: 'live' } },
  })
  assert.equal(made.status, 200, made.text)
  await shell.run(key.text, { stdin: `${made.body.data.api_key}\n` })

  // As it stands it mails the code and asks for it, and here is nobody to type it in.
  assert.match(await shell.run(golive.text, { code: 2 }), /A code was mailed to boss@shop\.example/)
  const withCode = async (more = ''): Promise<string> =>
    `${golive.text.trimEnd()} --code ${await inbox.codeFor(OPERATOR)} ${more}\n`
  const first = await shell.run(await withCode('--no-order'), { code: 1 })
  const page = await readFile(join(root, 'docs/going-live.md'), 'utf8')
  const points = [...page.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name)
  assert.ok(first.includes(`\n1 of ${points.length} are open.\n`), first)
  assert.match(first, /open {2}order .*\n.*Run it without --no-order\./)
  assert.deepEqual(
    [...first.matchAll(/^(?:ok|open) +(\w+)/gm)].map(([, name]) => name),
    points,
    'the page’s table has every point',
  )

  await shell.run(golive.text, { code: 2 })
  const whole = shell.run(await withCode('--json'))
  const orderOf = async () => {
    const { body } = await call<
      { data: { pay: { address: Hex; amount_due: string } | null }[] } & Record<string, unknown>
    >(`${url}/v1/orders?external_id=golive-base-USDC`, 'GET', { headers: { 'x-api-key': made.body.data.api_key } })
    return body.data[0]?.pay ?? null
  }
  await until(async () => (await orderOf()) !== null, 'the order that golive makes')
  const pay = await orderOf()
  assert.ok(pay)
  assert.equal(pay.amount_due, '1000000')
  const mint = encodeFunctionData({ abi: testUsdcAbi, functionName: 'mint', args: [pay.address, 1_000_000n] })
  await base.wallet.sendTransaction({ to: usdc, data: mint, chain: null })
  const out = await whole
  const told = JSON.parse(out.slice(out.indexOf('\n{') + 1, out.lastIndexOf('}') + 1)) as {
    passed: boolean
    checks: { status: string; summary: string }[]
  }
  assert.deepEqual([told.passed, told.checks.filter(({ status }) => status !== 'ok')], [true, []])
  assert.match(told.checks.at(-1)?.summary ?? '', new RegExp(`was paid and settled on ${MERCHANT}`))
  const units = await base.node.readContract({
    address: usdc,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [MERCHANT],
  })
  assert.equal(units, 1_000_000n, 'the dollar is the merchant’s')
  const env = await readFile(join(dir, '.env'), 'utf8')
  for (const name of ['MASTER_KEY', 'RELAYER_KEY_BASE']) {
    const secret = valueIn(env, name)
    assert.ok(secret.length >= 64 && ![printed, deployed, first, out, log].some((text) => text.includes(secret)), name)
  }
}
