// One owner for each table: the package or the server's feature that alone names the table in its SQL.

/** Owner → its tables. */
const tablesOf: Readonly<Record<string, readonly string[]>> = {
  platform: [
    'audit_log',
    'installation',
    'leases',
    'limits',
    'mail_links',
    'mail_notices',
    'mail_outbox',
    'mail_switches',
    'master_key_check',
    'migrations',
    'payer_mail_stops',
    'payer_mails',
    'tasks',
    'traces',
  ],
  'rail-kit': [
    'rail_facts',
    'route_troubles',
    'sandbox_legs',
    'sandbox_outflows',
    'sandbox_refunds',
    'sandbox_settlements',
    'sandbox_transfers',
  ],
  'rail-evm': [
    'chain_blocks',
    'chain_cursors',
    'chain_providers',
    'forwarder_factory_logs',
    'forwarder_observations',
    'forwarder_vaults',
    'native_walks',
    'relay_attempts',
    'relay_items',
    'relay_outbox',
    'relay_signers',
    'unreadable_tokens',
  ],
  'rail-utxo': [
    'utxo_announced',
    'utxo_blocks',
    'utxo_cursors',
    'utxo_held',
    'utxo_legs',
    'utxo_outputs',
    'utxo_pool',
    'utxo_refunds',
    'utxo_scripts',
    'utxo_settlements',
  ],
  'rail-intents': ['intents_catalogue', 'intents_feed', 'intents_legs', 'intents_payout_costs', 'intents_sick'],
  identity: [
    'api_key_hashes',
    'api_keys',
    'confirmation_codes',
    'email_changes',
    'known_browsers',
    'login_codes',
    'login_wrong_tries',
    'merchant_brands',
    'merchants',
    'sessions',
    'webhook_secrets',
  ],
  addresses: [
    'account_addresses',
    'account_assignments',
    'account_change',
    'receiving_accounts',
    'receiving_address_history',
    'receiving_addresses',
    'third_party_chains',
    'waiting_addresses',
  ],
  prices: ['fx_answers', 'fx_checks', 'fx_rates', 'fx_sources', 'price_settings'],
  orders: [
    'book_differences',
    'folded_payments',
    'idempotency_keys',
    'merchant_refunds',
    'order_lookup',
    'orders',
    'pay_legs',
    'payments',
    'reconcile_rounds',
    'refunds',
    'settlements',
  ],
  webhooks: [
    'deliveries',
    'delivery_attempts',
    'delivery_queue',
    'delivery_replays',
    'delivery_workers',
    'event_arrivals',
    'event_sequence',
    'event_spans',
    'order_events',
    'webhook_endpoints',
  ],
  selling: ['invoice_numbers', 'invoices', 'page_starts', 'payment_links'],
  'operations/attention': ['attention'],
  'operations/recovery': ['journal_troubles', 'recovery_seed'],
  'operations/reports': ['order_sum_changes', 'order_sums', 'weekly_mails'],
}

/** Table → its owner. */
export const ownerOf: ReadonlyMap<string, string> = new Map(
  Object.entries(tablesOf).flatMap(([owner, tables]) => tables.map((table) => [table, owner])),
)

/** Folder of the server → the owner it belongs to, where the names differ. */
const featureOwners: Readonly<Record<string, string>> = {
  attention: 'operations/attention',
  backup: 'operations/backup',
  brand: 'identity',
  decisions: 'operations/attention',
  keys: 'identity',
  login: 'identity',
  mails: 'identity',
  recovery: 'operations/recovery',
  reports: 'operations/reports',
}

/** The owner that a source file belongs to. */
export function ownerOfFile(file: string): string {
  const [, name = '', folder = ''] = /^packages\/([\w-]+)\/src\/([\w-]+)/.exec(file) ?? []
  return name === 'server' ? (featureOwners[folder] ?? folder) : name
}
