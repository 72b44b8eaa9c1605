// SQL of lists of orders: numbers from an index range, the check of what no range covers, and the rows of a page.
import type { Query, Row } from '@florin/platform/db/sql'
import type { Db } from '@florin/platform/db/tx'
import type { OrderFilter } from '../filter.ts'
import { ordersOf } from '../rows.store.ts'
import { isOnChainText, numberSources, type SearchWords, type Source, type Stretch } from './sources.ts'

/** Stored words that are looked for together where a search's last word begins fewer. */
const BEGINNINGS_MAX = 8
/** Beyond this many orders a word is common. */
const COUNTED_MAX = 32
/** Entries of words with one beginning that are read whole: they lie side by side. */
const FEW_ENTRIES = 48

/** What the last word of a search begins, as a range of the look-up. Fenced, as it is read by key and sorted: it has few entries. */
const beginningOf = (db: Db, f: Pick<OrderFilter, 'merchantNo' | 'livemode'>, word: Query<Row[]>) => db`
  select order_no from (
    select order_no from order_lookup
    where merchant_no = ${f.merchantNo} and livemode = ${f.livemode} and key >= 'w' || ${word} and key < 'w' || ${word} || chr(1114111)
    order by key limit ${FEW_ENTRIES + 1}::int) few`

/** Where few orders have a word that begins as the last one searched, they lead, however many different words those are. */
export async function findWords(
  db: Db,
  f: Pick<OrderFilter, 'merchantNo' | 'livemode'>,
  search: string,
): Promise<SearchWords> {
  const [row] = await db<{ words: string[]; n: number }[]>`
    select words, (select count(*)::int from (${beginningOf(db, f, db`words[cardinality(words)]`)}) few) as n
    from (select order_words(${search}, null) as words offset 0) asked`
  const { words, n } = row ?? { words: [], n: 0 }
  // One word is sure to fit; with more of them each order is looked at.
  if (n <= (words.length < 2 ? FEW_ENTRIES : COUNTED_MAX)) return { words, leads: [], beginning: words.at(-1) ?? null }
  return { ...(await findStoredWords(db, f, search)), beginning: null }
}

/** One descent of the index a word, whatever the number of orders with it. */
async function findStoredWords(
  db: Db,
  f: Pick<OrderFilter, 'merchantNo' | 'livemode'>,
  search: string,
): Promise<Omit<SearchWords, 'beginning'>> {
  const own = db`merchant_no = ${f.merchantNo} and livemode = ${f.livemode}`
  const count = (key: string) => db`(select count(*)::int from (
    select from order_lookup where ${own} and key = ${db.unsafe(key)} limit ${COUNTED_MAX}::int) counted)`
  const [row] = await db<{ words: string[]; counts: number[]; beginnings: string[]; beginningCounts: number[] }[]>`
    with recursive asked as (
      select order_words(${search}, null) as words
    ), last as (
      select 'w' || words[cardinality(words)] as key from asked where cardinality(words) > 0
    ), found as (
      (select l.key, 1 as n from last, lateral (
        select key from order_lookup where ${own} and key >= last.key and key < last.key || chr(1114111)
        order by key limit 1) l)
      union all
      select l.key, found.n + 1 from found, last, lateral (
        select key from order_lookup where ${own} and key > found.key and key < last.key || chr(1114111)
        order by key limit 1) l
      where found.n < ${BEGINNINGS_MAX}::int
    )
    select asked.words, array(select substr(key, 2) from found order by key) as beginnings,
      array(select ${count('found.key')} from found where cardinality(asked.words) > 1 order by found.key) as "beginningCounts",
      array(select ${count(`'w' || word`)} from unnest(words[:cardinality(words) - 1]) with ordinality each (word, n) order by n) as counts
    from asked`
  const { words, counts, beginnings, beginningCounts } = row ?? {
    words: [],
    counts: [],
    beginnings: [],
    beginningCounts: [],
  }
  const fewest = Math.min(...counts)
  const rarest = words[counts.indexOf(fewest)]
  const isLastRarer = beginningCounts.reduce((sum, n) => sum + n, 0) < fewest
  const isLastWhole = beginnings.length < BEGINNINGS_MAX
  if (rarest !== undefined && !(isLastRarer && isLastWhole)) return { words, leads: [rarest] }
  return { words, leads: isLastWhole ? beginnings : null }
}

export interface Bounds {
  from: string | null
  below: string | null
  isOldestFirst: boolean
}

/** For each source, by its place: up to `each` numbers, in their order. */
export function listNumbers(
  db: Db,
  f: OrderFilter,
  sources: readonly Source[],
  a: Bounds & { each: number },
): Promise<{ source: number; orderNo: string }[]> {
  const [first, ...rest] = sources.map(
    (source, n) =>
      db`(select ${n}::int as source, order_no from (${numbersOf(db, f, source)}) numbers
          where true ${between(db, a)} order by order_no ${direction(db, a)} limit ${a.each}::int)`,
  )
  const all = rest.reduce((sum, one) => db`${sum} union all ${one}`, first ?? db`select 0, '' where false`)
  return db<{ source: number; orderNo: string }[]>`
    select source, order_no as "orderNo" from (${all}) numbers order by order_no ${direction(db, a)}`
}

const direction = (db: Db, a: { isOldestFirst: boolean }) => (a.isOldestFirst ? db`asc` : db`desc`)

const between = (db: Db, a: Bounds) => db`
  ${a.from === null ? db`` : db`and order_no >= ${a.from}`} ${a.below === null ? db`` : db`and order_no < ${a.below}`}`

function numbersOf(db: Db, f: OrderFilter, source: Source): Query<Row[]> {
  const own = db`select order_no from orders where merchant_id = ${f.merchantId} and livemode = ${f.livemode}`
  const ofKey = db`select order_no from order_lookup where merchant_no = ${f.merchantNo} and livemode = ${f.livemode}`
  switch (source.kind) {
    case 'all':
      return own
    case 'head':
      return db`${own} and order_no between ${source.value} and ${`${source.value}~`}`
    case 'tail':
      // Fenced: by its end a number is nearly alone, which the planner does not know before it was told to analyze.
      return db`select order_no from (select * from orders where right(order_no, 6) = right(${source.value}, 6) offset 0) ends
        where merchant_id = ${f.merchantId} and livemode = ${f.livemode} and order_no like '%' || ${source.value}`
    case 'status':
      return db`${own} and status = ${source.value}`
    case 'chain':
      return db`${own} and settle_chain = ${source.value}`
    case 'currency':
      return db`${own} and currency = ${source.value} and currency <> 'USD'`
    case 'amount':
      return db`${own} and amount_usd_micros = ${source.micros}`
    case 'external':
      return db`${own} and external_id = ${source.value}`
    case 'link':
      return db`${own} and payment_link_id = ${source.value}`
    case 'invoice':
      return db`${own} and invoice_id = ${source.value}`
    case 'key':
      return db`${ofKey} and key = ${source.value}`
    case 'beginning':
      return beginningOf(db, f, db`${source.value}::text`)
    case 'metadata':
      return db`${ofKey} and key = metadata_key(${source.key}, ${source.value})`
    case 'onChain':
      return onChain(db, source.value)
  }
}

/** Of all merchants: whose an order is is checked with the rest. */
const onChain = (db: Db, text: string) => db`
  select order_no from orders where lower(settle_tx_hash) = lower(${text})
  union select order_no from pay_legs where lower(address) = lower(${text})
  union select order_no from payments where lower(tx_hash) = lower(${text})
  union select order_no from folded_payments where lower(tx_hash) = lower(${text})`

export interface Fitting {
  numbers: readonly string[]
  /** They are all of the merchant's orders between the first and the last. */
  isInTurn: boolean
  unchecked: Stretch['unchecked']
  words: SearchWords | null
  limit: number
  isOldestFirst: boolean
}

/** The numbers that fit what their sources do not cover, in their order. */
export async function keepFitting(db: Db, f: OrderFilter, a: Fitting): Promise<string[]> {
  const rows = await db<{ orderNo: string }[]>`select order_no as "orderNo" from (${fittingOf(db, f, a)}) fitting`
  return rows.map((row) => row.orderNo)
}

/** Before PostgreSQL 17 an index is descended for each number of a list, so numbers that follow one another are read as a range. */
function rangeOf(db: Db, f: OrderFilter, numbers: readonly string[]): Query<Row[]> {
  const [lowest = '', highest = ''] = [numbers.at(0) ?? '', numbers.at(-1) ?? ''].toSorted()
  return db`
    select * from orders where merchant_id = ${f.merchantId} and livemode = ${f.livemode} and order_no between ${lowest} and ${highest}`
}

function fittingOf(db: Db, f: OrderFilter, a: Fitting): Query<Row[]> {
  const asks = new Set(a.unchecked)
  const own = a.isInTurn ? rangeOf(db, f, a.numbers) : ordersOf(db, { ...f, numbers: a.numbers })
  return db`
    select order_no from (${own}) own
    where true ${f.createdFrom === null ? db`` : db`and created_at >= ${f.createdFrom}`}
    ${f.createdTo === null ? db`` : db`and created_at < ${f.createdTo}`}
    ${asks.has('statuses') ? db`and status = any(${f.statuses as string[]})` : db``}
    ${asks.has('externalId') ? db`and external_id = ${f.externalId}` : db``}
    ${asks.has('settleChain') ? db`and settle_chain = ${f.settleChain}` : db``}
    ${asks.has('currency') ? db`and currency = ${f.currency}` : db``}
    ${asks.has('amountUsd') && f.amountUsd !== null ? db`and amount_usd_micros between ${f.amountUsd.fromMicros} and ${f.amountUsd.toMicros}` : db``}
    ${asks.has('metadata') ? db`and metadata::jsonb @> ${JSON.stringify(f.metadata)}::text::jsonb` : db``}
    ${asks.has('paymentLinkId') ? db`and payment_link_id = ${f.paymentLinkId}` : db``}
    ${asks.has('invoiceId') ? db`and invoice_id = ${f.invoiceId}` : db``}
    ${asks.has('search') && f.search !== null && a.words !== null ? db`and ${matches(db, f, f.search, a.words)}` : db``}
    order by order_no ${direction(db, a)} limit ${a.limit}::int`
}

function matches(db: Db, f: OrderFilter, search: string, { words }: SearchWords): Query<Row[]> {
  const [last] = words.slice(-1)
  const byWords =
    last === undefined
      ? db`false`
      : db`order_words(title, external_id) @> ${words.slice(0, -1)}::text[]
           and exists (select from unnest(order_words(title, external_id)) word where starts_with(word, ${last}))`
  const byNumber = numberSources(search.toLowerCase()).map((source) => db`or order_no in (${numbersOf(db, f, source)})`)
  return db`(
    external_id = ${search} or (${byWords}) ${byNumber[0] ?? db``}
    ${isOnChainText(search) ? db`or order_no in (${onChain(db, search)})` : db``})`
}
