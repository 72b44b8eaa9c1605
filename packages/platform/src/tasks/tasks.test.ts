// Promises: a task is done by one worker at a time, is due again when its worker dies, and only the newest claim ends it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Killed, killable } from '@florin/platform/testing/killable'
import fc from 'fast-check'
import { testDeps } from '../../../server/test/harness.ts'
import { interleaved } from '../../../server/test/kills/interleaved.ts'
import { withTx } from '../db/tx.ts'
import { taskJob } from './job.ts'
import { addTasks, askTasks, claimTasks, endTasks, keepTasks, postponeTasks, takeTasks } from './store.ts'

const never = new AbortController().signal
const LEASE = { leaseMs: 60_000, limit: 10 }

test('tasks: the worker dies before any statement → the task is done all the same, and its effect counts once', async (t) => {
  const {
    deps: { sql, log },
    clock,
  } = await testDeps(t)
  await sql`create table done (subject text not null)`
  for (let killAt = 0; ; killAt++) {
    const subject = `task ${killAt}`
    await addTasks(sql, 'mark', [{ subject, runAt: clock.now() }], clock.now())
    const dying = killable(sql, killAt)
    const job = (db: typeof sql) =>
      taskJob(
        { sql: db, clock, log },
        {
          ...{ kind: 'mark', everyMs: 1, batch: 5, againMs: 0, leaseMs: LEASE.leaseMs },
          run: async (task) => {
            // The effect commits with the end of its task.
            await withTx(db, async (tx) => {
              if ((await endTasks(tx, [task])) === 1) await tx`insert into done values (${task.subject})`
            })
            return null
          },
        },
      )
    const isOver = await job(dying.sql)
      .run(never)
      .then(
        () => true,
        (error: unknown) => {
          assert.ok(error instanceof Killed)
          return false
        },
      )
    clock.advance(LEASE.leaseMs)
    await job(sql).run(never)
    const rows = await sql`select 1 from done where subject = ${subject}`
    assert.equal(rows.length, 1, `killed before statement ${killAt + 1}`)
    if (isOver) break
  }
  assert.deepEqual(await sql`select 1 from tasks`, [])
})

test('tasks: several workers, asked for anew meanwhile, any order → the last request is done by a claim after it', async (t) => {
  const {
    deps: { sql },
    clock,
  } = await testDeps(t)
  let run = 0
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(), { maxLength: 40 }), async (order) => {
      const kind = `kind ${run++}`
      let version = 0
      let seen = -1
      await addTasks(sql, kind, [{ subject: 'one', runAt: clock.now() }], clock.now())
      const worker = async (db: typeof sql) => {
        for (const task of await claimTasks(db, kind, { now: clock.now(), ...LEASE })) {
          const read = version
          if ((await endTasks(db, [task])) === 1) seen = Math.max(seen, read)
        }
      }
      const asker = async (db: typeof sql) => {
        version = 1
        await askTasks(db, kind, [{ subject: 'one', runAt: clock.now() }], clock.now())
      }
      let n = 0
      await interleaved(sql, [worker, worker, asker], () => order[n++] ?? 0)
      await worker(sql)
      clock.advance(LEASE.leaseMs)
      await worker(sql)
      assert.equal(seen, 1)
      assert.deepEqual(await sql`select 1 from tasks where kind = ${kind}`, [])
    }),
    { numRuns: 25 },
  )
})

test('tasks: a lease that ended → its worker neither ends nor postpones the task of another', async (t) => {
  const {
    deps: { sql },
    clock,
  } = await testDeps(t)
  await addTasks(sql, 'k', [{ subject: 'a', runAt: clock.now(), payload: { n: 1 } }], clock.now())
  const [first] = await claimTasks(sql, 'k', { now: clock.now(), ...LEASE })
  assert.ok(first !== undefined)
  assert.deepEqual(await claimTasks(sql, 'k', { now: clock.now(), ...LEASE }), [], 'it is leased')
  clock.advance(LEASE.leaseMs)
  const [second] = await claimTasks(sql, 'k', { now: clock.now(), ...LEASE })
  assert.ok(second !== undefined)
  assert.equal(await endTasks(sql, [first]), 0)
  await postponeTasks(sql, [{ ...first, runAt: clock.now() }])
  assert.deepEqual(await claimTasks(sql, 'k', { now: clock.now(), ...LEASE }), [])
  await postponeTasks(sql, [{ ...second, runAt: clock.now(), change: { m: 2 } }])
  const [third] = await claimTasks(sql, 'k', { now: clock.now(), ...LEASE })
  assert.deepEqual([third?.payload, third?.attempts], [{ n: 1, m: 2 }, 3])
})

test('tasks: what is done and kept → is never added again; of an owner all that waits is taken', async (t) => {
  const {
    deps: { sql },
    clock,
  } = await testDeps(t)
  const now = clock.now()
  const later = new Date(now.getTime() + 1)
  const add = () =>
    addTasks(
      sql,
      'k',
      [
        { owner: 'm', subject: 'kept', runAt: now },
        { owner: 'm', subject: 'later', runAt: later },
        { owner: 'other', subject: 'later', runAt: later },
      ],
      now,
    )
  await add()
  await withTx(sql, async (tx) => keepTasks(tx, await takeTasks(tx, 'k', { now, limit: 9 })))
  await add()
  await withTx(sql, async (tx) => {
    assert.deepEqual(await takeTasks(tx, 'k', { now, limit: 9 }), [])
    const own = await takeTasks(tx, 'k', { owner: 'm', limit: 9 })
    assert.deepEqual(
      own.map(({ subject }) => subject),
      ['later'],
    )
    const others = await withTx(sql, (another) => takeTasks(another, 'k', { owner: 'm', limit: 9 }))
    assert.deepEqual(others, [], 'another process passes over them')
  })
})
