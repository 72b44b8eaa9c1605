// Words for fields whose schema has none of its own: of a field of one object (`Order.pay`), else of every field of that name.
// What is null says when.
import { anyWords } from './common.ts'
import { operationWords } from './operation.ts'
import { orderWords } from './orders.ts'
import { sellingWords } from './selling.ts'
import { webhookWords } from './webhooks.ts'

const fields: Readonly<Record<string, string>> = {
  ...{ ...anyWords, ...orderWords, ...webhookWords, ...sellingWords, ...operationWords },
}

export function fieldWords(owner: string, field: string): string | null {
  // A body that makes or changes a thing has the words of the thing.
  const thing = owner.replace(/^(Create|Update|New|Rotated)/, '')
  return fields[`${owner}.${field}`] ?? fields[`${thing}.${field}`] ?? fields[field] ?? null
}
