// What hangs on an order as JSON, packed: of an archived one in the archive's row, of a closed one in its own, for lists.
import { pack, unpack } from '../platform/packed/packed.ts'
import type { OrderState } from './model/state.ts'

export type JsonRow = Record<string, unknown>
export type ArchivedState = Record<'legs' | 'payments' | 'settlements' | 'refunds', JsonRow[]>
type PackedState = ArchivedState & { own_refunds: JsonRow[] }

const packJson = (text: string): Uint8Array => pack(Buffer.from(text))
const unpackJson = (packed: Uint8Array): unknown => JSON.parse(Buffer.from(unpack(packed)).toString())

export const packState = (state: ArchivedState): Uint8Array => packJson(JSON.stringify(state))
export const unpackState = (packed: Uint8Array): ArchivedState => unpackJson(packed) as ArchivedState
export const unpackOrder = (packed: Uint8Array): PackedState => unpackJson(packed) as PackedState

/** What a flood leaves is not written anew with each change. */
const ROWS_MAX = 40

/** The same as the tables say. null: only they do, as the order is not closed or much hangs on it. */
export function packOrder(order: PackedOf): Uint8Array | null {
  const { status, legs, payments, settlements, refunds, ownRefunds } = order
  const rows = [legs, payments, settlements, refunds, ownRefunds].reduce((sum, all) => sum + all.length, 0)
  if (status === 'pending' || status === 'processing' || rows > ROWS_MAX) return null
  const state = {
    legs: legs.toSorted((a, b) => a.n - b.n),
    ...{
      payments: byId(payments),
      settlements: byId(settlements),
      refunds: byId(refunds),
      own_refunds: byId(ownRefunds),
    },
  }
  return packJson(JSON.stringify(state, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value)))
}

type PackedOf = Pick<OrderState, 'status' | 'legs' | 'payments' | 'settlements' | 'refunds' | 'ownRefunds'>

const byId = <T extends { id: string }>(all: readonly T[]): T[] => all.toSorted((a, b) => (a.id < b.id ? -1 : 1))
