// Compares the watcher with the node: random payments and reorgs; after every step the rows of each address must match
// the node.
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { testUsdcAbi } from '@florin/contracts/test-tokens'
import type { RailFact } from '@florin/rail-kit/interface/fact'
import { readFact } from '@florin/rail-kit/report.store'
import { type Address, encodeFunctionData, erc20Abi, type Hex, toHex } from 'viem'
import { aWorld, payers, type World } from './world.fixture.ts'

export interface Played {
  reorgs: number
  payments: number
  comparisons: number
  /** Payments that stood in more than one block, one after another. */
  moved: number
  wallMs: number
}

interface Sent {
  from: Address
  to: Address
  data?: Hex
  value?: Hex
}

/** Numbers that look random and are the same for the same seed (mulberry32). */
export function dice(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

export async function playReorgs(t: TestContext, a: { reorgs: number; seed: number }): Promise<Played> {
  const began = performance.now()
  const roll = dice(a.seed)
  const world = await aWorld(t, { fields: { maxReorg: 8, reorgWindow: 16 } })
  // The node is shared with the other tests of the file.
  t.after(() => world.anvil.setAutomine(true))
  const { usdc, usdt } = world.node
  const vaults: Address[] = []
  for (const asset of ['USDC', 'USDT', 'ETH', 'USDC', 'ETH', 'USDT']) {
    const order = await world.order({ pay_asset: asset, settle_asset: asset })
    vaults.push((order.legs[0]?.address ?? '').toLowerCase() as Address)
  }
  const pick = <T>(from: readonly T[]): T => {
    const found = from[roll(from.length)]
    assert.ok(found !== undefined)
    return found
  }
  // Native coins are read for orders that are paid in them; others get tokens, the right ones and the wrong ones.
  const nativeVaults = vaults.filter((_, n) => n === 2 || n === 4)
  const payment = (): Sent => {
    const from = pick(payers)
    if (roll(3) === 0) return { from, to: pick(nativeVaults), value: toHex(1 + roll(1_000_000)) }
    // A mint of nothing is a transfer of nothing.
    const units = BigInt(roll(6) === 0 ? 0 : 1 + roll(1_000_000))
    const to = pick([usdc, usdt])
    if (roll(4) > 0) {
      return {
        from,
        to,
        data: encodeFunctionData({ abi: testUsdcAbi, functionName: 'mint', args: [pick(vaults), units] }),
      }
    }
    const many = [pick(vaults), pick(vaults), from]
    return { from, to, data: encodeFunctionData({ abi: testUsdcAbi, functionName: 'mintMany', args: [many, units] }) }
  }

  const played: Played = { reorgs: 0, payments: 0, comparisons: 0, moved: 0, wallMs: 0 }
  let recent: Sent[] = []
  while (played.reorgs < a.reorgs) {
    await world.anvil.setAutomine(false)
    for (let blocks = 1 + roll(3); blocks > 0; blocks--) {
      const sent = Array.from({ length: roll(4) }, payment)
      for (const call of sent) await world.client.request({ method: 'eth_sendTransaction', params: [call] } as never)
      await world.mine()
      played.payments += sent.length
      recent = [...recent, ...sent].slice(-12)
    }
    if (roll(2) === 0) await world.look()
    if (roll(2) === 0) {
      const depth = 1 + roll(5)
      // Some of what left comes back, in other blocks and other places.
      const again = recent.filter(() => roll(2) === 0).map((call): [Sent, number] => [call, roll(depth)])
      await world.client.request({ method: 'anvil_reorg', params: [depth, again] } as never)
      played.reorgs++
    }
    if (roll(3) > 0) await world.look()
    if (roll(4) > 0) continue
    await world.look()
    played.comparisons += await compare(world, vaults, nativeVaults)
  }
  await world.look()
  played.comparisons += await compare(world, vaults, nativeVaults)
  const [moved] = await world.deps.sql<{ count: bigint }[]>`
    select count(*) from (
      select tx_hash from forwarder_observations group by tx_hash having count(distinct block_hash) > 1) twice`
  const result = { ...played, moved: Number(moved?.count ?? 0), wallMs: Math.round(performance.now() - began) }
  t.diagnostic(JSON.stringify(result))
  return result
}

/** Rows against balances, and the facts against the rows. @returns how many balances were compared. */
async function compare(world: World, vaults: readonly Address[], natives: readonly Address[]): Promise<number> {
  const { sql } = world.deps
  const rows = await sql<{ vault: string; token: string | null; amount: string }[]>`
    select vault, token, sum(amount)::text as amount from forwarder_observations where state <> 'orphaned'
    group by vault, token`
  const known = new Map(rows.map((row) => [`${row.vault} ${row.token}`, BigInt(row.amount)]))
  let compared = 0
  for (const vault of vaults) {
    for (const token of [world.node.usdc, world.node.usdt]) {
      const args: readonly [Address] = [vault]
      const units = await world.client.readContract({ address: token, abi: erc20Abi, functionName: 'balanceOf', args })
      assert.equal(known.get(`${vault} ${token}`) ?? 0n, units, `${token} of ${vault}`)
      compared++
    }
    if (!natives.includes(vault)) continue
    assert.equal(known.get(`${vault} null`) ?? 0n, await world.client.getBalance({ address: vault }), vault)
    compared++
  }
  const stored = await sql<{ fact: Record<string, unknown> }[]>`select fact from rail_facts order by id`
  const told = new Map<string, string>()
  for (const fact of stored.map((row): RailFact => readFact(row.fact))) {
    if (fact.kind === 'payment_seen') told.set(fact.key, 'seen')
    if (fact.kind === 'payment_confirmed') told.set(fact.key, 'confirmed')
    if (fact.kind === 'payment_orphaned') told.set(fact.key, 'orphaned')
  }
  const states = await sql<{ key: string; state: string }[]>`select key, state from forwarder_observations`
  assert.deepEqual(told, new Map(states.map((row) => [row.key, row.state])), 'orders were told what the rows say')
  return compared
}
