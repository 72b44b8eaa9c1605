// SQL of a merchant's switches: on which chains money may be settled by a rail that hands it through a third party.
import type { Db } from '../platform/db/tx.ts'

export interface ThirdPartySwitch {
  chain: string
  isOn: boolean
  /** A payout that nobody but the provider tells of counts as made. */
  takesUnproven: boolean
  updatedAt: Date | null
}

/** Test money is nobody's: on unless it was switched off. Real money is off unless it was switched on. */
export const defaultSwitch = (chain: string, livemode: boolean): ThirdPartySwitch => ({
  ...{ chain, isOn: !livemode, takesUnproven: !livemode, updatedAt: null },
})

/** At most one a chain. */
export async function listSwitches(
  db: Db,
  { merchantId, livemode }: { merchantId: string; livemode: boolean },
): Promise<ThirdPartySwitch[]> {
  return db<ThirdPartySwitch[]>`
    select chain, is_on as "isOn", takes_unproven as "takesUnproven", updated_at as "updatedAt" from third_party_chains
    where merchant_id = ${merchantId} and livemode = ${livemode} order by chain limit 200`
}

export async function findSwitch(
  db: Db,
  { merchantId, livemode, chain }: { merchantId: string; livemode: boolean; chain: string },
): Promise<ThirdPartySwitch> {
  const [row] = await db<ThirdPartySwitch[]>`
    select chain, is_on as "isOn", takes_unproven as "takesUnproven", updated_at as "updatedAt" from third_party_chains
    where merchant_id = ${merchantId} and livemode = ${livemode} and chain = ${chain}`
  return row ?? defaultSwitch(chain, livemode)
}

export async function saveSwitch(
  db: Db,
  a: { merchantId: string; livemode: boolean; chain: string; isOn: boolean; takesUnproven: boolean; now: Date },
): Promise<ThirdPartySwitch> {
  const [row] = await db<ThirdPartySwitch[]>`
    insert into third_party_chains (merchant_id, chain, livemode, is_on, takes_unproven, updated_at)
    values (${a.merchantId}, ${a.chain}, ${a.livemode}, ${a.isOn}, ${a.takesUnproven}, ${a.now})
    on conflict (merchant_id, chain, livemode) do update set is_on = excluded.is_on,
      takes_unproven = excluded.takes_unproven, updated_at = excluded.updated_at
    returning chain, is_on as "isOn", takes_unproven as "takesUnproven", updated_at as "updatedAt"`
  return row ?? defaultSwitch(a.chain, a.livemode)
}
