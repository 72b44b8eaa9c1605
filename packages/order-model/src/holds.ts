// Settlements that are held back: the money stays on the order's address until the reason has passed, or the merchant
// wants it settled all the same (docs/decisions/0032-depeg.md). Pure.
import type { Hold } from '@florin/rail-kit/interface/moves'
import { amountEvidence, type NewAttention } from './attention/item.ts'
import { type Applied, applied, ignored } from './outcome.ts'
import { type OrderState, paidTo, type SettlementState } from './state.ts'

export const SETTLE_NOW = 'settle-now'
/** What a third party says it paid out, and nobody else has seen. */
export const UNPROVEN = 'unproven'
const KIND = 'settlement_held'
const holdCause = (settlementId: string): string => `${KIND}:${settlementId}`

export function settlementHeld(order: OrderState, fact: { settlementId: string; hold: Hold }): Applied {
  const row = order.settlements.find((one) => one.id === fact.settlementId)
  if (row?.status !== 'wanted') return ignored('no such settlement is wanted')
  if (row.isReleased) return ignored('the merchant wants it settled all the same')
  if (row.hold !== null) return ignored('it is held')
  const leg = order.legs.find((one) => one.id === row.legId)
  const item: NewAttention = {
    kind: KIND,
    cause: holdCause(row.id),
    evidence: {
      ...(leg === undefined ? {} : { ...amountEvidence(leg, row.gross), to: paidTo(leg) }),
      ...{ settlement: row.id, why: fact.hold.why, ...fact.hold.evidence },
    },
    actions: [SETTLE_NOW, 'dismiss'],
  }
  const settlements = order.settlements.map((one) => (one === row ? { ...row, hold: fact.hold.why } : one))
  return { ...applied({ ...order, settlements }), attention: [item] }
}

export function letGo(order: OrderState, next: (row: SettlementState) => SettlementState): Applied {
  const settlements = order.settlements.map((row) => (row.status === 'wanted' && row.hold !== null ? next(row) : row))
  const isSame = settlements.every((row, n) => row === order.settlements[n])
  return isSame ? ignored('no settlement is held') : applied({ ...order, settlements })
}
