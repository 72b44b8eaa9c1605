// `npm start -- --devnet`: Florin with a chain of its own on this machine: contracts, test USDC and USDT and a payer with
// plenty. Everything begins anew at every start and is gone at the end, the database too: old orders would mean nothing
// on a new chain.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startDevnet } from '../packages/contracts/script/devnet.ts'
import { startProvider } from '../packages/rail-intents/src/test/provider.fixture.ts'
import { startCoin } from './devnet-coin.ts'

const [devnet, coin, swaps] = await Promise.all([startDevnet(), startCoin(), startProvider({ auto: true })])
const dataDir = mkdtempSync(join(tmpdir(), 'florin-devnet-'))
process.on('exit', () => rmSync(dataDir, { recursive: true, force: true }))
process.env.DATA_DIR = dataDir
delete process.env.DATABASE_URL
const rails = JSON.parse(devnet.railsConfig) as { chains: Record<string, object>; intents?: object }
if (coin !== null) {
  rails.chains[coin.chain] = coin.settings
  Object.assign(process.env, coin.environment)
}
process.env.DEVNET_FEED_KEY = swaps.rules.feedKey
rails.intents = {
  ...{ mode: 'test', url: swaps.url, signer: swaps.signer },
  ...{ feedKeyEnv: 'DEVNET_FEED_KEY', feedUrl: swaps.url },
}
process.env.RAILS_CONFIG = JSON.stringify(rails)
process.stdout.write(
  `\n  A devnet runs at ${devnet.url} (chain 31337; to Florin it is Base in test mode).\n` +
    `  Everything on it is gone when it stops. Its keys are public: never use them elsewhere.\n\n` +
    `    USDC      ${devnet.usdc}\n    USDT      ${devnet.usdt}\n` +
    `    payer     ${devnet.payer.address}\n    its key   ${devnet.payer.key}\n\n` +
    `  Make an order with a test key on chain base, then pay it:\n\n` +
    `    node scripts/run.mjs scripts/pay.ts ORDER_URL${devnet.url.endsWith(':8545') ? '' : ` ${devnet.url}`}\n\n` +
    '  ORDER_URL is its checkout_url, or its pay.uri (in quotes).\n\n' +
    '  A double of NEAR Intents runs beside it: dozens of coins to pay with, and whatever is chosen pays itself in half a minute.\n' +
    (coin === null
      ? '\n  With litecoind or bitcoind on this machine there would be a coin as well.\n'
      : `\n  ${coin.name} runs on regtest beside it, a block every five seconds. Set this account as receiving address of\n` +
        `  ${coin.chain} in the console (its words are known to everybody), and pay with the node's own wallet:\n\n` +
        `    ${coin.account}\n\n    node scripts/run.mjs scripts/pay.ts ORDER_URL ${coin.url}\n`),
)
await import('../packages/server/src/main.ts')
