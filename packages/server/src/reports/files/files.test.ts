// Promises: the file of an export is what the stream would have brought, whichever workers wrote it and wherever one of them
// died; it is its merchant's alone, ends after a week, and goes with the payers that are erased.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { DAY_MS, MINUTE_MS, type OrderExport } from '@florin/protocol'
import { type ConsoleAnswer, type ConsoleUser, type TestConsole, testConsole } from '../../../test/console.ts'
import { copies } from '../../../test/scale/order-copies.ts'
import { erasePayer } from '../../orders/erase/erase.store.ts'
import { withTx } from '../../platform/db/tx.ts'
import { EXPORT_PAGE } from '../export.ts'
import { EXPORTS_KEPT } from './routes.ts'
import { addPiece, claimExport } from './store.ts'
import { writeNext } from './write.ts'

async function call<T>(at: TestConsole, method: 'POST' | 'GET' | 'DELETE', path: string, who: ConsoleUser = at) {
  const reply = await at.app.inject({ method, url: `/api/v1/boss/exports${path}`, headers: who.merchant.headers })
  const isJson = String(reply.headers['content-type']).startsWith('application/json')
  const { data, error } = (isJson ? reply.json() : {}) as Partial<ConsoleAnswer<T>>
  return { status: reply.statusCode, body: reply.rawPayload, headers: reply.headers, data: data as T, error }
}

const ask = async (at: TestConsole, query = ''): Promise<OrderExport> => {
  const { status, data } = await call<OrderExport>(at, 'POST', `?livemode=false${query}`)
  assert.equal(status, 201)
  return data
}

const list = async (at: TestConsole): Promise<OrderExport[]> =>
  (await call<OrderExport[]>(at, 'GET', '?livemode=false')).data

const streamed = async (at: TestConsole, query = ''): Promise<string> =>
  (
    await at.app.inject({
      url: `/api/v1/boss/orders/export?format=csv&livemode=false${query}`,
      headers: at.merchant.headers,
    })
  ).payload

test('a file has what the stream brings, though a worker died over it and another wrote the same piece', async (t) => {
  const at = await testConsole(t)
  const { deps, clock } = at
  await copies(at, (await at.order({ title: 'Hat' })).orderNo, 2 * EXPORT_PAGE + 5)
  const made = await ask(at, '&q=hat')
  assert.deepEqual([made.status, made.rows], ['writing', 0])
  assert.equal((await call(at, 'GET', `/${made.id}/file`)).status, 409)
  assert.equal(await writeNext(deps, { pages: 1 }), 1)
  assert.equal((await list(at))[0]?.rows, EXPORT_PAGE, 'how far it has come is told')

  // This one reads, and never comes back; it does, when another has written its piece.
  const now = clock.now()
  const dead = await claimExport(deps.sql, { claim: 'dead', now, until: new Date(now.getTime() + MINUTE_MS) })
  assert.ok(dead)
  assert.equal(await writeNext(deps, { pages: 1 }), 0, 'it is claimed')
  clock.advance(2 * MINUTE_MS)
  assert.equal(await writeNext(deps, { pages: 1 }), 1)
  const late = { body: Buffer.from('x'), rows: 1, after: null, isLast: true, now: clock.now() }
  assert.equal(await addPiece(deps.sql, dead, late), false)
  assert.equal(await writeNext(deps, { pages: 1 }), 1)
  const [done] = await list(at)
  assert.deepEqual([done?.status, done?.rows], ['done', 2 * EXPORT_PAGE + 6])
  assert.equal(await writeNext(deps), 0)

  const file = await call(at, 'GET', `/${made.id}/file`)
  assert.equal(file.headers['content-type'], 'application/gzip')
  assert.equal(file.body.length, done?.bytes)
  assert.equal(gunzipSync(file.body).toString('utf8'), await streamed(at, '&q=hat'))
})

test('it is its merchant’s alone, and ends after seven days or when it is deleted', async (t) => {
  const at = await testConsole(t)
  await at.order()
  const stranger = await at.another()
  const { id } = await ask(at)
  await writeNext(at.deps)
  assert.equal((await call(at, 'GET', `/${id}/file`)).status, 200)
  for (const [method, path] of [
    ['GET', `/${id}/file`],
    ['DELETE', `/${id}`],
  ] as const)
    assert.equal((await call(at, method, path, stranger)).status, 404)
  assert.deepEqual((await call(at, 'GET', '?livemode=false', stranger)).data, [])
  assert.deepEqual((await call(at, 'GET', '?livemode=true')).data, [], 'live and test do not mix')
  assert.equal((await at.app.inject(`/api/v1/boss/exports/${id}/file`)).statusCode, 401)

  for (let n = 1; n < EXPORTS_KEPT; n++) await ask(at)
  const { status, error } = await call(at, 'POST', '?livemode=true')
  assert.deepEqual([status, error?.code], [409, 'action_not_possible'])
  assert.equal((await call(at, 'DELETE', `/${id}`)).status, 200)
  assert.equal((await call(at, 'DELETE', `/${id}`)).status, 404)
  while ((await writeNext(at.deps)) > 0);
  assert.equal((await list(at)).length, EXPORTS_KEPT - 1)
  at.clock.advance(7 * DAY_MS)
  while ((await writeNext(at.deps)) > 0);
  const left = await at.deps.sql`select id from order_exports union all select export_id from order_export_pieces`
  assert.deepEqual(left, [])
})

test('a bad filter is refused when it is asked, and one that became bad is given up', async (t) => {
  const at = await testConsole(t)
  const { error } = await call(at, 'POST', '?livemode=false&status=paid')
  assert.deepEqual([error?.code, error?.param], ['validation_failed', 'status'])
  await ask(at)
  await at.deps.sql`update order_exports set query = '{"status":"paid"}'`
  for (let n = 1; n < 5; n++) {
    await assert.rejects(writeNext(at.deps))
    at.clock.advance(3 * MINUTE_MS)
  }
  await writeNext(at.deps)
  assert.equal((await list(at))[0]?.status, 'failed')
  assert.equal(await writeNext(at.deps), 0)
})

test('a payer that is erased is in no file any more', async (t) => {
  const at = await testConsole(t)
  const order = await at.order({ payer_email: 'ann@buyer.example' })
  await ask(at)
  await writeNext(at.deps)
  await withTx(at.deps.sql, (tx) => erasePayer(tx, order.orderNo, { withInvoices: false, withTexts: false }))
  assert.deepEqual(await list(at), [])
})
