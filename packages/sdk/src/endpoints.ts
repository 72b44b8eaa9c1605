// The calls of the account's webhook endpoints.
import type { WebhookEndpoint, WebhookKind } from '@florin/protocol'
import { type CreateOptions, creation, listOf, read, segment } from './calls.ts'
import type { List } from './pages.ts'
import type { CallOptions, Transport } from './transport.ts'
import type { CreateWebhookEndpointParams, UpdateWebhookEndpointParams, WebhookEndpointSample } from './types.ts'

export class WebhookEndpoints {
  readonly #transport: Transport
  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Registers a receiver for every order of the key's mode. Its secret stands in this answer and nowhere else.
   *
   * Every try carries the same Idempotency-Key, so one endpoint comes of it.
   *
   * @throws FlorinError `invalid_webhook_url`, `too_many_endpoints`
   * @example const { secret } = await florin.webhookEndpoints.create({ url: 'https://shop.example/webhooks/florin' })
   */
  create(
    params: CreateWebhookEndpointParams,
    options: CreateOptions = {},
  ): Promise<WebhookEndpoint & { secret: string }> {
    return this.#transport.send(creation('/v1/webhook_endpoints', params, options), options)
  }

  /** Endpoints with their health, newest first. */
  list(
    params: { limit?: number | undefined; cursor?: string | undefined } = {},
    options?: CallOptions,
  ): List<WebhookEndpoint> {
    return listOf(this.#transport, '/v1/webhook_endpoints', { ...params }, options)
  }

  /** @throws FlorinError `endpoint_not_found` */
  get(id: string, options?: CallOptions): Promise<WebhookEndpoint> {
    return this.#transport.send(read(`/v1/webhook_endpoints/${segment(id, 'id')}`), options)
  }

  /** What is left out stays; `enabled: false` disables it. */
  update(id: string, params: UpdateWebhookEndpointParams, options?: CallOptions): Promise<WebhookEndpoint> {
    return this.#call('PATCH', `/${segment(id, 'id')}`, params, options)
  }

  delete(id: string, options?: CallOptions): Promise<WebhookEndpoint> {
    return this.#call('DELETE', `/${segment(id, 'id')}`, undefined, options)
  }

  /** A new secret; the old one signs beside it for `overlap_seconds`. @throws FlorinError `secret_overlap_running` */
  rotateSecret(
    id: string,
    params: { overlap_seconds?: number | undefined } = {},
    options?: CallOptions,
  ): Promise<WebhookEndpoint & { secret: string; old_secret_ends_at: string }> {
    return this.#call('POST', `/${segment(id, 'id')}/secret/rotate`, params, options)
  }

  /** Sends a marked, signed sample there and tells what came back. @throws FlorinError `endpoint_disabled`, `rate_limited` */
  test(
    id: string,
    params: { event?: WebhookKind | undefined } = {},
    options?: CallOptions,
  ): Promise<WebhookEndpointSample> {
    return this.#call('POST', `/${segment(id, 'id')}/test`, params, options)
  }

  #call<Out>(method: 'POST' | 'PATCH' | 'DELETE', end: string, body: object | undefined, options?: CallOptions) {
    const path = `/v1/webhook_endpoints${end}`
    const request = { method, path, repeatable: false, ...(body === undefined ? {} : { body }) }
    return this.#transport.send<Out>(request, options)
  }
}
