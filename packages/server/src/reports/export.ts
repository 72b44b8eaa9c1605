// Exports orders as CSV: one row per order, in whole units of its assets, page by page as it is read. Memory is bounded
// by one page, whatever the number of orders.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from '@florin/platform/db/pool'
import { findZone } from '@florin/platform/merchants.store'
import { dollarMoney, formatUnits, isoIn, minorText } from '@florin/protocol'
import { type ExportRow, listForExport } from '../orders/export.store.ts'
import type { OrderFilter } from '../orders/filter.ts'
import { findNumbers, type NumbersPage } from '../orders/list/list.ts'
import { csvLine, type Reference } from './csv.ts'

export const EXPORT_PAGE = 250
/** An export rests as long as its page took, so that it uses half of one connection at most. */
const REST_MAX_MS = 250

const units = (amount: string | null, decimals: number | null): string | null =>
  amount === null || decimals === null ? null : formatUnits(amount, decimals)

const moneyOf = (row: ExportRow) =>
  row.amountMinor === null || row.exponent === null
    ? dollarMoney(row.amountUsdMicros)
    : { minor: row.amountMinor, exponent: row.exponent }

/** @example '20 USDC on base; 0.001 BTC on btc' */
const othersOf = (row: ExportRow, what: 'received' | 'refunded'): string | null =>
  row.others?.map((coin) => `${formatUnits(coin[what], coin.decimals)} ${coin.asset} on ${coin.chain}`).join('; ') ??
  null

/** ISO 8601 with the offset of the merchant's time zone. */
type Written = (at: Date) => string

type Column = readonly [name: string, textOf: (row: ExportRow, time: Written) => string | number | null | Reference]

const columns: readonly Column[] = [
  ['order_no', (row) => row.orderNo],
  ['created_at', (row, time) => time(row.createdAt)],
  ['status', (row) => row.status],
  ['status_detail', (row) => row.statusDetail],
  ['external_id', (row) => ({ reference: row.externalId })],
  ['title', (row) => row.title],
  ['amount_usd', (row) => formatUnits(row.amountUsdMicros, 6)],
  ['fee_bps', (row) => row.feeBps],
  ['pay_chain', (row) => row.payChain],
  ['pay_asset', (row) => row.payAsset],
  ['pay_due', (row) => units(row.amountDue, row.payDecimals)],
  ['pay_received', (row) => (row.payChain === null ? null : units(row.amountReceived ?? '0', row.payDecimals))],
  ['pay_refunded', (row) => (row.payChain === null ? null : units(row.amountRefunded ?? '0', row.payDecimals))],
  ['settle_chain', (row) => row.settleChain],
  ['settle_asset', (row) => row.settleAsset],
  ['settled', (row) => units(row.amountOut, row.settleDecimals)],
  [
    'merchant_refunded',
    (row) => (row.amountOut === null ? null : units(row.merchantRefunded ?? '0', row.settleDecimals)),
  ],
  ['settle_address', (row) => row.settleAddress],
  ['settle_tx_hash', (row) => row.settleTxHash],
  ['settled_at', (row, time) => (row.settledAt === null ? null : time(row.settledAt))],
  ['expires_at', (row, time) => time(row.expiresAt)],
  ['metadata', (row) => (Object.keys(row.metadata).length === 0 ? null : JSON.stringify(row.metadata))],
  // What was asked for, as the order keeps it, and the rate that made the dollars.
  ['amount', (row) => minorText(moneyOf(row).minor, moneyOf(row).exponent)],
  ['currency', (row) => row.currency],
  ['fx_rate', (row) => row.fx?.rate ?? null],
  ['fx_observed_at', (row, time) => (row.fx === null ? null : time(new Date(row.fx.observed_at)))],
  ['fx_ecb_rate', (row) => row.fx?.sources.find((source) => source.id === 'ecb')?.rate ?? null],
  // Of Bitcoin and Litecoin, where nothing is taken on the way.
  ['fee_owed', (row) => units(row.feeOwed, row.settleDecimals)],
  // Of a payment link or an invoice; what is said of the payer may be a stranger's text.
  ['payment_link_id', (row) => row.paymentLinkId],
  ['invoice_id', (row) => row.invoiceId],
  ['quantity', (row) => row.quantity],
  ['payer_email', (row) => row.payerEmail],
  ['payer_name', (row) => row.payerName],
  ['payer_note', (row) => row.payerNote],
  // What came and went back beside the leg that pays: with it the columns add up to all that the order got.
  ['other_received', (row) => othersOf(row, 'received')],
  ['other_refunded', (row) => othersOf(row, 'refunded')],
]

/** Orders that are looked at for one page where the filters together fit few. */
const LOOKED_AT = 5_000

/**
 * The header, then the rows newest first, one piece of text per page; it is empty where the filters fit none of a page.
 * @param goOnAfter the last order that a broken off export brought: the rows behind it, without the header.
 */
export async function* exportOrders(
  sql: Sql,
  filter: OrderFilter,
  goOnAfter: string | null = null,
): AsyncGenerator<string> {
  if (goOnAfter === null) yield csvLine(columns.map(([name]) => name))
  let after = goOnAfter
  const zone = await findZone(sql, filter.merchantId)
  do {
    const page = { after, isOldestFirst: false, limit: EXPORT_PAGE }
    const began = performance.now()
    const { numbers, next }: NumbersPage = await findNumbers(sql, filter, page, { lookedAt: LOOKED_AT })
    const rows = numbers.length === 0 ? [] : await listForExport(sql, filter.merchantId, numbers)
    const tookMs = performance.now() - began
    yield linesOf(rows, (at) => isoIn(at, zone))
    if (next !== null) await sleep(Math.min(tookMs, REST_MAX_MS))
    after = next
  } while (after !== null)
}

const linesOf = (rows: readonly ExportRow[], time: Written): string =>
  rows.map((row) => csvLine(columns.map(([, textOf]) => textOf(row, time)))).join('')
