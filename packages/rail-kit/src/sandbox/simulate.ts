// What can be made to happen in the sandbox. Each act commits the sandbox's own rows and the facts it reports
// together; hashes are derived from the order's reference, so the same acts give the same facts.

import type { Sql } from '@florin/platform/db/pool'
import { withTx } from '@florin/platform/db/tx'
import { feeUnits } from '@florin/platform/money'
import { sha256 } from '@florin/platform/secrets'
import type { RailFact } from '../interface/fact.ts'
import { SANDBOX_RAIL } from '../interface/leg.ts'
import { reportFacts } from '../report.store.ts'
import { refundCost } from './prices.ts'
import {
  finishRefunds,
  finishSettlements,
  insertOutflow,
  insertTransfer,
  type LegRow,
  listHoldings,
  listTransfers,
  lockLegs,
  type SandboxHolding,
  setTransferStatus,
  type TransferRow,
  undoRefunds,
  undoSettlements,
} from './store.ts'

export type SandboxAct =
  /** A transfer in a block; `amount` in the leg's smallest unit. */
  | {
      kind: 'transfer'
      legRef: string
      amount: bigint
      seenAt: Date
      asset?: { chain: string; asset: string; contract: string | null; decimals: number }
    }
  | { kind: 'confirm' }
  /** The newest transfer leaves the chain. */
  | { kind: 'reorg' }
  /** The newest transfer that left comes back. */
  | { kind: 'reappear' }
  | { kind: 'settle' }
  | { kind: 'fail'; failure: string }
  /** Refunds that were asked for are carried out. */
  | { kind: 'refund' }
  /** What was final leaves the chain, settlements and refunds alike. */
  | { kind: 'undo' }
  /** A settlement in a token of no worth. */
  | { kind: 'forge'; legRef: string }
  /** So much of the leg's own asset is there now, and nobody reported why. */
  | { kind: 'deal'; legRef: string; amount: bigint }
  /** Everything is returned by the rail itself. */
  | { kind: 'return_all' }

/** @returns how many facts it reported; 0 means that there was nothing to act on. */
export async function actInSandbox(sql: Sql, orderRef: string, act: SandboxAct, now: Date): Promise<number> {
  return withTx(sql, async (tx) => {
    const legs = await lockLegs(tx, orderRef)
    const transfers = await listTransfers(tx, orderRef)
    const facts = await factsOf()
    await reportFacts(tx, { rail: SANDBOX_RAIL, orderRef, facts, now })
    return facts.length

    async function factsOf(): Promise<RailFact[]> {
      switch (act.kind) {
        case 'transfer': {
          const leg = legs.find((row) => row.ref === act.legRef)
          if (leg === undefined) return []
          const row: TransferRow = { n: transfers.length + 1, legRef: leg.ref, amount: act.amount, status: 'detected' }
          await insertTransfer(tx, orderRef, { ...row, asset: act.asset ?? null })
          return [seen(orderRef, leg, row, act.seenAt, act.asset)]
        }
        case 'confirm': {
          const detected = transfers.filter((row) => row.status === 'detected')
          for (const row of detected) await setTransferStatus(tx, orderRef, row.n, 'confirmed')
          return detected.map((row) => ({ kind: 'payment_confirmed', key: keyOf(orderRef, row.n) }))
        }
        case 'reorg': {
          const newest = transfers.findLast((row) => row.status !== 'orphaned')
          if (newest === undefined) return []
          await setTransferStatus(tx, orderRef, newest.n, 'orphaned')
          return [{ kind: 'payment_orphaned', key: keyOf(orderRef, newest.n) }]
        }
        case 'reappear': {
          const gone = transfers.findLast((row) => row.status === 'orphaned')
          const leg = legs.find((row) => row.ref === gone?.legRef)
          if (gone === undefined || leg === undefined) return []
          await setTransferStatus(tx, orderRef, gone.n, 'detected')
          return [seen(orderRef, leg, gone, now)]
        }
        case 'settle':
          return (await finishSettlements(tx, orderRef, 'final')).map((row) => {
            const leg = legs.find((candidate) => candidate.ref === row.legRef)
            // What the merchant gets scales with what is settled; rounding down by less than one unit.
            const out = leg === undefined ? row.gross : (leg.amountOut * row.gross) / leg.amountDue
            return {
              kind: 'settlement_final',
              settlementId: row.id,
              legRef: row.legRef,
              txHash: hashOf(`settle ${row.id}`),
              gross: row.gross,
              fee: feeUnits(row.gross, row.feeBps),
              amountOut: out,
            }
          })
        case 'fail':
          return (await finishSettlements(tx, orderRef, 'failed')).map((row) => ({
            kind: 'settlement_failed',
            settlementId: row.id,
            failure: act.failure,
          }))
        case 'refund':
          return (await finishRefunds(tx, orderRef)).map((id) => ({
            kind: 'refund_succeeded',
            refundId: id,
            txHash: hashOf(`refund ${id}`),
          }))
        case 'undo': {
          const settlements = await undoSettlements(tx, orderRef)
          const refunds = await undoRefunds(tx, orderRef)
          return [
            ...settlements.map(({ id, legRef }): RailFact => {
              return { kind: 'settlement_left', legRef, txHash: hashOf(`settle ${id}`) }
            }),
            ...refunds.map(({ id, legRef }): RailFact => {
              return { kind: 'refund_left', legRef, txHash: hashOf(`refund ${id}`) }
            }),
          ]
        }
        case 'forge':
          return [
            {
              ...{
                kind: 'alarm_raised',
                what: 'settlement_not_as_bound',
                chain: legs[0]?.chain ?? '',
                token: '0x0bad',
              },
              ...{ amount: 1n, to: null, txHash: hashOf(`forge ${act.legRef}`) },
              why: 'it is not the asset that the order asked for',
            },
          ]
        case 'deal': {
          const leg = legs.find((row) => row.ref === act.legRef)
          if (leg === undefined) return []
          const { ref: legRef, chain, contract } = leg
          const isOwn = (row: SandboxHolding): boolean => row.chain === chain && row.contract === contract
          const held = (await listHoldings(tx, [legRef])).find(isOwn)?.amount ?? 0n
          await insertOutflow(tx, orderRef, { legRef, chain, contract, amount: held - act.amount })
          return []
        }
        case 'return_all':
          for (const held of await listHoldings(
            tx,
            legs.map((leg) => leg.ref),
          )) {
            if (held.amount > 0n) await insertOutflow(tx, orderRef, held)
          }
          return [{ kind: 'all_returned', txHash: hashOf(`return ${orderRef} ${transfers.length}`), to: null }]
      }
    }
  })
}

function seen(
  orderRef: string,
  leg: LegRow,
  row: TransferRow,
  seenAt: Date,
  other?: (SandboxAct & { kind: 'transfer' })['asset'],
): RailFact {
  const asset = other ?? { chain: leg.chain, asset: leg.asset, contract: leg.contract, decimals: leg.decimals }
  return {
    kind: 'payment_seen',
    key: keyOf(orderRef, row.n),
    legRef: leg.ref,
    txHash: hashOf(`transfer ${orderRef} ${row.n}`),
    outputIndex: 0,
    asset,
    amount: row.amount,
    from: null,
    height: null,
    seenAt,
    minedAt: seenAt,
    floor: refundCost(asset),
  }
}

const keyOf = (orderRef: string, n: number): string => `sandbox:${orderRef}:${n}`

const hashOf = (what: string): string => `0x${Buffer.from(sha256(`florin sandbox ${what}`)).toString('hex')}`
