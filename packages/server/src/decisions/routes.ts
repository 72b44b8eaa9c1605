// HTTP routes of attention items (contract.md 5).
import { findAsset, findChain } from '@florin/chains'
import { kindOf } from '@florin/order-model/attention/kinds'
import { Envelope, envelope } from '@florin/platform/http/envelope'
import { LivemodeQuery, readLivemode } from '@florin/platform/http/livemode'
import { Page, PageQuery, pageOf, readIdCursor, readLimit } from '@florin/platform/http/page'
import type { App } from '@florin/platform/http/server'
import { ADDRESS_MAX, type AttentionItem, attentionKinds } from '@florin/protocol'
import { type TSchema, Type } from 'typebox'
import type { Attention } from '../attention/store.ts'
import { listAttention } from '../attention/store.ts'
import { sentenceOf } from '../attention/words.ts'
import type { MerchantCaller } from '../callers.ts'
import { readerOf } from '../orders/own-refunds/outside-of.ts'
import { type AttentionDeps, actionsFor, actOnAttention, seesOf } from './acts.ts'

const closed = { additionalProperties: false }
const Nullable = <T extends TSchema>(type: T) => Type.Union([type, Type.Null()])
const Text = Type.String()
const Time = Type.String({ format: 'date-time' })

const ItemSchema = Type.Object(
  {
    id: Text,
    livemode: Type.Boolean(),
    kind: Type.Enum([...attentionKinds], { description: 'What a person has to do.' }),
    reason: Type.String({ description: 'What happened, such as `settlement_failed`. New reasons may come.' }),
    order_no: Nullable(Text),
    summary: Text,
    evidence: Type.Record(Type.String(), Type.String()),
    actions: Type.Array(Text),
    created_at: Time,
    resolved_at: Nullable(Time),
    resolved_by: Nullable(Text),
    resolution: Nullable(Text),
  },
  { ...closed, title: 'AttentionItem' },
)

export function attentionRoutes(app: App, deps: AttentionDeps): void {
  const about = (summary: string, description: string) => ({
    tags: ['console: reports'],
    summary,
    description,
    security: [{ consoleToken: [] }],
  })

  app.get(
    '/api/v1/boss/attention',
    {
      schema: {
        ...about('What a person must decide', 'Newest first, resolved items included. Operators see every merchant.'),
        querystring: Type.Object(
          {
            ...{ ...LivemodeQuery, ...PageQuery, status: Type.Optional(Type.Enum(['open', 'resolved'])) },
            order_no: Type.Optional(Type.String({ maxLength: 40, description: 'What is about this order alone.' })),
          },
          closed,
        ),
        response: { 200: Envelope(Page(ItemSchema)) },
      },
    },
    async ({ merchant, query }) => {
      const limit = readLimit(query)
      const rows = await listAttention(deps.sql, {
        merchantId: seesOf(merchant),
        askedBy: merchant.id,
        livemode: readLivemode(query),
        orderNo: query.order_no ?? null,
        open: query.status === undefined ? null : query.status === 'open',
        before: readIdCursor(query.cursor, 'att'),
        limit: limit + 1,
      })
      return envelope(
        pageOf(
          rows,
          limit,
          (item) => viewAttention(deps, merchant, item, deps.clock.now()),
          (item) => [item.id],
        ),
      )
    },
  )

  app.post(
    '/api/v1/boss/attention/:id/:action',
    {
      config: { act: 'judged' },
      schema: {
        ...about(
          'Decide',
          'One of the actions of the item. What it does to the order and to the item is one commit. `refund-to` takes the address that the money goes back to, the others take nothing.',
        ),
        params: Type.Object({ id: Type.String(), action: Type.String({ maxLength: 40 }) }, closed),
        body: Type.Optional(
          Type.Object({ address: Type.Optional(Type.String({ minLength: 1, maxLength: ADDRESS_MAX })) }, closed),
        ),
        response: { 200: Envelope(ItemSchema) },
      },
    },
    async ({ merchant, params, body }) => {
      const item = await actOnAttention(deps, merchant, params.id, params.action, body?.address ?? null)
      return envelope(viewAttention(deps, merchant, item, deps.clock.now()))
    },
  )
}

/** Whether what the merchant owes is looked up here once it is sent back, or counts on his word. */
function refundable({ rails }: AttentionDeps, { kind, livemode, evidence }: Attention): Record<string, string> {
  const chain = findChain(evidence.chain ?? '')
  const coin = chain === null ? null : findAsset(chain, evidence.asset ?? '')
  if (kind !== 'owed_to_payer' || evidence.carried_by === undefined || chain === null || coin === null) return {}
  const asset = { chain: chain.id, asset: coin.asset, contract: coin.contract, decimals: coin.decimals }
  return { refund_here: readerOf(rails, { livemode, asset }) === undefined ? 'on_word' : 'yes' }
}

function viewAttention(deps: AttentionDeps, who: MerchantCaller, item: Attention, now: Date): AttentionItem {
  return {
    id: item.id,
    livemode: item.livemode,
    kind: kindOf(item.kind),
    reason: item.kind,
    order_no: item.orderNo,
    summary: sentenceOf(item.kind, { ...item.evidence, ...refundable(deps, item) }),
    evidence:
      item.merchantEmail === null || item.merchantId === who.id
        ? item.evidence
        : { ...item.evidence, merchant: item.merchantEmail },
    actions: actionsFor(who, item, now),
    created_at: item.createdAt.toISOString(),
    resolved_at: item.resolvedAt?.toISOString() ?? null,
    resolved_by: item.resolvedBy,
    resolution: item.resolution,
  }
}
