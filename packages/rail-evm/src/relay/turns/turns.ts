// Whose settlements and refunds are sent apart, and when the turn of each comes. All of it is in the rows, so that whichever
// process sends next decides alike.
import { DAY_MS, HOUR_MS, SECOND_MS } from '@florin/protocol'
import { noQuorumIn } from '../../node/quorum.ts'
import { hexOf } from '../calls.ts'
import type { Signer } from '../signer.ts'
import { listBurners, listSuspects, listUnknownReceivers, setReceiverKind } from './store.ts'

/** So long after a failure a receiver's settlements are sent alone. */
const APART_MS = HOUR_MS
/** Failures of so long count for how long a receiver rests. */
const FAILED_MS = DAY_MS
const REST_MS = 30 * SECOND_MS
const REST_MAX_MS = HOUR_MS
/** So many failures of all of a merchant's receivers in a day slow down nothing but those receivers. */
const BURNT_FREE = 4
/** Receivers that are looked at in a round. */
const LOOKS_MAX = 20

export interface Turns {
  now: Date
  suspects: readonly string[]
  resting: readonly string[]
  burners: readonly string[]
  restingBurners: readonly string[]
}

export async function turnsOf(signer: Signer): Promise<Turns> {
  const { sql } = signer.deps
  const now = signer.deps.clock.now()
  const ago = (ms: number): Date => new Date(now.getTime() - ms)
  const of = { chain: signer.key.chain, kinds: signer.kinds }
  const rests = (one: { isUnderWay: boolean; lastAt: Date }, failures: number): boolean =>
    one.isUnderWay || ago(restMs(failures)) < one.lastAt
  const suspects = await listSuspects(sql, { ...of, since: ago(APART_MS), failedSince: ago(FAILED_MS) })
  const burners = await listBurners(sql, { ...of, since: ago(FAILED_MS), free: BURNT_FREE })
  const merchants = burners.map(({ merchant }) => merchant)
  if (merchants.length > 0) await lookAtReceivers(signer, merchants)
  return {
    now,
    suspects: suspects.map(({ receiver }) => receiver),
    resting: suspects.filter((one) => rests(one, one.failures)).map(({ receiver }) => receiver),
    burners: merchants,
    restingBurners: burners.filter((one) => rests(one, one.burnt)).map(({ merchant }) => merchant),
  }
}

/** An account without code burns nothing: such a payer does not wait for what others of the merchant burnt. */
async function lookAtReceivers(signer: Signer, merchants: readonly string[]): Promise<void> {
  const { sql } = signer.deps
  const of = { chain: signer.key.chain, kinds: signer.kinds }
  const unknown = await listUnknownReceivers(sql, { ...of, merchants, limit: LOOKS_MAX })
  for (const { address, ids } of unknown) {
    const isAccount = await isWithoutCode(signer, address)
    if (isAccount !== null) await setReceiverKind(sql, { ids, isAccount })
  }
}

/** null: providers contradict each other, so nobody knows yet. */
async function isWithoutCode({ client }: Signer, address: string): Promise<boolean | null> {
  try {
    const code = await client.getCode({ address: hexOf(address) })
    return code === undefined || code === '0x'
  } catch (error) {
    if (noQuorumIn(error)?.isContradiction === true) return null
    throw error
  }
}

/** Each failure in a row doubles how long a receiver rests: what its failures cost in gas stays small. */
const restMs = (failures: number): number =>
  failures === 0 ? 0 : Math.min(REST_MS * 2 ** Math.min(failures - 1, 20), REST_MAX_MS)
