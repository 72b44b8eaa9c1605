// Writes a decided change: order, child rows, events with their frozen bodies. The statements do not depend on each
// other, so they are started together and travel in one round trip.
import type {
  FoldedTransfer,
  LegState,
  OrderState,
  OwnRefund,
  PaymentState,
  RefundState,
  SettlementState,
} from '@florin/order-model/state'
import type { Query, Row } from '@florin/platform/db/sql'
import type { Db, Tx } from '@florin/platform/db/tx'
import { askTasks } from '@florin/platform/tasks/store'
import { countChange } from '../sums/changes.store.ts'

const text = (value: bigint | null): string | null => (value === null ? null : value.toString())

export function saveOrder(tx: Tx, before: OrderState, after: OrderState): Promise<unknown> {
  // An unchanged row is the same object that was read.
  const changed = <T>(rows: readonly T[], old: readonly T[]): T[] => {
    const known = new Set(old)
    return rows.filter((row) => !known.has(row))
  }
  return Promise.all([
    tx`
      update orders set
        status = ${after.status}, status_detail = ${after.detail}, amount_out = ${text(after.amountOut)},
        settle_tx_hash = ${after.settleTxHash}, settle_chain = ${after.settle.chain},
        settle_asset = ${after.settle.asset}, settle_contract = ${after.settle.contract},
        settle_decimals = ${after.settle.decimals}, settle_address = ${after.settleAddress}, rail = ${after.rail}, pay_leg_id = ${after.payLegId},
        payer_locale = ${after.payerLocale}, refund_asks = ${after.refundAsks},
        refund_asked_at = ${after.refundAskedAt}, canceled = ${after.canceled}, version = ${after.version},
        updated_at = ${after.updatedAt}, expires_at = ${after.expiresAt}, look_at = ${after.lookAt},
        settled_at = ${after.settledAt}
      where order_no = ${after.orderNo}`,
    ...countChange(tx, before, after),
    ...changed(after.legs, before.legs).map((leg) => saveLeg(tx, after.orderNo, leg)),
    ...savePayments(tx, after.orderNo, changed(after.payments, before.payments), before.payments, after.payments),
    ...saveFolded(tx, after.orderNo, changed(after.folded, before.folded)),
    ...changed(after.settlements, before.settlements).map((row) => saveSettlement(tx, after, row)),
    ...changed(after.refunds, before.refunds).map((row) => saveRefund(tx, after, row)),
    ...changed(after.ownRefunds, before.ownRefunds).map((row) => saveOwnRefund(tx, after, row)),
    ...before.refunds
      .filter((old) => !after.refunds.some((row) => row.id === old.id))
      .map((old) => tx`delete from refunds where id = ${old.id}`),
  ])
}

const hex = (bytes: string | null): string | null => (bytes === null ? null : `\\x${bytes}`)

/** The only list of a leg's columns for writing: a new order's first leg is inserted by the order's own statement. */
export function insertLeg(db: Db, orderNo: string, leg: LegState, condition = db``): Query<Row[]> {
  const row = {
    ...{ id: leg.id, order_no: orderNo, n: leg.n, ref: leg.ref, rail: leg.rail, route: leg.route },
    ...{ chain: leg.chain, asset: leg.asset, contract: leg.contract, decimals: leg.decimals },
    ...{ address: leg.address, memo: leg.memo, uri: leg.uri },
    ...{ amount_due: text(leg.amountDue), amount_out: text(leg.amountOut), dust: text(leg.dust) },
    ...{ is_stable: leg.isStable, rate: leg.rate, rate_source: leg.rateSource, rate_expires_at: leg.rateExpiresAt },
    ...{ confirmations_required: leg.confirmationsRequired, bound_refund_address: leg.boundRefundAddress },
    ...{ least: text(leg.least), expected_s: leg.expectedS },
    ...{ holder: hex(leg.holder), refund_address: leg.refundAddress },
    ...{ settle_chain: leg.settle.chain, settle_asset: leg.settle.asset, settle_contract: leg.settle.contract },
    ...{ settle_decimals: leg.settle.decimals, settle_address: leg.settleAddress },
    ...{ proof: leg.proof, created_at: leg.createdAt, chosen_at: leg.chosenAt },
  }
  const columns = db.unsafe(Object.keys(row).join(', '))
  return db`
    insert into pay_legs (${columns})
    select ${columns} from json_populate_record(null::pay_legs, ${JSON.stringify(row)}::text::json) ${condition}`
}

/** A leg does not change after it was opened, except that it is chosen again, and that its browser names a refund address. */
function saveLeg(tx: Tx, orderNo: string, leg: LegState): Promise<unknown> {
  return insertLeg(
    tx,
    orderNo,
    leg,
    tx`
    on conflict (id) do update set refund_address = excluded.refund_address, chosen_at = excluded.chosen_at`,
  )
}

/** One statement, however many: a flood is written as fast as it is decided about. Folded rows are taken out. */
function savePayments(
  tx: Tx,
  orderNo: string,
  rows: readonly PaymentState[],
  before: readonly PaymentState[],
  after: readonly PaymentState[],
): Promise<unknown>[] {
  const kept = new Set(after.map((row) => row.key))
  const gone = before.filter((row) => !kept.has(row.key)).map((row) => row.key)
  const written = rows.map((p) => ({
    ...{ key: p.key, id: p.id, order_no: orderNo, pay_leg_id: p.legId, tx_hash: p.txHash, output_index: p.outputIndex },
    ...{ chain: p.chain, asset: p.asset, contract: p.contract, decimals: p.decimals, amount: text(p.amount) },
    ...{ from_address: p.from, height: text(p.height), confirmations_required: p.confirmationsRequired },
    ...{ status: p.status, use: p.use, seen_at: p.seenAt, detected_at: p.detectedAt, floor: text(p.floor) },
    ...{ left_at: p.leftAt, mined_at: p.minedAt },
    ...{ fold: p.fold, transfers: p.transfers },
  }))
  return [
    ...(gone.length === 0 ? [] : [tx`delete from payments where key = any(${gone}::text[])`]),
    ...(written.length === 0
      ? []
      : [
          tx`
            insert into payments (${columnsOf(tx, written)})
            select ${columnsOf(tx, written)} from json_populate_recordset(null::payments, ${JSON.stringify(written)}::text::json)
            on conflict (key) do update set status = excluded.status, use = excluded.use, amount = excluded.amount,
              transfers = excluded.transfers, tx_hash = excluded.tx_hash, output_index = excluded.output_index,
              height = excluded.height, seen_at = excluded.seen_at, floor = excluded.floor, left_at = excluded.left_at,
              mined_at = excluded.mined_at`,
        ]),
  ]
}

/** The names in our own rows. */
const columnsOf = (tx: Tx, rows: readonly object[]) => tx.unsafe(Object.keys(rows[0] ?? {}).join(', '))

function saveFolded(tx: Tx, orderNo: string, rows: readonly FoldedTransfer[]): Promise<unknown>[] {
  if (rows.length === 0) return []
  const written = rows.map((f) => ({
    ...{ key: f.key, order_no: orderNo, fold: f.fold, tx_hash: f.txHash, output_index: f.outputIndex },
    ...{ amount: text(f.amount), from_address: f.from, height: text(f.height), status: f.status, seen_at: f.seenAt },
  }))
  return [
    tx`
      insert into folded_payments (${columnsOf(tx, written)})
      select ${columnsOf(tx, written)}
      from json_populate_recordset(null::folded_payments, ${JSON.stringify(written)}::text::json)
      on conflict (key) do update set status = excluded.status`,
  ]
}

function saveSettlement(tx: Tx, order: OrderState, s: SettlementState): Promise<unknown> {
  return tx`
    insert into settlements (id, order_no, pay_leg_id, status, gross, fee_bps, fee, amount_out, tx_hash, failure,
      left_at, hold, is_released, proven, created_at, updated_at, hand_over_at)
    values (${s.id}, ${order.orderNo}, ${s.legId}, ${s.status}, ${text(s.gross)}, ${s.feeBps}, ${text(s.fee)},
      ${text(s.amountOut)}, ${s.txHash}, ${s.failure}, ${s.leftAt}, ${s.hold}, ${s.isReleased}, ${s.proven}, ${s.createdAt},
      ${order.updatedAt}, ${s.createdAt})
    on conflict (id) do update set status = excluded.status, gross = excluded.gross, fee = excluded.fee,
      amount_out = excluded.amount_out, tx_hash = excluded.tx_hash, failure = excluded.failure,
      left_at = excluded.left_at, hold = excluded.hold, is_released = excluded.is_released, proven = excluded.proven,
      updated_at = excluded.updated_at`
}

function saveRefund(tx: Tx, order: OrderState, r: RefundState): Promise<unknown> {
  return tx`
    insert into refunds (id, order_no, pay_leg_id, status, chain, asset, contract, decimals, amount, address, tx_hash,
      reason, failure, signed_by, parts, left_at, created_at, updated_at, hand_over_at)
    values (${r.id}, ${order.orderNo}, ${r.legId}, ${r.status}, ${r.chain}, ${r.asset}, ${r.contract}, ${r.decimals},
      ${text(r.amount)}, ${r.address}, ${r.txHash}, ${r.reason}, ${r.failure}, ${r.signedBy}, ${partsText(r)}::text::jsonb, ${r.leftAt}, ${r.createdAt}, ${order.updatedAt},
      ${r.createdAt})
    on conflict (id) do update set status = excluded.status, amount = excluded.amount, address = excluded.address,
      signed_by = excluded.signed_by, parts = excluded.parts, tx_hash = excluded.tx_hash,
      failure = excluded.failure, left_at = excluded.left_at, updated_at = excluded.updated_at`
}

const partsText = ({ parts }: RefundState): string | null =>
  parts === null ? null : JSON.stringify(parts.map(({ payment, amount }) => ({ payment, amount: text(amount) })))

/** The task that looks for a refund which a merchant pays from an own wallet. */
export const OWN_REFUND = 'own-refunds'

/** Whatever changed, it is looked at now. */
async function saveOwnRefund(tx: Tx, order: OrderState, r: OwnRefund): Promise<void> {
  if (r.status !== 'recorded') {
    const look = { subject: r.id, runAt: order.updatedAt, payload: { orderNo: order.orderNo } }
    await askTasks(tx, OWN_REFUND, [look], order.updatedAt)
  }
  await tx`
    insert into merchant_refunds (id, order_no, status, chain, asset, contract, decimals, amount, address, reason, tx_hash,
      failure, transfer_key, sender, sent_from, once_key, once_body, from_height, created_at, updated_at, recorded_at)
    values (${r.id}, ${order.orderNo}, ${r.status}, ${r.chain}, ${r.asset}, ${r.contract}, ${r.decimals}, ${text(r.amount)},
      ${r.address}, ${r.reason}, ${r.txHash}, ${r.failure}, ${r.key}, ${r.sender}, ${r.sentFrom}, ${r.onceKey}, ${r.onceBody},
      ${r.fromHeight === null ? null : text(r.fromHeight)}::bigint, ${r.createdAt}, ${order.updatedAt}, ${r.recordedAt})
    on conflict (id) do update set status = excluded.status, amount = excluded.amount, tx_hash = excluded.tx_hash, failure = excluded.failure,
      transfer_key = excluded.transfer_key, sender = excluded.sender, sent_from = excluded.sent_from, updated_at = excluded.updated_at,
      recorded_at = excluded.recorded_at`
}
