// What happens to an item that could not be sent, or whose transaction moved nothing: it waits, or it fails for good
// and its order is notified in the same transaction.
import type { Tx } from '@florin/platform/db/tx'
import { DAY_MS, SECOND_MS } from '@florin/protocol'
import type { RailFact } from '@florin/rail-kit/interface/fact'
import { reportFacts } from '@florin/rail-kit/report.store'
import type { Deferral } from './batch.ts'
import { findAnnouncement } from './events/logs.store.ts'
import { endItem, noteFailure, postponeItems, type RelayItem, setProposal } from './items.store.ts'
import { countBurnt, setApart } from './turns/store.ts'

/** A call that fails this often is not retried: it needs human review, with the reason recorded. */
const FAILURES_MAX = 2
const RETRY_MS = 30 * SECOND_MS
const NOT_YET_MS = 5 * SECOND_MS
/** Money that is missing for a day is no longer waited for. */
const MISSING_MAX_MS = DAY_MS

/** @returns the fact for the order, or null while the item keeps waiting. */
export async function takeDeferral(tx: Tx, deferral: Deferral, now: Date): Promise<RailFact | null> {
  const { item } = deferral
  const later = (ms: number): Date => new Date(now.getTime() + ms)
  switch (deferral.kind) {
    case 'announced':
      await setProposal(tx, {
        ...{ id: item.id, proposalId: deferral.proposalId, state: 'waiting', now },
        notBefore: deferral.executableAt,
      })
      await endAlarm(tx, item, deferral.proposalId, now)
      return report(tx, item, { kind: 'refund_proposed', refundId: item.id, txHash: null }, now)
    case 'not_yet': {
      // An announced refund waits a day by design.
      const since = item.proposalId === null ? item.createdAt : item.notBefore
      if (now.getTime() - since.getTime() > MISSING_MAX_MS) return fail(tx, item, deferral.why, now)
      await postponeItems(tx, [item.id], later(NOT_YET_MS), now)
      return null
    }
    case 'apart':
      await setApart(tx, { id: item.id, level: deferral.level, isBurnt: deferral.isBurnt, now })
      return null
    case 'failure':
      if (deferral.isBurnt) await countBurnt(tx, item.id)
      // An announcement that lapsed or was vetoed can only be made again, which is a person's decision.
      if (item.failures + 1 >= FAILURES_MAX) return fail(tx, item, deferral.why, now)
      await noteFailure(tx, { id: item.id, failure: deferral.why, notBefore: later(RETRY_MS), now })
      return null
  }
}

/** Somebody was told of an announcement that this refund has asked for since. */
async function endAlarm(tx: Tx, item: RelayItem, proposalId: string, now: Date): Promise<void> {
  const announced = await findAnnouncement(tx, item.chain, proposalId)
  if (announced === null) return
  const { txHash } = announced
  await report(tx, item, { kind: 'alarm_over', what: 'refund_announced_not_asked_for', txHash }, now)
}

/** Ends an item and notifies its order in one transaction. */
export async function fail(tx: Tx, item: RelayItem, failure: string, now: Date): Promise<RailFact | null> {
  if (!(await endItem(tx, { id: item.id, state: 'failed', failure, now }))) return null
  const fact: RailFact =
    item.kind === 'settle'
      ? { kind: 'settlement_failed', settlementId: item.id, failure }
      : { kind: 'refund_failed', refundId: item.id, failure }
  return report(tx, item, fact, now)
}

async function report(tx: Tx, item: RelayItem, fact: RailFact, now: Date): Promise<RailFact> {
  await reportFacts(tx, { rail: 'forwarder', orderRef: item.orderRef, facts: [fact], now })
  return fact
}
