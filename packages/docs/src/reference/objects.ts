// Which objects the API speaks of: those that the document names, and, where an answer spells one out, the same by the
// call that answers it. Pure.
import { bare, type OpenApi, resolveRef, type Schema } from './openapi.ts'

/** Objects by a call that answers one. */
const answers: readonly (readonly [name: string, method: string, path: string])[] = [
  ['Order', 'get', '/v1/orders/{order_no}'],
  ['OrderLook', 'post', '/v1/orders/{order_no}/look-again'],
  ['MerchantRefund', 'get', '/v1/orders/{order_no}/merchant_refunds/{id}'],
  ['Delivery', 'get', '/v1/deliveries/{id}'],
  ['WebhookEndpoint', 'get', '/v1/webhook_endpoints/{id}'],
  ['PaymentLink', 'get', '/v1/payment_links/{id}'],
  ['Invoice', 'get', '/v1/invoices/{id}'],
  ['Reconciliation', 'get', '/v1/reconciliation'],
]
/** Items of lists. */
const lists: readonly (readonly [name: string, path: string])[] = [
  ['TimelineEntry', '/v1/orders/{order_no}/events'],
  ['Event', '/v1/events'],
  ['Chain', '/v1/chains'],
]
/** Fields that are objects or lists of them. */
const parts: readonly (readonly [name: string, owner: string, field: string])[] = [
  ['PayLeg', 'Order', 'pay'],
  ['Payment', 'Order', 'payments'],
  ['Refund', 'Order', 'refunds'],
  ['BalanceLine', 'Order', 'balance'],
  ['Fx', 'Order', 'fx'],
  ['Proof', 'PayLeg', 'proof'],
  ['Attempt', 'Delivery', 'attempts'],
  ['EndpointHealth', 'WebhookEndpoint', 'health'],
  ['InvoiceLine', 'Invoice', 'lines'],
  ['Asset', 'Chain', 'assets'],
]

export interface Objects {
  schemas: Map<string, Schema>
  /** Closed lists of values, with words for each. */
  enums: Map<string, Schema>
  nameOf(schema: Schema): string | null
}

export function objectsOf(api: OpenApi): Objects {
  const schemas = new Map<string, Schema>()
  const answerOf = (method: string, path: string): Schema | undefined => {
    const responses = api.paths[path]?.[method]?.responses ?? {}
    const answer = responses['200'] ?? responses['201']
    const schema = answer === undefined ? undefined : resolveRef(api, answer).content?.['application/json']?.schema
    return schema === undefined ? undefined : resolveRef(api, schema)
  }
  const add = (name: string, schema: Schema | undefined): void => {
    if (schema === undefined) return
    const whole = resolveRef(api, bare(schema))
    const one = whole.items === undefined ? whole : resolveRef(api, bare(whole.items))
    if (one.properties !== undefined) schemas.set(name, one)
  }
  for (const [name, method, path] of answers) add(name, answerOf(method, path))
  for (const [name, path] of lists) add(name, answerOf('get', path)?.properties?.data)
  for (const [name, owner, field] of parts) add(name, schemas.get(owner)?.properties?.[field])
  const enums = new Map<string, Schema>()
  for (const [name, schema] of Object.entries(api.components?.schemas ?? {}))
    if (schema.enum !== undefined && schema['x-enum-descriptions'] !== undefined) enums.set(name, schema)
  const byText = new Map([...schemas].map(([name, schema]) => [withoutWords(schema), name]))
  return {
    schemas,
    enums,
    nameOf(schema) {
      const named = schema.$ref?.split('/').at(-1) ?? ''
      if (enums.has(named)) return named
      const resolved = resolveRef(api, bare(schema))
      return resolved.properties === undefined ? null : (byText.get(withoutWords(resolved)) ?? null)
    },
  }
}

/** The same object may be said with other words at another place. */
function withoutWords(schema: Schema): string {
  const { description: _said, ...rest } = schema
  return JSON.stringify(rest)
}
