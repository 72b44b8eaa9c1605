import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { DAY_MS, MINUTE_MS } from '@florin/protocol'
import { testDeps } from '../../../test/harness.ts'
import { aCaller, anOrder, settleDue } from '../../../test/orders.ts'
import { sendDueMail } from '../../platform/mail/send.ts'
import { actInSandbox, type SandboxAct } from '../../rails/sandbox/simulate.ts'
import { legBalancesOf } from '../model/balance.ts'
import { getOrder } from '../store.ts'
import { isSame } from './compare.ts'
import { reconcileDue, reconcileJob } from './reconcile.ts'
import { listBooks } from './store.ts'

const PAYER = '0x8617E340B3D01FA5F11F306F4090FD50E238070D'
const OPERATOR = 'operator@florin.example'

async function aShop(t: Parameters<typeof testDeps>[0]) {
  const { deps, clock, mailbox } = await testDeps(t, { operatorEmails: [OPERATOR] })
  const caller = await aCaller(deps, { feeBps: 100 })
  const job = reconcileJob(deps)
  const order = async () => anOrder(deps, caller, { amount_usd: 50, refund_address: PAYER })
  const act = async (orderRef: string, step: SandboxAct): Promise<void> => {
    await actInSandbox(deps.sql, orderRef, step, clock.now())
    while ((await settleDue(deps)) > 0);
  }
  return { deps, clock, mailbox, caller, job, order, act }
}

test('the books that SQL adds up are those of the ledger, leg by leg and asset by asset', async (t) => {
  const { deps, clock, order, act } = await aShop(t)
  const { orderNo, orderRef, legs } = await order()
  const [leg] = legs
  assert.ok(leg)
  const seenAt = clock.now()
  const usdt = { chain: 'base', asset: 'USDT', contract: '0xfde4C96c8593536E31F229EA8f37b2ADa2699bb2', decimals: 6 }
  const transfer = { kind: 'transfer', legRef: leg.ref, seenAt } as const
  const steps: SandboxAct[] = [
    { ...transfer, amount: leg.amountDue + 9_000_000n },
    { ...transfer, amount: 5n, asset: usdt },
    { ...transfer, amount: 77n },
    { kind: 'reorg' },
    { kind: 'confirm' },
    { kind: 'settle' },
    { kind: 'refund' },
    { kind: 'undo' },
    { kind: 'settle' },
    { ...transfer, amount: 3n, asset: { ...usdt, chain: 'op', contract: null, asset: 'ETH', decimals: 18 } },
  ]
  let compared = 0
  for (const step of steps) {
    await act(orderRef, step)
    const books = await listBooks(deps.sql, [orderNo])
    const ledger = legBalancesOf(await getOrder(deps.sql, orderNo))
    for (const line of ledger) {
      const row = books.find((one) => one.legId === line.legId && isSame(one.asset, line))
      assert.equal(row?.booked, line.held, `${step.kind}: ${line.asset}`)
      compared++
    }
    assert.equal(books.filter((one) => one.booked !== 0n).length, ledger.filter((line) => line.held !== 0n).length)
  }
  assert.ok(compared > 12)
})

test('a difference is for people: items, one mail to the merchant, one to the operator, and no order changes', async (t) => {
  const { deps, clock, mailbox, job, order, act } = await aShop(t)
  const orders = [await order(), await order()]
  for (const { orderRef, legs } of orders) {
    await act(orderRef, { kind: 'transfer', legRef: legs[0]?.ref ?? '', amount: 1_000n, seenAt: clock.now() })
    await act(orderRef, { kind: 'deal', legRef: legs[0]?.ref ?? '', amount: 400n })
  }
  const before = await Promise.all(orders.map(({ orderNo }) => getOrder(deps.sql, orderNo)))
  const run = () => job.run(new AbortController().signal)
  assert.equal(await run(), 2)
  assert.equal(await run(), 0, 'nothing is due before its time')
  clock.advance(MINUTE_MS)
  assert.equal(await run(), 2)
  const items = await deps.sql<
    { kind: string; evidence: Record<string, string> }[]
  >`select kind, evidence from attention`
  assert.deepEqual(
    items.map(({ kind, evidence }) => [kind, evidence.amount, evidence.booked, evidence.found]),
    [
      ['books_differ', '600', '1000', '400'],
      ['books_differ', '600', '1000', '400'],
    ],
  )
  await sendDueMail(deps)
  const told = mailbox.mails.filter((mail) => /books|chain differ/i.test(mail.subject))
  assert.deepEqual(told.map((mail) => mail.to === OPERATOR).toSorted(), [false, false, true])
  assert.deepEqual(await Promise.all(orders.map(({ orderNo }) => getOrder(deps.sql, orderNo))), before)
})

test('an order that closes is compared within the minute, and told of', async (t) => {
  const { deps, clock, job, order, act } = await aShop(t)
  const { orderNo, orderRef, legs } = await order()
  const [leg] = legs
  assert.ok(leg)
  const run = () => job.run(new AbortController().signal)
  await run()
  await act(orderRef, { kind: 'transfer', legRef: leg.ref, amount: leg.amountDue, seenAt: clock.now() })
  await act(orderRef, { kind: 'confirm' })
  clock.advance(16 * MINUTE_MS)
  await run()
  await act(orderRef, { kind: 'settle' })
  assert.equal((await getOrder(deps.sql, orderNo)).status, 'success')
  await act(orderRef, { kind: 'deal', legRef: leg.ref, amount: 9n })
  for (let passed = 0; passed < 60; passed += 15) {
    clock.advance(15_000)
    await run()
  }
  const items = await deps.sql<{ kind: string }[]>`select kind from attention`
  assert.deepEqual([...items], [{ kind: 'books_differ' }])
})

test('what is under way between two tables is told to nobody', async (t) => {
  const { deps, clock, job, order, act } = await aShop(t)
  const { orderRef, legs } = await order()
  const run = () => job.run(new AbortController().signal)
  await run()
  // Reported and not applied yet: in motion.
  const transfer = { kind: 'transfer', legRef: legs[0]?.ref ?? '', amount: 1_000n, seenAt: clock.now() } as const
  await actInSandbox(deps.sql, orderRef, transfer, clock.now())
  for (let look = 0; look < 3; look++) {
    clock.advance(16 * MINUTE_MS)
    await run()
  }
  assert.deepEqual([...(await deps.sql`select 1 from book_differences`)], [])
  while ((await settleDue(deps)) > 0);
  // One look at a gap that closes leaves no trace.
  await act(orderRef, { kind: 'deal', legRef: transfer.legRef, amount: 1n })
  clock.advance(16 * MINUTE_MS)
  await run()
  assert.equal((await deps.sql`select 1 from book_differences`).length, 1)
  await act(orderRef, { kind: 'deal', legRef: transfer.legRef, amount: 1_000n })
  clock.advance(16 * MINUTE_MS)
  await run()
  assert.deepEqual([...(await deps.sql`select 1 from book_differences`)], [])
})

test('every order is taken up once, in batches, also one whose number is older than its commit', async (t) => {
  const { deps, clock, order, job } = await aShop(t)
  const old = await order()
  clock.advance(10 * MINUTE_MS)
  for (let n = 0; n < 4; n++) await order()
  await job.run(new AbortController().signal)
  const due = async () => (await deps.sql`select 1 from reconciliations`).length
  assert.equal(await due(), 5)
  await deps.sql`delete from reconciliations where order_no = ${old.orderNo}`
  clock.advance(30 * MINUTE_MS)
  await order()
  await job.run(new AbortController().signal)
  assert.equal(await due(), 5, 'the narrow look takes the new one')
  clock.advance(61 * MINUTE_MS)
  await job.run(new AbortController().signal)
  assert.equal(await due(), 6, 'the wide one finds the late one')

  await deps.sql`update reconciliations set due_at = ${clock.now()}`
  assert.deepEqual([await reconcileDue(deps, 4), await reconcileDue(deps, 4), await reconcileDue(deps, 4)], [4, 2, 0])
  clock.advance(100 * DAY_MS)
  await deps.sql`update orders set status = 'expired', look_at = null`
  await reconcileDue(deps)
  assert.equal(await due(), 0, 'after 90 days nobody looks any more')
})

test('what the sandbox returned before it kept books is in them', async (t) => {
  const { deps, clock, job, order, act } = await aShop(t)
  const [returned, over] = [await order(), await order()]
  for (const { orderRef, legs } of [returned, over]) {
    const amount = (legs[0]?.amountDue ?? 0n) * 2n
    await act(orderRef, { kind: 'transfer', legRef: legs[0]?.ref ?? '', amount, seenAt: clock.now() })
    await act(orderRef, { kind: 'confirm' })
  }
  await act(returned.orderRef, { kind: 'return_all' })
  await act(over.orderRef, { kind: 'settle' })
  await act(over.orderRef, { kind: 'refund' })
  assert.equal((await getOrder(deps.sql, returned.orderNo)).status, 'refunded')
  // As an older release left it.
  await deps.sql`delete from sandbox_outflows`
  await deps.sql`update sandbox_refunds set leg_ref = null, asset = null, amount = null`
  const look = async () => {
    clock.advance(6 * MINUTE_MS)
    await job.run(new AbortController().signal)
    return (await deps.sql`select 1 from book_differences`).length
  }
  assert.equal(await look(), 1)
  const text = await readFile(new URL('../../../migrations/0029_sandbox_books.sql', import.meta.url), 'utf8')
  for (let run = 0; run < 2; run++) await deps.sql.unsafe(text)
  assert.equal(await look(), 0)
  assert.equal((await deps.sql`select 1 from reconciliations where compared_at is null`).length, 0)
})
