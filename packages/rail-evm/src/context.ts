// The dependencies of the forwarder's parts: a subset of the process's.

import type { JournalEntry } from '@florin/exit/journal'
import type { Check } from '@florin/platform/check'
import type { Clock } from '@florin/platform/clock'
import type { Sql } from '@florin/platform/db/pool'
import type { Log } from '@florin/platform/worker/job'
import type { Wake } from '@florin/platform/worker/wake'
import type { Journal } from '@florin/rail-kit/journaled'
import type { Hex } from 'viem'
import type { ChainRpc } from './node/rpc.ts'

export interface ForwarderContext {
  sql: Sql
  clock: Clock
  log: Log
  wake: { facts: Wake; factoryLogs: Wake }
}

/** What a lost database is recovered from (decision 27). */
export interface RouteJournal extends Journal<JournalEntry> {
  /** The ref of a leg's route, which the recovery seed makes of the leg's reference. */
  refOf(legRef: string): Hex
  /** A check for each host where the journal cannot be written. */
  checks(): Promise<readonly Check[]>
}

/** A configured chain with its connection. */
export interface ForwarderLink {
  rpc: ChainRpc
  /** Resolves once the chain is verified against the rails file. @throws ChainMismatch, or the node's error. */
  verified(): Promise<void>
}
