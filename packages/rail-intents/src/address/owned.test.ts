// A quote that names somebody's address is shown to nobody, whoever he is; nobody learns that it is known, its owner loses nothing
// by the lie, and no stranger turns the rail off by naming an address first.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { checkAddress, parseAddress } from '@florin/chains'
import { AppError } from '@florin/platform/errors'
import { forwarder } from '@florin/rail-evm/index'
import { parseRailsConfig } from '@florin/rail-evm/settings/config'
import type { Rail } from '@florin/rail-kit/interface/rail'
import { networkOf } from '@florin/rail-utxo/chain/networks'
import { scriptOf } from '@florin/rail-utxo/chain/script'
import { utxo } from '@florin/rail-utxo/index'
import { privateKeyToAddress } from 'viem/accounts'
import { ACCOUNT, chainOver } from '../../../rail-utxo/src/test/world.fixture.ts'
import { accountAddresses } from '../../../server/src/addresses/accounts/assign.ts'
import { setAddress } from '../../../server/src/addresses/change.ts'
import { parseReceivingAddress } from '../../../server/src/addresses/rules.ts'
import { takeRefundAddress } from '../../../server/src/orders/create/refund-address.ts'
import { listEndedMoves } from '../../../server/src/orders/rail-outbox.store.ts'
import { parseChain } from '../../../server/src/parse-chain.ts'
import { elsewhere } from '../../../server/test/elsewhere.ts'
import { aMerchant, anAsker, aReceivingAccount } from '../../../server/test/factories.ts'
import { aCaller, anOrder } from '../../../server/test/orders.ts'
import { depositAddress } from '../test/addresses.fixture.ts'
import { aWorld, startProcess, type World } from '../test/world.fixture.ts'

type Body = Parameters<World['order']>[0]

const KEY = `0x${createHash('sha256').update('a key of this test').digest('hex')}` as const
const evm = (n: number): string => parseAddress('eth', depositAddress('eth', 9_000 + n))
const FEE_VAULT = evm(1)

/** The other rails of an installation, as a process has them: neither asks anybody before it is told to. */
function otherRails({ deps }: World): Rail[] {
  const { sql, clock, log, wake } = deps
  const parts = { sql, clock, log, wake }
  const base = {
    ...{ mode: 'test', rpc: ['http://127.0.0.1:9'], chainId: 31_337, factory: evm(2), impl: evm(3), tokens: [] },
    ...{ collector: FEE_VAULT, native: true, peg: 'none', relayer: { privateKeyEnv: 'KEY' } },
  }
  const chains = parseRailsConfig(JSON.stringify({ chains: { base } }), { KEY })
  const journal = { refOf: () => KEY, write: async () => undefined, checks: async () => [] }
  const coins = [chainOver({ hosts: ['http://127.0.0.1:9'] })]
  return [
    forwarder({ ...parts, journal, listEndedMoves }, chains).rail,
    utxo({ ...parts, journal, addresses: accountAddresses(sql), elsewhere }, coins).rail,
  ]
}

interface Refused {
  message: string
  retryAfterS: number | null
  why: string
}

test('the address of anybody who is known here is shown to no payer, in the same words, and stays its owner’s', async (t) => {
  const made = await aWorld(t)
  const process = startProcess(made.deps, { ...made, others: otherRails(made) })
  await process.rail.check()
  const { deps } = process
  const { provider, caller, clock } = made
  const { sql } = deps
  const order = (body: Body = {}) =>
    anOrder(deps, caller, { amount_usd: 50, pay_chain: 'arb', pay_asset: 'USDC', refund_address: evm(0), ...body })
  const lied = async (address: string, body: Body = {}, memo?: string): Promise<Refused> => {
    const change = ({ quote }: { quote: object }) =>
      void Object.assign(quote, { depositAddress: address }, memo === undefined ? {} : { depositMemo: memo })
    provider.rules.lie = { change, isSigned: true }
    const error = await order(body).then(
      () => assert.fail(`${address} is shown`),
      (caught: unknown) => caught,
    )
    provider.rules.lie = null
    await sql`delete from intents_sick`
    assert.ok(error instanceof AppError)
    const { message, retryAfterS = null, cause } = error
    return { message, retryAfterS, why: cause instanceof Error ? cause.message : '' }
  }

  // Of another merchant: what he is paid at, will be and was, and what his wallet gives to orders.
  const neighbour = await aMerchant(deps)
  const theirs = [evm(10), evm(11)]
  const set = (address: string) =>
    setAddress(deps, anAsker(neighbour.id), {
      chain: parseChain('op', 'chain'),
      address: parseReceivingAddress(parseChain('op', 'chain'), address).address,
      label: null,
    })
  for (const address of theirs) await set(address)
  await sql`
    insert into waiting_addresses (merchant_id, chain, address, asked_by, asked_at, effective_at)
    values (${neighbour.id}, 'eth', ${evm(12)}, 'merchant', ${clock.now()}, ${clock.now()})`
  const account = await aReceivingAccount(deps, anAsker(neighbour.id), {
    ...{ chain: 'btc', text: ACCOUNT, network: 'regtest' },
  })
  const ofAccount = depositAddress('btc', 9_000)
  const network = networkOf('btc', 'main')
  assert.ok(network)
  await sql`
    insert into account_addresses (account_id, index, script)
    values (${account}, 77, ${scriptOf(network, ofAccount)})`

  // Of payers of another shop: where money goes back to, by each way of saying it, and where it came from.
  const stranger = await aCaller(deps)
  const paid = await anOrder(deps, stranger, {
    ...{ amount_usd: 50, pay_chain: 'arb', pay_asset: 'USDC', refund_address: evm(20) },
  })
  const [leg] = paid.legs
  assert.ok(leg)
  await sql`
    insert into payments (key, id, order_no, pay_leg_id, tx_hash, output_index, chain, asset, decimals, amount, from_address,
      confirmations_required, status, use, seen_at, detected_at)
    values ('k', 'pay_1', ${paid.orderNo}, ${leg.id}, '0x1', 0, 'arb', 'USDC', 6, 1, ${evm(21)}, 1, 'confirmed', 'counted',
      ${clock.now()}, ${clock.now()})`
  await sql`
    insert into refunds (id, order_no, pay_leg_id, status, chain, asset, decimals, amount, address, reason, created_at, updated_at,
      hand_over_at)
    values ('ref_1', ${paid.orderNo}, ${leg.id}, 'failed', 'arb', 'USDC', 6, 1, ${evm(22)}, 'late', ${clock.now()},
      ${clock.now()}, ${clock.now()})`
  await sql`
    insert into merchant_refunds (id, order_no, status, chain, asset, decimals, amount, address, created_at, updated_at)
    values ('mrf_1', ${paid.orderNo}, 'recorded', 'arb', 'USDC', 6, 1, ${evm(23)}, ${clock.now()}, ${clock.now()})`
  const browser = await anOrder(deps, stranger, {
    ...{ amount_usd: 50, pay_chain: 'arb', pay_asset: 'USDC', refund_address: evm(24) },
  })
  // The rail's own row of the leg is enough.
  await sql`delete from pay_legs where order_no = ${browser.orderNo}`
  // What another rail gave out.
  await sql`
    insert into pay_legs (id, order_no, n, ref, rail, chain, asset, decimals, address, uri, amount_due, amount_out, dust, is_stable,
      rate, rate_source, rate_expires_at, confirmations_required, created_at, refund_address, settle_chain, settle_asset, settle_decimals,
      settle_address)
    values ('leg_1', ${browser.orderNo}, 9, 'r9', 'forwarder', 'base', 'USDC', 6, ${evm(30)}, '', 1, 1, 0, true, '1', 'x',
      ${clock.now()}, 1, ${clock.now()}, ${evm(31)}, 'base', 'USDC', 6, ${evm(12)})`

  const known: readonly (readonly [string, string])[] = [
    ...[...theirs, evm(12)].map((address) => ['merchant', address] as const),
    ...[20, 21, 22, 23, 24, 31].map((n) => ['payer', evm(n)] as const),
    ...[evm(30), FEE_VAULT, evm(2), evm(3), privateKeyToAddress(KEY)].map((address) => ['service', address] as const),
  ]
  const answers: Refused[] = []
  for (const [, address] of known)
    for (const spelled of [address, address.toLowerCase(), `0x${address.slice(2).toUpperCase()}`])
      answers.push(await lied(spelled))
  answers.push(
    await lied(ofAccount, { pay_chain: 'btc', pay_asset: 'BTC', refund_address: depositAddress('btc', 9_100) }),
  )
  // Who asks learns nothing of whose it is, nor what a lie of another kind would not have said.
  const [first] = answers
  for (const answer of answers) assert.deepEqual(answer, first)
  assert.match(first?.why ?? '', /somebody who is known here/)
  const other = await lied('nothing of the kind')
  assert.deepEqual([other.message, other.retryAfterS], [first?.message, first?.retryAfterS])
  assert.equal(
    (await sql`select 1 from intents_legs where order_ref <> all(${[paid.orderRef, browser.orderRef]})`).length,
    0,
  )

  // Its owner goes on as before.
  for (const [whose, address] of known.filter(([one]) => one !== 'service')) {
    const taken = await takeRefundAddress(deps, { chain: 'arb', livemode: false, text: address, param: 'x' })
    assert.equal(taken, address, whose)
  }
  for (const address of theirs) await set(address)
  assert.equal((await order()).legs[0]?.rail, 'intents')
})

test('where a memo tells swaps apart nobody turns the coin off, and nobody the rail, by naming its address first', async (t) => {
  const world = await aWorld(t)
  const { provider, deps, clock } = world
  const shared = depositAddress('stellar', 9_000)
  let memo = 7
  const honest = {
    change: ({ quote }: { quote: object }) =>
      void Object.assign(quote, { depositAddress: shared, depositMemo: String(memo++) }),
    isSigned: true,
  }
  const pay = (n: number, body: Body = {}) =>
    world.order({ pay_chain: 'stellar', pay_asset: 'USDC', refund_address: depositAddress('stellar', n), ...body })
  const sick = () => deps.sql<{ chain: string; asset: string }[]>`select chain, asset from intents_sick`
  // He names the provider's address as his own, before any swap was made there.
  provider.rules.lie = honest
  const isHis = (error: unknown) =>
    error instanceof AppError && error.entry.code === 'invalid_address' && error.param === 'refund_address'
  await assert.rejects(pay(0, { refund_address: shared }), isHis)
  assert.deepEqual(await sick(), [])
  // And as the one that another order's money goes back to, on a rail that does not know better.
  provider.rules.lie = null
  const bystander = await world.order()
  provider.rules.lie = honest
  await deps.sql`update pay_legs set bound_refund_address = ${shared} where order_no = ${bystander.orderNo}`
  const first = await pay(9_001)
  assert.deepEqual([first.legs[0]?.address, first.legs[0]?.memo], [shared, '8'])
  // From then on it is known as the provider's: each memo once, and none without.
  assert.equal((await pay(9_002)).legs[0]?.memo, '9')
  for (const change of [{ depositMemo: '8' }, { depositMemo: '' }]) {
    provider.rules.lie = {
      change: ({ quote }) => void Object.assign(quote, { depositAddress: shared }, change),
      isSigned: true,
    }
    await assert.rejects(pay(9_003), /./)
    assert.deepEqual([...(await sick())], [{ chain: 'near', asset: '*' }])
    await deps.sql`delete from intents_sick`
  }
  // A merchant who named such an address first has the coin refused, and not the rail.
  const elsewhere = depositAddress('stellar', 9_500)
  await deps.sql`
    insert into receiving_addresses (merchant_id, chain, address, updated_at)
    values (${(await aMerchant(deps)).id}, 'stellar', ${elsewhere}, ${clock.now()})`
  provider.rules.lie = {
    change: ({ quote }) => void Object.assign(quote, { depositAddress: elsewhere }),
    isSigned: true,
  }
  await assert.rejects(pay(9_004), /./)
  assert.deepEqual([...(await sick())], [{ chain: 'stellar', asset: 'USDC' }])
  provider.rules.lie = null
  assert.equal((await world.order()).legs[0]?.rail, 'intents')
})

test('an address that was given without a memo is given to no other order with one, nor is a memo where none can be sent', async (t) => {
  const world = await aWorld(t)
  const { provider, deps } = world
  const toTon = { pay_chain: 'ton', pay_asset: 'GRAM', refund_address: depositAddress('ton', 9_000) }
  const swap = (await world.order(toTon)).legs[0]?.address ?? ''
  assert.ok(checkAddress('ton', swap).valid)
  provider.rules.lie = {
    change: ({ quote }) => void Object.assign(quote, { depositAddress: swap, depositMemo: '5' }),
    isSigned: true,
  }
  const because = (why: RegExp) => (error: Error & { cause?: Error }) => why.test(error.cause?.message ?? '')
  await assert.rejects(world.order(toTon), because(/another order/))
  await deps.sql`delete from intents_sick`
  provider.rules.lie = { change: ({ quote }) => void Object.assign(quote, { depositMemo: '5' }), isSigned: true }
  await assert.rejects(world.order(), because(/a memo on a chain that has none/))
})
