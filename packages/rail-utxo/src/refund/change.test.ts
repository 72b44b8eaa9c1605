// Coins of a wallet's own change: known as the merchant's by the account.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type Account, changeOf, deriveAddress, openAccount } from '@florin/accounts'
import type { OrderState } from '@florin/order-model/state'
import { withTx } from '@florin/platform/db/tx'
import { accountRef } from '@florin/rail-kit/account-ref'
import { giveAccount } from '../../../server/src/addresses/accounts/ownership.store.ts'
import { keepWallets } from '../../../server/src/addresses/accounts/wallets.ts'
import { setAddress } from '../../../server/src/addresses/change.ts'
import type { KeyCaller } from '../../../server/src/callers.ts'
import { nameRefundAddress } from '../../../server/src/orders/acts.ts'
import { askOwnRefund, nameTransaction } from '../../../server/src/orders/own-refunds/acts.ts'
import { ownRefundJob } from '../../../server/src/orders/own-refunds/watch.ts'
import { parseChain } from '../../../server/src/parse-chain.ts'
import { anAsker, aReceivingAccount } from '../../../server/test/factories.ts'
import { aCaller, anOrder } from '../../../server/test/orders.ts'
import { addressOf } from '../chain/script.ts'
import { type Outpoint, TestChain, txidOf } from '../test/chain.fixture.ts'
import { ACCOUNT, aWorld, OTHER_ACCOUNT, output } from '../test/world.fixture.ts'

const DUE = 100_000n
const SCRIPT = `0014${'ab'.repeat(20)}`

/** Ann's account is of the type whose inputs show their key; her order is paid, and her chain of change is known. */
async function aShop(t: TestContext) {
  const world = await aWorld(t, { fields: { confirmations: [{ blocks: 1 }] } })
  const { deps, chain } = world
  const text = ACCOUNT.replace('wpkh', 'pkh')
  await aReceivingAccount(deps, anAsker(world.caller.merchantId), { chain: 'btc', text, network: 'regtest' })
  const changes = changeOf(openAccount(text, { chain: 'btc', network: 'regtest' })) as Account
  const address = addressOf(chain.network, SCRIPT) ?? ''
  const orderOf = (caller: KeyCaller) =>
    anOrder(deps, caller, {
      ...{ amount_usd: 50, pay_chain: 'btc', pay_asset: 'BTC', settle_chain: 'btc', settle_asset: 'BTC' },
    })
  const paid = async (caller: KeyCaller, amount = DUE) => {
    const order = await orderOf(caller)
    world.announce(order, amount)
    chain.mine()
    await world.settle()
    return { order, caller }
  }
  const as = (caller: KeyCaller) =>
    ({ merchantId: caller.merchantId, actor: 'test', isConsole: true, isFresh: true, livemode: false }) as never
  return {
    ...{ world, changes, address, paid, orderOf, as },
    /** Another merchant, with this account. */
    async other(account: Account) {
      const caller = await aCaller(deps, {})
      const place = accountRef(account.identity)
      const given = { account, from: 0n, toldBy: [], warnings: [] }
      await setAddress(deps, anAsker(caller.merchantId), {
        ...{ chain: parseChain('btc', 'chain'), address: place, label: null, given },
      })
      await deps.sql`update receiving_accounts set examined_at = now(), history = 'whole' where id = ${place}`
      return caller
    },
    async ask({ order, caller }: { order: OrderState; caller: KeyCaller }, amount: bigint) {
      const wish = { amount, address, reason: null, mayExceed: false }
      const asked = await askOwnRefund(deps, as(caller), await world.read(order), wish)
      const name = async (txHash: string) => {
        await nameTransaction(deps, as(caller), await world.read(order), { id: asked.id, txHash })
        world.clock.advance(60_000)
        await ownRefundJob(deps).run(AbortSignal.any([]))
        const row = (await world.read(order)).ownRefunds.find((one) => one.id === asked.id)
        return [row?.status, row?.sentFrom, row?.failure ?? null]
      }
      return { id: asked.id, amount: BigInt(asked.amount), name }
    },
    /** Paid to the payer from the change at `index`, and the rest wherever that is. */
    async send(amount: bigint, index: number, a: { rest?: string; coin?: Outpoint; of?: Account } = {}) {
      const { publicKey: key } = deriveAddress(a.of ?? changes, index)
      const rest = a.rest === undefined ? [] : [output(a.rest, DUE)]
      const raw = TestChain.transaction(
        [output(SCRIPT, amount), ...rest],
        [{ ...(a.coin ?? TestChain.outpoint()), key }],
      )
      chain.mine([raw])
      await world.settle()
      return txidOf(raw)
    },
  }
}

test('change of the merchant’s wallet is the merchant’s, and nobody else’s refund', async (t) => {
  const shop = await aShop(t)
  const { world } = shop
  const hers = await shop.paid(world.caller)
  await keepWallets(world.deps.sql)
  const bob = await shop.other(openAccount(OTHER_ACCOUNT, { chain: 'btc', network: 'regtest' }))
  const his = await shop.paid(bob)
  // He asked first; her coins are none of his.
  const [first, second] = [await shop.ask(his, 20_000n), await shop.ask(hers, 20_000n)]
  const sent = await shop.send(20_000n, 70)
  assert.match(String((await first.name(sent))[2]), /another merchant’s orders/)
  assert.deepEqual(await second.name(sent), ['recorded', 'own', null])
})

test('the chain of another’s change is refused as an account, and coins of a wallet that is not set here are nobody’s', async (t) => {
  const shop = await aShop(t)
  const { world, changes, address } = shop
  const hers = await shop.paid(world.caller)
  await keepWallets(world.deps.sql)
  await assert.rejects(shop.other(changes), /in use by another account of this service/)
  const unset = openAccount(OTHER_ACCOUNT.replace('wpkh', 'pkh'), { chain: 'btc', network: 'regtest' })
  const from = await shop.ask(hers, 9_000n)
  assert.deepEqual(await from.name(await shop.send(9_000n, 0, { of: unset })), ['recorded', 'word', null])
  // Nor anybody's who set it and was not paid there.
  await shop.orderOf(await shop.other(unset))
  const again = await shop.ask(hers, 9_500n)
  assert.deepEqual(await again.name(await shop.send(9_500n, 1, { of: unset })), ['recorded', 'word', null])
  const own = await shop.ask(hers, 10_000n)
  assert.deepEqual(await own.name(await shop.send(10_000n, 4)), ['recorded', 'own', null])
  // The same where Florin finds it by itself: more than was asked is not hers for sure.
  const { order } = await shop.paid(world.caller, DUE + 5_000n)
  const refundId = (await world.read(order)).refunds[0]?.id ?? ''
  const by = { actor: 'test', refundId, address }
  await nameRefundAddress(world.deps, await world.read(order), by, async () => undefined)
  await world.settle()
  const status = async () => (await world.read(order)).refunds[0]?.status
  await shop.send(5_001n, 2, { of: unset })
  assert.equal(await status(), 'proposed')
  await shop.send(5_001n, 3)
  assert.equal(await status(), 'succeeded')
})

test('coins that paid an account are those of whoever took it over, and its former owner’s refund no more', async (t) => {
  const shop = await aShop(t)
  const { world } = shop
  const hers = await shop.paid(world.caller)
  const [coin] = (await world.read(hers.order)).payments.map((one) => ({ txid: one.txHash, vout: 0 }))
  const bob = await shop.other(openAccount(OTHER_ACCOUNT, { chain: 'btc', network: 'regtest' }))
  const his = await shop.paid(bob)
  const [account] = await world.deps.sql<{ id: string }[]>`
    select id from receiving_accounts where merchant_id = ${world.caller.merchantId} and script = 'pkh'`
  await withTx(world.deps.sql, (tx) => giveAccount(tx, { id: account?.id ?? '', merchantId: bob.merchantId }))
  const [first, second] = [await shop.ask(hers, 20_000n), await shop.ask(his, 20_000n)]
  const sent = await shop.send(20_000n, 0, { ...(coin === undefined ? {} : { coin }) })
  assert.match(String((await first.name(sent))[2]), /another merchant’s orders/)
  assert.deepEqual(await second.name(sent), ['recorded', 'own', null])
})
