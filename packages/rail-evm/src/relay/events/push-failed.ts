// What the factory's PushFailed means for an order: `rescue` found that one of merchant and payer cannot be paid. Seven
// days later a second one pays the other of them, whoever sends it, so people have to hear of it in time.
import { decodeFailure } from '@florin/contracts'
import type { Tx } from '@florin/platform/db/tx'
import { DAY_MS } from '@florin/protocol'
import type { RailFact } from '@florin/rail-kit/interface/fact'
import { getAddress, zeroAddress } from 'viem'
import { hexOf } from '../calls.ts'
import { describeFailure } from '../node.ts'
import { type FactoryLog, findLegOfVault, listPushesOfVault } from './logs.store.ts'

/** `RESCUE_DELAY` and `RESCUE_EXPIRY` of the factory. */
const OPENS_MS = 7 * DAY_MS
const LAPSES_MS = 30 * DAY_MS

interface Told {
  orderRef: string
  facts: readonly RailFact[]
}

/** An alarm while it is final on the chain. */
export async function pushFailed(tx: Tx, log: FactoryLog): Promise<Told | null> {
  const leg = await findLegOfVault(tx, log.vault ?? '')
  if (leg === null || log.state === 'seen') return null
  const { orderRef, route } = leg
  const { chain, txHash } = log
  if (log.state === 'orphaned') {
    return log.relayed === 'final' ? { orderRef, facts: [{ kind: 'alarm_over', what: 'push_failed', txHash }] } : null
  }
  const { to = zeroAddress, token = zeroAddress, amount = '0', reason = '0x' } = log.args
  const isMerchant = to === route.merchant.toLowerCase()
  const other = isMerchant ? route.refundTo : route.merchant
  const at = (log.blockTime ?? new Date(0)).getTime()
  const alarm: RailFact = {
    ...{ kind: 'alarm_raised', what: 'push_failed', chain, txHash, amount: BigInt(amount) },
    ...{ token: token === zeroAddress ? null : token, to: getAddress(to) },
    why: describeFailure(decodeFailure(hexOf(reason))),
    more: {
      ...{ cannot_be_paid: isMerchant ? 'merchant' : 'payer', goes_to: getAddress(other) },
      opens_at: new Date(at + OPENS_MS).toISOString(),
      lapses_at: new Date(at + LAPSES_MS).toISOString(),
    },
  }
  return { orderRef, facts: [alarm] }
}

/** What left the address was paid to somebody: what was said of it before is over. */
export async function pushesOver(tx: Tx, log: FactoryLog): Promise<RailFact[]> {
  if (log.state !== 'final' || log.vault === null || (log.event !== 'Settled' && log.event !== 'Refunded')) return []
  const pushes = await listPushesOfVault(tx, { chain: log.chain, vault: log.vault, token: log.args.token ?? '' })
  return pushes.map(({ txHash }): RailFact => ({ kind: 'alarm_over', what: 'push_failed', txHash }))
}
