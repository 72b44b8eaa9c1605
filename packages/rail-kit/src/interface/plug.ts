// What the package of a rail gives to the process, and what the process gives to it.
import type { Clock } from '@florin/platform/clock'
import type { Sql } from '@florin/platform/db/pool'
import type { Job, Log } from '@florin/platform/worker/job'
import type { Wake } from '@florin/platform/worker/wake'
import type { Rail } from './rail.ts'
import type { RailServices } from './services.ts'

/** The dependencies of a rail. */
export interface RailParts {
  sql: Sql
  clock: Clock
  log: Log
  /** Fired after a commit that reported facts. */
  wake: { facts: Wake }
}

export interface RailPlug {
  rail: Rail
  /** Run by the workers. */
  jobs: readonly Job[]
  /** Called once at the start, before the first request. @throws what stops the start; a chain that does not answer now stops nothing. */
  check(): Promise<void>
  /** The height of the newest block of the rail's chains, for pages that count confirmations. Omitted: none is shown. */
  tips?: { tips(chain: string, livemode: boolean): bigint | null; refresh(): Promise<void> }
  services?: RailServices
}

/** A package that `RAILS` names: its exports `default` and `migrate`. */
export interface RailPackage {
  make: MakeRail
  /** Makes the rail's tables where they are missing. Run at each start that may change the schema: each statement is idempotent. */
  migrate: ((sql: Sql) => Promise<void>) | undefined
}

/**
 * The default export of a package that `RAILS` names.
 * @param work the same parts over connections of background jobs
 */
export type MakeRail = (parts: RailParts, work: RailParts) => RailPlug | Promise<RailPlug>
