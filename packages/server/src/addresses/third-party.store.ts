// SQL of a merchant's switches: on which chains money may be settled by a rail that hands it through a third party.
import type { Db, Tx } from '@florin/platform/db/tx'
import { type Allowed, allowedAt, type ThirdPartySwitch } from './third-party.rules.ts'

interface FlatRow {
  chain: string
  isOn: boolean
  takesUnproven: boolean
  updatedAt: Date
  sessionId: string | null
  effectiveAt: Date | null
  untilOn: boolean | null
  untilUnproven: boolean | null
}

const columns = (db: Db) => db`
  chain, is_on as "isOn", takes_unproven as "takesUnproven", updated_at as "updatedAt", session_id as "sessionId",
  effective_at as "effectiveAt", until_on as "untilOn", until_unproven as "untilUnproven"`

function toSwitch({ isOn, takesUnproven, effectiveAt, untilOn, untilUnproven, ...row }: FlatRow): ThirdPartySwitch {
  const isWaiting = effectiveAt !== null && untilOn !== null && untilUnproven !== null
  const until = isWaiting ? { effectiveAt, allowed: { isOn: untilOn, takesUnproven: untilUnproven } } : null
  return { ...row, wished: { isOn, takesUnproven }, until }
}

/** Test money has no owner: on unless it was switched off. Real money is off unless it was switched on. */
export const defaultSwitch = (chain: string, livemode: boolean): ThirdPartySwitch => ({
  ...{ chain, wished: { isOn: !livemode, takesUnproven: !livemode }, until: null, updatedAt: null, sessionId: null },
})

/** At most one a chain. */
export async function listSwitches(
  db: Db,
  { merchantId, livemode }: { merchantId: string; livemode: boolean },
): Promise<ThirdPartySwitch[]> {
  const rows = await db<FlatRow[]>`
    select ${columns(db)} from third_party_chains
    where merchant_id = ${merchantId} and livemode = ${livemode} order by chain limit 200`
  return rows.map(toSwitch)
}

export async function findSwitch(
  db: Db,
  { merchantId, livemode, chain }: { merchantId: string; livemode: boolean; chain: string },
): Promise<ThirdPartySwitch> {
  const [row] = await db<FlatRow[]>`
    select ${columns(db)} from third_party_chains
    where merchant_id = ${merchantId} and livemode = ${livemode} and chain = ${chain}`
  return row === undefined ? defaultSwitch(chain, livemode) : toSwitch(row)
}

/** The value in force at this moment, without a change that still waits. */
export async function findAllowed(
  db: Db,
  a: { merchantId: string; livemode: boolean; chain: string; now: Date },
): Promise<Allowed> {
  return allowedAt(await findSwitch(db, a), a.now)
}

export function saveSwitch(
  tx: Tx,
  a: { merchantId: string; livemode: boolean } & ThirdPartySwitch & { updatedAt: Date },
): Promise<unknown> {
  const { wished, until } = a
  return tx`
    insert into third_party_chains (merchant_id, chain, livemode, is_on, takes_unproven, updated_at, session_id,
      effective_at, until_on, until_unproven)
    values (${a.merchantId}, ${a.chain}, ${a.livemode}, ${wished.isOn}, ${wished.takesUnproven}, ${a.updatedAt},
      ${a.sessionId}, ${until?.effectiveAt ?? null}, ${until?.allowed.isOn ?? null},
      ${until?.allowed.takesUnproven ?? null})
    on conflict (merchant_id, chain, livemode) do update set is_on = excluded.is_on,
      takes_unproven = excluded.takes_unproven, updated_at = excluded.updated_at, session_id = excluded.session_id,
      effective_at = excluded.effective_at, until_on = excluded.until_on, until_unproven = excluded.until_unproven`
}
