// The one entry of the library. What is exported here is promised; everything else may change.
export type {
  Attempt,
  BalanceLine,
  BookDifference,
  Delivery,
  DeliveryStatus,
  EndpointStatus,
  ErrorCode,
  ErrorType,
  EventKind,
  Invoice,
  InvoiceStatus,
  LatePolicy,
  MerchantRefund,
  Order,
  OrderLook,
  OrderOnChain,
  OrderStatus,
  PayLeg,
  Payment,
  PaymentLink,
  Reconciliation,
  Refund,
  SimulateAction,
  StatusDetail,
  TimelineEntry,
  UpdateKind,
  WebhookEndpoint,
  WebhookKind,
} from '@florin/protocol'
export { formatUnits, parseUnits } from '@florin/protocol'
export type { SignatureReason } from '@florin/protocol/signature'
export { Florin } from './client.ts'
export { FlorinError, type FlorinErrorCode, type FlorinErrorType } from './errors.ts'
export type { EventStream, StreamOptions } from './event-stream.ts'
export {
  expressWebhook,
  type FastifyWebhookOptions,
  fastifyWebhook,
  honoWebhook,
  nodeWebhook,
  type WebhookHandlerOptions,
  webhookHandler,
} from './handlers.ts'
export type { List, Page } from './pages.ts'
export { type SignTestWebhookInput, signTestWebhook, type TestWebhook } from './sample-webhook.ts'
export type {
  ChangePaymentLinkParams,
  CreateInvoiceParams,
  CreatePaymentLinkParams,
  ListInvoicesParams,
  ListPaymentLinksParams,
} from './selling.ts'
export type { CallOptions, FlorinOptions } from './transport.ts'
export type {
  Chain,
  CreateMerchantRefundParams,
  CreateOrderParams,
  CreateWebhookEndpointParams,
  FlorinEvent,
  FlorinWebhook,
  ListDeliveriesParams,
  ListEventsParams,
  ListOrdersParams,
  OrderExpiredEvent,
  OrderFailedEvent,
  OrderProcessingEvent,
  OrderRefundedEvent,
  OrderSuccessEvent,
  OrderUpdatedEvent,
  ReconciliationParams,
  SimulateParams,
  ThirdPartyChain,
  UpdateWebhookEndpointParams,
  WebhookEndpointSample,
} from './types.ts'
export { type WebhookHeaders, WebhookVerificationError, type WebhookVerificationReason } from './webhook-event.ts'
export { type VerifyWebhookInput, verifyWebhook } from './webhooks.ts'
