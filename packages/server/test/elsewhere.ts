// What other transfers count for, as a process tells its rails.
import { isAwaitedBySwap, isPaidBySwaps, listBelieved, lockTransfers } from '../src/orders/own-refunds/payouts.store.ts'
import { listCounted } from '../src/orders/own-refunds/store.ts'

export const elsewhere = { listCounted, listBelieved, lockTransfers, isAwaitedBySwap, isPaidBySwaps }
