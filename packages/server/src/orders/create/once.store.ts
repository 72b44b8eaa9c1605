// An Idempotency-Key of a call that is one transaction (contract.md 4.1): the key is claimed and answered in the commit of
// what it made. A second request with it waits for that commit.
import type { Tx } from '@florin/platform/db/tx'
import { AppError } from '@florin/platform/errors'
import type { IdempotentRequest } from '@florin/platform/http/idempotency'
import { equalSecret } from '@florin/platform/secrets'

/** @returns the first answer as JSON text, or null: it is this request's to make. @throws AppError idempotency_key_reused */
export async function claimOnce(
  tx: Tx,
  a: { owner: string; idempotent: IdempotentRequest; id: string; oldest: Date; now: Date },
): Promise<string | null> {
  const { key, bodyHash } = a.idempotent
  // Keys of the same owner are one name space with those of orders; an answer that is a day old is forgotten.
  await tx`
    delete from idempotency_keys where api_key_id = ${a.owner} and key = ${key} and created_at < ${a.oldest}`
  const rows = await tx`
    insert into idempotency_keys (api_key_id, key, body_hash, order_no, order_ref, leased_until, created_at)
    values (${a.owner}, ${key}, ${bodyHash}, ${a.id}, '', ${a.now}, ${a.now})
    on conflict (api_key_id, key) do nothing returning 1`
  if (rows.length === 1) return null
  const [known] = await tx<{ bodyHash: Uint8Array; answer: Uint8Array | null }[]>`
    select body_hash as "bodyHash", answer from idempotency_keys where api_key_id = ${a.owner} and key = ${key}`
  if (known === undefined || !equalSecret(known.bodyHash, bodyHash)) {
    throw new AppError('idempotency_key_reused', { param: 'Idempotency-Key' })
  }
  // Only an order's key can be unanswered, and its body hash is another.
  if (known.answer === null) throw new AppError('idempotency_in_progress', { param: 'Idempotency-Key', retryAfterS: 1 })
  return Buffer.from(known.answer).toString('utf8')
}

export function answerOnce(tx: Tx, a: { owner: string; key: string; json: string }): Promise<unknown> {
  return tx`
    update idempotency_keys set answer = convert_to(${a.json}, 'UTF8') where api_key_id = ${a.owner} and key = ${a.key}`
}
