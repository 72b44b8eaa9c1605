// Lists of deliveries for /v1 and the console: the filters, and a page with its attempts.
import type { Sql } from '@florin/platform/db/pool'
import { AppError } from '@florin/platform/errors'
import { type PageOf, pageOf, readIdCursor, readLimit } from '@florin/platform/http/page'
import { type Delivery, deliveryStatuses, webhookKinds } from '@florin/protocol'
import { type Static, Type } from 'typebox'
import {
  type DeliveryRow,
  listAttempts,
  listDeliveries,
  listDeliveriesOfEndpoint,
  listDeliveriesOfOrder,
  type Owner,
} from './store.ts'
import { viewDelivery } from './view.ts'

export const DeliveryFilterQuery = {
  order_no: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  endpoint_id: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  status: Type.Optional(Type.Enum([...deliveryStatuses])),
  event: Type.Optional(Type.Enum([...webhookKinds])),
}

type Query = Static<ReturnType<typeof Type.Object<typeof DeliveryFilterQuery>>> & { limit?: string; cursor?: string }

export async function pageOfDeliveries(sql: Sql, owner: Owner, query: Query): Promise<PageOf<Delivery>> {
  const limit = readLimit(query)
  const filter = {
    ...owner,
    status: query.status ?? null,
    event: query.event ?? null,
    below: readIdCursor(query.cursor, 'dlv'),
    limit: limit + 1,
  }
  const { order_no: orderNo, endpoint_id: endpointId } = query
  if (orderNo !== undefined && endpointId !== undefined) {
    throw new AppError('validation_failed', { param: 'endpoint_id', message: 'Say either order_no or endpoint_id.' })
  }
  const rows =
    orderNo !== undefined
      ? await listDeliveriesOfOrder(sql, orderNo, filter)
      : endpointId !== undefined
        ? await listDeliveriesOfEndpoint(sql, endpointId, filter)
        : await listDeliveries(sql, filter)
  const attempts = await listAttempts(sql, rows.slice(0, limit))
  return pageOf(
    rows,
    limit,
    (row) => viewDelivery(row, attempts),
    (row) => [row.id],
  )
}

export async function viewOne(sql: Sql, row: DeliveryRow): Promise<Delivery> {
  return viewDelivery(row, await listAttempts(sql, [row]))
}
