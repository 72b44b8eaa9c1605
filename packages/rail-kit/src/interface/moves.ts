// Money that a rail is asked to move, or to count. Each move has an id, and is made once.
import type { AssetRef } from './asset.ts'

export interface SettleRequest {
  /** Idempotency: the same id is never settled twice. */
  settlementId: string
  orderRef: string
  legRef: string
  livemode: boolean
  pay: AssetRef
  settle: AssetRef
  merchantAddress: string
  gross: bigint
  /** What has to be there at least, where a reorg takes the money and less comes instead: the gross, less the tolerance. */
  least: bigint
  feeBps: number
}

/** Why a settlement is held back, with what people need to judge it. */
export interface Hold {
  why: 'depegged'
  evidence: Readonly<Record<string, string>>
}

export interface RefundRequest {
  /** Idempotency: the same id is never refunded twice. */
  refundId: string
  orderRef: string
  legRef: string
  livemode: boolean
  asset: AssetRef
  amount: bigint
  to: string
  /** Whether `to` was bound into the leg when it was opened. */
  isBound: boolean
}

/** Another move has to end first: the rail takes this one when it is offered again. */
export class MoveWaits extends Error {}

export interface HoldingQuestion {
  orderRef: string
  legRef: string
  /** What the order has booked on this leg; the rail adds what else it can carry there. */
  assets: readonly AssetRef[]
}

/** What a leg's address holds of one asset, at one final block, with what was reported since. */
export interface Holding {
  legRef: string
  asset: AssetRef
  amount: bigint
  /** The final block; null where a rail has none. */
  height: bigint | null
}

/** By id, how settlements and refunds ended for their orders; `in_doubt`: an order may yet open it again. */
export type EndedMoves = ReadonlyMap<string, 'done' | 'failed' | 'in_doubt'>
