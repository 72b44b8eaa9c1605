// What has to hold on a chain before real money comes: each point is looked up at the sources themselves, or in what the
// process that watches wrote down.
import { type Check, ok, warning } from '@florin/platform/check'
import { MINUTE_MS } from '@florin/protocol'
import type { CoinPrice } from './address/prices.ts'
import type { UtxoContext } from './context.ts'
import type { OwnNode, Sources } from './node/view.ts'
import type { UtxoChain } from './settings/config.ts'
import { listCursors } from './watch/watch.store.ts'

/** Litecoin Core 0.21.5.4 mends the rules of the extension block. */
const LEAST_VERSION: Readonly<Record<UtxoChain['id'], number>> = { btc: 220_000, ltc: 210_504 }
const BEHIND_MAX = 3n
const DAY_S = 86_400
/** So long an outage has to be outlived. */
const KEPT_DAYS = 3

const lineOf = (error: unknown): string => (error instanceof Error ? (error.message.split('\n')[0] ?? '') : 'no answer')

export async function examineChain(
  parts: Pick<UtxoContext, 'sql' | 'clock'>,
  chain: UtxoChain,
  sources: Sources,
  price: CoinPrice,
): Promise<Check[]> {
  return [
    chain.mode === 'live'
      ? ok('mode', `${chain.id} is configured for live money.`)
      : warning('mode', `${chain.id} is in test mode.`, 'Say "mode": "live" in the rails file and restart.'),
    ...(sources.node === null ? [] : await node(chain, sources, sources.node)),
    ...(await hosts(sources)),
    await watching(parts, chain),
    await prices(price),
  ]
}

async function node(chain: UtxoChain, sources: Sources, one: OwnNode): Promise<Check[]> {
  try {
    const { height } = await one.tip()
    const { version } = await one.rpc.call<{ version: number }>('getnetworkinfo').catch(() => ({ version: null }))
    const points = [ok('node', `${one.name} stands at block ${height} of the right network.`)]
    if (version !== null && version < LEAST_VERSION[chain.id]) {
      const says = `${one.name} runs an old release (${version}).`
      points.push(warning('node version', says, `Run release ${LEAST_VERSION[chain.id]} or newer.`))
    }
    points.push(await pruning(chain, one, sources), await history(one), await fees(one))
    return points
  } catch (error) {
    return [warning('node', lineOf(error), 'See that the node runs and that the rails file has its address and login.')]
  }
}

/** A node that prunes loses blocks that a long outage of Florin would have to read. */
async function pruning(chain: UtxoChain, one: OwnNode, { hosts }: Sources): Promise<Check> {
  const told = await one.rpc.call<{ pruned?: boolean; pruneheight?: number; blocks: number }>('getblockchaininfo')
  if (told.pruned !== true) return ok('pruning', 'The node keeps every block.')
  const kept = told.blocks - (told.pruneheight ?? 0)
  const days = Math.floor((kept * chain.network.spacingS) / DAY_S)
  const says = `The node keeps the newest ${kept} blocks, ${days} days.`
  if (hosts.length > 0) return ok('pruning', `${says} Older ones come from the block hosts.`)
  if (days >= KEPT_DAYS) return ok('pruning', `${says} Florin may be away for as long.`)
  const fix = 'Raise "prune" of the node, or name a block host under "hosts" that gives what it pruned.'
  return warning('pruning', `${says} What Florin does not read within them is not seen.`, fix)
}

/** Not needed: said, so that nobody is surprised by what accounts are asked. */
async function history(one: OwnNode): Promise<Check> {
  const indexes = await one.rpc.call<Record<string, { synced?: boolean }>>('getindexinfo').catch(() => null)
  const filters = indexes === null ? undefined : Object.entries(indexes).find(([name]) => /filter/i.test(name))
  return ok(
    'history',
    filters?.[1].synced === true
      ? 'The node keeps block filters: which addresses of an account were used before is known within minutes.'
      : 'The node keeps no block filters (blockfilterindex=1): which addresses of an account were used before is read from blocks, in hours, and merchants are asked.',
  )
}

async function fees(one: OwnNode): Promise<Check> {
  const told = await one.rpc.call<{ feerate?: number }>('estimatesmartfee', 6).catch((error: unknown) => lineOf(error))
  if (typeof told === 'string') {
    const fix = 'Allow estimatesmartfee, gettxout and getrawtransaction to the node’s user (rpcwhitelist).'
    return warning('fees', `Refunds to sign cannot be made: ${told}`, fix)
  }
  return ok(
    'fees',
    told.feerate === undefined
      ? 'The node has no estimate of fees yet; refunds to sign take five satoshi for a byte until it has.'
      : 'The node estimates fees for refunds that merchants sign.',
  )
}

async function hosts(sources: Sources): Promise<Check[]> {
  const told = await Promise.allSettled(sources.hosts.map((host) => host.tip()))
  const silent = sources.hosts.filter((_, n) => told[n]?.status === 'rejected').map((host) => host.name)
  const answering = sources.hosts.length - silent.length
  if (silent.length > 0)
    return [
      warning('hosts', `No answer from ${silent.join(', ')}.`, 'Put others into the rails file, or leave them out.'),
    ]
  if (sources.node === null && answering < 2) {
    const says = 'Blocks are read from one host alone: what it holds back is seen by nobody.'
    return [warning('hosts', says, 'Name a second host, or a node of your own.')]
  }
  return answering === 0 ? [] : [ok('hosts', `${answering} block hosts answer.`)]
}

async function watching({ sql, clock }: Pick<UtxoContext, 'sql' | 'clock'>, { id }: UtxoChain): Promise<Check> {
  const cursor = (await listCursors(sql)).find((row) => row.chain === id)
  const fix = 'Start a process in MODE=all or MODE=worker with this rails file, and look at its log.'
  if (cursor === undefined) return warning('watching', 'Nobody has read the chain yet.', fix)
  if (cursor.note !== null) return warning('watching', cursor.note, 'See what the node and the block hosts say.')
  const isRead = cursor.caughtUpAt !== null && clock.now().getTime() - cursor.caughtUpAt.getTime() < 3 * MINUTE_MS
  if (!isRead || cursor.head - cursor.height > BEHIND_MAX)
    return warning('watching', `It is read up to block ${cursor.height} of ${cursor.head}.`, fix)
  return ok('watching', `It is read up to block ${cursor.height}.`)
}

async function prices(price: CoinPrice): Promise<Check> {
  try {
    const { source } = await price()
    return ok('prices', `Two sources agree: ${source}.`)
  } catch (error) {
    return warning('prices', lineOf(error), 'See that two price sources of the rails file answer and agree.')
  }
}
