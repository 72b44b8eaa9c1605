// Promises of `florin exit` on a real chain: it believes no proof, node or factory that does not hold, sends nothing without a
// key, and finds the call that goes through. The way from order to empty vault is the drill in e2e.

import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, type TestContext } from 'node:test'
import { type Hex, shown, writeProof } from '@florin/exit'
import { createPublicClient, createTestClient, createWalletClient, erc20Abi, parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { slowTest, quickTest as test } from '../../../scripts/sizes.ts'
import { anvilAccount, anvilKey } from '../../contracts/script/accounts.ts'
import { toAnvil } from '../../contracts/script/anvil.ts'
import { type Devnet, startDevnet } from '../../contracts/script/devnet.ts'
import { payFactoryAbi } from '../../contracts/src/index.ts'
import { type Route, vaultOf } from '../../contracts/src/route.ts'
import { testUsdcAbi } from '../../contracts/src/test-tokens.ts'
import { aLyingNode, type Lie } from '../../rail-evm/src/test/lying-node.fixture.ts'
import { aPlace, type Place } from './program.ts'

const MERCHANT: Hex = '0x52908400098527886e0f7030069857d2e4169ee7'
const PAYER: Hex = '0x8617e340b3d01fa5f11f306f4090fd50e238070d'
const DAY = 86_400

let devnet: Devnet
before(async () => {
  devnet = await startDevnet()
})
after(() => devnet?.stop())

const reader = () => createPublicClient({ transport: toAnvil(devnet.url), pollingInterval: 20 })
const tools = () => createTestClient({ mode: 'anvil', transport: toAnvil(devnet.url) })
const unitsOf = (who: Hex): Promise<bigint> =>
  reader().readContract({ address: devnet.usdc, abi: erc20Abi, functionName: 'balanceOf', args: [who] })

async function mined(hash: Promise<Hex>): Promise<void> {
  assert.equal((await reader().waitForTransactionReceipt({ hash: await hash })).status, 'success')
}

async function travel(days: number): Promise<void> {
  await tools().increaseTime({ seconds: days * DAY })
  await tools().mine({ blocks: 1 })
}

let refs = 0

/** A vault with so much on it, its proof in a file of the place. */
async function aVault(place: Place, a: { units: bigint; route?: Partial<Route> }) {
  const { chains } = JSON.parse(devnet.railsConfig) as {
    chains: Record<string, { factory: Hex; impl: Hex; collector: Hex }>
  }
  const { factory, impl, collector } = chains.base ?? assert.fail('no base')
  const { timestamp } = await reader().getBlock()
  refs += 1
  const route: Route = {
    ...{ chainId: 31_337n, ref: `0x${refs.toString(16).padStart(64, '0')}`, token: devnet.usdc, merchant: MERCHANT },
    ...{
      collector: collector.toLowerCase() as Hex,
      feeBps: 100,
      minAmount: 5_000_000n,
      openAfter: Number(timestamp) + DAY,
      refundTo: PAYER,
    },
    ...a.route,
  }
  const vault = vaultOf(factory, impl, route)
  const wallet = createWalletClient({ transport: toAnvil(devnet.url), account: privateKeyToAccount(devnet.payer.key) })
  const transfer = { address: devnet.usdc, abi: erc20Abi, functionName: 'transfer', chain: null } as const
  if (a.units > 0n) await mined(wallet.writeContract({ ...transfer, args: [vault, a.units] }))
  const proof = writeProof({ chainId: 31_337, factory, impl, vault, route })
  await writeFile(join(place.home, 'proof.json'), JSON.stringify(proof))
  return { vault, factory, proof, route }
}

async function aWallet(place: Place, key: Hex = generatePrivateKey()): Promise<void> {
  await tools().setBalance({ address: privateKeyToAccount(key).address, value: parseEther('1') })
  await writeFile(join(place.home, 'wallet.key'), key)
}

const lying = async (t: TestContext, method: string, lie: (result: string) => unknown) => {
  const answer: Lie = (call) => (call.method === method ? { edit: (result) => lie(String(result)) } : null)
  return (await aLyingNode(t, devnet.url, answer)).url
}

test('it shows what lies there and when which call opens, and without a key prints what a wallet would send', async (t) => {
  const place = await aPlace(t)
  const { vault, factory } = await aVault(place, { units: 5_000_000n })
  const early = await place.run(['exit', 'proof.json', '--rpc', devnet.url])
  assert.equal(early.code, 0, early.stderr)
  assert.match(early.stdout, new RegExp(`address +${shown(vault)} on chain 31337`))
  assert.match(early.stdout, /lies there +5 USDC/)
  assert.match(early.stdout, /least +5 USDC/)
  assert.match(
    early.stdout,
    /from 20\S+ +settleOpen +5 USDC to the merchant 0x5290\S+, of it 0.05 USDC fee +sent by anybody/,
  )
  assert.match(early.stdout, /now +settle +5 USDC to the merchant .*sent by a relayer key/)
  assert.ok(!early.stdout.includes('"data"'))
  await travel(2)
  const open = await place.run(['exit', 'proof.json', '--rpc', devnet.url])
  assert.match(open.stdout, /^network fee at most 0\.0\d+ \(native coin\): \d{6} gas at up to [\d.]+ gwei$/m)
  const line = open.stdout.split('\n').find((one) => one.startsWith('{')) ?? ''
  const { to, value, chainId, data } = JSON.parse(line) as Record<string, unknown>
  assert.deepEqual([to, value, chainId], [shown(factory), '0x0', 31_337])
  assert.equal(String(data).length, 2 + 8 + 9 * 64)
  const json = JSON.parse((await place.run(['exit', 'proof.json', '--rpc', devnet.url, '--json'])).stdout)
  assert.deepEqual(json.vaults[0].holdings, [{ token: devnet.usdc.toLowerCase(), units: '5000000' }])
  assert.equal(json.vaults[0].calls[0].is_open, true)
})

test('nodes that do not agree, and code that is not the pinned one, stop everything', async (t) => {
  const place = await aPlace(t)
  await aVault(place, { units: 5_000_000n })
  await travel(2)
  await aWallet(place)
  const had = await unitsOf(MERCHANT)
  const more = await lying(t, 'eth_call', () => `0x${'f'.repeat(64)}`)
  const another = await lying(t, 'eth_getBlockByNumber', () => null)
  const code = await lying(t, 'eth_getCode', (result) => result.replace('6080', '6081'))
  const empty = await lying(t, 'eth_getCode', () => '0x')
  const ask = (...urls: string[]) =>
    place.run(['exit', 'proof.json', ...urls.flatMap((url) => ['--rpc', url]), '--key-file', 'wallet.key', '--yes'])
  for (const [urls, sentence] of [
    [[devnet.url, more], /do not agree on what lies there/],
    [[devnet.url, another], /does not know block/],
    [[devnet.url, code], /do not agree on the code of the factory/],
    [[code], /not the forwarder that this program knows/],
    [[empty], /The factory is not on this chain/],
    [['http://127.0.0.1:9'], /127\.0\.0\.1:9 does not answer/],
    [['ftp://node'], /A node is named by its URL/],
  ] as const) {
    const { code: status, stdout, stderr } = await ask(...urls)
    assert.equal(status, 1, `${stdout}${stderr}`)
    assert.match(`${stdout}${stderr}`, sentence)
    assert.ok(!stdout.includes('sent '))
  }
  assert.equal(await unitsOf(MERCHANT), had)
  assert.match((await ask(devnet.url, devnet.url)).stdout, /^sent settleOpen: 5 USDC to the merchant/m)
  assert.equal((await unitsOf(MERCHANT)) - had, 4_950_000n)
})

test('a merchant that the token refuses: the failure is recorded, and a week later the payer has the money', async (t) => {
  const place = await aPlace(t)
  const blocked: Hex = '0xde709f2102306220921060314715629080e2fb77'
  const issuer = createWalletClient({
    transport: toAnvil(devnet.url),
    account: anvilAccount(0),
  })
  const block = { address: devnet.usdc, abi: testUsdcAbi, functionName: 'setBlacklisted', chain: null } as const
  await mined(issuer.writeContract({ ...block, args: [blocked, true] }))
  await aVault(place, { units: 5_000_000n, route: { merchant: blocked } })
  await aWallet(place)
  await travel(2)
  const had = await unitsOf(PAYER)
  const send = () => place.run(['exit', 'proof.json', '--rpc', devnet.url, '--key-file', 'wallet.key', '--yes'])
  const first = await send()
  assert.match(first.stdout, /^sent rescue: .*where that fails twice, a week apart, to 0x8617/m, first.stderr)
  const soon = await send()
  assert.equal(soon.code, 1)
  assert.match(soon.stderr, /the token refused the transfer/)
  await travel(8)
  const second = await send()
  assert.match(second.stdout, /^sent rescue: /m, second.stderr)
  assert.equal((await unitsOf(PAYER)) - had, 5_000_000n)
})

slowTest(
  'a refund that was announced is found in the logs, in the steps that a node allows, and anybody carries it out',
  async (t) => {
    const place = await aPlace(t)
    const none: Hex = `0x${'0'.repeat(40)}`
    const { factory, route } = await aVault(place, { units: 3_000_000n, route: { refundTo: none } })
    await aWallet(place)
    const refunder = createWalletClient({
      transport: toAnvil(devnet.url),
      account: anvilAccount(2),
    })
    const announce = { address: factory, abi: payFactoryAbi, functionName: 'proposeRefund', chain: null } as const
    await mined(refunder.writeContract({ ...announce, args: [route, devnet.usdc, PAYER, 3_000_000n] }))
    await tools().mine({ blocks: 40 })
    const run = (url: string, ...more: string[]) => place.run(['exit', 'proof.json', '--rpc', url, ...more])
    assert.match(
      (await run(devnet.url)).stdout,
      /from 20\S+ to 20\S+ +executeRefund +3 USDC to the announced address 0x8617/,
    )
    const early = await run(devnet.url, '--key-file', 'wallet.key', '--yes', '--call', 'executeRefund')
    assert.match(early.stderr, /executeRefund opens at 20/)
    await travel(2)
    // A node that looks through nine blocks at once, and one that looks through none.
    const ranges: bigint[] = []
    const short = await aLyingNode(t, devnet.url, ({ method, params: [filter] }) => {
      if (method !== 'eth_getLogs') return null
      const { fromBlock, toBlock } = filter as { fromBlock: string; toBlock: string }
      const blocks = BigInt(toBlock) - BigInt(fromBlock) + 1n
      ranges.push(blocks)
      return blocks <= 9n ? null : { error: { code: -32_005, message: 'query exceeds max block range 9' } }
    })
    const refusing = await aLyingNode(t, devnet.url, ({ method }) =>
      method === 'eth_getLogs' ? { error: { code: -32_601, message: 'no such method' } } : null,
    )
    const missed = await run(refusing.url)
    assert.equal(missed.code, 0, 'all else is shown')
    assert.match(missed.stderr, /Refunds that were announced could not be looked for: .*no such method/)
    assert.match(missed.stdout, /settleOpen/)
    const had = await unitsOf(PAYER)
    const done = await run(short.url, '--key-file', 'wallet.key', '--yes')
    assert.match(done.stdout, /^sent executeRefund: 3 USDC to the announced address 0x8617/m, done.stderr)
    assert.equal((await unitsOf(PAYER)) - had, 3_000_000n)
    assert.ok(ranges.some((blocks) => blocks <= 9n) && ranges.length < 400, `${ranges.length} questions`)

    // What is the merchant's goes elsewhere only by name; what lapsed or was struck out is not offered.
    const full = await aVault(place, { units: 6_000_000n, route: { refundTo: none } })
    await mined(refunder.writeContract({ ...announce, args: [full.route, devnet.usdc, PAYER, 6_000_000n] }))
    await mined(refunder.writeContract({ ...announce, args: [full.route, devnet.usdc, PAYER, 5n] }))
    const guardian = createWalletClient({
      transport: toAnvil(devnet.url),
      account: anvilAccount(3),
    })
    const veto = { address: factory, abi: payFactoryAbi, functionName: 'vetoRefund', chain: null } as const
    await mined(guardian.writeContract({ ...veto, args: [full.route, devnet.usdc, PAYER, 5n] }))
    await travel(2)
    const both = await run(devnet.url)
    assert.match(both.stdout, /executeRefund +6 USDC to the announced address .*with --call executeRefund only/)
    assert.equal(both.stdout.match(/executeRefund +\d/g)?.length, 1)
    assert.match(
      (await run(devnet.url, '--key-file', 'wallet.key', '--yes')).stdout,
      /^sent settleOpen: 6 USDC to the merchant/m,
    )
    const last = await aVault(place, { units: 1_000_000n, route: { refundTo: none } })
    await mined(refunder.writeContract({ ...announce, args: [last.route, devnet.usdc, PAYER, 1_000_000n] }))
    await travel(8)
    assert.doesNotMatch((await run(devnet.url)).stdout, /executeRefund/)
  },
)

slowTest('with a relayer key nothing waits; without the role the call is refused', async (t) => {
  const place = await aPlace(t)
  await aVault(place, { units: 6_000_000n })
  await aWallet(place)
  const had = await unitsOf(MERCHANT)
  const send = () =>
    place.run(['exit', 'proof.json', '--rpc', devnet.url, '--key-file', 'wallet.key', '--yes', '--call', 'settle'])
  const refused = await send()
  assert.deepEqual([refused.code, /does not have the relayer role/.test(refused.stderr)], [1, true], refused.stderr)
  await aWallet(place, anvilKey(1))
  assert.match((await send()).stdout, /^sent settle: 6 USDC/m)
  assert.equal((await unitsOf(MERCHANT)) - had, 5_940_000n)
})

slowTest(
  'a node that says gas is dear has nothing signed, unless the bound was raised; two nodes count as the lower',
  async (t) => {
    const place = await aPlace(t)
    const { vault } = await aVault(place, { units: 5_000_000n })
    await travel(2)
    const key = generatePrivateKey()
    await aWallet(place, key)
    const { address } = privateKeyToAccount(key)
    const dear = `0x${(10n ** 15n).toString(16)}`
    const sent: unknown[] = []
    const liar = async (lie: Lie) => {
      const { url } = await aLyingNode(t, devnet.url, (call) => {
        if (call.method === 'eth_sendRawTransaction') sent.push(call)
        return lie(call)
      })
      return url
    }
    const tip = await liar(({ method }) =>
      ['eth_maxPriorityFeePerGas', 'eth_gasPrice', 'eth_feeHistory'].includes(method) ? { result: dear } : null,
    )
    const base = await liar(({ method, params }) =>
      method === 'eth_getBlockByNumber' && params[0] === 'latest'
        ? { edit: (block) => ({ ...(block as object), baseFeePerGas: dear }) }
        : null,
    )
    const gas = await liar(({ method }) => (method === 'eth_estimateGas' ? { result: '0x5b8d81' } : null))
    const ask = (urls: readonly string[], ...more: string[]) => {
      const nodes = urls.flatMap((url) => ['--rpc', url])
      return place.run(['exit', 'proof.json', ...nodes, '--key-file', 'wallet.key', '--yes', ...more])
    }
    for (const [urls, more, sentence] of [
      [[tip], [], /costs 1000\S+ gwei, and at most 500 are paid\. .*--max-fee-gwei 1000\S+ allows it/],
      [[base], [], /at most 500 are paid/],
      [[tip, tip], [], /at most 500 are paid/],
      [[tip], ['--max-fee-gwei', '0.5'], /at most 0\.5 are paid/],
      [[gas], [], /the call takes 6000001 gas.*ask another node/],
      [[gas], ['--max-fee-gwei', '5000000'], /the call takes 6000001 gas/],
    ] as const) {
      const { code, stdout, stderr } = await ask(urls, ...more)
      assert.equal(code, 1, stdout)
      assert.match(stderr, sentence)
      assert.equal(stderr.match(/Nothing is sent/g)?.length, 1)
    }
    assert.deepEqual(sent, [])
    assert.equal((await ask([tip], '--max-fee-gwei', 'much')).code, 2)
    const wrong = await ask([tip], '--max-fee-gwei', '0')
    assert.match(wrong.stderr, /--max-fee-gwei takes what a unit of gas may cost/)
    const had = await reader().getBalance({ address })
    const done = await ask([tip, devnet.url], '--json')
    assert.equal(done.code, 0, done.stderr)
    const [one] = (JSON.parse(done.stdout) as { sent: { vault: string; fee_max_wei: string }[] }).sent
    assert.equal(one?.vault, vault.toLowerCase())
    const paid = had - (await reader().getBalance({ address }))
    assert.ok(paid > 0n && paid <= BigInt(one.fee_max_wei), `${paid} of ${one.fee_max_wei}`)
    assert.ok(BigInt(one.fee_max_wei) < parseEther('0.01'), one.fee_max_wei)
  },
)

slowTest('the fee is in the line before a call is sent, and nobody to ask means nothing is sent', async (t) => {
  const place = await aPlace(t)
  await aVault(place, { units: 5_000_000n })
  await travel(2)
  await aWallet(place)
  const had = await unitsOf(MERCHANT)
  const { code, stdout, stderr } = await place.run([
    ...['exit', 'proof.json', '--rpc', devnet.url, '--key-file', 'wallet.key'],
  ])
  assert.equal(code, 2, stdout)
  assert.match(stdout, /^settleOpen: 5 USDC to the merchant .*; network fee at most 0\.0\d+ \(native coin\)/m)
  assert.match(stderr, /Send settleOpen: 5 USDC .*; network fee at most 0\.0\d+ .* gwei\? There is nobody to ask/)
  assert.equal(await unitsOf(MERCHANT), had)
})

slowTest('a relayer key settles no underpayment, whether it is asked for or not', async (t) => {
  const place = await aPlace(t)
  await aWallet(place, anvilKey(1))
  const had = await unitsOf(MERCHANT)
  const send = (...more: string[]) =>
    place.run(['exit', 'proof.json', '--rpc', devnet.url, '--key-file', 'wallet.key', '--yes', ...more])
  for (const refundTo of [`0x${'0'.repeat(40)}`, PAYER] as const) {
    await aVault(place, { units: 3_000_000n, route: { refundTo } })
    const { code, stdout, stderr } = await send()
    assert.equal(code, 0, stderr)
    assert.match(stdout, /from 20\S+ +settleOpen/)
    assert.doesNotMatch(stdout, /settle {2}|sent settle/)
    assert.match((await send('--call', 'settle')).stderr, /--call settle does not apply here/)
  }
  assert.equal(await unitsOf(MERCHANT), had)
})

slowTest('neither a proof nor a node writes to the terminal what it would obey', async (t) => {
  const place = await aPlace(t)
  const { proof } = await aVault(place, { units: 0n })
  const evil = '\u001b]0;title\u0007\u001b[2J\u009b1Aall is well'
  await writeFile(join(place.home, 'evil.json'), JSON.stringify({ ...proof, kind: evil }))
  const { url } = await aLyingNode(t, devnet.url, () => ({ error: { code: -32_000, message: evil } }))
  for (const args of [
    ['evil.json', '--rpc', devnet.url],
    ['proof.json', '--rpc', url],
  ]) {
    const { code, stdout, stderr } = await place.run(['exit', ...args])
    assert.notEqual(code, 0)
    assert.match(stderr, /all is well/)
    assert.match(`${stdout}${stderr}`, /^[^\p{Cc}]*$/u)
  }
})

test('what is asked wrongly is said in a sentence, and no key is ever in one', async (t) => {
  const place = await aPlace(t)
  const { proof } = await aVault(place, { units: 0n })
  const secret = 'ab'.repeat(31)
  await writeFile(join(place.home, 'bad.key'), secret)
  await writeFile(join(place.home, 'changed.json'), JSON.stringify({ ...proof, vault: PAYER }))
  await writeFile(join(place.home, 'seed.txt'), 'florin-seed-00000000')
  const rpc = ['--rpc', devnet.url]
  for (const [args, sentence] of [
    [[], /ORDER_OR_PROOF is missing/],
    [['proof.json'], /--rpc is missing/],
    [['none.json', ...rpc], /There is no file none\.json/],
    [['changed.json', ...rpc], /a field of the proof was changed/],
    [['proof.json', ...rpc, '--key-file', 'bad.key'], /bad\.key holds no private key/],
    [['proof.json', ...rpc, '--token', 'USDC'], /--token takes an address/],
    [['--journal', '.', ...rpc], /--journal needs --seed-file/],
    [['--journal', '.', '--seed-file', 'seed.txt', ...rpc], /This is no recovery seed/],
    [['proof.json', '--seed-file', 'seed.txt', ...rpc], /--seed-file goes with --journal/],
  ] as const) {
    const { code, stderr } = await place.run(['exit', ...args])
    assert.equal(code, 2, stderr)
    assert.match(stderr, sentence)
    assert.ok(!stderr.includes(secret))
  }
})

test('the page is written with the proof in it, and served on this machine alone', async (t) => {
  const place = await aPlace(t)
  const { proof } = await aVault(place, { units: 0n })
  const written = await place.start(['exit', 'proof.json', '--page', 'page.html']).ended
  assert.equal(written.code, 0, written.stderr)
  const html = await readFile(join(place.home, 'page.html'), 'utf8')
  const inside = /id="proof">(.*)<\/script>/.exec(html)?.[1] ?? 'null'
  assert.deepEqual(JSON.parse(inside), proof)
  const serving = place.start(['exit', 'proof.json', '--serve', '--port', '0'])
  const url = await serving.line(/^http:\/\/127\.0\.0\.1:\d+\/$/)
  const answer = await fetch(url)
  assert.equal(await answer.text(), html)
  assert.match(answer.headers.get('content-type') ?? '', /^text\/html/)
  assert.equal((await fetch(`${url}proof.json`)).status, 404)
  serving.child.kill('SIGTERM')
  assert.equal((await serving.ended).code, 0)
})
