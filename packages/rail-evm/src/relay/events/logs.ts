// Turns the factory's logs into facts. The chain is the truth: who sent a transaction does not matter, and an order is
// notified that it is settled only by a log that is final by the chain's rule.
import { decodeFailure } from '@florin/contracts'
import { readInstallation } from '@florin/platform/db/installation'
import type { Tx } from '@florin/platform/db/tx'
import { withTx } from '@florin/platform/db/tx'
import type { RailAlarm, RailFact } from '@florin/rail-kit/interface/fact'
import { reportFacts } from '@florin/rail-kit/report.store'
import { getAddress, zeroAddress } from 'viem'
import { assetOf, tokenOf } from '../../settings/assets.ts'
import type { ForwarderChain } from '../../settings/config.ts'
import { hexOf } from '../calls.ts'
import { fail, takeDeferral } from '../deferrals.ts'
import {
  endItem,
  findItemByProposal,
  findItemsOfTransaction,
  listDoneItemsOfVault,
  listOpenItemsOfVault,
  type RelayItem,
  reopenItem,
  setProposal,
  wasCovered,
} from '../items.store.ts'
import { describeFailure } from '../node.ts'
import { carriesSeveral, isNewestOf, watchAgain } from '../outbox.store.ts'
import type { RelayDeps } from '../signer.ts'
import { forgetBurnt } from '../turns/store.ts'
import { mismatchOf } from './bound.ts'
import {
  type FactoryLog,
  findAnnouncement,
  findLegOfVault,
  listLogsToRelay,
  markRelayed,
  wasAnnounced,
} from './logs.store.ts'
import { pushesOver, pushFailed } from './push-failed.ts'

const ANNOUNCED = 'refund_announced_not_asked_for'

type AlarmFact = Extract<RailFact, { kind: 'alarm_raised' }>

interface Told {
  orderRef: string
  facts: readonly RailFact[]
}

/** Reports new factory logs to orders. @returns how many logs were processed. */
export async function relayLogs(deps: RelayDeps, chain: ForwarderChain): Promise<number> {
  const logs = await listLogsToRelay(deps.sql, chain.id, 200)
  for (const log of logs) {
    const facts = await withTx(deps.sql, async (tx) => {
      if (!(await markRelayed(tx, log))) return []
      const now = deps.clock.now()
      const told = await factsOf(tx, log, chain, now)
      if (told === null) return []
      const facts = [...told.facts, ...(await pushesOver(tx, log))]
      await reportFacts(tx, { rail: 'forwarder', orderRef: told.orderRef, facts, now })
      return facts
    })
    for (const fact of facts) {
      if (fact.kind !== 'alarm_raised') continue
      deps.log.error(
        { chain: chain.id, log: log.key, event: log.event, tx: log.txHash },
        fact.what.replaceAll('_', ' '),
      )
    }
  }
  if (logs.length > 0) deps.wake.facts.fire()
  return logs.length
}

function factsOf(tx: Tx, log: FactoryLog, chain: ForwarderChain, now: Date): Promise<Told | null> {
  switch (log.event) {
    case 'Settled':
      return settled(tx, log, chain, now)
    case 'SettleFailed':
      return settleFailed(tx, log, now)
    case 'Refunded':
      return refunded(tx, log, chain, now)
    case 'RefundProposed':
      return proposed(tx, log, now)
    case 'RefundVetoed':
      return vetoed(tx, log, now)
    case 'PushFailed':
      return pushFailed(tx, log)
  }
}

async function settled(tx: Tx, log: FactoryLog, chain: ForwarderChain, now: Date): Promise<Told | null> {
  const leg = await findLegOfVault(tx, log.vault ?? '')
  if (leg === null) return null
  const { orderRef, legRef } = leg
  const why = mismatchOf(log, leg, chain)
  if (why !== null)
    return log.state === 'final' ? { orderRef, facts: [alarmOf(log, 'settlement_not_as_bound', why)] } : null
  const [own] = (await findItemsOfTransaction(tx, log.txHash, log.vault)).filter((item) => item.kind === 'settle')
  if (log.state === 'orphaned') {
    // The watcher told the order, with the payments that left beside it.
    if (log.relayed === 'final') return offerAgain(tx, log, own ?? null, (item) => item.kind === 'settle', now)
    if (log.relayed === null || own === undefined) return null
    return { orderRef, facts: [{ kind: 'settlement_undone', settlementId: own.id }] }
  }
  if (log.state === 'seen') {
    if (own === undefined) return null
    return { orderRef, facts: [{ kind: 'settlement_broadcast', settlementId: own.id, txHash: log.txHash }] }
  }
  // A third-party settlement replaces the one that was requested: the order's own rule treats it so.
  const item =
    own ?? (await listOpenItemsOfVault(tx, log.chain, log.vault ?? '')).find((open) => open.kind === 'settle')
  if (item !== undefined) {
    await endItem(tx, { id: item.id, state: 'done', failure: null, now })
    await forgetBurnt(tx, item)
  }
  const gross = BigInt(log.args.gross ?? 0)
  const fee = BigInt(log.args.fee ?? 0)
  return {
    orderRef,
    facts: [
      {
        ...{ kind: 'settlement_final', settlementId: own?.id ?? null, legRef, txHash: log.txHash, gross, fee },
        amountOut: BigInt(log.args.amountOut ?? gross - fee),
      },
    ],
  }
}

async function settleFailed(tx: Tx, log: FactoryLog, now: Date): Promise<null> {
  if (log.state === 'orphaned' || (log.relayed !== null && log.relayed !== 'orphaned')) return null
  const [item] = await findItemsOfTransaction(tx, log.txHash, log.vault)
  // A later transaction that carries it is the one that counts.
  if (item?.state !== 'sent' || !(await isNewestOf(tx, log.txHash, item.id))) return null
  const why = describeFailure(decodeFailure(hexOf(log.args.reason ?? '0x')))
  if (!(await wasCovered(tx, item, log.height))) await takeDeferral(tx, { item, kind: 'not_yet', why }, now)
  else if (await carriesSeveral(tx, log.txHash))
    await takeDeferral(tx, { item, kind: 'apart', level: 2, isBurnt: true, why }, now)
  else await takeDeferral(tx, { item, kind: 'failure', isBurnt: true, why }, now)
  return null
}

async function refunded(tx: Tx, log: FactoryLog, chain: ForwarderChain, now: Date): Promise<Told | null> {
  const own = (await findItemsOfTransaction(tx, log.txHash, log.vault)).filter((item) => item.kind !== 'settle')
  if (log.state === 'orphaned' && log.relayed === 'final') {
    const isOurs = (item: RelayItem): boolean => isSameRefund(item, log)
    return offerAgain(tx, log, own.find(isOurs) ?? null, isOurs, now)
  }
  if (log.state !== 'final') return null
  // One that another transaction fulfilled is not fulfilled again by its own.
  const item = [...own, ...(await listOpenItemsOfVault(tx, log.chain, log.vault ?? ''))].find(
    (row) => isSameRefund(row, log) && row.state !== 'done',
  )
  if (item === undefined) return refundedByOthers(tx, log, chain, now)
  await endItem(tx, { id: item.id, state: 'done', failure: null, now })
  await forgetBurnt(tx, item)
  return {
    orderRef: item.orderRef,
    facts: [{ kind: 'refund_succeeded', refundId: item.id, txHash: log.txHash }],
  }
}

/**
 * The books follow the chain. From a leg's opening time on anybody may send back what is not the merchant's, to the bound
 * address; before, and where none is bound, only who has the refunder key. After the restore of an older backup the service itself
 * may have sent it: the order knows whether it was due.
 */
async function refundedByOthers(tx: Tx, log: FactoryLog, chain: ForwarderChain, now: Date): Promise<Told | null> {
  const leg = await findLegOfVault(tx, log.vault ?? '')
  if (leg === null) return null
  const { orderRef, legRef, route } = leg
  const { token = zeroAddress, to = zeroAddress, amount = '0' } = log.args
  const isOpen =
    log.blockTime !== null &&
    log.blockTime.getTime() >= Number(route.openAfter) * 1000 &&
    to === route.refundTo.toLowerCase()
  // Of a token that nobody here knows nothing was booked: anybody can mint one and have it returned.
  const isKnown = token === zeroAddress || tokenOf(chain, hexOf(token)) !== undefined
  if (!isKnown) return { orderRef, facts: isOpen ? [] : [alarmOf(log, 'refund_not_asked_for')] }
  const asset = assetOf(chain, token === zeroAddress ? null : hexOf(token))
  const { txHash } = log
  const { inUseSince } = await readInstallation(tx, now)
  const isAnnounced = !isOpen && (await wasAnnounced(tx, log, inUseSince))
  const fact: RailFact = {
    ...{ kind: 'refunded_by_others', legRef, txHash, asset, amount: BigInt(amount), to: getAddress(to), isOpen },
    ...(isAnnounced ? { wasAnnounced: true } : {}),
  }
  return { orderRef, facts: [fact] }
}

async function proposed(tx: Tx, log: FactoryLog, now: Date): Promise<Told | null> {
  const { inUseSince } = await readInstallation(tx, now)
  const isOlder = log.blockTime !== null && log.blockTime < inUseSince
  if (!isOlder && log.relayed !== null && log.state === 'final') return null
  const open = await listOpenItemsOfVault(tx, log.chain, log.vault ?? '')
  const item = open.find((row) => row.kind === 'refund_announced' && isSameRefund(row, log))
  if (item === undefined) {
    const leg = log.state === 'orphaned' ? null : await findLegOfVault(tx, log.vault ?? '')
    if (leg === null) return null
    if (!isOlder) return { orderRef: leg.orderRef, facts: [alarmOf(log, ANNOUNCED)] }
    // By then the order has heard of the payments before it, so it knows whether this is the payer's money.
    return log.state === 'final' ? { orderRef: leg.orderRef, facts: [{ ...alarmOf(log, ANNOUNCED), isOlder }] } : null
  }
  if (log.state === 'orphaned') {
    // Its transaction is rebroadcast automatically; the announcement counts from its new block.
    if (item.proposalId === log.args.id) {
      const own = await findItemsOfTransaction(tx, log.txHash, log.vault)
      const state = own.some((row) => row.id === item.id) ? 'sent' : 'waiting'
      await setProposal(tx, { id: item.id, proposalId: null, state, notBefore: now, now })
      await watchAgain(tx, log.txHash)
    }
    return null
  }
  const notBefore = new Date(Number(log.args.eta) * 1000)
  await setProposal(tx, { id: item.id, proposalId: log.args.id ?? '', state: 'waiting', notBefore, now })
  return {
    orderRef: item.orderRef,
    facts: [{ kind: 'refund_proposed', refundId: item.id, txHash: log.txHash }],
  }
}

/**
 * What was done is to be done again. Its own transaction is offered again (reconcile.ts); what a third party's
 * transaction had done is sent by one of ours.
 */
async function offerAgain(
  tx: Tx,
  log: FactoryLog,
  own: RelayItem | null,
  isIt: (item: RelayItem) => boolean,
  now: Date,
): Promise<null> {
  const item = own ?? (await listDoneItemsOfVault(tx, log.chain, log.vault ?? '')).find(isIt)
  if (item === undefined) return null
  await reopenItem(tx, { id: item.id, state: own === null ? 'waiting' : 'sent', now })
  await watchAgain(tx, log.txHash)
  return null
}

async function vetoed(tx: Tx, log: FactoryLog, now: Date): Promise<Told | null> {
  if (log.state !== 'final') return null
  const item = await findItemByProposal(tx, log.chain, log.args.id ?? '')
  if (item === null) return struckOut(tx, log)
  // It reports the fact itself.
  await fail(tx, item, `the announced refund was struck out by ${log.args.by}`, now)
  return null
}

/** An announcement that nobody here asked for will not be carried out. */
async function struckOut(tx: Tx, log: FactoryLog): Promise<Told | null> {
  const announced = await findAnnouncement(tx, log.chain, log.args.id ?? '')
  const leg = announced === null ? null : await findLegOfVault(tx, announced.vault)
  if (announced === null || leg === null) return null
  return { orderRef: leg.orderRef, facts: [{ kind: 'alarm_over', what: ANNOUNCED, txHash: announced.txHash }] }
}

function alarmOf(log: FactoryLog, what: RailAlarm, why: string | null = null): AlarmFact {
  const { args, chain, txHash } = log
  const token = args.token?.toLowerCase() ?? zeroAddress
  return {
    ...{ kind: 'alarm_raised', what, chain, txHash, to: args.to ?? args.merchant ?? null },
    ...{ token: token === zeroAddress ? null : token, amount: BigInt(args.amount ?? args.gross ?? 0), why },
  }
}

function isSameRefund(item: RelayItem, log: FactoryLog): boolean {
  return (
    item.kind !== 'settle' &&
    (item.token ?? zeroAddress) === log.args.token?.toLowerCase() &&
    item.to === log.args.to?.toLowerCase() &&
    item.amount === BigInt(log.args.amount ?? -1)
  )
}
