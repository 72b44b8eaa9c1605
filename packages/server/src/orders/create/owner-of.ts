// Whose an address is, as far as anything here knows: for rails to which a third party names addresses. Never told to payers or
// merchants: who asks would learn whom others are paid by.
import type { Sql } from '@florin/platform/db/pool'
import type { OwnerOf } from '@florin/rail-kit/interface/owner'
import type { Rail } from '@florin/rail-kit/interface/rail'
import { isReceiving } from '../../addresses/store.ts'
import { isPayAddress, isPayers } from './create.store.ts'

/** @param rails those that have addresses of their own, or know addresses of accounts */
export function ownerOf(sql: Sql, rails: readonly Rail[]): OwnerOf {
  return async ({ chain, livemode, address }) => {
    const read = await Promise.all(rails.map((rail) => rail.readAddress?.({ chain, livemode, text: address })))
    if (read.some((one) => one?.isOwn)) return 'service'
    if (await isReceiving(sql, address)) return 'merchant'
    if (read.some((one) => one?.isPayAddress)) return 'merchant'
    if (await isPayAddress(sql, address)) return 'service'
    return (await isPayers(sql, address)) ? 'payer' : null
  }
}
