// One key of the relay on one chain: what it needs to sign and send. A lease makes sure that only one process at a time
// sends with a key.
import { holdLease, type Lease } from '@florin/platform/db/lease'
import { type Db, type Tx, withTx } from '@florin/platform/db/tx'
import type { EndedMoves } from '@florin/rail-kit/interface/moves'
import { type Address, type PublicClient, parseGwei } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import type { ForwarderContext } from '../context.ts'
import type { ForwarderChain } from '../settings/config.ts'
import type { ItemKind } from './items.store.ts'
import type { SignerTrouble, Standing } from './trouble.ts'

export interface RelayDeps extends ForwarderContext {
  /** Of settlements and refunds, those that are over for their orders. */
  listEndedMoves(db: Db, ids: readonly string[]): Promise<EndedMoves>
}

export interface Signer {
  deps: RelayDeps
  chain: ForwarderChain
  client: PublicClient
  account: PrivateKeyAccount
  key: { chain: string; signer: string }
  role: 'relayer' | 'refunder'
  kinds: readonly ItemKind[]
  factory: Address
  /** In wei. */
  cap: bigint
  minTip: bigint
  bumpAfterBlocks: number
  alarmAfterBlocks: number
  batchMax: number
  batchWaitMs: number
  /** Hashes that this process has broadcast: after a restart all are broadcast again. */
  offered: Set<string>
  /** Of the newest block when this process first sent with the key; null: not yet. */
  firstHeadAt: Date | null
  /** When the node was last asked. */
  lookedAt: Date | null
  /** Of this round; null: no error. */
  error: SignerTrouble | null
  /** What was last read of it; null: not yet. */
  standing: Standing | null
}

/** The keys that this process has for a chain: none, the one that settles, the one that refunds, or both. */
export function signersOf(deps: RelayDeps, chain: ForwarderChain, client: PublicClient): Signer[] {
  const { relayer, refunderKey } = chain
  const make = (key: `0x${string}`, role: Signer['role'], kinds: readonly ItemKind[]): Signer => {
    const account = privateKeyToAccount(key)
    return {
      ...{ deps, chain, client, account, role, kinds, factory: chain.factory },
      key: { chain: chain.id, signer: account.address.toLowerCase() },
      cap: parseGwei(relayer?.maxFeeGwei ?? REFUNDER_ALONE.maxFeeGwei),
      minTip: parseGwei(relayer?.minTipGwei ?? REFUNDER_ALONE.minTipGwei),
      bumpAfterBlocks: relayer?.bumpAfterBlocks ?? REFUNDER_ALONE.bumpAfterBlocks,
      alarmAfterBlocks: relayer?.alarmAfterBlocks ?? REFUNDER_ALONE.alarmAfterBlocks,
      // A refund is sent alone and at once.
      batchMax: role === 'relayer' ? (relayer?.batchMax ?? 1) : 1,
      batchWaitMs: role === 'relayer' ? (relayer?.batchWaitMs ?? 0) : 0,
      offered: new Set(),
      firstHeadAt: null,
      lookedAt: null,
      error: null,
      standing: null,
    }
  }
  return [
    ...(relayer === null ? [] : [make(relayer.privateKey, 'relayer', ['settle'])]),
    ...(refunderKey === null ? [] : [make(refunderKey, 'refunder', ['refund_bound', 'refund_announced'])]),
  ]
}

/** For a process that only refunds and has no gas settings. */
const REFUNDER_ALONE = { maxFeeGwei: '60', minTipGwei: '0.001', bumpAfterBlocks: 10, alarmAfterBlocks: 60 }

/** A transaction that commits only while this process still holds the key's lease. */
export function withLease<T>(signer: Signer, lease: Lease, work: (tx: Tx, now: Date) => Promise<T>): Promise<T> {
  return withTx(signer.deps.sql, async (tx) => {
    const now = signer.deps.clock.now()
    await holdLease(tx, lease, { now, leaseMs: signer.chain.leaseMs })
    return work(tx, now)
  })
}
