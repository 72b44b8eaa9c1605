// The relay's interface: accepts settlements and refunds, runs rounds in the background, and reports its health. A
// round first reconciles what was sent, then sends; it may be killed at any point and run again.
import { claimLease, releaseLease } from '@florin/platform/db/lease'
import type { Sql } from '@florin/platform/db/pool'
import { newId } from '@florin/platform/ids'
import type { Job } from '@florin/platform/worker/job'
import { MINUTE_MS } from '@florin/protocol'
import type { RefundRequest, SettleRequest } from '@florin/rail-kit/interface/moves'
import type { PublicClient } from 'viem'
import { usesTag } from '../node/finality.ts'
import type { ForwarderChain } from '../settings/config.ts'
import { relayLogs } from './events/logs.ts'
import { hasWaitingItems, insertItems, type NewItem } from './items.store.ts'
import { forgetGas, measureGas } from './metrics.ts'
import { readHead } from './node.ts'
import { listLiveTransactions, type OutboxRow, saveSigner } from './outbox.store.ts'
import { tellOverdue } from './overdue.ts'
import { reconcile, reopen } from './reconcile.ts'
import { rebroadcast, sendNext } from './send.ts'
import { type RelayDeps, type Signer, signersOf } from './signer.ts'
import { readStanding, troubleOf } from './standing.ts'
import { stopped } from './trouble.ts'

/** Accepts settlements; idempotent by id. */
export function queueSettlements(sql: Sql, requests: readonly SettleRequest[], now: Date): Promise<void> {
  return insertItems(
    sql,
    requests.map((request): NewItem => {
      const { settlementId: id, orderRef, legRef, pay, gross: amount, feeBps } = request
      const token = pay.contract?.toLowerCase() ?? null
      return { id, kind: 'settle', chain: pay.chain, orderRef, legRef, token, amount, feeBps, to: null }
    }),
    now,
  )
}

/** Accepts refunds; idempotent by id. @throws RefundUnderWay */
export function queueRefunds(sql: Sql, requests: readonly RefundRequest[], now: Date): Promise<void> {
  return insertItems(
    sql,
    requests.map(({ refundId: id, orderRef, legRef, asset, amount, to, isBound }): NewItem => {
      const kind = isBound ? 'refund_bound' : 'refund_announced'
      const token = asset.contract?.toLowerCase() ?? null
      return { id, kind, chain: asset.chain, orderRef, legRef, token, amount, feeBps: 0, to: to.toLowerCase() }
    }),
    now,
  )
}

/** A chain and how to reach it. */
export interface RelayChain {
  chain: ForwarderChain
  client: PublicClient
  /** Resolves once the chain is verified against the rails file. */
  verified?(): Promise<void>
}

/**
 * One job per key, so that a slow chain does not hold up others, and one per chain that reports factory logs to orders.
 */
export function relayJobs(deps: RelayDeps, chains: readonly RelayChain[]): Job[] {
  // A restarted process is a new holder: it waits until the lease of the dead one expires.
  const holder = newId('relay', deps.clock.now())
  return chains.flatMap((link): Job[] => {
    const { chain } = link
    const signers = signersOf(deps, chain, link.client)
    const tell: Job = {
      name: `relay-logs ${chain.id}`,
      everyMs: Math.min(chain.pollMs, 1_000),
      run: () => relayLogs(deps, chain),
      wakeOn: (wake) => deps.wake.factoryLogs.on(wake),
    }
    return [
      tell,
      ...signers.map(
        (signer): Job => ({
          name: `relay-${signer.role} ${chain.id}`,
          everyMs: chain.pollMs,
          run: async () => {
            await link.verified?.()
            return relayRound(signer, holder)
          },
          end: () => release(signer, holder),
        }),
      ),
    ]
  })
}

/**
 * One reconciliation and at most one new transaction. @returns how much was done; 0 while another process has the key.
 */
export async function relayRound(signer: Signer, holder: string): Promise<number> {
  const { deps, client, key } = signer
  const name = leaseName(signer)
  const lease = await claimLease(deps.sql, { name, holder, now: deps.clock.now(), leaseMs: signer.chain.leaseMs })
  if (lease === null) {
    forgetGas(signer)
    return 0
  }
  const live = await listLiveTransactions(deps.sql, key)
  const now = deps.clock.now()
  // Providers charge per call: an idle key is checked once a minute.
  const idleMs = live.length === 0 ? IDLE_LOOK_MS : live.some(isUnderWay) || !usesTag(signer.chain) ? 0 : MINED_LOOK_MS
  const isIdle = idleMs > 0 && !(await hasWaitingItems(deps.sql, { chain: key.chain, kinds: signer.kinds, now }))
  if (isIdle && signer.lookedAt !== null && now.getTime() - signer.lookedAt.getTime() < idleMs) return 0
  signer.lookedAt = now
  signer.error = null
  const [head, count, balance] = await Promise.all([
    readHead(client, signer.chain),
    client.getTransactionCount({ address: signer.account.address, blockTag: 'latest' }),
    client.getBalance({ address: signer.account.address }),
  ])
  let did = await reopen(signer, lease, { head, count })
  const known = did === 0 ? live : await listLiveTransactions(deps.sql, key)
  did += await reconcile(signer, lease, { live: known, head, count })
  const open = did === 0 ? live : await listLiveTransactions(deps.sql, key)
  did += await rebroadcast(signer, lease, { live: open, head, count })
  did += await sendNext(signer, lease, { live: open, head, count, balance })
  const overdue = await tellOverdue(signer, lease, { live: open, head })
  const standing = await readStanding(signer, now)
  const trouble =
    signer.error ?? (overdue === null ? null : stopped(overdue)) ?? troubleOf(signer, standing, { head, balance })
  await saveSigner(deps.sql, { ...key, role: signer.role, trouble, balance }, deps.clock.now())
  measureGas(signer, { balance, standing })
  // Work that cannot continue is retried at the job's own interval.
  return signer.error === null ? did : 0
}

const IDLE_LOOK_MS = MINUTE_MS
/** Mined transactions wait for the chain's finality tag, on some chains for a quarter of an hour. */
const MINED_LOOK_MS = 10_000
const isUnderWay = (row: OutboxRow): boolean => row.state === 'open'

const leaseName = (signer: Signer): string => `relay ${signer.key.chain} ${signer.key.signer}`

async function release(signer: Signer, holder: string): Promise<void> {
  const now = signer.deps.clock.now()
  const lease = await claimLease(signer.deps.sql, { name: leaseName(signer), holder, now, leaseMs: 1 })
  if (lease !== null) await releaseLease(signer.deps.sql, lease, now)
}
