// Addresses of accounts that were given out, as the journal keeps them. A database that was restored from a backup has not
// those that were given out after it. They are written into it again, so that no other order gets them.
import { chunksOf } from '@florin/platform/chunks'
import type { Sql } from '@florin/platform/db/pool'
import { withTx } from '@florin/platform/db/tx'
import type { GivenRecord } from '@florin/rail-kit/journaled'
import { readOpened } from '@florin/rail-kit/opened'
import type { GivenPlace, PayAddresses } from '../context.ts'
import { insertLeg, listKnownRefs, listWatched, type NewLeg } from './legs.store.ts'

const FORM = 'utxo address'

/** JSON holds amounts as digits and times as text. @param leg null: the address takes the change of a refund. */
export const givenRecord = (place: GivenPlace | null, leg: NewLeg | null): GivenRecord => ({
  given: FORM,
  what: JSON.parse(
    JSON.stringify({ place, leg }, (_key, value: unknown) => (typeof value === 'bigint' ? value.toString() : value)),
  ),
  at: (place?.at ?? leg?.createdAt ?? new Date(0)).toISOString(),
})

/** For a journal that is written anew: addresses that are still looked for, by reference, after `after`. */
export async function listGivenRecords(sql: Sql, after: string): Promise<{ ref: string; record: GivenRecord }[]> {
  return (await listWatched(sql, after)).map(({ leg, merchantId }) => {
    const { ref, account, index, script, orderRef, createdAt: at } = leg
    const place = account === null || index === null ? null : { account, index, script, merchantId, orderRef, at }
    return { ref, record: givenRecord(place, leg) }
  })
}

interface Given {
  place: GivenPlace | null
  leg: NewLeg | null
}

function readGivenRecord(record: GivenRecord): Given[] {
  if (record.given !== FORM) return []
  // Only this file writes the form, and nobody without the seed can change a record.
  const { place, leg } = record.what as unknown as Given
  return [
    {
      place: place === null ? null : { ...place, index: BigInt(place.index), at: new Date(place.at) },
      leg:
        leg === null
          ? null
          : {
              ...leg,
              index: leg.index === null ? null : BigInt(leg.index),
              opened: readOpened(leg.opened),
              ...{ deadline: new Date(leg.deadline), lateAfter: new Date(leg.lateAfter) },
              ...{ watchUntil: new Date(leg.watchUntil), createdAt: new Date(leg.createdAt) },
            },
    },
  ]
}

/** What this database has already changes nothing. @returns how many addresses were not known to be given out. */
export async function restoreGiven(
  sql: Sql,
  addresses: Pick<PayAddresses, 'listUnknown' | 'takeGiven'>,
  records: readonly GivenRecord[],
): Promise<number> {
  let count = 0
  for (const some of chunksOf(records.flatMap(readGivenRecord), 500)) {
    const legs = some.flatMap(({ leg }) => (leg === null ? [] : [leg]))
    const refs = await listKnownRefs(
      sql,
      legs.map((leg) => leg.ref),
    )
    const missing = legs.filter((leg) => !refs.has(leg.ref))
    const given = some.flatMap(({ place }) => (place === null ? [] : [place]))
    const places = (await addresses.listUnknown?.(sql, given)) ?? []
    if (missing.length + places.length === 0) continue
    count += await withTx(sql, async (tx) => {
      await addresses.takeGiven?.(tx, places)
      for (const leg of missing) await insertLeg(tx, leg)
      const marked = [...places.map((place) => place.orderRef), ...missing.map((leg) => leg.orderRef)]
      return new Set(marked).size
    })
  }
  return count
}
