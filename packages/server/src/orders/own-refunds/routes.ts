// Refunds that a merchant pays from an own wallet, over /v1 and in the console (contract.md 5.2).
import type { OrderState } from '@florin/order-model/state'
import { parseLine } from '@florin/platform/http/label'
import { Page } from '@florin/platform/http/page'
import type { App } from '@florin/platform/http/server'
import { ADDRESS_MAX, REASON_MAX, type Scope } from '@florin/protocol'
import { Type } from 'typebox'
import { type Caller, defineRoute } from '../../define-route.ts'
import { OrderParams } from '../schema.ts'
import { askOwnRefund, cancelOwnRefund, getRefund, type NoticeDeps, nameTransaction, viewOwnRefund } from './acts.ts'

const closed = { additionalProperties: false }
const Text = Type.String()
const NullableText = Type.Union([Text, Type.Null()])
const OneParams = Type.Object({ order_no: Type.String(), id: Type.String() }, closed)

const MerchantRefundSchema = Type.Object(
  {
    id: Text,
    order_no: Text,
    status: Type.Enum(['requested', 'recorded', 'canceled'], {
      description: 'recorded: its transfer is on the chain, final, and as it was asked for',
    }),
    amount: Type.String({
      pattern: '^[0-9]+$',
      description: 'What to send, in the smallest unit of the asset',
    }),
    asset: Text,
    chain: Text,
    contract: NullableText,
    decimals: Type.Integer(),
    address: Text,
    reason: NullableText,
    uri: Type.String({
      description:
        'What a wallet opens; EIP-681 on EVM chains. The address alone once a transaction is named, and when it is recorded or canceled',
    }),
    transaction: Type.Union(
      [Type.Object({ chain_id: Type.Integer(), to: Text, data: Text, value: Text }, closed), Type.Null()],
      { description: 'The same for a wallet in the browser (eth_sendTransaction); null where there is none' },
    ),
    tx_hash: NullableText,
    sender: Type.Union([Text, Type.Null()], {
      description: 'Where the recorded transfer came from; null before, and in the sandbox',
    }),
    sent_from: Type.Union([Type.Literal('own'), Type.Literal('word'), Type.Null()], {
      description:
        'own: the chain shows coins of your receiving address or account; word: only you say that it is yours; null until it is recorded',
    }),
    failure: Type.Union([Text, Type.Null()], {
      description: 'Why the transaction that was named last does not count',
    }),
    created_at: Text,
    recorded_at: NullableText,
  },
  { ...closed, title: 'MerchantRefund' },
)

export function ownRefundRoutes(
  app: App,
  deps: NoticeDeps,
  getOwn: (caller: Caller, orderNo: string) => Promise<OrderState>,
): void {
  const faces = (scope: Scope, end: string) => ({
    v1: { url: `/v1/orders/:order_no/merchant_refunds${end}`, scope, tags: ['orders'] },
    console: { url: `/api/v1/boss/orders/:order_no/merchant_refunds${end}`, tags: ['console: orders'] },
  })

  const asking = faces('refunds:write', '')
  defineRoute(app, {
    method: 'POST',
    isMade: true,
    summary: 'Ask for a refund that the merchant pays from an own wallet',
    params: OrderParams,
    body: Type.Object(
      {
        amount: Type.Optional(
          Type.String({
            pattern: '^[1-9][0-9]{0,59}$',
            description:
              "In the settle asset's smallest unit; left out, all that the receiving address got and was not refunded yet",
          }),
        ),
        address: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: ADDRESS_MAX,
            description: 'In the console only; it asks for a fresh sign-in',
          }),
        ),
        reason: Type.Optional(Type.String({ maxLength: REASON_MAX })),
        allow_over: Type.Optional(
          Type.Boolean({
            description: 'true: it may be more than the receiving address got, up to twice of it in all',
          }),
        ),
      },
      closed,
    ),
    response: MerchantRefundSchema,
    v1: {
      ...asking.v1,
      description:
        'For orders that settled. It goes where the payer is known to want it; an API key names no address. Nothing moves by this call: the merchant pays, and Florin records the transfer once the chain shows it.',
    },
    console: {
      ...asking.console,
      act: 'judged',
      description: 'Naming an address asks for a fresh sign-in (403 confirmation_required).',
    },
    async answer(caller, { params, body, once }) {
      const order = await getOwn(caller, params.order_no)
      return askOwnRefund(deps, caller, order, {
        once,
        amount: body.amount === undefined ? null : BigInt(body.amount),
        address: body.address?.trim() ?? null,
        reason: body.reason === undefined ? null : parseLine(body.reason, { param: 'reason', max: REASON_MAX }),
        mayExceed: body.allow_over === true,
      })
    },
  })

  const listing = faces('orders:read', '')
  defineRoute(app, {
    ...{ method: 'GET', summary: 'Refunds of an order that the merchant pays, oldest first' },
    ...{ params: OrderParams, response: Page(MerchantRefundSchema) },
    ...listing,
    async answer(caller, { params }) {
      const order = await getOwn(caller, params.order_no)
      const data = order.ownRefunds.map((row) => viewOwnRefund(deps, order, row))
      return { data, has_more: false, next_cursor: null }
    },
  })

  const reading = faces('orders:read', '/:id')
  defineRoute(app, {
    ...{ method: 'GET', summary: 'One refund that the merchant pays' },
    ...{ params: OneParams, response: MerchantRefundSchema },
    ...reading,
    async answer(caller, { params }) {
      const order = await getOwn(caller, params.order_no)
      return viewOwnRefund(deps, order, getRefund(order, params.id))
    },
  })

  const naming = faces('refunds:write', '/:id/transaction')
  defineRoute(app, {
    method: 'POST',
    summary: 'Name the transaction that paid a refund',
    description:
      'It is verified on the chain: final, told alike by two providers, the asked amount of the asked asset to the asked address, not there before it was asked for, not from an address of the payer, and not counted yet. What does not fit is said in `failure`.',
    params: OneParams,
    body: Type.Object({ tx_hash: Type.String({ minLength: 1, maxLength: 200 }) }, closed),
    response: MerchantRefundSchema,
    v1: naming.v1,
    console: { ...naming.console, act: 'harmless' },
    async answer(caller, { params, body }) {
      const order = await getOwn(caller, params.order_no)
      return nameTransaction(deps, caller, order, { id: params.id, txHash: body.tx_hash })
    },
  })

  const canceling = faces('refunds:write', '/:id/cancel')
  defineRoute(app, {
    ...{ method: 'POST', summary: 'Cancel a refund that was asked for and not paid' },
    ...{ params: OneParams, body: Type.Optional(Type.Object({}, closed)), response: MerchantRefundSchema },
    v1: canceling.v1,
    console: { ...canceling.console, act: 'harmless' },
    answer: async (caller, { params }) =>
      cancelOwnRefund(deps, caller, await getOwn(caller, params.order_no), params.id),
  })
}
