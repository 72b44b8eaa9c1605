// The schemas that routes validate and write with, as a document shows them: what has a title becomes a component of that name,
// known words become enumerations that say what each value means, and answers are open to fields of later versions. Pure.
import { assert } from '@florin/platform/assert'
import {
  custodyWords,
  deliveryStatusWords,
  invoiceStatusWords,
  latePolicyWords,
  orderStatusWords,
  passedOverWords,
  paymentLinkStateWords,
  paymentStatusWords,
  paymentUseWords,
  refundReasonWords,
  refundStatusWords,
  routeReasonWords,
  scopeWords,
  simulateActionWords,
  statusDetailWords,
  webhookKindWords,
} from '@florin/protocol'
import type { Schema } from './document.ts'
import { fieldWords } from './words/index.ts'

/** Who reads a schema: requests are closed, since an unknown field is refused; answers are not. */
export type Use = 'request' | 'response'

const enumerations: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  OrderStatus: orderStatusWords,
  StatusDetail: statusDetailWords,
  LatePolicy: latePolicyWords,
  PaymentStatus: paymentStatusWords,
  PaymentUse: paymentUseWords,
  RefundStatus: refundStatusWords,
  RefundReason: refundReasonWords,
  Custody: custodyWords,
  RouteReason: routeReasonWords,
  PassedOver: passedOverWords,
  WebhookKind: webhookKindWords,
  EventKind: Object.fromEntries(Object.entries(webhookKindWords).filter(([kind]) => !kind.includes('.updated.'))),
  DeliveryStatus: deliveryStatusWords,
  SimulateAction: simulateActionWords,
  Scope: scopeWords,
  PaymentLinkState: paymentLinkStateWords,
  InvoiceStatus: invoiceStatusWords,
}
const keyOf = (values: readonly unknown[]): string => JSON.stringify([...values].sort())
const named = new Map(Object.entries(enumerations).map(([name, words]) => [keyOf(Object.keys(words)), name]))

export const refTo = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })

/** A type with one sentence for each of its values, in `description` for people and beside the values for generators. */
export function enumOf(words: Readonly<Record<string, string>>, description = ''): Schema {
  const list = Object.entries(words).map(([value, sentence]) => `- \`${value}\`: ${sentence}`)
  return {
    type: 'string',
    enum: Object.keys(words),
    description: [...(description === '' ? [] : [description, '']), ...list].join('\n'),
    'x-enum-descriptions': Object.values(words),
  }
}

export class Components {
  readonly #made = new Map<string, Schema>()

  /** @throws where another schema has the name already. */
  add(name: string, schema: Schema): Schema {
    const known = this.#made.get(name)
    assert(known === undefined || JSON.stringify(known) === JSON.stringify(schema), `two schemas are titled ${name}`)
    this.#made.set(name, schema)
    return refTo(name)
  }

  /** @param owner the title of the object that it is a part of, for the words of its fields. */
  take(schema: Schema, use: Use, owner = ''): Schema {
    const { title, ...rest } = schema
    if (schema['x-document'] !== undefined) {
      const { component, ...shown } = schema['x-document']
      const words = schema.description === undefined ? {} : { description: schema.description }
      return { ...(typeof component === 'string' ? refTo(component) : this.take(shown, use, owner)), ...words }
    }
    if (title === undefined) return this.#shown(rest, use, owner)
    const { description, ...shown } = this.#shown(rest, use, title)
    return this.add(title, { ...(description === undefined ? {} : { description }), ...shown })
  }

  /** In the order of their names. */
  all(): Record<string, Schema> {
    return Object.fromEntries([...this.#made].sort(([a], [b]) => (a < b ? -1 : 1)))
  }

  #shown(schema: Schema, use: Use, owner: string): Schema {
    if (Array.isArray(schema.enum)) return this.#enumeration(schema)
    if (Array.isArray(schema.anyOf)) return this.#union(schema, schema.anyOf, use, owner)
    if (schema.items !== undefined) return { ...schema, items: this.take(schema.items, use, owner) }
    const { patternProperties, additionalProperties, properties, ...rest } = schema
    if (rest.type !== 'object') return schema
    // A map of keys to values; Fastify's plugin writes a pattern for every key as additionalProperties.
    const [value] = Object.values((patternProperties ?? {}) as Record<string, Schema>)
    const values = value ?? (typeof additionalProperties === 'object' ? (additionalProperties as Schema) : undefined)
    if (values !== undefined) return { ...rest, additionalProperties: this.take(values, use, owner) }
    const fields = Object.entries(properties ?? {}).map(([name, field]) => {
      const taken = this.take(field, use, owner)
      const words = fieldWords(owner, name)
      return [name, taken.description === undefined && words !== null ? { ...taken, description: words } : taken]
    })
    const isClosed = additionalProperties === false && use === 'request'
    const own = fields.length === 0 ? {} : { properties: Object.fromEntries(fields) as Record<string, Schema> }
    return { ...rest, ...own, ...(isClosed ? { additionalProperties } : {}) }
  }

  #enumeration(schema: Schema): Schema {
    const values = schema.enum ?? []
    const name = named.get(keyOf(values))
    const words = name === undefined ? undefined : enumerations[name]
    if (name === undefined || words === undefined) {
      return { ...(values.every((value) => typeof value === 'string') ? { type: 'string' } : {}), ...schema }
    }
    this.add(name, enumOf(words))
    return { ...refTo(name), ...(schema.description === undefined ? {} : { description: schema.description }) }
  }

  /** One type or null is said in one line. */
  #union(schema: Schema, members: readonly Schema[], use: Use, owner: string): Schema {
    const { anyOf: _, ...rest } = schema
    const taken = members.map((member) => this.take(member, use, owner))
    const [only, ...others] = taken.filter((member) => member.type !== 'null')
    const isOrNull = others.length === 0 && taken.length === 2 && only !== undefined
    if (isOrNull && typeof only.type === 'string' && only.type !== 'object' && only.enum === undefined) {
      return { ...only, ...rest, type: [only.type, 'null'] }
    }
    const description =
      rest.description ??
      taken.find((member) => member.description !== undefined && member.$ref === undefined)?.description
    return { anyOf: taken, ...rest, ...(description === undefined ? {} : { description }) }
  }
}
