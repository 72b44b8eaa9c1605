// The devnet's coin: where litecoind or bitcoind is on this machine, a regtest node with a wallet that pays, and a block every
// few seconds. Florin reads it as a merchant's own node.
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { parseAccount } from '../packages/accounts/src/index.ts'
import { nodeRpc } from '../packages/rail-utxo/src/node/rpc.ts'
import { coins, PASSWORD, startLitecoind, USER } from '../packages/rail-utxo/src/test/litecoind.fixture.ts'

const BLOCK_EVERY_MS = 5_000
/** The account of BIP-84's example, whose words everybody knows. */
const ACCOUNT =
  'wpkh([73c5da0a/84h/1h/0h]tpubDC8msFGeGuwnKG9Upg7DM2b4DaRqg3CUZa5g8v2SRQ6K4NSkxUgd7HsL2XVWbVm39yBA4LAxysQAm397zwQSQoQgewGiYZqrA9DsP4zbQ1M/0/*)'

export interface DevnetCoin {
  chain: 'ltc' | 'btc'
  name: string
  url: string
  /** What a merchant pastes as receiving address. */
  account: string
  /** Its part of the rails file. */
  settings: object
  /** The variable that the settings name. */
  environment: Record<string, string>
}

const isHere = (program: string): boolean =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => folder !== '' && existsSync(join(folder, program)))

/** @returns null where neither program is on this machine, or it does not run here: the chain goes on without. */
export async function startCoin(): Promise<DevnetCoin | null> {
  const program = isHere('litecoind') ? 'litecoind' : isHere('bitcoind') ? 'bitcoind' : null
  if (program === null) return null
  const node = await startLitecoind({ mweb: false, program }).catch((error: unknown) => {
    process.stderr.write(`\n  ${program} is on this machine and does not start: ${String(error)}\n`)
    return null
  })
  if (node === null) return null
  setInterval(() => void node.mine().catch(() => undefined), BLOCK_EVERY_MS).unref()
  const chain = program === 'litecoind' ? 'ltc' : 'btc'
  const read = parseAccount(ACCOUNT, { chain, network: 'regtest' })
  return {
    ...{ chain, name: program === 'litecoind' ? 'Litecoin' : 'Bitcoin', url: node.url },
    account: read.ok ? read.account.descriptor : ACCOUNT,
    settings: {
      mode: 'test',
      node: { url: node.url, user: USER, passwordEnv: 'DEVNET_COIN_PASSWORD' },
      confirmations: [{ blocks: 1 }],
      prices: { sources: [{ kind: 'fixed', usd: chain === 'ltc' ? '100' : '60000' }], spreadBps: 0 },
      pollMs: 500,
    },
    environment: { DEVNET_COIN_PASSWORD: PASSWORD },
  }
}

/** Pays a `litecoin:` or `bitcoin:` link as the devnet's payer. @returns the transaction's id. */
export async function payCoin(uri: string, url: string): Promise<string> {
  const parts = /^(?:litecoin|bitcoin):(\w+)\?amount=(\d+)(?:\.(\d{1,8}))?$/.exec(uri)
  if (parts === null) throw new Error('this is no payment link of a coin with an amount')
  const [, address = '', whole = '0', fraction = ''] = parts
  const login = { kind: 'user', user: USER, password: PASSWORD } as const
  const rpc = nodeRpc({ name: 'the devnet’s node', url, login }, { timeoutMs: 30_000 })
  return rpc.call<string>('sendtoaddress', address, coins(BigInt(whole + fraction.padEnd(8, '0'))))
}
