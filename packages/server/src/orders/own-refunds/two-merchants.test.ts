// Two merchants of one server and one payer, on a real chain. Promise: a transfer that a merchant makes for a refund is recorded for that
// refund, whichever receiving address another merchant has set, whatever that one asks for, cancels or names, and whoever is looked at first.
import assert from 'node:assert/strict'
import { after, type TestContext, test } from 'node:test'
import { toAnvil } from '@florin/contracts/anvil'
import type { OrderState } from '@florin/order-model/state'
import type { MerchantRefund } from '@florin/protocol'
import { type Address, createWalletClient, encodeFunctionData, erc20Abi, type Hex } from 'viem'
import { aWorld, payers, stopNodes, type World } from '../../../../rail-evm/src/test/world.fixture.ts'
import { aMerchant } from '../../../test/factories.ts'
import type { Caller } from '../../define-route.ts'
import { getOrder } from '../store.ts'
import { askOwnRefund, cancelOwnRefund, nameTransaction } from './acts.ts'
import { ownRefundJob } from './watch.ts'

after(stopNodes)

const PAYER = '0x8617E340B3D01FA5F11F306F4090FD50E238070D'
/** The wallet is the owner's; the stranger has set it as a receiving address too, and was paid there once. */
const [wallet = '0x' as Address] = payers

interface Shop {
  ask(amount: bigint): Promise<MerchantRefund>
  cancel(id: string): Promise<unknown>
  name(id: string, txHash: Hex): Promise<unknown>
  read(id: string): Promise<OrderState['ownRefunds'][number]>
  order: OrderState
}

async function twoShops(t: TestContext) {
  const world = await aWorld(t)
  const { deps, node } = world
  await world.pay(wallet, node.usdc, 10_000_000_000n)
  const owner = await aShop(world, world.caller, wallet)
  const { id: merchantId, no: merchantNo } = await aMerchant(deps)
  const stranger = await aShop(world, { merchantId, merchantNo }, wallet)
  const client = createWalletClient({ transport: toAnvil(node.url), account: wallet })
  return {
    ...{ world, owner, stranger },
    async pay(amount: bigint | string): Promise<Hex> {
      const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [PAYER, BigInt(amount)] })
      const hash = await client.sendTransaction({ chain: null, to: node.usdc, data })
      await world.client.waitForTransactionReceipt({ hash })
      return hash
    },
    /** All transfers are final, and the requests of one shop are looked at before those of the other. */
    async lookAtFirst(shop: Shop): Promise<void> {
      await world.mine(6)
      for (const isFirst of [true, false]) {
        world.clock.advance(60_000)
        const now = world.clock.now()
        await deps.sql`
          update tasks set run_at = case when (payload ->> 'orderNo' = ${shop.order.orderNo}) = ${isFirst} then ${now}
            else ${new Date(now.getTime() + 3_600_000)} end
          where kind = 'own-refunds'`
        while ((await ownRefundJob(deps).run(AbortSignal.any([]))) > 0) world.clock.advance(1_000)
      }
    },
  }
}

async function aShop(
  world: World,
  { merchantId, merchantNo }: Pick<Caller, 'merchantId' | 'merchantNo'>,
  address: Address,
): Promise<Shop> {
  const { deps, clock } = world
  const { orderNo, legs } = await world.order({ settle_chain: 'base', settle_asset: 'USDC' })
  const { sql } = deps
  await sql`
    update orders set status = 'success', status_detail = 'paid', amount_out = 1000000000, settled_at = ${clock.now()},
      settle_address = ${address}, merchant_id = ${merchantId} where order_no = ${orderNo}`
  await sql`
    insert into settlements (id, order_no, pay_leg_id, status, gross, fee_bps, fee, amount_out, tx_hash, is_released, created_at,
                             updated_at, hand_over_at)
    values (${`set_${orderNo}`}, ${orderNo}, ${legs[0]?.id ?? ''}, 'final', 1000000000, 0, 0, 1000000000, ${`0x${'ab'.repeat(32)}`}, false,
            ${clock.now()}, ${clock.now()}, ${clock.now()})`
  await sql`
    insert into receiving_addresses (merchant_id, chain, address, updated_at) values (${merchantId}, 'base', ${address}, ${clock.now()})
    on conflict (merchant_id, chain) do update set address = excluded.address`
  await sql`update pay_legs set settle_address = ${address} where order_no = ${orderNo}`
  const caller: Caller = {
    ...{ merchantId, merchantNo, livemode: false, actor: 'owner@shop.example', isConsole: true, isFresh: true },
  }
  const now = (): Promise<OrderState> => getOrder(sql, orderNo)
  return {
    order: await now(),
    ask: async (amount) =>
      askOwnRefund(deps, caller, await now(), { amount, address: PAYER, reason: null, mayExceed: true }),
    cancel: async (id) => cancelOwnRefund(deps, caller, await now(), id),
    name: async (id, txHash) => nameTransaction(deps, caller, await now(), { id, txHash }),
    async read(id) {
      const row = (await now()).ownRefunds.find((one) => one.id === id)
      assert.ok(row)
      return row
    },
  }
}

for (const isStrangerFirst of [true, false]) {
  test(`own refunds: a stranger set my address, his look is ${isStrangerFirst ? 'first' : 'last'} → mine stay mine`, async (t) => {
    const { owner, stranger, pay, lookAtFirst } = await twoShops(t)
    const paid: { case: string; mine: string; theirs: string; hash: Hex }[] = []
    const add = (name: string, mine: { id: string }, theirs: { id: string }, hash: Hex): void =>
      void paid.push({ case: name, mine: mine.id, theirs: theirs.id, hash })
    /** What the other one waits for is refused, and a unit less is asked for. */
    const askBeside = async (shop: Shop, amount: bigint): Promise<MerchantRefund> => {
      await assert.rejects(shop.ask(amount), new RegExp(`waits for ${amount} .* such as ${amount - 1n}`))
      return shop.ask(amount - 1n)
    }
    const inTurn: [name: string, run: (amount: bigint, name: string) => Promise<void>][] = [
      [
        'I ask, he asks, I pay',
        async (amount, name) => {
          const mine = await owner.ask(amount)
          const his = await askBeside(stranger, amount)
          add(name, mine, his, await pay(mine.amount))
        },
      ],
      [
        'he asks, I ask, I pay',
        async (amount, name) => {
          const his = await stranger.ask(amount)
          const mine = await askBeside(owner, amount)
          add(name, mine, his, await pay(mine.amount))
        },
      ],
      [
        'he asks and cancels, I ask, I pay',
        async (amount, name) => {
          const his = await stranger.ask(amount)
          await stranger.cancel(his.id)
          const mine = await askBeside(owner, amount)
          add(name, mine, his, await pay(mine.amount))
        },
      ],
      [
        'I ask, I pay, he asks',
        async (amount, name) => {
          const mine = await owner.ask(amount)
          const hash = await pay(mine.amount)
          add(name, mine, await askBeside(stranger, amount), hash)
        },
      ],
      [
        'I ask and cancel, he asks, I pay',
        async (amount, name) => {
          const mine = await owner.ask(amount)
          await owner.cancel(mine.id)
          add(name, mine, await askBeside(stranger, amount), await pay(mine.amount))
        },
      ],
    ]
    for (const [n, [name, run]] of inTurn.entries()) await run(BigInt(n + 1) * 10_000_000n, name)
    // He also names what I paid.
    for (const one of paid) await stranger.name(one.theirs, one.hash)
    await lookAtFirst(isStrangerFirst ? stranger : owner)
    await lookAtFirst(isStrangerFirst ? stranger : owner)
    const found = await Promise.all(
      paid.map(async ({ case: name, mine, theirs, hash }) => {
        const [my, his] = [await owner.read(mine), await stranger.read(theirs)]
        return [name, my.txHash === hash && my.status, his.status]
      }),
    )
    assert.deepEqual(
      found.filter(([, my, his]) => my !== 'recorded' || his === 'recorded'),
      [],
    )
  })
}

test('own refunds: two merchants ask side by side for the same → one is refused; the chain is not my word', async (t) => {
  const { world, owner, stranger, pay, lookAtFirst } = await twoShops(t)
  const both = await Promise.allSettled([owner.ask(9_000_000n), stranger.ask(9_000_000n)])
  assert.deepEqual(both.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
  // My own other requests do not matter.
  const mine = [await owner.ask(5_000_000n), await owner.ask(5_000_000n)]
  for (const { amount } of mine) await pay(amount)
  await lookAtFirst(owner)
  await lookAtFirst(owner)
  const rows = await Promise.all(mine.map(({ id }) => owner.read(id)))
  assert.deepEqual(
    rows.map(({ status, sentFrom }) => [status, sentFrom]),
    [
      ['recorded', 'word'],
      ['recorded', 'word'],
    ],
    'two merchants are paid at this address',
  )
  assert.equal(new Set(rows.map(({ key }) => key)).size, 2)
  // Whatever amounts a stranger waits for, another one is free.
  const { id } = await stranger.ask(4_000_000n)
  await world.deps.sql`
    insert into merchant_refunds (id, order_no, status, chain, asset, contract, decimals, amount, address, created_at, updated_at)
    select 'mrf_' || n, order_no, 'canceled', chain, asset, contract, decimals, amount + n, lower(address), created_at, updated_at
    from merchant_refunds, generate_series(-100, 99) n where id = ${id} and n <> 0`
  await assert.rejects(owner.ask(4_000_000n), /such as 4000100\./)
})
