// The world of the relay's tests: a real node with the contracts and two tokens, deposit addresses in a real
// database, and processes of the relay that can be ended and started again.

import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { payFactoryAbi, type Route, vaultOf } from '@florin/contracts'
import { startAnvil, toAnvil } from '@florin/contracts/anvil'
import { anvilAccount, anvilKey } from '@florin/contracts/anvil-accounts'
import { deployFactory } from '@florin/contracts/deploy'
import { testUsdcAbi, testUsdcBytecode, testUsdtAbi, testUsdtBytecode } from '@florin/contracts/test-tokens'
import type { Sql } from '@florin/platform/db/pool'
import { randomOctets } from '@florin/platform/ids'
import type { RailFact } from '@florin/rail-kit/interface/fact'
import { readFact } from '@florin/rail-kit/report.store'
import {
  type Address,
  createTestClient,
  createWalletClient,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  toHex,
  zeroAddress,
} from 'viem'
import { listEndedMoves } from '../../../server/src/orders/rail-outbox.store.ts'
import { testDeps } from '../../../server/test/harness.ts'
import { readLogs } from '../node/blocks.ts'
import { openRpc } from '../node/rpc.ts'
import { relayLogs } from '../relay/events/logs.ts'
import { queueRefunds, queueSettlements, relayRound } from '../relay/relay.ts'
import { type RelayDeps, type Signer, signersOf } from '../relay/signer.ts'
import { type ForwarderChain, parseRailsConfig } from '../settings/config.ts'
import { receiptOf } from './receipt.fixture.ts'

export interface Deposit {
  id: string
  legRef: string
  orderRef: string
  vault: Address
  route: Route
  token: Address | null
  merchant: Address
  amount: bigint
}

/** One relay process: its own database connection and its own memory of what it broadcast. */
export interface Process {
  relayer: Signer
  refunder: Signer
  holder: string
}

let made = 0

export async function relayWorld(t: TestContext, a: { minesByItself?: boolean; relayer?: object } = {}) {
  const { deps, clock } = await testDeps(t)
  const anvil = await startAnvil()
  t.after(() => anvil.stop())
  const roles = {
    owner: anvilAccount(0),
    relayer: anvilAccount(1),
    refunder: anvilAccount(2),
    guardian: anvilAccount(3),
  }
  const transport = toAnvil(anvil.url)
  const wallet = createWalletClient({ transport, account: roles.owner })
  const node = createTestClient({ mode: 'anvil', transport })
  const chainOf = (contracts: object): ForwarderChain => {
    const base = {
      ...{ mode: 'test', chainId: 31337, rpc: [anvil.url], pollMs: 20, maxReorg: 50, reorgWindow: 100 },
      confirmations: { seen: 1, settle: 1 },
      finality: { depth: 3 },
      relayer: { privateKey: anvilKey(1), maxFeeGwei: '100', batchWaitMs: 0, bumpAfterBlocks: 3, ...a.relayer },
      refunder: { privateKey: anvilKey(2) },
      ...contracts,
    }
    const [chain] = parseRailsConfig(JSON.stringify({ chains: { base } }), {})
    assert.ok(chain)
    return chain
  }
  const nowhere = anvilAccount(9).address.toLowerCase()
  const bare = openRpc(chainOf({ factory: nowhere, impl: nowhere, collector: nowhere, tokens: [] })).client
  const deployment = await deployFactory({
    ...{ client: bare, wallet, chainId: 31337, installDeployer: true },
    config: {
      owner: roles.owner.address,
      relayers: [roles.relayer.address],
      refunders: [roles.refunder.address],
      guardians: [roles.guardian.address],
    },
  })
  const deploy = async (abi: readonly unknown[], bytecode: Hex): Promise<Address> => {
    const hash = await wallet.deployContract({ abi, bytecode, chain: null })
    const { contractAddress } = await receiptOf(bare, hash)
    return `0x${(contractAddress ?? zeroAddress).slice(2).toLowerCase()}`
  }
  const usdc = await deploy(testUsdcAbi, testUsdcBytecode)
  const usdt = await deploy(testUsdtAbi, testUsdtBytecode)
  const chain = chainOf({
    ...{ factory: deployment.factory, impl: deployment.impl, collector: deployment.feeVault },
    tokens: [
      { asset: 'USDC', contract: usdc, decimals: 6 },
      { asset: 'USDT', contract: usdt, decimals: 6, noReturn: true },
    ],
  })
  const { client } = openRpc(chain)
  // Only now: the deployment waits for blocks.
  if (a.minesByItself === false) await node.setAutomine(false)

  const send = async (to: Address, call: { data?: Hex; value?: bigint }): Promise<void> => {
    const hash = await wallet.sendTransaction({ chain: null, to, ...call })
    await mine()
    const receipt = await receiptOf(client, hash)
    assert.equal(receipt.status, 'success')
  }
  const mine = (blocks = 1): Promise<void> => node.mine({ blocks })
  const contract = { usdc: { address: usdc, abi: testUsdcAbi }, usdt: { address: usdt, abi: testUsdtAbi } }

  const world = {
    ...{ deps, clock, anvil, wallet, node, client, roles, deployment, chain, usdc, usdt, contract, mine, send },
    factory: { address: deployment.factory, abi: payFactoryAbi },

    /** A process of the relay; `sql` where its connection is to break. */
    start(sql: Sql = deps.sql, over: typeof client = client): Process {
      const parts: RelayDeps = { sql, clock, log: deps.log, wake: deps.wake, listEndedMoves }
      const [relayer, refunder] = signersOf(parts, chain, over)
      assert.ok(relayer && refunder)
      return { relayer, refunder, holder: `process ${++made}` }
    },

    /** Rounds until nothing is left to do; what is sent is mined where the node mines by itself. */
    async work(process: Process): Promise<void> {
      for (let round = 0; round < 20; round++) {
        const did =
          (await relayRound(process.relayer, process.holder)) + (await relayRound(process.refunder, process.holder))
        if (did === 0) return
      }
    },

    /** A deposit address with this much on it, and its row. */
    async deposit(
      d: {
        token?: Address | null
        amount?: bigint
        paid?: bigint
        merchant?: Address
        /** The account of the order; null: an address of before it was kept. */
        merchantId?: string
        refundTo?: Address
      } = {},
    ) {
      const id = `${process.pid}_${++made}`
      const token = d.token === undefined ? usdc : d.token
      const amount = d.amount ?? 10_000_000n
      const merchant = d.merchant ?? `0x${Buffer.from(randomOctets(20)).toString('hex')}`
      const route: Route = {
        ...{ chainId: 31337n, ref: toHex(randomOctets(32)), token: token ?? zeroAddress, merchant },
        ...{ collector: deployment.feeVault, feeBps: 100, minAmount: amount, openAfter: 4_102_444_800 },
        refundTo: d.refundTo ?? zeroAddress,
      }
      const vault = vaultOf(deployment.factory, deployment.impl, route)
      const deposit: Deposit = {
        id,
        legRef: `leg_${id}`,
        orderRef: `order_${id}`,
        vault,
        route,
        token,
        merchant,
        amount,
      }
      const stored = JSON.stringify(route, (_key, value: unknown) =>
        typeof value === 'bigint' || typeof value === 'number' ? String(value) : value,
      )
      const now = clock.now()
      await deps.sql`
        insert into forwarder_vaults (leg_ref, order_ref, merchant_id, chain, livemode, vault, factory, impl, route, asset, contract,
          decimals, amount_due, opened, deadline, hot_until, watch_until, created_at)
        values (${deposit.legRef}, ${deposit.orderRef}, ${d.merchantId ?? null}, 'base', false, ${vault}, ${deployment.factory}, ${deployment.impl},
          ${stored}::text::json, 'USDC', ${token}, 6, ${amount.toString()}, '{}', ${now}, ${now}, ${now}, ${now})`
      const paid = d.paid ?? amount
      if (paid > 0n) await world.pay(deposit, paid)
      return deposit
    },

    async pay(deposit: Deposit, amount: bigint): Promise<void> {
      // Both test tokens mint by the same call.
      const data = encodeFunctionData({ abi: testUsdcAbi, functionName: 'mint', args: [deposit.vault, amount] })
      if (deposit.token === null) await send(deposit.vault, { value: amount })
      else await send(deposit.token, { data })
      // As the watcher writes it down.
      const { number, hash } = await client.getBlock()
      const { legRef, orderRef, vault, token } = deposit
      await deps.sql`
        insert into forwarder_observations (key, leg_ref, order_ref, chain, vault, token, amount, tx_hash, log_index, height,
          block_hash, seen_at, state, found_by, created_at)
        values (${`base:${hash}:${vault}`}, ${legRef}, ${orderRef}, 'base', ${vault.toLowerCase()}, ${token},
          ${amount.toString()}, ${hash}, 0, ${number.toString()}, ${hash}, ${clock.now()}, 'confirmed', 'first',
          ${clock.now()})`
    },

    async settle(...deposits: Deposit[]): Promise<void> {
      const requests = deposits.map((deposit) => ({
        ...{ settlementId: `set_${deposit.id}`, orderRef: deposit.orderRef, legRef: deposit.legRef, livemode: false },
        ...{ pay: assetOf(deposit), settle: assetOf(deposit), merchantAddress: deposit.merchant },
        ...{ gross: deposit.amount, least: deposit.amount, feeBps: 100 },
      }))
      await queueSettlements(deps.sql, requests, clock.now())
    },

    async refund(deposit: Deposit, to: Address, isBound: boolean): Promise<void> {
      const request = {
        ...{ refundId: `ref_${deposit.id}`, orderRef: deposit.orderRef, legRef: deposit.legRef, livemode: false },
        ...{ asset: assetOf(deposit), amount: deposit.amount, to, isBound },
      }
      await queueRefunds(deps.sql, [request], clock.now())
    },

    async unitsOf(token: Address | null, who: Address): Promise<bigint> {
      if (token === null) return client.getBalance({ address: who })
      return client.readContract({ address: token, abi: erc20Abi, functionName: 'balanceOf', args: [who] })
    },

    async factsOf(deposit: Deposit): Promise<RailFact[]> {
      const rows = await deps.sql<{ fact: Record<string, unknown> }[]>`
        select fact from rail_facts where order_ref = ${deposit.orderRef} order by id limit 100`
      return rows.map((row) => readFact(row.fact))
    },

    /** What the factory said so far, as the watcher writes it down: a log by its block, final at the chain's depth. */
    async look(process: Process): Promise<void> {
      const head = await client.getBlockNumber({ cacheTime: 0 })
      const where = { from: 0n, to: head }
      const { factoryLogs } = await readLogs(client, chain, where, new Map())
      const seen: string[] = []
      for (const log of factoryLogs) {
        const key = `base:${log.blockHash}:${log.logIndex}`
        const isFinal = head - log.height + 1n >= BigInt(chain.finality.depth ?? 1)
        seen.push(key)
        await deps.sql`
          insert into forwarder_factory_logs (key, chain, event, vault, tx_hash, log_index, height, block_hash, args,
            state, created_at)
          values (${key}, 'base', ${log.event}, ${log.vault}, ${log.txHash}, ${log.logIndex},
            ${log.height.toString()}, ${log.blockHash}, ${JSON.stringify(log.args)}::text::json,
            ${isFinal ? 'final' : 'seen'}, ${clock.now()})
          on conflict (key) do update set state = excluded.state`
      }
      await deps.sql`
        update forwarder_factory_logs set state = 'orphaned' where not key = any(${seen}) and state <> 'orphaned'`
      await relayLogs(process.relayer.deps, chain)
      await world.work(process)
    },

    itemsOf: (deposit: Deposit) => deps.sql<{ state: string; failures: number; failure: string | null }[]>`
      select state, failures, failure from relay_items where leg_ref = ${deposit.legRef} order by id limit 10`,

    outbox: () => deps.sql<{ nonce: bigint; state: string; attempts: bigint }[]>`
      select nonce, state, (select count(*) from relay_attempts a where a.nonce = o.nonce and a.signer = o.signer) as attempts
      from relay_outbox o order by signer, nonce limit 100`,

    error: async (): Promise<string | null> => {
      const [row] = await deps.sql<{ error: string | null }[]>`
        select trouble as error from relay_signers where trouble is not null limit 1`
      return row?.error ?? null
    },
  }
  return world
}

export type RelayWorld = Awaited<ReturnType<typeof relayWorld>>

const assetOf = (deposit: Deposit) => ({ chain: 'base', asset: 'USDC', contract: deposit.token, decimals: 6 })
