// The two ways back to "ready": a wait that is over, and a lease whose holder died. Any worker does both.
import type { Tx } from '@florin/platform/db/tx'
import { addTasksFrom } from '@florin/platform/tasks/store'
import { countDeliveries } from '../../sums/changes.store.ts'
import { DELIVERY_DEATH } from '../rules.ts'
import { SUSPECT } from './classes.ts'

/** How many of each are handled at once: keeps the statement short; a job that did some runs again. */
const PROMOTED_AT_ONCE = 1_000
const REAPED_AT_ONCE = 500

/** Interrupted this often, a row becomes a suspect. */
const SUSPECT_AFTER = 2
/**
 * Interrupted this often in all, it is taken to crash workers (contract.md 6): all but the first two times it was
 * alone.
 */
const CLAIMS_MAX = SUSPECT_AFTER + 8
/** A suspect waits one lease, then two, and so on up to this many: 16 minutes of leases of 30 s. */
const WAIT_MAX_LEASES = 32

/** Makes scheduled rows ready whose time has come, oldest first. @returns how many. */
export async function promoteDue(tx: Tx, now: Date): Promise<number> {
  const rows = await tx`
    with due as materialized (
      select delivery_no from delivery_queue where state = 2 and run_at <= ${now}
      order by run_at limit ${PROMOTED_AT_ONCE} for update skip locked
    )
    update delivery_queue q set state = 1 from due where q.delivery_no = due.delivery_no returning 1`
  return rows.length
}

export interface Reaped {
  id: string
  claims: number
  dead: boolean
}

/**
 * Takes back rows whose lease has ended, and logs an interrupted attempt for each. A row that was interrupted twice
 * becomes a suspect. Suspects are sent one at a time: a body that crashes its worker is identified alone, and what was
 * in flight beside it is cleared. A suspect that is interrupted again waits, longer each time, so that one bad minute
 * of the machine is not held against it: without the waits, and with four chances, three of 2,400 innocent deliveries
 * were given up in a test of 200 kills.
 */
export async function reapExpired(tx: Tx, a: { now: Date; leaseMs: number }): Promise<Reaped[]> {
  return tx<Reaped[]>`
    with expired as materialized (
      select delivery_no, delivery_id, claims, attempt, lease_until from delivery_queue
      where state = 3 and lease_until < ${a.now} order by lease_until limit ${REAPED_AT_ONCE} for update skip locked
    ), back as (
      update delivery_queue q
      set state = case when e.claims > ${SUSPECT_AFTER} then 2 else 1 end,
          class = case when e.claims >= ${SUSPECT_AFTER} then ${SUSPECT}::int else q.class end,
          run_at = case when e.claims > ${SUSPECT_AFTER} then ${a.now}::timestamptz + make_interval(
            secs => least(2 ^ (e.claims - ${SUSPECT_AFTER} - 1), ${WAIT_MAX_LEASES}) * ${a.leaseMs / 1000}::float8
          ) else q.run_at end,
          lease_until = null, lease_token = null
      from expired e where q.delivery_no = e.delivery_no and e.claims <= ${CLAIMS_MAX}
    ), gone as (
      delete from delivery_queue q using expired e where q.delivery_no = e.delivery_no and e.claims > ${CLAIMS_MAX}
    ), dead as (
      update deliveries d set status = 'dead', next_attempt_at = null, xid = pg_current_xact_id()
      from expired e where d.id = e.delivery_id and e.claims > ${CLAIMS_MAX}
      returning d.merchant_no, d.livemode, d.created_at, d.status
    ), counted as (${countDeliveries(tx, 'dead', 1)}), died as (
      ${addTasksFrom(tx, DELIVERY_DEATH, tx`select delivery_id, ${a.now}::timestamptz from expired where claims > ${CLAIMS_MAX}`)}
    ), logged as (
      insert into delivery_attempts (delivery_id, started_at, n, error)
      select delivery_id, lease_until - make_interval(secs => ${a.leaseMs / 1000}), attempt + 1,
             case when claims > ${CLAIMS_MAX} then 'internal' else 'interrupted' end
      from expired
      on conflict do nothing
    )
    select delivery_id as id, claims, claims > ${CLAIMS_MAX} as dead from expired`
}
