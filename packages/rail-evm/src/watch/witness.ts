// Asks the other providers about what one alone has told, and then lets payments count and factory logs become final.
// What the others confirm is agreed; what two of them deny alike, minutes after it was told, never was, and is asked about
// again for a day; where one denies it and nobody decides, it waits, and people are told.
import { holdLease } from '@florin/platform/db/lease'
import { withTx } from '@florin/platform/db/tx'
import { MINUTE_MS, SECOND_MS } from '@florin/protocol'
import type { RailFact } from '@florin/rail-kit/interface/fact'
import { type Address, zeroAddress } from 'viem'
import { readBalances } from '../node/balances.ts'
import { NOTHING, type Opinion, opinionsOf } from '../node/corroborate.ts'
import { decodeFactoryLogs, settledAmount } from '../node/factory-logs.ts'
import { extraDepth, finalHeights } from '../node/finality.ts'
import { matchTransfers, type RawLog } from '../node/match.ts'
import type { ChainRpc, Reader } from '../node/rpc.ts'
import type { ForwarderChain } from '../settings/config.ts'
import { findBlock, findCursor, lockCursor } from './cursors.store.ts'
import { confirmedFact, report, seenFact, type Written, watchLeaseMs } from './record.ts'
import { confirmUpTo, type Deposit, expectedBalances, finalizeFactoryLogs } from './watch.store.ts'
import {
  type Claim,
  isAnythingRipe,
  listClaims,
  listRefuted,
  markAgreed,
  postponeClaim,
  refuteClaim,
  restoreClaim,
} from './witness.store.ts'

const CLAIMS_A_RUN = 500
const ASK_AGAIN_MS = 10 * SECOND_MS
/** Nodes differ for moments: a receipt may be seconds late on all of them. People are told of what lasts. */
const TELL_AFTER_MS = 2 * MINUTE_MS
/** What was refuted is asked about again after a minute at first, then more and more rarely. */
const REFUTED_AGAIN_MS = MINUTE_MS

/** undecided: not enough have said anything. restored: it was refuted, and wrongly. */
interface Ruling {
  claim: Claim
  ruling: 'agreed' | 'refuted' | 'restored' | 'disputed' | 'undecided'
  why: string | null
}

/** @param finalized the newest block that is final by tag. @returns how much was decided. */
export async function witness(rpc: ChainRpc, written: Written, finalized: bigint | null): Promise<number> {
  const { chain, parts, lease } = written
  const [credit, seen] = await Promise.all([
    findCursor(parts.sql, chain.id, 'credit'),
    findCursor(parts.sql, chain.id, 'seen'),
  ])
  if (credit === null || seen === null) return 0
  const upTo = finalHeights(chain, { head: seen.height, tagged: finalized })
  const height = upTo.normal > credit.height ? upTo.normal : credit.height
  const rulings: Ruling[] = []
  if (chain.quorum > 1) {
    const place = { chain: chain.id, height, now: parts.clock.now(), limit: CLAIMS_A_RUN }
    const refuted = await listRefuted(parts.sql, place)
    rulings.push(...(await rule(rpc, written, [...(await listClaims(parts.sql, place)), ...refuted], credit.height)))
  }
  const ripe = { chain: chain.id, credit: credit.height, final: upTo.normal }
  if (rulings.length === 0 && !(await isAnythingRipe(parts.sql, ripe))) return 0
  const now = parts.clock.now()
  const alarms = rulings.flatMap((ruling) => alarmOf(chain, ruling, now) ?? [])
  const done = await withTx(parts.sql, async (tx) => {
    await holdLease(tx, lease, { now, leaseMs: watchLeaseMs(chain) })
    // What others write at the depth that counts is either known here or comes after.
    await lockCursor(tx, chain.id, 'credit')
    for (const kind of ['deposit', 'factory'] as const) {
      const keys = rulings.flatMap(({ claim, ruling }) =>
        ruling === 'agreed' && claim.of.kind === kind ? [claim.key] : [],
      )
      if (keys.length > 0) await markAgreed(tx, kind, keys)
    }
    const gone = []
    const back: Deposit[] = []
    for (const { claim, ruling, why } of rulings) {
      if (ruling === 'refuted') gone.push(...(await refuteClaim(tx, claim, againAt(claim, now))))
      else if (ruling === 'restored') back.push(...(await restoreClaim(tx, claim)))
      else if (ruling !== 'agreed')
        await postponeClaim(tx, claim, { why, askAt: new Date(now.getTime() + ASK_AGAIN_MS) })
    }
    const confirmed = await confirmUpTo(tx, chain.id, { height: credit.height, extra: extraDepth(chain) })
    const final = await finalizeFactoryLogs(tx, chain.id, upTo)
    await report(
      tx,
      [
        ...gone.map((row) => ({ ...row, fact: { kind: 'payment_orphaned' as const, key: row.key } })),
        ...back.map((row) => seenFact(chain, row)),
        ...confirmed.map((row) => ({ ...row, fact: confirmedFact(row) })),
        ...alarms,
      ],
      now,
    )
    return { facts: gone.length + back.length + confirmed.length + alarms.length, final }
  })
  for (const { claim, ruling, why } of rulings) {
    if (why !== null) parts.log.error({ chain: chain.id, tx: claim.txHash, ruling }, why)
  }
  if (done.facts > 0) parts.wake.facts.fire()
  const logs =
    done.final +
    rulings.filter(
      ({ claim, ruling }) => ruling === 'restored' || (claim.of.kind === 'factory' && ruling === 'refuted'),
    ).length
  if (logs > 0) parts.wake.factoryLogs.fire()
  return done.facts + logs
}

/** null: no log shows it. That a balance is as the books have it says nothing of what was taken out of them. */
const againAt = ({ createdAt, of }: Claim, now: Date): Date | null =>
  of.kind === 'deposit' && !of.isLog
    ? null
    : new Date(now.getTime() + Math.max(REFUTED_AGAIN_MS, (now.getTime() - createdAt.getTime()) / 4))

/** Told once, when it has lasted, and taken back when it is decided. */
function alarmOf(
  chain: ForwarderChain,
  { claim, ruling }: Ruling,
  now: Date,
): { key: string; orderRef: string; fact: RailFact } | null {
  const { key, orderRef, txHash, disputed, askAt, createdAt, of } = claim
  if (orderRef === null) return null
  const what = 'providers_contradict'
  const isDecided = ruling === 'agreed' || ruling === 'refuted' || ruling === 'restored'
  if (isDecided) return disputed === null ? null : { key, orderRef, fact: { kind: 'alarm_over', what, txHash } }
  const tellAt = createdAt.getTime() + TELL_AFTER_MS
  const askedAt = askAt === null || disputed === null ? 0 : askAt.getTime() - ASK_AGAIN_MS
  if (ruling !== 'disputed' || now.getTime() < tellAt || askedAt >= tellAt) return null
  const args = of.kind === 'factory' ? of.args : {}
  const token = of.kind === 'deposit' ? of.token : (args.token ?? zeroAddress)
  const amount = of.kind === 'deposit' ? of.amount : BigInt(args.gross ?? args.amount ?? 0)
  return {
    ...{ key, orderRef },
    fact: {
      ...{ kind: 'alarm_raised', what, chain: chain.id, token: token === zeroAddress ? null : token, amount, txHash },
      ...{ to: null, why: null },
    },
  }
}

async function rule(rpc: ChainRpc, written: Written, claims: readonly Claim[], credit: bigint): Promise<Ruling[]> {
  if (claims.length === 0) return []
  const denied = new Map<Claim, Denial[]>()
  const agreed = new Set<Claim>()
  for (const reader of rpc.readers()) {
    const isOwn = (claim: Claim): boolean => claim.saidBy === reader.voice
    // Who told it is asked again only where it was denied: it may take it back.
    const asked = claims.filter((claim) => !agreed.has(claim) && (!isOwn(claim) || claim.disputed !== null))
    const opinions = await askOne(reader, written, asked, credit)
    for (const claim of asked) {
      const opinion = opinions.get(claim) ?? null
      if (opinion === 'agrees' && !isOwn(claim)) agreed.add(claim)
      if (opinion !== null && opinion !== 'agrees')
        denied.set(claim, [...(denied.get(claim) ?? []), { reader, has: opinion.has }])
    }
  }
  const now = written.parts.clock.now().getTime()
  return claims.map((claim): Ruling => {
    const against = denied.get(claim) ?? []
    const about = `transaction ${claim.txHash} in block ${claim.height}`
    // Before that a node may only be late.
    const isOld = now - claim.createdAt.getTime() >= TELL_AFTER_MS
    if (agreed.has(claim)) {
      for (const { reader, has } of against) if (isOld || has !== NOTHING) rpc.outvoted(reader.voice, about)
      return { claim, ruling: claim.isRefuted ? 'restored' : 'agreed', why: null }
    }
    if (against.length === 0) return { claim, ruling: claim.isRefuted ? 'refuted' : 'undecided', why: null }
    if (claim.isRefuted) return { claim, ruling: 'refuted', why: null }
    const names = against.map(({ reader }) => reader.name).join(' and ')
    const alike = largestOf(against)
    if (isOld && claim.disputed !== null && alike.length >= written.chain.quorum) {
      // Who takes back what it told is believed again.
      if (!alike.some(({ reader }) => reader.voice === claim.saidBy)) rpc.outvoted(claim.saidBy, about)
      return { claim, ruling: 'refuted', why: `${names} do not have ${about} as ${claim.saidBy} told it` }
    }
    const why = `${names} ${against.length === 1 ? 'contradicts' : 'contradict'} ${claim.saidBy} about ${about}`
    rpc.dispute(why)
    return { claim, ruling: 'disputed', why }
  })
}

interface Denial {
  reader: Reader
  has: string
}

/** Those who have the same instead. */
const largestOf = (against: readonly Denial[]): readonly Denial[] =>
  [...Map.groupBy(against, ({ has }) => has).values()].toSorted((a, b) => b.length - a.length)[0] ?? []

async function askOne(
  reader: Reader,
  written: Written,
  claims: readonly Claim[],
  credit: bigint,
): Promise<Map<Claim, Opinion>> {
  const inLogs = claims.flatMap((claim) => {
    const isIn = logTest(written.chain, claim)
    return isIn === null
      ? []
      : [{ claim, isIn, txHash: claim.txHash, height: claim.height, blockHash: claim.blockHash }]
  })
  const opinions = new Map<Claim, Opinion>()
  for (const [{ claim }, opinion] of await opinionsOf(reader, inLogs)) opinions.set(claim, opinion)
  const inBalances = claims.filter((claim) => !opinions.has(claim))
  for (const [claim, opinion] of await opinionsOfBalances(reader, written, inBalances, credit)) {
    opinions.set(claim, opinion)
  }
  return opinions
}

/** null: it was told by a balance, and no log shows it. */
function logTest(chain: ForwarderChain, { logIndex, vault, of }: Claim): ((logs: readonly RawLog[]) => boolean) | null {
  const at = (logs: readonly RawLog[]) => logs.filter((log) => Number(log.logIndex) === logIndex)
  if (of.kind === 'deposit') {
    if (!of.isLog) return null
    return (logs) =>
      matchTransfers(at(logs), new Map([[vault ?? '', null]])).some(
        (found) => found.token === of.token && found.amount === of.amount && found.from === of.from,
      )
  }
  return (logs) =>
    decodeFactoryLogs(at(logs).filter((log) => log.address.toLowerCase() === chain.factory)).some((found) => {
      const { amountOut, ...told } = of.args
      const isSame = Object.entries(told).every(([name, value]) => found.args[name] === value)
      if (found.event !== of.event || !isSame) return false
      return amountOut === undefined || settledAmount(found, chain.factory, logs).toString() === amountOut
    })
}

/** Coins that left no log: the address must hold as much as all that was told of it, at the newest block that counts. */
async function opinionsOfBalances(
  reader: Reader,
  { chain, parts }: Written,
  claims: readonly Claim[],
  credit: bigint,
): Promise<Map<Claim, Opinion>> {
  const opinions = new Map<Claim, Opinion>()
  const block = claims.length === 0 ? null : await findBlock(parts.sql, chain.id, credit)
  if (block === null) return opinions
  const deep = claims.filter((claim) => claim.height <= credit)
  const vaults = [...new Set(deep.flatMap((claim) => claim.vault ?? []))] as Address[]
  const balances = await readBalances(reader.client, vaults, block.hash).catch(() => null)
  if (balances === null) return opinions
  const at = { chain: chain.id, token: null, vaults, height: credit }
  const most = await expectedBalances(parts.sql, at)
  const least = await expectedBalances(parts.sql, { ...at, withTold: true })
  for (const claim of deep) {
    const vault = (claim.vault ?? '') as Address
    const balance = balances[vaults.indexOf(vault)] ?? 0n
    const isThere = balance >= (most.get(vault) ?? 0n)
    // Between the two it depends on whether what is said to have left has left.
    opinions.set(claim, isThere ? 'agrees' : balance < (least.get(vault) ?? 0n) ? { has: String(balance) } : null)
  }
  return opinions
}
