// What the chain says of a key, once a minute: whether it may do its work, and whether it has the gas for it.
import { payFactoryAbi } from '@florin/contracts'
import { DAY_MS, MINUTE_MS } from '@florin/protocol'
import { formatGwei } from 'viem'
import type { Head } from './node.ts'
import { sumCosts } from './outbox.store.ts'
import type { Signer } from './signer.ts'
import { roleNumbers, runwayOf, type SignerTrouble, type Standing } from './trouble.ts'

/** What gas costs is reckoned over so long. */
export const GAS_WINDOW_MS = 7 * DAY_MS
const LOW_DAYS = 3
const BATCH_GAS = 4_000_000n
const LOW_BATCHES = 5n

export async function readStanding(signer: Signer, now: Date): Promise<Standing> {
  const { standing, client, account, role, deps } = signer
  if (standing !== null && now.getTime() - standing.at.getTime() < MINUTE_MS) return standing
  const factory = { address: signer.factory, abi: payFactoryAbi }
  const [hasRole, isPaused, costs] = await Promise.all([
    client.readContract({ ...factory, functionName: 'hasRole', args: [roleNumbers[role], account.address] }),
    role === 'refunder' && client.readContract({ ...factory, functionName: 'refundsPaused' }),
    sumCosts(deps.sql, signer.key, new Date(now.getTime() - GAS_WINDOW_MS)),
  ])
  const sinceMs = costs.first === null ? 0 : now.getTime() - costs.first.getTime()
  signer.standing = { at: now, hasRole, isPaused, spent: costs.spent, sinceMs }
  return signer.standing
}

/** What a key will meet that has no work now. */
export function troubleOf(
  signer: Signer,
  standing: Standing,
  a: { head: Head; balance: bigint },
): SignerTrouble | null {
  const { account, role, factory, cap } = signer
  const who = account.address
  if (!standing.hasRole) return { kind: 'role_missing', text: `${who} is not a ${role} of the factory ${factory}` }
  if (standing.isPaused) return { kind: 'refunds_paused', text: 'refunds are paused' }
  const { days, isBound } = runwayOf({ ...standing, balance: a.balance, cap })
  const isLow = a.balance < a.head.baseFee * BATCH_GAS * LOW_BATCHES || (!isBound && days < LOW_DAYS)
  return isLow ? { kind: 'low_on_gas', text: `${who} is low on gas: top it up` } : null
}

export const overCap = (signer: Signer, head: Head): SignerTrouble => ({
  kind: 'gas_over_cap',
  text:
    `gas costs more than maxFeeGwei allows (base fee ${formatGwei(head.baseFee)} gwei, cap ${formatGwei(signer.cap)} gwei); ` +
    'sending is paused',
})
