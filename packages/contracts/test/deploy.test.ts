// Deployment: the same addresses on every chain, nothing sent twice, and nothing accepted that is not what was compiled.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { type Address, getAddress, type Hex, isAddressEqual } from 'viem'
import { packageRoot } from '../script/compile.ts'
import { parseArguments } from '../script/deploy.ts'
import { deployFactory } from '../script/deploy-factory.ts'
import { railsEntry } from '../script/rails-entry.ts'
import { DETERMINISTIC_DEPLOYER, type DeployConfig, deployPlan, payFactoryAbi } from '../src/index.ts'
import { Chain } from './chain.ts'
import { clientsOf } from './stage.ts'

// The first development account of anvil, known to everybody.
const KEY = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'

let bare: Chain
let other: Chain
let config: DeployConfig
before(async () => {
  bare = await Chain.start({ args: ['--disable-default-create2-deployer'] })
  other = await Chain.start({ chainId: 4242 })
  const [owner, relayer, refunder, guardian] = [0, 1, 2, 3].map((i) => bare.account(i))
  assert.ok(owner && relayer && refunder && guardian)
  config = { owner, relayers: [relayer, owner], refunders: [refunder], guardians: [guardian] }
})
after(() => Promise.all([bare.stop(), other.stop()]))

const onto = (chain: Chain, chainId: number, installDeployer = false) =>
  deployFactory({ ...clientsOf(chain, chain.account(5)), chainId, config, installDeployer })

describe('deployFactory', () => {
  it('refuses a node on another chain, and a chain without the deterministic deployer', async () => {
    await assert.rejects(onto(bare, 1), /chain 31337, not on 1/)
    await assert.rejects(onto(bare, 31337), /no deterministic deployer/)
  })

  it('installs the deployer on a devnet, arrives at the same addresses on two chains, and sends nothing again', async () => {
    const first = await onto(bare, 31337, true)
    assert.ok(isAddressEqual(first.plan.deployer, DETERMINISTIC_DEPLOYER))
    assert.deepEqual(
      first.sent.map((sent) => sent.what),
      ['fund the signer of the deployer', 'deterministic deployer', 'FeeVault', 'PayFactory'],
    )
    const second = await onto(other, 4242)
    assert.equal(second.sent.length, 2)
    for (const name of ['factory', 'impl', 'feeVault'] as const) assert.equal(first[name], second[name])
    assert.deepEqual((await onto(other, 4242)).sent, [])
  })

  it('gives the roles of the configuration and no right to who paid the gas', async () => {
    const { factory } = deployPlan(config)
    const contract = { address: factory.address, abi: payFactoryAbi }
    const holds = (role: number, who: Address) => bare.read<boolean>(contract, 'hasRole', [role, who])
    const [relayer, refunder, guardian] = [1, 2, 3].map((i) => bare.account(i))
    assert.ok(relayer && refunder && guardian)
    assert.deepEqual(await Promise.all([holds(0, relayer), holds(1, refunder), holds(2, guardian)]), [true, true, true])
    for (const role of [0, 1, 2]) assert.equal(await holds(role, bare.account(5)), false)
    assert.ok(isAddressEqual(await bare.read<Address>(contract, 'owner'), config.owner))
  })

  it('survives two runs at once', async () => {
    const twice = { ...config, salt: `0x${'07'.repeat(32)}` as const }
    const run = (i: number) => deployFactory({ ...clientsOf(other, other.account(i)), chainId: 4242, config: twice })
    const [a, b] = await Promise.all([run(6), run(7)])
    assert.equal(a?.factory, b?.factory)
  })

  it('refuses foreign code at a planned address', async () => {
    const plan = deployPlan(config)
    for (const [what, { address }] of [
      ['DepositVault', plan.impl] as const,
      ['PayFactory', plan.factory] as const,
      ['deterministic deployer', { address: DETERMINISTIC_DEPLOYER }] as const,
    ]) {
      const code = await other.code(address)
      await other.rpc('anvil_setCode', [address, '0x6001'])
      await assert.rejects(onto(other, 4242), new RegExp(`^Error: ${what} at 0x.*code hash`))
      await other.rpc('anvil_setCode', [address, code])
    }
    assert.deepEqual((await onto(other, 4242)).sent, [])
  })
})

describe('deployPlan', () => {
  it('does not depend on the order, case or repetition of keys, and does on everything else', () => {
    const plan = deployPlan(config)
    const [first] = config.relayers
    assert.ok(first)
    const same = {
      ...config,
      relayers: [...config.relayers]
        .reverse()
        .concat(first)
        .map((key) => getAddress(key)),
    }
    assert.deepEqual(deployPlan(same), plan)
    const salt: Hex = `0x${'01'.repeat(32)}`
    const different: DeployConfig[] = [
      { ...config, salt },
      { ...config, owner: first },
      { ...config, refunders: [] },
    ]
    const addresses = [config, ...different].map((given) => deployPlan(given).factory.address)
    assert.equal(new Set(addresses).size, 4)
    assert.notEqual(deployPlan({ ...config, feeOwner: first }).feeVault.address, plan.feeVault.address)
    assert.throws(() => deployPlan({ ...config, owner: '0x12' }))
  })
})

describe('the command line', () => {
  const folder = mkdtempSync(join(tmpdir(), 'florin-deploy-'))
  after(() => rmSync(folder, { recursive: true }))
  const deploy = (...args: string[]) => {
    const common = ['--rpc', other.url, '--chain-id', '4242', '--owner', other.account(8)]
    const env = { ...process.env, INIT_CWD: folder }
    return promisify(execFile)(process.execPath, [join(packageRoot, 'script/deploy.ts'), ...common, ...args], { env })
  }

  it('shows the plan, sends only when told to, and then verifies', async () => {
    const keyFile = join(folder, 'key')
    writeFileSync(keyFile, `${KEY}\n`)
    assert.match((await deploy()).stdout, /factory +0x[\s\S]*Not deployed here \(PayFactory: no code/)
    const sent = await deploy('--send', '--key-file', keyFile)
    assert.match(sent.stdout, /sent +PayFactory: 0x[\s\S]*Verified/)
    assert.ok(!sent.stdout.includes(KEY))
    assert.match((await deploy()).stdout, /Deployed and verified/)
  })

  it('ends with the entry of the rails file, and writes it into the file beside what stands there', async () => {
    const railsFile = join(folder, 'rails.json')
    const keyFile = join(folder, 'key')
    writeFileSync(keyFile, `${KEY}\n`)
    writeFileSync(railsFile, JSON.stringify({ chains: { arb: { mode: 'live' } } }))
    const send = () =>
      deploy('--rpc', 'http://second.example', '--send', '--key-file', keyFile, '--rails-file', railsFile)
    const { stdout } = await send()
    const printed = JSON.parse(stdout.slice(stdout.indexOf('\n{')))
    const plan = deployPlan({ owner: other.account(8), relayers: [], refunders: [], guardians: [] })
    assert.deepEqual(printed.chains.CHAIN.rpc, [other.url, 'http://second.example'])
    assert.deepEqual(
      [printed.chains.CHAIN.factory, printed.chains.CHAIN.impl, printed.chains.CHAIN.collector],
      [plan.factory.address, plan.impl.address, plan.feeVault.address],
    )
    const written = readFileSync(railsFile, 'utf8')
    assert.deepEqual(JSON.parse(written), { chains: { arb: { mode: 'live' }, ...printed.chains } })
    await assert.rejects(send(), /was not changed: it has chains.CHAIN already/)
    assert.equal(readFileSync(railsFile, 'utf8'), written)
  })

  it('takes the paths of its files from where npm was called', async () => {
    writeFileSync(join(folder, 'near.key'), `${KEY}\n`)
    const salt = `0x${'0a'.repeat(32)}`
    await deploy('--salt', salt, '--send', '--key-file', 'near.key', '--rails-file', 'near.json')
    assert.ok('CHAIN' in JSON.parse(readFileSync(join(folder, 'near.json'), 'utf8')).chains)
  })

  it('knows each live chain by its number, and asks for a second provider where one is named', () => {
    const plan = deployPlan({ owner: `0x${'11'.repeat(20)}`, relayers: [], refunders: [], guardians: [] })
    const entry = railsEntry({ chainId: 8453, rpc: ['https://one.example'], plan, tokens: [], pegs: [] })
    assert.deepEqual(entry, {
      chains: {
        base: {
          mode: 'live',
          rpc: ['https://one.example', 'https://ANOTHER-PROVIDER-OF-ANOTHER-OPERATOR'],
          ...{ factory: plan.factory.address, impl: plan.impl.address, collector: plan.feeVault.address },
          peg: {},
          relayer: { privateKeyEnv: 'RELAYER_KEY_BASE' },
        },
      },
    })
  })

  it('says where the price of each coin is read, and leaves open what nobody named', () => {
    const [contract, feed] = [`0x${'22'.repeat(20)}`, `0x${'33'.repeat(20)}`] as const
    const args = parseArguments(
      [
        ...['--rpc', 'http://127.0.0.1:1', '--chain-id', '8453', '--owner', `0x${'11'.repeat(20)}`],
        ...['--token', `USDC=${contract},${feed}`, '--token', `USDT=${contract}`],
        ...['--ticker', 'USDC=https://exchange.example/v1?pair=USDC,USD&n=1#result.USDC.c.0'],
      ],
      '/anywhere',
    )
    const tokens = args.tokens.map(({ asset }) => ({ asset, contract, decimals: 6 }))
    const pegOf = (chainId: number, pegs: typeof args.pegs): unknown => {
      const entry = railsEntry({ ...{ chainId, rpc: args.rpc, tokens, pegs }, plan: deployPlan(args.config) })
      return Object.values(entry.chains as Record<string, { peg?: unknown }>)[0]?.peg
    }
    const url = 'https://exchange.example/v1?pair=USDC,USD&n=1'
    const sources = [
      { kind: 'chainlink', feed, heartbeatS: 86_400 },
      { kind: 'http', name: 'exchange.example', url, path: 'result.USDC.c.0' },
    ]
    assert.deepEqual(pegOf(8453, args.pegs), { USDC: sources, USDT: [] })
    assert.deepEqual(pegOf(8453, []), { USDC: [], USDT: [] })
    assert.deepEqual(pegOf(4242, args.pegs), { USDC: sources })
    assert.equal(pegOf(4242, []), undefined, 'a test chain looks at nothing')
  })

  it('says which argument is missing or wrong', () => {
    const full = ['--rpc', 'http://127.0.0.1:1', '--chain-id', '1', '--owner', `0x${'11'.repeat(20)}`]
    const parse = (args: readonly string[]) => parseArguments(args, '/anywhere')
    assert.equal(parse(full).send, false)
    assert.throws(() => parse(full.slice(2)), /--rpc is missing/)
    assert.throws(() => parse([...full, '--relayer', '0x12']), /--relayer 0x12 is not an address/)
    assert.throws(() => parse([...full, '--salt', '0x12']), /--salt/)
    assert.throws(() => parse([...full, '--token', 'USDC']), /--token USDC: .* is not an address/)
    for (const ticker of ['USDC', 'USDC=https://one.example', 'USDC=one.example#price', '=https://one.example#price']) {
      assert.throws(() => parse([...full, '--ticker', ticker]), /--ticker .* is not ASSET=URL#path/)
    }
    const token = ['--token', `USDC=0x${'22'.repeat(20)}`]
    const stray = ['--ticker', 'USDT=https://one.example#price']
    assert.throws(() => parse([...full, ...token, ...stray]), /--ticker USDT: there is no --token USDT/)
    assert.throws(() => parse([...full, '--send']), /--key-file/)
    assert.throws(() => parse([...full.slice(0, 3), 'x', ...full.slice(4)]), /--chain-id/)
  })
})
