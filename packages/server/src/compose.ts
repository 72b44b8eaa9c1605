// The rails of this installation: the only file of the server that names them. Rails of the repository are set by the rails file;
// rails of other packages are named in RAILS (docs/rails/write-a-rail.md).
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Clock } from '@florin/platform/clock'
import type { Sql } from '@florin/platform/db/pool'
import { OperatorError } from '@florin/platform/errors'
import type { Log } from '@florin/platform/worker/job'
import { forwarder } from '@florin/rail-evm/index'
import { type ForwarderChain, readRailsFile, textOfRailsFile } from '@florin/rail-evm/settings/config'
import type { IntentsContext } from '@florin/rail-intents/context'
import { intents } from '@florin/rail-intents/index'
import { type IntentsSettings, parseIntents } from '@florin/rail-intents/settings/config'
import { SANDBOX_RAIL } from '@florin/rail-kit/interface/leg'
import type { MakeRail, RailPackage, RailPlug } from '@florin/rail-kit/interface/plug'
import type { Rails } from '@florin/rail-kit/registry'
import { railsOf } from '@florin/rail-kit/sandbox/rail'
import { restoreGiven } from '@florin/rail-utxo/address/given'
import { utxo } from '@florin/rail-utxo/index'
import { parseUtxoChains, type UtxoChain } from '@florin/rail-utxo/settings/config'
import { accountAddresses } from './addresses/accounts/assign.ts'
import type { AccountHistory, AccountNetworks } from './addresses/accounts/rules.ts'
import { findAllowed } from './addresses/third-party.store.ts'
import { type Environment, ofProcess } from './config.ts'
import { ownerOf } from './orders/create/owner-of.ts'
import { isAwaitedBySwap, isPaidBySwaps, listBelieved, lockTransfers } from './orders/own-refunds/payouts.store.ts'
import { listCounted } from './orders/own-refunds/store.ts'
import { listEndedMoves } from './orders/rail-outbox.store.ts'
import type { RestoreGiven } from './recovery/given.ts'
import type { ProcessJournal } from './recovery/journal.ts'
import type { Config } from './settings.ts'
import type { Wakes } from './wakes.ts'

export { hasShownVault, listJournalEntries } from '@florin/rail-evm/address/vaults.store'
export { listGivenRecords } from '@florin/rail-utxo/address/given'

/** After a restore: addresses that the journal has and the database has not are given to no other order. */
export const restoreGivenAddresses: RestoreGiven = (sql, records) => restoreGiven(sql, accountAddresses(sql), records)

/** The chains of the rails file; its keys may stand in the environment, which goes no further than this. */
export function readChains(config: Config, environment: Environment = ofProcess): ForwarderChain[] {
  return config.railsConfig === null ? [] : readRailsFile(config.railsConfig, environment)
}

/** Bitcoin and Litecoin of the same file; a node's password may stand in the environment. */
export function readUtxoChains(config: Config, environment: Environment = ofProcess): UtxoChain[] {
  return config.railsConfig === null ? [] : parseUtxoChains(textOfRailsFile(config.railsConfig), environment)
}

/** What the same file says of NEAR Intents; null: nothing. The keys stand in the environment. */
export function readIntents(config: Config, environment: Environment = ofProcess): IntentsSettings | null {
  return config.railsConfig === null ? null : parseIntents(textOfRailsFile(config.railsConfig), environment)
}

/** The packages that `RAILS` names, by their names or paths as seen from the folder that the process was started in. @throws OperatorError */
export async function loadRails(config: Pick<Config, 'rails'>): Promise<RailPackage[]> {
  const installed = createRequire(join(process.cwd(), 'package.json'))
  return Promise.all(
    config.rails.map(async (name) => {
      const { default: make, migrate } = (await import(pathToFileURL(resolved(installed, name)).href)) as {
        default?: unknown
        migrate?: unknown
      }
      if (typeof make !== 'function' || (migrate !== undefined && typeof migrate !== 'function'))
        throw new OperatorError(`RAILS names ${name}, which is no rail: its default export makes none.`, { docs: DOCS })
      return { make: make as MakeRail, migrate: migrate as RailPackage['migrate'] }
    }),
  )
}

const DOCS = 'docs/rails/write-a-rail.md'

function resolved(installed: NodeJS.Require, name: string): string {
  try {
    return installed.resolve(name)
  } catch (cause) {
    throw new OperatorError(
      `RAILS names ${name}, which is not found from ${process.cwd()}. Install it there, name its path, or take it out of RAILS.`,
      { cause, docs: DOCS },
    )
  }
}

export interface Composed {
  rails: Rails
  /** Every rail but the sandbox, in order of preference. */
  plugs: readonly RailPlug[]
  /** Which network the accounts of wallets have to be of, by chain. */
  accountNetworks: AccountNetworks
  accountHistory: AccountHistory
}

interface Parts {
  sql: Sql
  clock: Clock
  log: Log
  wake: Wakes
  journal: ProcessJournal
}

/**
 * @param config without a rails file: no address of a chain is shown.
 * @param work connections of background jobs
 */
export async function composeRails(
  config: Config,
  { chains, coins }: { chains: readonly ForwarderChain[]; coins: readonly UtxoChain[] },
  packages: readonly RailPackage[],
  parts: Parts,
  work: Sql,
): Promise<Composed> {
  const { sql } = parts
  const moving = { ...parts, listEndedMoves }
  const vaults = forwarder(moving, chains, { ...moving, sql: work })
  const elsewhere = { listCounted, listBelieved, lockTransfers, isAwaitedBySwap, isPaidBySwaps }
  // What is wrong with the journal is told by one rail.
  const ofWallets = {
    ...parts,
    journal: { ...parts.journal, ...(chains.length === 0 ? {} : { checks: undefined }) },
  }
  const background = { ...ofWallets, sql: work, addresses: accountAddresses(work), elsewhere }
  const wallets = utxo({ ...ofWallets, addresses: accountAddresses(sql), elsewhere }, coins, background)
  const settings = readIntents(config)
  const swapParts = (sql: Sql): IntentsContext => ({
    // The chains that are read here prove what the third party reports.
    ...{ ...parts, sql, witnesses: [vaults.services.outside] },
    takesUnproven: async (a) => (await findAllowed(sql, { ...a, now: parts.clock.now() })).takesUnproven,
    ...{ listCounted, lockTransfers },
    ownerOf: ownerOf(sql, [vaults.rail, wallets.rail]),
  })
  const added = await Promise.all(packages.map(({ make }) => make(parts, { ...parts, sql: work })))
  // Rails that hold nothing come first, and a configured test chain comes before the sandbox.
  const plugs: RailPlug[] = [
    ...(chains.length === 0 ? [] : [vaults]),
    ...(coins.length === 0 ? [] : [wallets]),
    ...added,
    ...(settings === null ? [] : [intents(swapParts(sql), settings, swapParts(work))]),
  ]
  const kinds = [SANDBOX_RAIL, ...plugs.map(({ rail }) => rail.capabilities.kind)]
  const twice = kinds.find((kind, n) => kinds.indexOf(kind) < n)
  if (twice !== undefined)
    throw new OperatorError(`Two rails are named ${twice}. Take one of them out of RAILS.`, { docs: DOCS })
  return {
    rails: railsOf(sql, plugs),
    plugs,
    accountNetworks: Object.fromEntries(
      coins.map(({ id, mode }) => [id, mode === 'live' ? 'main' : 'regtest'] as const),
    ),
    accountHistory: wallets.accountHistory,
  }
}
