// Looks at deposit addresses through a node of an EVM chain: for tokens the transfers in the blocks since the last look, for the
// native coin what lies there. Nodes take different amounts at once: what is refused is asked for again in halves.
import { ADDRESSES_A_CALL, balancesCall, readBalancesAnswer } from '../../coin-balances.ts'
import { TRANSFER, topicOf } from '../../transfer-log.ts'
import { type AskNode, listOf, NodeAway, NodeRefused, rpc } from '../node/ask.ts'
import type { Look, OpenPlace, Seen } from './look.ts'

const ADDRESSES_MOST = 500
const ADDRESSES_LEAST = 25
const BLOCKS_MOST = 2_000
const BLOCKS_LEAST = 50
/** Read again at the next look: a node may have been behind its own newest block, and blocks are replaced. In blocks of a minute or more. */
const AGAIN: Readonly<Record<string, number>> = { arb: 300 }
const AGAIN_BLOCKS = 60
/** After hours away what is older is left to the single questions. */
const BACK_MOST = 20_000
/** After so many the rest of older blocks is left to the next look. */
const CALLS_A_LOOK = 60

export function evmLook(node: (stop: AbortSignal) => AskNode, chain: string): Look {
  const again = BigInt(AGAIN[chain] ?? AGAIN_BLOCKS)
  // As much as this node took last.
  const size = { addresses: ADDRESSES_MOST, blocks: BLOCKS_MOST, coins: ADDRESSES_A_CALL }
  return async ({ cursor, open, stop }) => {
    const ask = node(stop)
    const head = heightOf(await rpc(ask, 'eth_blockNumber', []))
    const places = await open()
    const tokens = placesByAddress(places.filter(({ asset }) => asset.contract !== null))
    const coins = places.filter(({ asset }) => asset.contract === null)
    const newest = head - again
    const from = largest(0n, cursor === null ? newest + 1n : smaller(cursor, newest) + 1n, head - BigInt(BACK_MOST))
    const read = await transfers(ask, { from, to: head, tokens, size })
    // What was seen in the blocks counts, whatever else it does not tell.
    const held = await balances(ask, { coins, size }).catch((error: unknown) => {
      if (error instanceof NodeAway) return error.message
      throw error
    })
    return {
      seen: [...read.seen, ...(typeof held === 'string' ? [] : held)],
      cursor: largest(0n, smaller(read.upTo, newest)),
      gap: typeof held === 'string' ? held : read.upTo < head ? 'it is not through with its older blocks' : null,
    }
  }
}

type Size = Record<'addresses' | 'blocks' | 'coins', number>

/** Several swaps may have been made for one address, each with a token of its own. */
function placesByAddress(places: readonly OpenPlace[]): Map<string, OpenPlace[]> {
  const found = new Map<string, OpenPlace[]>()
  for (const place of places) {
    const address = place.address.toLowerCase()
    found.set(address, [...(found.get(address) ?? []), place])
  }
  return found
}

async function transfers(
  ask: AskNode,
  a: { from: bigint; to: bigint; tokens: ReadonlyMap<string, OpenPlace[]>; size: Size },
): Promise<{ seen: Seen[]; upTo: bigint }> {
  const seen: Seen[] = []
  let calls = 0
  const contracts = [...new Set([...a.tokens.values()].flat().map((place) => lower(place.asset.contract)))]
  const addresses = [...a.tokens.keys()]
  if (addresses.length === 0) return { seen, upTo: a.to }
  for (let from = a.from; from <= a.to; ) {
    if (calls > CALLS_A_LOOK) return { seen, upTo: from - 1n }
    const to = smaller(a.to, from + BigInt(a.size.blocks) - 1n)
    let at = 0
    let isTooLong = false
    while (at < addresses.length && !isTooLong) {
      const some = addresses.slice(at, at + a.size.addresses)
      const filter = { address: contracts, topics: [TRANSFER, null, some.map(topicOf)], ...rangeOf(from, to) }
      calls++
      const logs = await rpc(ask, 'eth_getLogs', [filter]).catch(refusal)
      if (logs !== REFUSED) {
        seen.push(...matched(logs, a.tokens))
        at += some.length
      } else if (a.size.addresses > ADDRESSES_LEAST && some.length > ADDRESSES_LEAST) {
        a.size.addresses = Math.max(ADDRESSES_LEAST, Math.ceil(some.length / 2))
      } else if (to - from >= BigInt(BLOCKS_LEAST)) {
        a.size.blocks = Math.max(BLOCKS_LEAST, Number(to - from + 1n) >> 1)
        isTooLong = true
      } else throw new NodeRefused('it does not tell the transfers of its newest blocks')
    }
    if (!isTooLong) from = to + 1n
  }
  return { seen, upTo: a.to }
}

const REFUSED = Symbol('refused')
function refusal(error: unknown): typeof REFUSED {
  if (error instanceof NodeRefused) return REFUSED
  throw error
}

function matched(logs: unknown, tokens: ReadonlyMap<string, OpenPlace[]>): Seen[] {
  if (!Array.isArray(logs)) throw new NodeAway('it answered something that is no list of logs')
  return listOf(logs).flatMap(({ address, topics, data, transactionHash, removed }) => {
    const to = Array.isArray(topics) && topics[0] === TRANSFER ? `0x${String(topics[2]).slice(-40).toLowerCase()}` : ''
    const txHash = String(transactionHash).toLowerCase()
    const place = tokens.get(to)?.find(({ asset }) => lower(asset.contract) === lower(address))
    const isSome = /^0x[0-9a-f]{64}$/i.test(String(data)) && BigInt(String(data)) > 0n
    if (place === undefined || removed === true || !isSome || !/^0x[0-9a-f]{64}$/.test(txHash)) return []
    return [{ ref: place.ref, key: txHash, txHash }]
  })
}

/** An address of a swap is new: what lies there came for it. */
async function balances(ask: AskNode, a: { coins: readonly OpenPlace[]; size: Size }): Promise<Seen[]> {
  const found: Seen[] = []
  for (let at = 0; at < a.coins.length; ) {
    const some = a.coins.slice(at, at + a.size.coins)
    const addresses = some.map(({ address }) => address)
    const called = await rpc(ask, 'eth_call', [{ data: balancesCall(addresses) }, 'latest']).catch(refusal)
    const read = readBalancesAnswer(called, some.length)
    if (read === null && some.length > ADDRESSES_LEAST) {
      a.size.coins = Math.max(ADDRESSES_LEAST, some.length >> 1)
      continue
    }
    const amounts = read ?? (await oneByOne(ask, addresses))
    found.push(
      ...some.flatMap(({ ref }, n) => (amounts[n] === 0n ? [] : [{ ref, key: `holds ${amounts[n]}`, txHash: null }])),
    )
    at += some.length
  }
  return found
}

/** Of a node that runs no programs. */
async function oneByOne(ask: AskNode, addresses: readonly string[]): Promise<bigint[]> {
  const call = (address: string, id: number): object => ({
    ...{ jsonrpc: '2.0', id, method: 'eth_getBalance', params: [address, 'latest'] },
  })
  const answers = await ask('', addresses.map(call))
  const byId = new Map(listOf(answers).map((answer) => [answer.id, answer.result]))
  return addresses.map((_, id) => {
    const result = byId.get(id)
    if (typeof result !== 'string' || !/^0x[0-9a-f]{1,64}$/i.test(result))
      throw new NodeRefused('it does not tell what lies at addresses')
    return BigInt(result)
  })
}

function heightOf(height: unknown): bigint {
  if (typeof height === 'string' && /^0x[0-9a-f]{1,12}$/i.test(height)) return BigInt(height)
  throw new NodeAway('it answered something that is no height')
}

const lower = (contract: unknown): string => String(contract).toLowerCase()
const rangeOf = (from: bigint, to: bigint): object => ({
  fromBlock: `0x${from.toString(16)}`,
  toBlock: `0x${to.toString(16)}`,
})
const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b)
const largest = (...list: readonly bigint[]): bigint => list.reduce((most, one) => (one > most ? one : most))
