// The drill: Florin is killed and its database deleted with orders open, and all money on their addresses reaches merchant or
// payer by the commands of docs/exit.md, from the chain, the journal and the recovery seed.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { toAnvil } from '@florin/contracts/anvil'
import type { Proof } from '@florin/protocol'
import { createPublicClient, createTestClient, createWalletClient, erc20Abi, type Hex, parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { builtProgram } from '../packages/cli/test/program.ts'
import { type Devnet, startDevnet } from '../packages/contracts/script/devnet.ts'
import { openPool } from '../packages/platform/src/db/pool.ts'
import { MASTER_KEY } from '../packages/server/test/deploy/master-keys.ts'
import { sized } from '../scripts/sizes.ts'
import { type Florin, startFlorin } from './florin.ts'
import { call, type Inbox, type Merchant, signUp, startInbox } from './merchant.ts'

const root = join(import.meta.dirname, '..')
const MERCHANT = '0x52908400098527886E0F7030069857D2E4169EE7'
const PAYER = '0x8617E340B3D01FA5F11F306F4090FD50E238070D'
const ORDERS = sized({ short: 8, full: 50 })
const FEE_BPS = 125n
const DAY = 86_400

interface Leg {
  chain: string
  address: Hex
  contract: Hex | null
  amount_due: string
  proof: Proof
}

/** What is done to the order, and what of it belongs to whom in the end. */
interface Kind {
  asset: 'USDC' | 'USDT' | 'ETH'
  isBound: boolean
  paid: (due: bigint) => bigint
  isMerchants: boolean
  /** Sent in the other dollar. */
  isWrongCoin?: true
}

const all = (due: bigint): bigint => due
const third = (due: bigint): bigint => due / 3n
const kinds: readonly Kind[] = [
  { asset: 'USDC', isBound: false, paid: all, isMerchants: true },
  { asset: 'USDT', isBound: true, paid: all, isMerchants: true },
  { asset: 'USDC', isBound: true, paid: third, isMerchants: false },
  { asset: 'USDC', isBound: false, paid: third, isMerchants: true },
  { asset: 'USDT', isBound: false, paid: () => 0n, isMerchants: true },
  { asset: 'ETH', isBound: true, paid: all, isMerchants: true },
  { asset: 'USDC', isBound: true, paid: all, isMerchants: false, isWrongCoin: true },
  { asset: 'ETH', isBound: true, paid: third, isMerchants: false },
]

let place = ''
let devnet: Devnet
let inbox: Inbox
let florin: Florin
let shop: Merchant
let database: { url: string; drop(): Promise<void> }

before(async () => {
  place = await mkdtemp(join(tmpdir(), 'florin-exit-'))
  database = await aDatabase()
  ;[devnet, inbox] = await Promise.all([startDevnet(), startInbox()])
  florin = await startFlorin({
    ...{ SMTP_URL: inbox.smtpUrl, RAILS_CONFIG: devnet.railsConfig, FEE_BPS: String(FEE_BPS), MASTER_KEY },
    ...{ DATABASE_URL: database.url, JOURNAL_DIR: join(place, 'journal') },
  })
  shop = await signUp(florin.url, inbox, 'exit@shop.example')
})

after(async () => {
  await florin?.close()
  await inbox?.close()
  await devnet?.stop()
  await database?.drop()
  await rm(place, { recursive: true, force: true })
})

async function aDatabase(): Promise<typeof database> {
  const cluster = process.env.FLORIN_TEST_PG ?? ''
  const name = `exit_${randomBytes(4).toString('hex')}`
  const admin = openPool({ url: cluster, max: 1, applicationName: 'exit drill' })
  await admin.unsafe(`create database ${name}`)
  let isThere = true
  return {
    url: Object.assign(new URL(cluster), { pathname: `/${name}` }).href,
    async drop() {
      if (!isThere) return
      isThere = false
      await admin.unsafe(`drop database ${name} with (force)`)
      await admin.end()
    },
  }
}

/** Runs a line of docs/exit.md as a person does who copies it. */
async function documented(line: string, environment: Record<string, string> = {}) {
  const text = await readFile(join(root, 'docs/exit.md'), 'utf8')
  const blocks = [...text.matchAll(/```sh\n([\s\S]*?)```/g)].map((match) => match[1] ?? '')
  assert.ok(
    blocks.some((block) => block.split('\n').includes(line)),
    `docs/exit.md has no command: ${line}`,
  )
  return run(line, environment)
}

function run(line: string, environment: Record<string, string> = {}) {
  const env = {
    ...{ PATH: process.env.PATH, HOME: place, RPC: devnet.url, RPC2: devnet.url },
    ...{ FLORIN_BASE_URL: florin.url, FLORIN_API_KEY: shop.apiKey },
    ...environment,
  }
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    execFile('sh', ['-c', line], { cwd: place, env }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    )
  })
}

const client = () => createPublicClient({ transport: toAnvil(devnet.url), pollingInterval: 20 })
const nodeTools = () => createTestClient({ mode: 'anvil', transport: toAnvil(devnet.url) })

function unitsOf(token: Hex | null, who: Hex): Promise<bigint> {
  if (token === null) return client().getBalance({ address: who })
  return client().readContract({ address: token, abi: erc20Abi, functionName: 'balanceOf', args: [who] })
}

async function anOrder(kind: Kind): Promise<{ orderNo: string; leg: Leg }> {
  const body = {
    amount_usd: 30,
    settle_chain: 'base',
    settle_asset: kind.asset,
    pay_chain: 'base',
    pay_asset: kind.asset,
  }
  const created = await call<{ order_no: string; checkout_url: string; pay: Leg }>(`${florin.url}/v1/orders`, 'POST', {
    ...{ headers: shop.key, body },
  })
  assert.equal(created.status, 201, created.text)
  if (!kind.isBound) return { orderNo: created.body.order_no, leg: created.body.pay }
  const checkout = created.body.checkout_url.replace('/pay/', '/checkout/')
  const bound = await call<{ pay: Leg }>(`${checkout}/refund-address`, 'POST', { body: { address: PAYER } })
  assert.equal(bound.status, 200, bound.text)
  assert.equal(bound.body.pay.proof.route.refundTo.toLowerCase(), PAYER.toLowerCase())
  return { orderNo: created.body.order_no, leg: bound.body.pay }
}

async function send(token: Hex | null, to: Hex, units: bigint): Promise<void> {
  const wallet = createWalletClient({ transport: toAnvil(devnet.url), account: privateKeyToAccount(devnet.payer.key) })
  const hash =
    token === null
      ? await wallet.sendTransaction({ to, value: units, chain: null })
      : await wallet.writeContract({
          address: token,
          abi: erc20Abi,
          functionName: 'transfer',
          args: [to, units],
          chain: null,
        })
  await client().waitForTransactionReceipt({ hash })
}

async function travel(days: number): Promise<void> {
  await nodeTools().increaseTime({ seconds: days * DAY })
  await nodeTools().mine({ blocks: 1 })
}

async function aWallet(file: string): Promise<void> {
  const key = generatePrivateKey()
  await nodeTools().setBalance({ address: privateKeyToAccount(key).address, value: parseEther('10') })
  await writeFile(join(place, file), `${key}\n`)
}

interface Listed {
  vaults: {
    vault: string
    fault: string | null
    holdings: { token: Hex; units: string }[]
    calls: { name: string; by: string; is_open: boolean }[]
  }[]
  sent: { vault: string; call: string }[]
}

test(`${ORDERS} orders are open, Florin is killed, its database deleted: all money reaches whom it belongs to`, async () => {
  await symlink(await builtProgram(), join(place, 'florin'))
  const orders: { kind: Kind; orderNo: string; leg: Leg; token: Hex | null; units: bigint }[] = []
  for (let n = 0; n < ORDERS; n++) {
    const kind = kinds[n % kinds.length]
    assert.ok(kind)
    const { orderNo, leg } = await anOrder(kind)
    const token = kind.isWrongCoin ? devnet.usdt : leg.contract
    orders.push({ kind, orderNo, leg, token, units: kind.paid(BigInt(leg.amount_due)) })
  }
  const exported = await new Promise<string>((resolve, reject) => {
    const { PATH, NODE_COMPILE_CACHE } = process.env
    const env = {
      PATH,
      NODE_COMPILE_CACHE,
      DATABASE_URL: database.url,
      MASTER_KEY,
      JOURNAL_DIR: join(place, 'journal'),
    }
    const command = join(root, 'packages/server/src/recovery/command.ts')
    execFile(
      process.execPath,
      [command, 'export', '--out', join(place, 'seed.txt')],
      { env },
      (error, _stdout, stderr) => (error === null ? resolve(stderr) : reject(new Error(stderr))),
    )
  })
  assert.match(exported, /Keep it where neither this machine/)
  assert.match(florin.output(), /The recovery seed was never exported/)
  const [first] = orders
  assert.ok(first)
  const asked = await documented('./florin exit "$ORDER_NO" --rpc "$RPC"', { ORDER_NO: first.orderNo })
  assert.equal(asked.code, 0, asked.stderr)
  assert.match(asked.stdout, new RegExp(`${first.leg.address}.*code verified.*Nothing lies there`, 's'))

  const owners = [MERCHANT, PAYER] as const
  const coins = [devnet.usdc, devnet.usdt, null]
  const had = await Promise.all(owners.flatMap((who) => coins.map((coin) => unitsOf(coin, who))))
  const isShort = ({ kind }: { kind: Kind }): boolean => kind.paid(3n) < 3n || kind.isWrongCoin === true
  const pay = async (some: typeof orders): Promise<void> => {
    for (const { token, leg, units } of some) if (units > 0n) await send(token, leg.address, units)
  }
  await pay(orders.filter(isShort))
  await florin.kill()
  await database.drop()
  await rm(florin.dataDir, { recursive: true, force: true })

  // Payers go on paying what they were shown.
  await pay(orders.filter((one) => !isShort(one)))

  await aWallet('wallet.key')
  const list = './florin exit --journal journal --seed-file seed.txt --rpc "$RPC"'
  const early = await run(`${list} --json`)
  assert.equal(early.code, 0, early.stderr)
  const seen = JSON.parse(early.stdout) as Listed
  const paid = orders.filter(({ units }) => units > 0n)
  assert.deepEqual(
    seen.vaults.map(({ vault }) => vault).sort(),
    paid.map(({ leg }) => leg.address.toLowerCase()).sort(),
  )
  for (const vault of seen.vaults) {
    assert.equal(vault.fault, null)
    assert.deepEqual(
      vault.calls.filter((one) => one.by === 'anybody' && one.is_open),
      [],
    )
  }
  await travel(8)
  const shown = await documented(list)
  assert.match(shown.stdout, /settleOpen {7}.*to the merchant.*sent by anybody/)
  assert.match(shown.stdout, /settleOpen {7}.*to the refund address/)
  const everything = await run(`${list} --all`)
  for (const { stderr } of [shown, everything])
    assert.match(stderr, new RegExp(`^${paid.length} of \\d+ addresses hold`, 'm'))
  const moved = await documented(`${list} --key-file wallet.key --yes`)
  assert.equal(moved.code, 0, moved.stderr)
  const wrongCoins = paid.filter(({ kind }) => kind.isWrongCoin).length
  assert.equal(moved.stdout.match(/^sent settleOpen:/gm)?.length, paid.length - wrongCoins)
  await travel(91)
  const rest = await run(`${list} --key-file wallet.key --yes`)
  assert.equal(rest.code, 0, rest.stderr)
  assert.equal(rest.stdout.match(/^sent settleOpenNoFee: .* to the refund address/gm)?.length, wrongCoins)

  for (const { leg } of orders)
    for (const coin of coins) assert.equal(await unitsOf(coin, leg.address), 0n, leg.address)
  const has = await Promise.all(owners.flatMap((who) => coins.map((coin) => unitsOf(coin, who))))
  const expected = owners.flatMap((who) =>
    coins.map((coin) =>
      orders
        .filter((one) => one.kind.isMerchants === (who === MERCHANT) && isSame(one.token, coin))
        .reduce((sum, { units, kind }) => sum + (kind.isMerchants ? units - (units * FEE_BPS) / 10_000n : units), 0n),
    ),
  )
  assert.deepEqual(
    has.map((units, n) => units - (had[n] ?? 0n)),
    expected,
    'merchant and payer, to the last unit',
  )
  const again = await run(`${list} --json`)
  assert.deepEqual((JSON.parse(again.stdout) as Listed).vaults, [])
})

const isSame = (a: Hex | null, b: Hex | null): boolean => (a ?? '').toLowerCase() === (b ?? '').toLowerCase()
