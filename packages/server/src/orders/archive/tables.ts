// What becomes of each table's rows when an order is archived. A test holds that no table with a reference to an order is
// missing here. Pure.

export interface MovedTable {
  name: string
  /** The sequence of its rows in the file. */
  key: string
}

/** Into the file and out of the database: parents first, as they are put back. */
export const movedTables: readonly MovedTable[] = [
  { name: 'pay_legs', key: 'n' },
  { name: 'payments', key: 'key' },
  { name: 'folded_payments', key: 'key' },
  { name: 'settlements', key: 'id' },
  { name: 'refunds', key: 'id' },
  { name: 'book_differences', key: 'id' },
  { name: 'attention', key: 'id' },
  { name: 'order_mails', key: 'kind, about' },
  { name: 'order_looks', key: 'order_no' },
]

/** A rail's answer when it opened a leg, which is the leg once more: into the file, and empty in the database. */
export const emptiedTables: readonly { name: string; key: string }[] = [
  { name: 'sandbox_legs', key: 'ref' },
  { name: 'forwarder_vaults', key: 'leg_ref' },
  { name: 'utxo_legs', key: 'ref' },
  { name: 'intents_legs', key: 'ref' },
]

/** Into the file as they are then; they leave the database by their own retention. */
export const copiedTables: readonly MovedTable[] = [
  { name: 'order_events', key: 'id' },
  { name: 'deliveries', key: 'id' },
]

const RAIL = 'what a rail knows of an address: later money there is noticed by it, and a transfer is reported once'
const BY_AGE = 'it leaves the database by its own retention'
const NONE = 'an order that has any is not archived'

/** Why they are left. */
export const keptTables: Readonly<Record<string, string>> = {
  orders: 'lists, statistics, stock and invoices read it; only what hangs on it is moved',
  order_lookup: 'searches read it',
  order_sum_changes: 'statistics read it',
  archived_orders: 'the archive itself',
  archived_places: 'the archive itself',
  merchant_refunds: 'a transfer is a refund of one order only, whichever asks',
  account_addresses: 'an address is never given out again',
  account_assignments: 'an address is never given out again',
  idempotency_keys: BY_AGE,
  page_starts: BY_AGE,
  delivery_attempts: BY_AGE,
  delivery_deaths: BY_AGE,
  event_arrivals: BY_AGE,
  delivery_queue: NONE,
  rail_facts: NONE,
  reconciliations: NONE,
  sandbox_outflows: RAIL,
  sandbox_refunds: RAIL,
  sandbox_settlements: RAIL,
  sandbox_transfers: RAIL,
  forwarder_observations: RAIL,
  forwarder_factory_logs: RAIL,
  relay_items: RAIL,
  utxo_outputs: RAIL,
  utxo_pool: RAIL,
  utxo_refunds: RAIL,
  utxo_settlements: RAIL,
}

/** Columns by which a row belongs to an order. */
export const orderColumns = [
  'order_no',
  'order_ref',
  'leg_ref',
  'pay_leg_id',
  'vault',
  'delivery_id',
  'event_id',
] as const
