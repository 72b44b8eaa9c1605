// Every order gets an address of its own, from however many processes at once, and never one that the wallet does not look at.
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { deriveAddresses, openAccount, parseAccount } from '@florin/accounts'
import { openPool } from '@florin/platform/db/pool'
import { withTx } from '@florin/platform/db/tx'
import { AppError } from '@florin/platform/errors'
import { DAY_MS } from '@florin/protocol'
import { accountRef } from '@florin/rail-kit/account-ref'
import { sized, slowTest, quickTest as test } from '../../../../../scripts/sizes.ts'
import { aMerchant } from '../../../test/factories.ts'
import { type TestDeps, testDeps } from '../../../test/harness.ts'
import { accountAddresses, fillLookAhead, LOOK_AHEAD } from './assign.ts'
import { type CountedAccount, findCounted, saveSaid, saveWalletLimit } from './counter.store.ts'
import { giveAccount } from './ownership.store.ts'
import { type AccountHistory, type HistoryRead, noHistory, REUSED_AFTER_MS } from './rules.ts'
import { lockAccount, saveAccount } from './store.ts'
import { accountUseJob } from './use.ts'

// BIP-86's vector.
const text =
  'tr([73c5da0a/86h/0h/0h]xpub6BgBgsespWvERF3LHQu6CnqdvfEvtMcQjYrcRzx53QJjSxarj2afYWcLteoGVky7D3UKDP9QyrLprQ3VCECoY49yfdDEHGCtMMj92pReUsQ/0/*)'
const parsed = parseAccount(text, { chain: 'btc' })
assert.ok(parsed.ok)
const { account } = parsed
const id = accountRef(account.identity)
const scripts = deriveAddresses(account, 0, 40).map(({ scriptPubKey }) => scriptPubKey)

const hold = ({ sql, clock }: Pick<TestDeps['deps'], 'sql' | 'clock'>, merchantId: string, from = 0n) =>
  withTx(sql, (tx) => saveAccount(tx, { id, account, merchantId, from, toldBy: [] }, clock.now()))

interface World extends TestDeps {
  merchantId: string
  claim(orderRef: string, more?: { takesReused?: boolean; merchantId?: string }): Promise<bigint>
  held(): Promise<CountedAccount>
}

async function aWorld(
  t: TestContext,
  a: { from?: bigint; used?: AccountHistory; walletLimit?: number } = {},
): Promise<World> {
  const made = await testDeps(t)
  const { sql, clock } = made.deps
  const merchant = await aMerchant(made.deps)
  const merchantId = merchant.id
  await hold({ sql, clock }, merchantId, a.from)
  if (a.walletLimit !== undefined) {
    const { walletLimit } = a
    await withTx(sql, (tx) => saveWalletLimit(tx, { id, walletLimit }))
  }
  if (a.used !== undefined) await accountUseJob({ ...made.deps, accountHistory: a.used }).run(AbortSignal.any([]))
  const addresses = accountAddresses(sql)
  return {
    ...made,
    merchantId,
    async held() {
      return (await findCounted(sql, { merchantId, id, now: clock.now() })) ?? assert.fail()
    },
    async claim(orderRef, more = {}) {
      const request = {
        merchantId,
        chain: 'btc',
        livemode: true,
        receivingAddress: id,
        orderRef,
        legRef: `${orderRef}.1`,
        now: clock.now(),
      }
      const claimed = await addresses.claim({ ...request, ...more })
      assert.ok(claimed !== null && claimed.account === id)
      const [derived] = deriveAddresses(openAccount(account.descriptor, account), Number(claimed.index), 1)
      assert.equal(claimed.script, derived?.scriptPubKey)
      return claimed.index
    },
  }
}

/** A chain that was read to its first block. */
const seenUpTo = (highest: bigint | null): AccountHistory => ({
  ...noHistory,
  read: async () => ({ highest, top: 9n, readDownTo: 1n, end: 'whole' }),
})
const unused = seenUpTo(null)

const full = (error: unknown): boolean => error instanceof AppError && error.entry.code === 'rail_unavailable'

test('an order has one address, another order another; a plain address has none', async (t) => {
  const at = await aWorld(t, { used: noHistory })
  assert.deepEqual(
    [await at.claim('a'), await at.claim('b'), await at.claim('a'), await at.claim('c')],
    [0n, 1n, 0n, 2n],
  )
  const addresses = accountAddresses(at.deps.sql)
  const { merchantId } = at
  const plain = {
    merchantId,
    chain: 'btc',
    livemode: true,
    receivingAddress: 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu',
  }
  assert.equal(await addresses.claim({ ...plain, orderRef: 'a', legRef: 'a.1', now: at.clock.now() }), null)
})

test('a used account starts behind what was used, and waits until that is known', async (t) => {
  let answers: (bigint | Error)[] = [new Error('the node is away'), 7n]
  const used: AccountHistory = {
    ...noHistory,
    async unspent(asked) {
      assert.equal(asked.account.identity, account.identity)
      const [answer = 0n] = answers
      answers = answers.slice(1)
      if (answer instanceof Error) throw answer
      return answer
    },
  }
  const at = await aWorld(t, { from: 2n, used })
  await assert.rejects(at.claim('a'), full)
  const learn = (accountHistory: AccountHistory) =>
    accountUseJob({ ...at.deps, accountHistory }).run(AbortSignal.any([]))
  assert.equal(await learn(used), 0, 'a chain that does not answer is left alone for a while')
  at.clock.advance(10_000)
  assert.deepEqual([await learn(used), await learn(used)], [1, 0])
  assert.equal(await at.claim('a'), 8n)
  // Where the chain was read whole, the address that was given to compare is all the same left to who has it.
  const whole = await aWorld(t, { from: 2n, used: unused })
  assert.equal(await whole.claim('a'), 2n)
  const row = await whole.held()
  assert.deepEqual([row.seenBelow, row.nextIndex], [0n, 3n])
})

test('blocks are read in parts, on from where another process ended, and orders wait for the newest only', async (t) => {
  const parts: HistoryRead[] = [
    { highest: null, top: 5_000n, readDownTo: 4_500n, end: null },
    { highest: 3n, top: 5_000n, readDownTo: 3_900n, end: null },
    { highest: 5n, top: 5_000n, readDownTo: 3_000n, end: null },
    { highest: null, top: 5_000n, readDownTo: 1n, end: 'whole' },
  ]
  const from: (bigint | null)[] = []
  const used: AccountHistory = {
    ...noHistory,
    async read({ readDownTo }) {
      from.push(readDownTo)
      return parts.shift() ?? assert.fail('it was read whole')
    },
  }
  const at = await aWorld(t, { used })
  await assert.rejects(at.claim('a'), full)
  const learn = () => accountUseJob({ ...at.deps, accountHistory: used }).run(AbortSignal.any([]))
  const told = async () => {
    const row = await at.held()
    return [row.history, row.toldBy.join(), row.readDownTo, row.nextIndex]
  }
  await learn()
  assert.deepEqual(await told(), ['reading', 'blocks', 3_900n, 4n])
  assert.equal(await at.claim('a'), 4n)
  await learn()
  assert.equal(await at.claim('b'), 6n, 'an older block moves it as well')
  await learn()
  assert.deepEqual(await told(), ['whole', 'blocks', 1n, 7n])
  assert.equal(await learn(), 0)
  assert.deepEqual(from, [null, 4_500n, 3_900n, 3_000n])
})

slowTest(
  'what the merchant says moves the start, and may be put right: what was given out is passed over one by one',
  async (t) => {
    const at = await aWorld(t)
    const say = (below: bigint) =>
      withTx(at.deps.sql, async (tx) => {
        await lockAccount(tx, id)
        await saveSaid(tx, { id, below })
      })
    await assert.rejects(at.claim('a'), full)
    await say(5_700n)
    await say(57n)
    assert.equal(await at.claim('a'), 57n, 'his word is enough to begin')
    await say(56n)
    assert.deepEqual([await at.claim('b'), await at.claim('b2')], [56n, 58n], 'what was given out stays so')
    await accountUseJob({ ...at.deps, accountHistory: seenUpTo(80n) }).run(AbortSignal.any([]))
    assert.equal(await at.claim('c'), 81n, 'and the chain knows better')
  },
)

slowTest('a start that is said ends no row of addresses that were given out and not paid', async (t) => {
  const at = await aWorld(t, { used: unused })
  const say = (below: bigint) =>
    withTx(at.deps.sql, async (tx) => {
      await lockAccount(tx, id)
      await saveSaid(tx, { id, below })
    })
  for (let n = 0; n < 15; n++) await at.claim(`order ${n}`)
  await assert.rejects(at.claim('too many'), full)
  // Whose coin is not offered any more says that the wallet goes on behind: it looks at twenty in a row all the same.
  await say(15n)
  assert.deepEqual([(await at.held()).seenBelow, (await at.held()).nextIndex], [0n, 15n])
  await assert.rejects(at.claim('too many'), full)
  // What another wallet of the merchant's used is known to him alone: the row counts from there.
  await say(30n)
  assert.deepEqual([(await at.held()).seenBelow, await at.claim('next')], [30n, 30n])
})

slowTest('a reorg that takes payments away takes their place in the row away too', async (t) => {
  const at = await aWorld(t, { used: unused })
  const { sql } = at.deps
  const addresses = accountAddresses(sql)
  for (let n = 0; n < 15; n++) await at.claim(`order ${n}`)
  const places = [3n, 14n].map((index) => ({ account: id, index }))
  await addresses.seen(sql, places, at.clock.now())
  assert.equal(await at.claim('next'), 15n)
  await withTx(sql, (tx) => addresses.left(tx, places.slice(1)))
  assert.equal((await at.held()).seenBelow, 4n)
  for (const index of [16n, 17n, 18n]) assert.equal(await at.claim(`then ${index}`), index)
  await assert.rejects(at.claim('too many'), full)
})

test('strangers who never pay push nobody beyond what the wallet looks at', async (t) => {
  const at = await aWorld(t, { used: unused })
  const { sql } = at.deps
  const addresses = accountAddresses(sql)
  const taken: bigint[] = []
  for (let n = 0; n < 40; n++)
    await at.claim(`stranger ${n}`).then(
      (index) => taken.push(index),
      (error) => assert.ok(full(error)),
    )
  assert.deepEqual(
    taken,
    Array.from({ length: 15 }, (_, n) => BigInt(n)),
  )
  // Who has an address keeps it.
  assert.equal(await at.claim('stranger 3'), 3n)
  await addresses.seen(sql, [{ account: id, index: 3n }], at.clock.now())
  assert.deepEqual(
    [await at.claim('e'), await at.claim('f'), await at.claim('g'), await at.claim('h')],
    [15n, 16n, 17n, 18n],
  )
  await assert.rejects(at.claim('i'), full)
  // Another wallet of the merchant gives addresses out as well.
  await addresses.seen(sql, [{ account: id, index: 21n }], at.clock.now())
  assert.equal(await at.claim('i'), 22n)
})

slowTest(
  'a payment further on than the wallet looks moves nothing: its owner would not see the orders behind',
  async (t) => {
    const at = await aWorld(t, { used: unused })
    const addresses = accountAddresses(at.deps.sql)
    await fillLookAhead(at.deps.sql)
    for (let n = 0; n < 10; n++) await at.claim(`order ${n}`)
    const pay = (index: number) => addresses.seenScripts(at.deps.sql, [scripts[index] ?? ''], at.clock.now())
    // Ten wait, and the wallet looks at twenty: 25 is beyond, 12 is not.
    await pay(25)
    assert.deepEqual([(await at.held()).seenBelow, await at.claim('a')], [0n, 10n])
    await pay(12)
    assert.deepEqual([(await at.held()).seenBelow, await at.claim('b')], [26n, 26n], 'from 13 on the wallet sees 25')
  },
)

test('after another merchant took the account over, orders keep their addresses and only the owner’s get new ones', async (t) => {
  const at = await aWorld(t, { used: unused })
  const other = (await aMerchant(at.deps)).id
  const theirs = { merchantId: other }
  assert.deepEqual([await at.claim('a'), await at.claim('b')], [0n, 1n])
  await withTx(at.deps.sql, (tx) => giveAccount(tx, { id, merchantId: other }))
  assert.equal(await at.claim('a'), 0n, 'an order knows its address')
  await assert.rejects(at.claim('c'), full)
  assert.equal(await at.claim('x', theirs), 2n, 'what is given stays given')
  // What the other gave out and nobody paid is reused by nobody.
  at.clock.advance(REUSED_AFTER_MS + DAY_MS)
  for (let n = 3; n < 15; n++) assert.equal(await at.claim(`more ${n}`, theirs), BigInt(n))
  await assert.rejects(at.claim('z', theirs), full)
  assert.equal(await at.claim('z', { ...theirs, takesReused: true }), 2n)
})

test('an address is given out again only when it was never paid, long ago, and its rail can tell', async (t) => {
  const at = await aWorld(t, { used: unused })
  const addresses = accountAddresses(at.deps.sql)
  for (let n = 0; n < 15; n++) await at.claim(`old ${n}`)
  await addresses.seen(at.deps.sql, [{ account: id, index: 0n }], at.clock.now())
  assert.equal(await at.claim('young'), 15n)
  at.clock.advance(REUSED_AFTER_MS - DAY_MS)
  await assert.rejects(at.claim('new', { takesReused: true }), full)
  at.clock.advance(2 * DAY_MS)
  await assert.rejects(at.claim('new'), full)
  // Announced once and taken back: its payer may pay yet.
  await addresses.announced(at.deps.sql, [{ account: id, index: 1n }], at.clock.now())
  assert.equal(await at.claim('new', { takesReused: true }), 2n)
  assert.equal(await at.claim('old 2'), 2n, 'the old order knows its address')
  assert.equal(await at.claim('newer', { takesReused: true }), 3n)
})

slowTest('processes that reuse at once give an old address to one order each', async (t) => {
  const at = await aWorld(t, { used: unused })
  for (let n = 0; n < 15; n++) await at.claim(`old ${n}`)
  at.clock.advance(REUSED_AFTER_MS + DAY_MS)
  const pools = Array.from({ length: 2 }, (_, n) =>
    openPool({ url: at.databaseUrl, max: 4, applicationName: `process ${n}` }),
  )
  t.after(() => Promise.all(pools.map((pool) => pool.end({ timeout: 5 }))))
  const now = at.clock.now()
  const claims = Array.from({ length: 20 }, (_, n) => {
    const orderRef = `new ${n}`
    const request = {
      merchantId: at.merchantId,
      chain: 'btc',
      livemode: true,
      receivingAddress: id,
      orderRef,
      legRef: orderRef,
      takesReused: true,
    }
    return accountAddresses(pools[n % 2] ?? assert.fail()).claim({ ...request, now })
  })
  const settled = await Promise.allSettled(claims)
  const given = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value?.index ?? -1n] : []))
  assert.deepEqual(
    given.sort((a, b) => Number(a - b)),
    Array.from({ length: 15 }, (_, n) => BigInt(n)),
  )
  assert.ok(settled.every((one) => one.status === 'fulfilled' || full(one.reason)))
})

slowTest('the look-ahead is derived before it is needed, and followed from the counter on', async (t) => {
  const at = await aWorld(t, { used: seenUpTo(4n), walletLimit: 1_000 })
  const { sql } = at.deps
  const addresses = accountAddresses(sql)
  assert.equal(await fillLookAhead(sql), 0, 'before the chain was asked')
  const ahead = await addresses.lookAhead('btc', 'main')
  assert.deepEqual(
    ahead.slice(0, 2),
    [5, 6].map((n) => ({ account: id, index: BigInt(n), script: scripts[n] ?? '' })),
  )
  assert.deepEqual([ahead.length, (await addresses.lookAhead('btc', 'test')).length], [20, 0])
  for (let n = 0; n <= LOOK_AHEAD / 2; n++) await at.claim(`order ${n}`)
  assert.equal(await fillLookAhead(sql), 1)
  const [rows] = await sql<
    { count: number; most: bigint }[]
  >`select count(*)::int as count, max(index) as most from account_addresses`
  const counter = 5 + LOOK_AHEAD / 2 + 1
  assert.deepEqual(rows, { count: counter + LOOK_AHEAD, most: BigInt(counter + LOOK_AHEAD - 1) })
})

test('many at once over many connections get one index each, and repeated requests the same', async (t) => {
  const at = await aWorld(t, { used: unused, walletLimit: 10_000 })
  const pools = Array.from({ length: 4 }, (_, n) =>
    openPool({ url: at.databaseUrl, max: 4, applicationName: `process ${n}` }),
  )
  t.after(() => Promise.all(pools.map((pool) => pool.end({ timeout: 5 }))))
  await fillLookAhead(at.deps.sql)
  const orders = sized({ short: 50, full: 500 })
  const claim = async (n: number): Promise<{ orderRef: string; index: bigint | undefined }> => {
    const orderRef = `order ${Math.floor(n / 2)}`
    const pool = pools[n % pools.length]
    assert.ok(pool !== undefined)
    const claimed = await accountAddresses(pool).claim({
      merchantId: at.merchantId,
      chain: 'btc',
      livemode: true,
      receivingAddress: id,
      orderRef,
      legRef: `${orderRef}.1`,
      now: at.clock.now(),
    })
    return { orderRef, index: claimed?.index }
  }
  // As many at once as there are connections: none waits for one longer than a busy machine lets it.
  const connections = Array.from({ length: 4 * pools.length }, (_, n) => n)
  const claims = connections.map(async (first) => {
    const found = []
    for (let n = first; n < orders * 2; n += connections.length) found.push(await claim(n))
    return found
  })
  const byOrder = Map.groupBy((await Promise.all(claims)).flat(), ({ orderRef }) => orderRef)
  const indexes = [...byOrder.values()].map((answers) => new Set(answers.map(({ index }) => index)))
  assert.ok(indexes.every((some) => some.size === 1))
  assert.deepEqual(
    indexes.flatMap((some) => [...some]).sort((a, b) => Number(a) - Number(b)),
    Array.from({ length: orders }, (_, n) => BigInt(n)),
  )
})
