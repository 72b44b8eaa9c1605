// Command line of the deployment. Without --send it only says what would be where and whether it is there already.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import {
  type Address,
  createPublicClient,
  createWalletClient,
  erc20Abi,
  formatEther,
  getAddress,
  type Hex,
  http,
  isHex,
  type PublicClient,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { type DeployConfig, type DeployPlan, deployPlan } from '../src/index.ts'
import { deployFactory, verifyDeployment } from './deploy-factory.ts'
import { type PegSource, type RailsToken, railsEntry, withEntry } from './rails-entry.ts'

const USAGE = `Deploys the forwarder contracts, or checks them where they are.

  npm run deploy -w @florin/contracts -- --rpc URL --chain-id N --owner 0x… [keys] [--send --key-file FILE]

  --rpc URL        the node to use; give a second one, of another operator, for the rails file
  --owner 0x…      names keys behind a 48 h timelock; a multisig where money is real
  --relayer 0x…    may settle                          (may be given several times)
  --refunder 0x…   may refund; leave out until needed  (may be given several times)
  --guardian 0x…   may veto and pause refunds          (may be given several times)
  --fee-owner 0x…  withdraws fees; the owner where left out
  --salt 0x…       32 bytes; zero where left out
  --send           deploy; without it nothing is sent
  --key-file FILE  holds the private key that pays the gas, as 0x and 64 hex digits; it gets no right in the contracts
  --token ASSET=0x…[,0x…]  for the rails file: a token's contract, and the feed of its dollar price (several times)
  --ticker ASSET=URL#path  another source of its dollar price: JSON at URL, with the price at path (several times)
  --rails-file FILE  write the entry of the rails file into FILE; it is printed in any case

The same owner, keys and salt give the same addresses on every chain.`

/** Feeds of stable coins answer at least once a day while the price stands still. */
const FEED_HEARTBEAT_S = 86_400

export interface DeployArguments {
  /** The first one is asked and sent to; all go into the rails file. */
  rpc: readonly [string, ...string[]]
  chainId: number
  config: DeployConfig
  send: boolean
  keyFile: string | undefined
  railsFile: string | undefined
  tokens: readonly { asset: string; contract: Address }[]
  /** Where the dollar price of a coin is read. */
  pegs: readonly { asset: string; source: PegSource }[]
}

/**
 * @param folder what paths are relative to.
 * @throws Error saying which argument is missing or wrong.
 */
export function parseArguments(argv: readonly string[], folder: string): DeployArguments {
  const one = { type: 'string' } as const
  const many = { type: 'string', multiple: true, default: [] as string[] } as const
  const { values } = parseArgs({
    args: [...argv],
    options: {
      rpc: many,
      'chain-id': one,
      owner: one,
      relayer: many,
      refunder: many,
      guardian: many,
      'fee-owner': one,
      salt: one,
      'key-file': one,
      'rails-file': one,
      token: many,
      ticker: many,
      send: { type: 'boolean', default: false },
    },
  })
  const pathOf = (given: string | undefined) => (given === undefined ? given : resolve(folder, given))
  const need = (name: 'chain-id' | 'owner'): string => {
    const value = values[name]
    if (!value) throw new Error(`--${name} is missing`)
    return value
  }
  const [rpc, ...others] = values.rpc
  if (rpc === undefined || rpc === '') throw new Error('--rpc is missing')
  const chainId = Number(need('chain-id'))
  if (!Number.isSafeInteger(chainId) || chainId <= 0) throw new Error('--chain-id is not a chain id')
  if (values.send && !values['key-file']) throw new Error('--send needs --key-file')
  const config: DeployConfig = {
    owner: parseAddress('owner', need('owner')),
    relayers: values.relayer.map((given) => parseAddress('relayer', given)),
    refunders: values.refunder.map((given) => parseAddress('refunder', given)),
    guardians: values.guardian.map((given) => parseAddress('guardian', given)),
    ...(values['fee-owner'] ? { feeOwner: parseAddress('fee-owner', values['fee-owner']) } : {}),
    ...(values.salt ? { salt: parseHex('--salt', values.salt) } : {}),
  }
  const tokens = values.token.map(parseToken)
  const tickers = values.ticker.map(parseTicker)
  const stray = tokens.length === 0 ? undefined : tickers.find((one) => !tokens.some((t) => t.asset === one.asset))
  if (stray !== undefined) throw new Error(`--ticker ${stray.asset}: there is no --token ${stray.asset}`)
  const feeds = tokens.flatMap(({ asset, feed }) =>
    feed === null ? [] : [{ asset, source: { kind: 'chainlink', feed, heartbeatS: FEED_HEARTBEAT_S } as const }],
  )
  return {
    ...{ rpc: [rpc, ...others], chainId, config, send: values.send },
    ...{ keyFile: pathOf(values['key-file']), railsFile: pathOf(values['rails-file']) },
    ...{ tokens, pegs: [...feeds, ...tickers] },
  }
}

function parseAddress(name: string, given: string): Address {
  try {
    return getAddress(given)
  } catch {
    throw new Error(`--${name} ${given} is not an address`)
  }
}

function parseToken(given: string): { asset: string; contract: Address; feed: Address | null } {
  const [, asset = '', contract = '', feed] = /^(\w+)=([^,]+)(?:,(.+))?$/.exec(given) ?? []
  return {
    asset,
    contract: parseAddress(`token ${given}:`, contract),
    feed: feed === undefined ? null : parseAddress(`token ${given}:`, feed),
  }
}

function parseTicker(given: string): DeployArguments['pegs'][number] {
  const [, asset = '', url = '', path = ''] = /^(\w+)=(https?:[^#]+)#([^#]+)$/.exec(given) ?? []
  if (!URL.canParse(url)) throw new Error(`--ticker ${given} is not ASSET=URL#path`)
  return { asset, source: { kind: 'http', name: new URL(url).host, url, path } }
}

function parseHex(name: string, given: string): Hex {
  if (!isHex(given) || given.length !== 66) throw new Error(`${name} is not 0x and 64 hex digits`)
  return given
}

async function run(args: DeployArguments): Promise<void> {
  const plan = deployPlan(args.config)
  const transport = http(args.rpc[0])
  const client = createPublicClient({ transport })
  console.log(describePlan(args, plan))
  if (!args.send) {
    const chainId = await client.getChainId()
    if (chainId !== args.chainId) throw new Error(`the node is on chain ${chainId}, not on ${args.chainId}`)
    await verifyDeployment(client, plan).then(
      () => {
        console.log('\nDeployed and verified: code hashes and bindings are as planned.')
        return tellEntry(client, args, plan)
      },
      (error: Error) => console.log(`\nNot deployed here (${error.message}). Add --send and --key-file to deploy.`),
    )
    return
  }
  const account = privateKeyToAccount(parseHex('the key', readFileSync(args.keyFile ?? '', 'utf8').trim()))
  const balance = await client.getBalance({ address: account.address })
  console.log(`\nGas is paid by ${account.address}, which has ${formatEther(balance)} of the native coin.`)
  const wallet = createWalletClient({ account, transport })
  const done = await deployFactory({ client, wallet, chainId: args.chainId, config: args.config })
  for (const { what, hash, gasUsed } of done.sent) console.log(`  sent     ${what}: ${hash} (${gasUsed} gas)`)
  if (done.sent.length === 0) console.log('  sent     nothing: everything was there already')
  console.log('Verified: code hashes and bindings are as planned.')
  await tellEntry(client, args, plan)
}

/** Last, so that it can be taken as it stands. The URLs of providers often hold keys: its reader typed them just now. */
async function tellEntry(
  client: PublicClient,
  { chainId, rpc, railsFile, tokens: named, pegs }: DeployArguments,
  plan: DeployPlan,
): Promise<void> {
  const tokens = await Promise.all(
    named.map(async ({ asset, contract }): Promise<RailsToken> => {
      const decimals = await client.readContract({ address: contract, abi: erc20Abi, functionName: 'decimals' })
      return { asset, contract, decimals }
    }),
  )
  const entry = railsEntry({ chainId, rpc, plan, tokens, pegs })
  if (railsFile !== undefined) {
    let text: string
    try {
      text = withEntry(existsSync(railsFile) ? readFileSync(railsFile, 'utf8') : null, entry)
    } catch (error) {
      throw new Error(`${railsFile} was not changed: ${error instanceof Error ? error.message : String(error)}`)
    }
    writeFileSync(railsFile, text, { mode: 0o600 })
  }
  console.log(`\nThe rails file${railsFile === undefined ? '' : `, now in ${railsFile}`}:\n`)
  console.log(JSON.stringify(entry, null, 2))
}

function describePlan({ chainId, config }: DeployArguments, plan: DeployPlan): string {
  const keys = (list: readonly Address[]) => (list.length > 0 ? list.join(', ') : 'none')
  return [
    `Chain ${chainId}`,
    `  factory    ${plan.factory.address}  code ${plan.factory.codeHash}`,
    `  vault code ${plan.impl.address}  code ${plan.impl.codeHash}`,
    `  fee vault  ${plan.feeVault.address}  code ${plan.feeVault.codeHash}`,
    `  owner      ${config.owner}`,
    `  relayers   ${keys(config.relayers)}`,
    `  refunders  ${keys(config.refunders)}`,
    `  guardians  ${keys(config.guardians)}`,
    `  fees to    ${config.feeOwner ?? config.owner}`,
  ].join('\n')
}

if (import.meta.main) {
  try {
    // npm runs this in the package's folder and says where it was itself called.
    await run(parseArguments(process.argv.slice(2), process.env.INIT_CWD ?? process.cwd()))
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`)
    process.exitCode = 1
  }
}
